/**
 * Text within other bytes, read and written in place. Formats have short texts by the million, and for few
 * bytes a view costs as much as decoding them (50 to 70 ns, Node 20).
 */
import { isStable, lengthOf, toUint8Array, viewOf } from '../argument/bytes.js';
import type { Codec } from '../codec/codec.js';
import { checkPolicy, type ErrorPolicy } from '../fault/policy.js';
import { type Engine, engineFor, findEngine } from '../read/engine.js';
import { findScratch, type Progress, WINDOW } from '../read/kernel.js';
import { decodeInto } from './decode.js';
import { decodeWay } from './decode-way.js';
import { resolveFault } from './resolve.js';
import { shareScratch, takeText } from './scratch.js';
import { ScratchSink } from './scratch-sink.js';

const progress: Progress = { read: 0, written: 0 };

/** Up to how many bytes loops are faster than what is faster for many. */
const FEW = 10;

/** Up to how many bytes a part counts as short. */
const SHORT = 512;

/** What reading and writing in place needs of a codec. */
export type TextCodec = Pick<Codec, 'decode' | 'encode' | 'engine'>;

/**
 * Decodes `bytes[from..to)`, where `0 <= from <= to <= length`. Offsets of faults count from the start
 * of `bytes`.
 */
export type DecodePart = (
  bytes: Uint8Array,
  from: number,
  to: number,
  errors?: ErrorPolicy,
) => string;

/**
 * Makes a codec's `decode` for parts of an array.
 *
 * @param codec - Any codec; those with an engine decode without a view of the part.
 * @returns The function. It throws what the codec's `decode` throws.
 */
export function createDecodePart(codec: TextCodec): DecodePart {
  const engine = findEngine(codec);
  if (!engine) {
    return (bytes, from, to, errors) => codec.decode(viewOf(bytes).subarray(from, to), { errors });
  }
  const { accelerator } = engine;
  return (bytes, from, to, errors) => {
    const length = to - from;
    if (accelerator && errors === undefined && length <= SHORT && isStable(bytes)) {
      const { kernel, loops } = accelerator;
      const text = length > FEW ? kernel.decodeShort(bytes, from, to) : undefined;
      if (text !== undefined) return text;
      const scratch = shareScratch();
      loops.decode(bytes, from, to, scratch.codeUnits, 0, progress);
      if (progress.read === to) return takeText(engine, scratch, progress.written);
    }
    return decodeLong(engine, bytes, from, to, checkPolicy({ errors }));
  };
}

function decodeLong(
  engine: Engine,
  bytes: Uint8Array,
  from: number,
  to: number,
  policy: ErrorPolicy,
): string {
  // What another thread can write to is read once.
  const base = isStable(bytes) ? 0 : from;
  const source = toUint8Array(viewOf(bytes).subarray(base, to));
  const sink = new ScratchSink(engine, to - from);
  decodeInto(sink, engineFor(engine, policy), source, from - base, policy, base, true, decodeWay);
  return sink.finish();
}

/**
 * Decodes `codeUnits` UTF-16 code units of text from an index in bytes on: text whose length is stated
 * so. The text is shorter if the bytes end first, and longer if the count ends within a character.
 * `next` is the index after it.
 */
export type DecodePrefix = (
  bytes: Uint8Array,
  from: number,
  codeUnits: number,
  errors?: ErrorPolicy,
) => { text: string; next: number };

/**
 * Makes a codec's `decode` for a number of code units.
 *
 * @param codec - Any codec.
 * @returns The function, which throws DecodeError as `decode` does; undefined if the codec has no
 *   engine.
 */
export function createDecodePrefix(codec: TextCodec): DecodePrefix | undefined {
  const engine = findEngine(codec);
  if (!engine) return undefined;
  return (input, from, codeUnits, errors) => {
    const policy = checkPolicy({ errors });
    if (isStable(input)) return decodePrefix(engine, viewOf(input), from, from, codeUnits, policy);
    // What another thread can write to is read once. How much of it is known only at the end.
    const length = lengthOf(input);
    for (let size = (codeUnits + 1) * engine.packed.longest; ; size *= 2) {
      const bytes = viewOf(input).slice(from, from + size);
      const result = decodePrefix(engine, bytes, 0, from, codeUnits, policy);
      if (from + size >= length || result.text.length >= codeUnits) {
        return { text: result.text, next: from + result.next };
      }
    }
  };
}

function decodePrefix(
  engine: Engine,
  bytes: Uint8Array,
  from: number,
  offset: number,
  codeUnits: number,
  policy: ErrorPolicy,
): { text: string; next: number } {
  const working = engineFor(engine, policy);
  const { accelerator } = working;
  let text = '';
  let next = from;
  while (text.length < codeUnits && next < bytes.length) {
    // A byte is one code unit at most, so this many bytes are not too many.
    const few = Math.min(codeUnits - text.length, WINDOW);
    const end = Math.min(next + few, bytes.length);
    const own = findScratch(accelerator?.kernel, end - next);
    const scratch = own ?? shareScratch();
    progress.read = next;
    if (own) accelerator?.kernel.decode(bytes, next, end, 0, progress);
    if (progress.read === next) {
      accelerator?.loops.decode(bytes, next, end, scratch.codeUnits, 0, progress);
    }
    if (progress.read > next) {
      next = progress.read;
      text += takeText(working, scratch, progress.written);
      continue;
    }
    const { codePoint, length, isCut } = working.read(bytes, next);
    if (working.isText(codePoint)) {
      text += String.fromCodePoint(codePoint);
      next += length;
      continue;
    }
    if (isCut) break;
    const resolution = resolveFault(working, policy, bytes, next, offset - from);
    text += resolution.text;
    next = resolution.next;
  }
  return { text, next };
}

/** Encodes a text into `target` from an index on, where there is room, and returns the index after it. */
export type EncodeAt = (text: string, target: Uint8Array, at: number) => number;

/**
 * Makes a codec's `encode` for a place in an array, if the codec refuses no text: one for a domain of
 * code units.
 *
 * @param codec - Any codec.
 * @returns The function, with how many bytes of room it needs for a UTF-16 code unit; undefined if the
 *   codec may refuse a text, or has no engine.
 */
export function createEncodeAt(
  codec: TextCodec,
): { readonly encodeAt: EncodeAt; readonly growth: number } | undefined {
  const engine = findEngine(codec);
  if (!engine?.accelerator || !engine.packed.characters) return undefined;
  const { kernel, loops } = engine.accelerator;
  const { growth } = engine.packed;
  const encodeAt: EncodeAt = (text, target, at) => {
    const { length } = text;
    if (length <= WINDOW && findScratch(kernel, length)) {
      kernel.encode(text, 0, length, target, at, progress);
    } else {
      loops.encode(text, 0, length, target, at, progress);
    }
    // The kernel doubted something, or a property of the target says that it has less room than it has.
    if (progress.read < length) loops.encode(text, 0, length, viewOf(target), at, progress);
    return progress.written;
  };
  return { encodeAt, growth };
}
