/**
 * Converts bytes of one encoding to bytes of another without a string. Runs of sequences that both encodings
 * share are copied; only other characters are decoded.
 */
import { type Bytes, type OwnBytes, toUint8Array } from './argument/bytes.js';
import { readWhole } from './character.js';
import type { CodecCore } from './codec/codec.js';
import { encodingOf } from './codec-core.js';
import { isEscapable } from './encode.js';
import { type Encoding, encodingFor } from './encoding.js';
import { findTranscode, type TranscodeWindow } from './fast/kernel-transcode.js';
import { SHORT_TEXT } from './fast/limits.js';
import type { Progress } from './fast/loops.js';
import { createWindows } from './fast/windows.js';
import { describeFault, isUndecided } from './fault/describe.js';
import { DecodeError, EncodeError, isSurrogate } from './fault/error.js';
import type { Fault } from './fault/fault.js';
import {
  checkPolicy,
  checkSize,
  type ErrorPolicy,
  needsReason,
  substituteBytes,
} from './fault/policy.js';
import { intersectRows } from './grammar/arithmetic.js';
import { type Automaton, deriveAutomaton, findAcceptedEnd } from './grammar/automaton.js';
import { formatCodePoint } from './grammar/format.js';
import type { Grammar } from './grammar/grammar.js';
import { unpackRows } from './grammar/packed.js';
import { allocate, append, ByteSink } from './rows/byte-sink.js';
import { findRow, type PreparedRow } from './rows/prepared-row.js';

/** Options of {@link transcode} and `Transcoder`. */
export interface TranscodeOptions {
  /**
   * Policy for faults of the source, and for characters that the target cannot encode; `strict` by default.
   * The text that replaces a fault is encoded in the target; `surrogateescape` writes the faulty bytes
   * themselves.
   */
  readonly errors?: ErrorPolicy | undefined;
}

/** Names of {@link TranscodeOptions}. */
export const TRANSCODE_OPTIONS: readonly string[] = ['errors'];

/** A conversion: its two encodings, the automaton of their shared sequences, and the kernels' conversion. */
export class Route {
  readonly from: Encoding;
  readonly to: Encoding;
  readonly direct: TranscodeWindow | undefined;
  #shared: Automaton | undefined;

  constructor(from: Encoding, to: Encoding, direct: TranscodeWindow | undefined) {
    this.from = from;
    this.to = to;
    this.direct = direct;
  }

  /** Derived on first use: never if the kernels convert the whole input. */
  get shared(): Automaton {
    this.#shared ??= deriveAutomaton(intersect(this.from, this.to));
    return this.#shared;
  }
}

const routes = new WeakMap<Encoding, WeakMap<Encoding, Route>>();

/** Finds the route of a conversion, once for each two encodings. */
export function routeBetween(source: CodecCore, target: CodecCore, policy: ErrorPolicy): Route {
  const from = encodingFor(encodingOf(source), policy);
  const known = routes.get(from) ?? new WeakMap<Encoding, Route>();
  routes.set(from, known);
  const to = encodingOf(target);
  const route = known.get(to) ?? createRoute(source, target, policy, false);
  known.set(to, route);
  return route;
}

/** Creates a route with memory of its own. */
export const createOwnRoute = (source: CodecCore, target: CodecCore, policy: ErrorPolicy): Route =>
  createRoute(source, target, policy, true);

function createRoute(
  source: CodecCore,
  target: CodecCore,
  policy: ErrorPolicy,
  inOwnMemory: boolean,
): Route {
  const whole = encodingOf(source);
  const to = encodingOf(target);
  const direct = to.kernel && whole.kernel && findTranscode(whole.kernel, to.kernel, inOwnMemory);
  return new Route(encodingFor(whole, policy), to, direct);
}

/**
 * Selects the rows that two encodings share: without surrogates, which depend on the sequences around them,
 * unless both encodings have them as numbers.
 */
function intersect(from: Encoding, to: Encoding): Pick<Grammar, 'rows'> {
  const { rows, written = rows } = (to.scalars ?? to).packed;
  return {
    rows: intersectRows(unpackRows((from.scalars ?? from).packed.rows), unpackRows(written)),
  };
}

const progress: Progress = { read: 0, written: 0 };

/**
 * Transcodes `bytes` from the index `from` on into a sink.
 *
 * @param base - Offset of the input in its stream, in bytes.
 * @param isLast - False if more input follows.
 * @returns The index up to which the input was transcoded.
 */
export function transcodeInto(
  sink: ByteSink,
  route: Route,
  bytes: Uint8Array,
  from: number,
  policy: ErrorPolicy,
  base: number,
  isLast: boolean,
): number {
  const { from: source, to: target } = route;
  const { length } = bytes;
  const direct = length > SHORT_TEXT ? route.direct : undefined;
  const advance = createWindows(direct, route, source.packed.longest, (converter, from, to) => {
    if (converter === direct) {
      sink.reserve((to - from) * direct.growth);
      direct(bytes, from, to, sink.memory, sink.length, progress);
      sink.length = progress.written;
      return progress.read;
    }
    const end = findAcceptedEnd(route.shared, bytes, from, to);
    appendRun(sink, bytes, from, end);
    return end;
  });
  for (;;) {
    const at = advance(from, length);
    if (at >= length) return at;
    const character = readWhole(source, bytes, at);
    const { codePoint } = character;
    if (codePoint >= 0 && character.isCut && !isLast) return at;
    // No number becomes text, and no text becomes a number, unless it is the same in both encodings.
    const isEncodable = codePoint >= 0 && source.isText(codePoint) === target.isText(codePoint);
    const row = isEncodable ? findRow(target.prepared.written, codePoint) : undefined;
    if (row) {
      appendCharacter(sink, target, row, codePoint);
      from = at + character.length;
      continue;
    }
    if (codePoint < 0 && !isLast && isUndecided(source, bytes, at, needsReason(policy))) return at;
    const fault =
      codePoint < 0
        ? describeFault(source, bytes, at, base)
        : {
            offset: base + at,
            length: character.length,
            reason: findReason(source, codePoint),
            incomplete: character.isCut,
          };
    from = at + fault.length;
    const faulty = bytes.subarray(at, from);
    const problem =
      codePoint < 0
        ? undefined
        : `${target.name} cannot encode ${formatCodePoint(codePoint)} of ${source.name}`;
    if (policy === 'surrogateescape') {
      appendEscaped(sink, route, fault, faulty, problem);
    } else {
      const text = substituteBytes(source.name, policy, fault, faulty, problem);
      checkSize(bytes, length);
      appendText(sink, target, text);
    }
  }
}

/** Returns the reason why a target cannot encode a code point. */
function findReason(source: Encoding, codePoint: number): Fault['reason'] {
  if (!source.isText(codePoint)) return 'unrepresentable';
  return isSurrogate(codePoint) ? 'surrogate' : 'too-large';
}

/** Appends `source[from..to)`. */
function appendRun(sink: ByteSink, source: Uint8Array, from: number, to: number): void {
  // Short runs byte by byte: making a view costs more than copying 32 bytes.
  if (to - from >= 32) {
    append(sink, source.subarray(from, to));
  } else {
    sink.reserve(to - from);
    for (let i = from; i < to; i++) sink.memory[sink.length++] = source[i] as number;
  }
}

/**
 * Appends a character. If a `!` row refuses two surrogates side by side, they become their pair: a policy may
 * have dropped the bytes between them.
 */
function appendCharacter(
  sink: ByteSink,
  target: Encoding,
  row: PreparedRow,
  codePoint: number,
): void {
  const high = isLow(codePoint) ? removeHigh(sink, target) : undefined;
  if (high === undefined) {
    sink.write(row, codePoint);
    return;
  }
  appendCodePoint(sink, target, 0x10000 + ((high - 0xd800) << 10) + (codePoint - 0xdc00));
}

const isLow = (codePoint: number): boolean => codePoint >= 0xdc00 && codePoint <= 0xdfff;
const isHigh = (codePoint: number): boolean => codePoint >= 0xd800 && codePoint < 0xdc00;

/** Length of a surrogate, in bytes, in encodings whose `!` rows refuse pairs. */
const SURROGATE = 3;

/**
 * Removes a high surrogate from the end of a sink, if the target has `!` rows.
 *
 * @returns The surrogate, or undefined.
 */
export function removeHigh(sink: ByteSink, target: Encoding): number | undefined {
  const at = sink.length - SURROGATE;
  if (!target.packed.refused || at < 0) return undefined;
  const { codePoint } = target.read(sink.memory.subarray(at, sink.length), 0);
  if (!isHigh(codePoint)) return undefined;
  sink.length = at;
  return codePoint;
}

/** Appends a code point that the target contains. */
export function appendCodePoint(sink: ByteSink, target: Encoding, codePoint: number): void {
  sink.write(findRow(target.prepared.written, codePoint) as PreparedRow, codePoint);
}

/** Appends a text that replaces a fault. */
function appendText(sink: ByteSink, target: Encoding, text: string): void {
  const { refused } = target.packed;
  for (const [i, character] of Array.from(text).entries()) {
    const codePoint = character.codePointAt(0) as number;
    const row = findRow(target.prepared.written, codePoint);
    if (!row || !target.isText(codePoint)) {
      throw new EncodeError(target.name, i, codePoint);
    }
    if (refused) appendCharacter(sink, target, row, codePoint);
    else sink.write(row, codePoint);
  }
}

/** Appends faulty bytes unchanged, as decoding and encoding with escapes would. */
function appendEscaped(
  sink: ByteSink,
  { from, to }: Route,
  fault: Fault,
  faulty: Uint8Array,
  problem: string | undefined,
): void {
  if (problem || !faulty.every((byte) => isEscapable(to, byte))) {
    throw new DecodeError(from.name, fault, faulty, problem);
  }
  append(sink, faulty);
}

/**
 * Makes a sink in the kernels' memory, or in new memory for a user's function, which may itself use the
 * kernels.
 */
export function createTranscodeSink(
  { direct }: Route,
  policy: ErrorPolicy,
  length: number,
): ByteSink {
  const memory = typeof policy === 'function' ? undefined : direct?.memory.output;
  return new ByteSink(memory ?? allocate(length));
}

/**
 * Converts bytes of one encoding to bytes of another, by code points. A byte order mark stays.
 *
 * @param bytes - In the encoding `from`.
 * @param from - The codec of the input: a module such as `@utf8/cesu8`, or any {@link Codec}.
 * @param to - The codec of the result.
 * @param options - The policy for faults, and for characters that the target does not contain.
 * @returns A new `Uint8Array`.
 * @throws DecodeError under `strict`, with the byte offset in the source: at a fault of the
 *   source, and at a character that the target cannot encode (`surrogate`, `too-large`).
 * @throws EncodeError if a policy function returns text that the target cannot encode.
 * @throws RangeError if the result is larger than the platform can allocate.
 * @throws TypeError if an argument is of the wrong type, such as a label instead of a codec.
 * @example
 * ```ts
 * import { transcode } from '@utf8/core';
 * import * as cesu8 from '@utf8/cesu8';
 * import * as utf8 from '@utf8/strict';
 *
 * const bytes = Uint8Array.of(0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80);
 * transcode(bytes, cesu8, utf8); // => Uint8Array.of(0xf0, 0x9f, 0x98, 0x80)
 * ```
 * @see UTR #26, section 3; RFC 3629, section 4
 */
export function transcode(
  bytes: Bytes,
  from: CodecCore,
  to: CodecCore,
  options?: TranscodeOptions,
): OwnBytes {
  const policy = checkPolicy(options, TRANSCODE_OPTIONS);
  const route = routeBetween(from, to, policy);
  const input = toUint8Array(bytes);
  const { length } = input;
  // ASCII in both encodings is only copied: three times the speed of the kernels (64 KiB, Node 20).
  const isAscii =
    route.from.kernel?.isAscii(input, length) && route.to.kernel?.isAscii(input, length);
  if (isAscii) return input.slice();
  const sink = createTranscodeSink(route, policy, length);
  transcodeInto(sink, route, input, 0, policy, 0, true);
  return sink.finish();
}
