/**
 * Bytes of one encoding to bytes of another, with no string in between. What both spell alike goes
 * over in runs; only characters that they spell differently are taken apart.
 */
import { type Automaton, deriveAutomaton, findDoubt } from './automaton.js';
import { allocate, ByteSink } from './byte-sink.js';
import { type Bytes, toUint8Array } from './bytes.js';
import { FAULT, readSequence } from './character.js';
import type { Codec } from './codec.js';
import { describeFault, isUndecided } from './diagnosis.js';
import { encodeInto, isEscapable } from './encode.js';
import { Engine, engineFor, findEngine, registerEngine } from './engine.js';
import { DecodeError } from './error.js';
import type { Fault } from './fault.js';
import type { Grammar } from './grammar.js';
import type { Progress, Transcribe } from './kernel.js';
import { join, NOTHING } from './pending.js';
import { isPlain } from './plain.js';
import { checkPolicy, type ErrorPolicy, mendBytes } from './policy.js';
import { intersectRows } from './rows.js';
import { WINDOW } from './scratch.js';
import { createTransform } from './streams.js';
import { deriveTables, unpackRows } from './tables.js';

/** Options of {@link transcode} and {@link Transcoder}. */
export interface TranscodeOptions {
  /**
   * What to do about faults of the source, and about characters that the target cannot hold; `strict`
   * by default. Texts that stand for a fault are encoded in the target; under `surrogateescape` the
   * faulty bytes themselves are written.
   */
  readonly errors?: ErrorPolicy | undefined;
}

/** A conversion: its two sides, the automaton of what they spell alike, and the way of the kernels. */
export class Route {
  readonly from: Engine;
  readonly to: Engine;
  readonly direct: Transcribe | undefined;
  #alike: Automaton | undefined;

  constructor(from: Engine, to: Engine, direct: Transcribe | undefined) {
    this.from = from;
    this.to = to;
    this.direct = direct;
  }

  /** Derived when it is first needed: where the kernels come to the end, that is never. */
  get alike(): Automaton {
    this.#alike ??= deriveAutomaton(intersect(this.from, this.to));
    return this.#alike;
  }
}

const routes = new WeakMap<Engine, WeakMap<Engine, Route>>();

/** The route of a conversion, which is found once. */
export function routeBetween(source: Codec, target: Codec, policy: ErrorPolicy): Route {
  const whole = engineOf(source);
  const to = engineOf(target);
  // A target without lone surrogates makes them faults of the source, which have an offset.
  const from = to.tables.paired ? engineFor(whole, policy) : whole.paired;
  const known = routes.get(from) ?? new WeakMap<Engine, Route>();
  routes.set(from, known);
  let route = known.get(to);
  if (!route) {
    const direct =
      whole.kernel.transcribeTo?.(to.kernel) ?? to.kernel.transcribeFrom?.(whole.kernel);
    route = new Route(from, to, direct);
    known.set(to, route);
  }
  return route;
}

const intersect = ({ tables: from }: Engine, { tables: to }: Engine): Pick<Grammar, 'rows'> => ({
  rows: intersectRows(unpackRows(from.rows), unpackRows(to.spelled ?? to.rows)),
});

/**
 * The engine of a codec. A codec from elsewhere (another copy of this package, or somebody's own
 * object) has one too, on the tables of its grammar.
 */
function engineOf(codec: Codec): Engine {
  const known = findEngine(codec.decode);
  if (known) return known;
  const engine = new Engine(codec.name, deriveTables(codec.grammar));
  registerEngine(codec.decode, engine);
  return engine;
}

const progress: Progress = { read: 0, written: 0 };

/** What follows a fault goes the direct way in smaller windows, of this many bytes at least. */
const LEAST_WINDOW = 64;

/** How far, in bytes, to look for what stopped the direct way. */
const STRETCH = 64;

/**
 * Transcodes into a sink.
 *
 * @param base - Where in its stream the input begins, in bytes.
 * @param isLast - False where more input follows.
 * @returns The index up to which the input was transcoded.
 */
export function transcodeInto(
  sink: ByteSink,
  route: Route,
  bytes: Uint8Array,
  policy: ErrorPolicy,
  base: number,
  isLast: boolean,
): number {
  const { from, to, direct } = route;
  let window = WINDOW;
  for (let i = 0; ; ) {
    const start = i;
    if (direct && bytes.length - i >= LEAST_WINDOW) {
      const end = Math.min(i + window, bytes.length);
      sink.reserve((end - i) * direct.growth);
      direct(bytes, i, end, sink.bytes, sink.length, progress);
      i = progress.read;
      sink.length = progress.written;
      if (end < bytes.length && end - i < LEAST_WINDOW / 2) {
        window = Math.min(4 * window, WINDOW);
        continue;
      }
    }
    if (i === bytes.length) return i;
    // Behind what stopped the direct way, that one goes on.
    const limit = direct ? Math.min(i + STRETCH, bytes.length) : bytes.length;
    const end = findDoubt(route.alike, bytes, i, limit);
    appendRun(sink, bytes, i, end);
    i = end;
    if (i === bytes.length) return i;
    const { length, codePoint } = readSequence(from.sequences, bytes, i);
    const spelling = codePoint === FAULT ? undefined : to.speller.find(codePoint);
    if (spelling) {
      sink.reserve(spelling.length);
      to.speller.write(spelling, codePoint, sink.bytes, sink.length);
      sink.length += spelling.length;
      i += length;
      continue;
    }
    const fault = describeFault(from, bytes, i, base);
    if (!isLast && isUndecided(from, bytes, i, fault, policy)) return i;
    const faulty = bytes.subarray(i, i + fault.length);
    // Probably the next fault is as far away. A large window would be loaded for nothing.
    window = Math.min(Math.max(2 * (i - start), LEAST_WINDOW), WINDOW);
    if (policy === 'surrogateescape') escapeInto(sink, to, fault, faulty);
    else encodeInto(sink, to, mendBytes(from.name, policy, fault, faulty), 'strict', 0);
    i += fault.length;
  }
}

/** Appends `source[from..to)`. */
function appendRun(sink: ByteSink, source: Uint8Array, from: number, to: number): void {
  // Short runs byte by byte: making a view costs more than copying 32 bytes.
  if (to - from >= 32) {
    sink.append(source.subarray(from, to));
  } else {
    sink.reserve(to - from);
    for (let i = from; i < to; i++) sink.bytes[sink.length++] = source[i] as number;
  }
}

/** Where to gather bytes: in the kernels' memory, but for a user's function, which may itself use that. */
function createSink({ direct }: Route, policy: ErrorPolicy, length: number): ByteSink {
  const memory = typeof policy === 'function' ? undefined : direct?.memory.output;
  return new ByteSink(memory ?? allocate(length));
}

/** Writes faulty bytes as they are, which is what decoding and encoding with escapes comes to. */
function escapeInto(sink: ByteSink, to: Engine, fault: Fault, faulty: Uint8Array): void {
  if (!faulty.every((byte) => isEscapable(to, byte))) {
    throw new DecodeError(to.name, fault, faulty);
  }
  sink.append(faulty);
}

/**
 * Converts bytes of one encoding to bytes of another, by code points. A byte order mark stays.
 *
 * @param bytes - Well-formed in `from`, or mended as `errors` says.
 * @param from - The codec of the input: a module such as `@utf8/cesu8`, or any {@link Codec}.
 * @param to - The codec of the result.
 * @returns Bytes in memory of their own.
 * @throws {@link DecodeError} under `strict`, with the byte offset in the source: at a fault of the
 *   source, and at a character that the target cannot hold (`surrogate`, `unrepresentable`).
 * @throws {@link EncodeError} where a policy function returns text that the target cannot hold.
 * @throws RangeError where the result is larger than the platform can hold.
 * @example
 * ```ts
 * import { transcode } from '@utf8/core';
 * import * as cesu8 from '@utf8/cesu8';
 * import * as utf8 from '@utf8/strict';
 *
 * const bytes = Uint8Array.of(0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80);
 * transcode(bytes, cesu8, utf8); // => Uint8Array.of(0xf0, 0x9f, 0x98, 0x80)
 * ```
 * @see UTR #26; RFC 3629
 */
export function transcode(
  bytes: Bytes,
  from: Codec,
  to: Codec,
  options?: TranscodeOptions,
): Uint8Array {
  const policy = checkPolicy(options?.errors, 'strict');
  const input = toUint8Array(bytes);
  const route = routeBetween(from, to, policy);
  // What is plain on both sides is only copied: three times the speed of the kernels (64 KiB, Node 20).
  if (isPlain(input, route.from.tables) && isPlain(input, route.to.tables)) return input.slice();
  const sink = createSink(route, policy, input.length);
  transcodeInto(sink, route, input, policy, 0, true);
  return sink.finish();
}

/**
 * Converts a stream of bytes chunk by chunk; see {@link transcode}. Chunks may be cut anywhere.
 *
 * @example
 * ```ts
 * import { Transcoder } from '@utf8/core';
 * import * as cesu8 from '@utf8/cesu8';
 * import * as utf8 from '@utf8/strict';
 *
 * const transcoder = new Transcoder(cesu8, utf8);
 * transcoder.push(Uint8Array.of(0x41, 0xed, 0xa0, 0xbd, 0xed)); // => Uint8Array.of(0x41)
 * transcoder.push(Uint8Array.of(0xb8, 0x80)); // => Uint8Array.of(0xf0, 0x9f, 0x98, 0x80)
 * transcoder.flush(); // => new Uint8Array(0)
 * ```
 */
export class Transcoder {
  readonly #route: Route;
  readonly #policy: ErrorPolicy;
  #pending = NOTHING;
  #offset = 0;

  /**
   * @param from - The codec of the input.
   * @param to - The codec of the result.
   */
  constructor(from: Codec, to: Codec, options?: TranscodeOptions) {
    this.#policy = checkPolicy(options?.errors, 'strict');
    this.#route = routeBetween(from, to, this.#policy);
  }

  /**
   * Takes the next bytes and returns what is certain so far.
   *
   * @throws {@link DecodeError} as {@link transcode} does; its offset counts bytes from the start of
   *   the stream. The transcoder then starts afresh.
   */
  push(chunk: Bytes): Uint8Array {
    return this.#transcode(toUint8Array(chunk), false);
  }

  /** Ends the stream and returns what was still open. The transcoder can then be used for another. */
  flush(): Uint8Array {
    return this.#transcode(NOTHING, true);
  }

  #transcode(chunk: Uint8Array, isLast: boolean): Uint8Array {
    const bytes = join(this.#pending, chunk);
    const offset = this.#offset;
    // Before the loop, so that a fault that throws leaves a fresh transcoder.
    this.#pending = NOTHING;
    this.#offset = 0;
    const sink = createSink(this.#route, this.#policy, bytes.length);
    const read = transcodeInto(sink, this.#route, bytes, this.#policy, offset, isLast);
    if (!isLast) {
      this.#pending = bytes.slice(read);
      this.#offset = offset + read;
    }
    return sink.finish();
  }
}

/**
 * A {@link Transcoder} as a web stream: bytes in, bytes out.
 *
 * @example
 * ```ts
 * import { TranscoderStream } from '@utf8/core';
 * import * as cesu8 from '@utf8/cesu8';
 * import * as utf8 from '@utf8/strict';
 *
 * const dump = new Blob([Uint8Array.of(0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80)]).stream();
 * await new Response(dump.pipeThrough(new TranscoderStream(cesu8, utf8))).text(); // => '😀'
 * ```
 */
export class TranscoderStream {
  readonly readable: ReadableStream<Uint8Array>;
  readonly writable: WritableStream<Bytes>;

  constructor(from: Codec, to: Codec, options?: TranscodeOptions) {
    const transcoder = new Transcoder(from, to, options);
    const { readable, writable } = createTransform<Bytes, Uint8Array>(
      (chunk) => transcoder.push(chunk),
      () => transcoder.flush(),
    );
    this.readable = readable;
    this.writable = writable;
  }
}
