/**
 * Text that lies within other bytes, read and written where it is. Formats hold short texts by the
 * million, and for few bytes a view costs as much as decoding them (50 to 70 ns, Node 20).
 */
import type { Codec } from './codec.js';
import { decodeInto, StringSink } from './decode.js';
import { type Engine, engineFor, findEngine } from './engine.js';
import { type Progress, SHORT } from './kernel.js';
import { latin1Slice } from './platform.js';
import { checkPolicy, type ErrorPolicy } from './policy.js';
import { shareScratch, takeText } from './scratch.js';

const progress: Progress = { read: 0, written: 0 };

/** Up to how many bytes the loops are sooner done than a call out of the engine, of ASCII and of others. */
const FEW_PLAIN = 10;
const FEW = 24;

/** What reading and writing in place needs of a codec. */
export type TextCodec = Pick<Codec, 'decode' | 'encode'>;

/**
 * Decodes `bytes[from..to)`, where `0 <= from <= to <= bytes.length`. Offsets of faults count from the
 * start of `bytes`.
 */
export type DecodeRange = (
  bytes: Uint8Array,
  from: number,
  to: number,
  errors?: ErrorPolicy,
) => string;

/**
 * Makes a codec's `decode` for parts of an array.
 *
 * @param codec - Any codec; those that this package made decode without a view of the part.
 * @returns The function. It throws what the codec's `decode` throws.
 */
export function createDecodeRange(codec: TextCodec): DecodeRange {
  const engine = findEngine(codec.decode);
  if (!engine) {
    return (bytes, from, to, errors) => codec.decode(bytes.subarray(from, to), { errors });
  }
  return (bytes, from, to, errors) => {
    const text =
      errors === undefined && to - from <= SHORT ? decodeShort(engine, bytes, from, to) : undefined;
    return text ?? decodeLong(engine, bytes, from, to, errors);
  };
}

/** Decodes a short part that is clean; undefined where it is not. */
function decodeShort(
  { kernel, tables }: Engine,
  bytes: Uint8Array,
  from: number,
  to: number,
): string | undefined {
  const length = to - from;
  if (length > FEW_PLAIN && takeLatin1 && isPlain(bytes, from, to, tables.firstPlain)) {
    return takeLatin1.call(bytes, from, to);
  }
  const text = length > FEW ? kernel.decodeShort?.(bytes, from, to) : undefined;
  if (text !== undefined) return text;
  const scratch = shareScratch();
  kernel.decode(bytes, from, to, scratch.units, 0, progress);
  return progress.read === to ? takeText(scratch, progress.written) : undefined;
}

function decodeLong(
  engine: Engine,
  bytes: Uint8Array,
  from: number,
  to: number,
  errors: ErrorPolicy | undefined,
): string {
  const policy = checkPolicy(errors, 'strict');
  // What another thread can write to is read once.
  const isShared = !(bytes.buffer instanceof ArrayBuffer);
  const base = isShared ? from : 0;
  const source = isShared ? bytes.slice(base, to) : bytes.subarray(0, to);
  const sink = new StringSink(engine);
  decodeInto(sink, engineFor(engine, policy), source, from - base, policy, base, true);
  return sink.finish();
}

/** A constant of this module is known to V8, which loads what it imports (8 ns, Node 20). */
const takeLatin1 = latin1Slice;

/**
 * Whether a part is plain: each byte the character of its number, of which `firstPlain` is the first.
 * It has four bytes at least. By words, 64 bytes take 12 ns instead of 33 (Node 20).
 */
function isPlain(bytes: Uint8Array, from: number, to: number, firstPlain: number): boolean {
  const view = bytes === lastArray ? lastView : findView(bytes, from, to);
  if (!view) return isPlainByBytes(bytes, from, to, firstPlain);
  // A byte below `firstPlain` borrows, which sets its highest bit; others then matter no more.
  const least = firstPlain * 0x0101_0101;
  const last = view.getInt32(to - 4, true);
  let seen = last | (last - least);
  let i = from;
  for (; i + 8 <= to; i += 8) {
    const one = view.getInt32(i, true);
    const two = view.getInt32(i + 4, true);
    seen |= one | (one - least) | two | (two - least);
  }
  if (i + 4 <= to) {
    const one = view.getInt32(i, true);
    seen |= one | (one - least);
  }
  return (seen & 0x8080_8080) === 0;
}

function isPlainByBytes(bytes: Uint8Array, from: number, to: number, firstPlain: number): boolean {
  // Another thread may write to shared memory between the look and the reading.
  if (!(bytes.buffer instanceof ArrayBuffer)) return false;
  let seen = 0;
  for (let i = from; i < to; i++) {
    const byte = bytes[i] as number;
    seen |= byte | (byte - firstPlain);
  }
  return (seen & 0x80) === 0;
}

/** Arrays of which several parts were read, seen by words: a view takes 70 ns to make, and 7 to find (Node 20). */
const views = new WeakMap<Uint8Array, DataView>();

/** The array that was read last and its view, which takes no time to find. Only a small one is held. */
let lastArray: Uint8Array | undefined;
let lastView: DataView | undefined;
const MOST_HELD = 0x10_0000;

/** Where the part ended that was looked at last without a view, and how long its array was. */
let lastEnd = 0;
let lastLength = -1;

/** The view of an array, which is made where probably a second part of it is read. */
function findView(bytes: Uint8Array, from: number, to: number): DataView | undefined {
  let view = views.get(bytes);
  if (!view) {
    const isAgain = bytes.length === lastLength && from >= lastEnd;
    lastEnd = to;
    lastLength = bytes.length;
    const { buffer, byteOffset, length } = bytes;
    // What can be resized might one day be smaller than the view.
    const isFixed = buffer instanceof ArrayBuffer && !('resizable' in buffer && buffer.resizable);
    if (!isAgain || !isFixed) return undefined;
    view = new DataView(buffer, byteOffset, length);
    views.set(bytes, view);
  }
  if (view.buffer.byteLength <= MOST_HELD) {
    lastArray = bytes;
    lastView = view;
  }
  return view;
}

/** Encodes a text into `target` from an index on, where there is room, and returns the index behind it. */
export type EncodeAt = (text: string, target: Uint8Array, at: number) => number;

/**
 * Makes a codec's `encode` for a place in an array, where the codec refuses no text: one for a domain of
 * code units.
 *
 * @param codec - Any codec.
 * @returns The function, with how many bytes of room it needs for a UTF-16 code unit; undefined where
 *   the codec may refuse a text, or is none that this package made.
 */
export function createEncodeAt(
  codec: TextCodec,
): { readonly encodeAt: EncodeAt; readonly growth: number } | undefined {
  const engine = findEngine(codec.decode);
  if (!engine || engine.paired === engine) return undefined;
  const { kernel, tables } = engine;
  // In such a domain every row spells one code unit; a unit of a row has two edges a byte.
  const growth = Math.max(...tables.rows.map(([, ...units]) => units.flat().length / 2));
  const encodeAt: EncodeAt = (text, target, at) => {
    kernel.encode(text, 0, target, at, progress);
    return progress.written;
  };
  return { encodeAt, growth };
}
