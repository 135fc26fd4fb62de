/**
 * Reads and writes text within other bytes in place. Formats contain millions of short texts, for which a
 * view costs as much as decoding (50 to 70 ns, Node 20).
 */
import { isStable, lengthOf, toUint8Array, viewOf, viewPart } from './argument/bytes.js';
import { refuse } from './argument/check.js';
import type { Codec, CodecCore } from './codec/codec.js';
import { findEncoding } from './codec-core.js';
import { createTextSink, decodeInto } from './decode.js';
import { createEncode, ENCODE_OPTIONS } from './encode.js';
import { type Encoding, encodingFor } from './encoding.js';
import { decodePart } from './fast/kernel-part.js';
import { SHORT_FOR_PLATFORM, SHORT_PART, SHORT_TEXT, WINDOW } from './fast/limits.js';
import type { Progress } from './fast/loops.js';
import { findScratch, readText } from './fast/text.js';
import { checkPolicy, type ErrorPolicy, resolveFault } from './fault/policy.js';

const progress: Progress = { read: 0, written: 0 };

/** A codec for functions in place: a codec of this copy, its core, or a user's two functions. */
export type TextCodec = CodecCore | Pick<Codec, 'name' | 'decode' | 'encode'>;

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
 * @param codec - Any codec; those with an encoding decode without a view of the part.
 * @returns The function. It throws the same errors as the codec's `decode`.
 * @throws TypeError if the value is not a codec.
 */
export function createDecodePart(codec: TextCodec): DecodePart {
  const encoding = findEncoding(codec);
  if (!encoding) {
    const other = functionsOf(codec);
    return (bytes, from, to, errors) => other.decode(viewPart(bytes, from, to), { errors });
  }
  const { kernel, loops } = encoding;
  return (bytes, from, to, errors) => {
    const length = to - from;
    if (loops && errors === undefined && length <= SHORT_FOR_PLATFORM && isStable(bytes)) {
      const text = kernel && length > SHORT_PART ? decodePart(kernel, bytes, from, to) : undefined;
      if (text !== undefined) return text;
      const scratch = findScratch(kernel, length);
      loops.decode(bytes, from, to, scratch.codeUnits, 0, progress);
      if (progress.read === to) return readText(kernel, scratch, progress.written);
    }
    return decodeLong(encoding, bytes, from, to, checkPolicy({ errors }, ENCODE_OPTIONS));
  };
}

/** Checks that a user's codec has both functions. */
function functionsOf(codec: TextCodec): Pick<Codec, 'name' | 'decode' | 'encode'> {
  const { decode, encode } = Object(codec) as Partial<Codec>;
  if (typeof decode !== 'function' || typeof encode !== 'function') {
    refuse('a codec, such as the module of a variant', codec);
  }
  return codec as Pick<Codec, 'name' | 'decode' | 'encode'>;
}

/**
 * Returns a codec's `encode`, or creates that of its core.
 *
 * @throws TypeError if the value is not a codec.
 */
export function createEncodeText(codec: TextCodec): Codec['encode'] {
  const encoding = findEncoding(codec);
  if (encoding && !('encode' in codec)) return createEncode(encoding);
  const other = functionsOf(codec);
  return (text, options) => other.encode(text, options);
}

function decodeLong(
  encoding: Encoding,
  bytes: Uint8Array,
  from: number,
  to: number,
  policy: ErrorPolicy,
): string {
  // Memory that another thread can write to is read once.
  const base = isStable(bytes) ? 0 : from;
  const source = toUint8Array(viewPart(bytes, base, to));
  const sink = createTextSink(encoding, to - from);
  decodeInto(sink, encodingFor(encoding, policy), source, from - base, policy, base, true);
  return sink.finish();
}

/**
 * Decodes `codeUnits` UTF-16 code units of text from an index in bytes on, for formats that state the length
 * so. The text is shorter if the bytes end first, and longer if the count ends within a character. `next` is
 * the index after it.
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
 *   encoding.
 */
export function createDecodePrefix(codec: TextCodec): DecodePrefix | undefined {
  const encoding = findEncoding(codec);
  if (!encoding) return undefined;
  return (input, from, codeUnits, errors) => {
    const policy = checkPolicy({ errors }, ENCODE_OPTIONS);
    if (isStable(input))
      return decodePrefix(encoding, viewOf(input), from, from, codeUnits, policy);
    // Memory that another thread can write to is read once. The length of the text in bytes is not known before.
    const length = lengthOf(input);
    for (let size = (codeUnits + 1) * encoding.packed.longest; ; size *= 2) {
      const bytes = viewOf(input).slice(from, from + size);
      const result = decodePrefix(encoding, bytes, 0, from, codeUnits, policy);
      if (from + size >= length || result.text.length >= codeUnits) {
        return { text: result.text, next: from + result.next };
      }
    }
  };
}

function decodePrefix(
  encoding: Encoding,
  bytes: Uint8Array,
  from: number,
  offset: number,
  codeUnits: number,
  policy: ErrorPolicy,
): { text: string; next: number } {
  const working = encodingFor(encoding, policy);
  const { kernel, loops } = working;
  let text = '';
  let next = from;
  while (text.length < codeUnits && next < bytes.length) {
    // A byte is one code unit at most, so this many bytes are not too many.
    const left = Math.min(codeUnits - text.length, bytes.length - next);
    const scratch = findScratch(kernel, left);
    const end = next + Math.min(left, scratch.window);
    progress.read = next;
    if (end - next > SHORT_TEXT && scratch === kernel?.scratch) {
      kernel.decode(bytes, next, end, 0, progress);
    }
    if (progress.read === next) loops?.decode(bytes, next, end, scratch.codeUnits, 0, progress);
    if (progress.read > next) {
      next = progress.read;
      text += readText(kernel, scratch, progress.written);
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

/** Encodes a text into `target` from an index on, and returns the index after it. The target must have room. */
export type EncodeAt = (text: string, target: Uint8Array, at: number) => number;

/**
 * Makes a codec's `encode` for a place in an array, if the codec accepts every text: its domain is code
 * units.
 *
 * @param codec - Any codec.
 * @returns The function, and the bytes of room that it needs for each UTF-16 code unit; undefined if the
 *   codec may refuse a text, or has no encoding.
 */
export function createEncodeAt(
  codec: TextCodec,
): { readonly encodeAt: EncodeAt; readonly growth: number } | undefined {
  const encoding = findEncoding(codec);
  if (!encoding?.loops || !encoding.packed.characters) return undefined;
  const { kernel, loops } = encoding;
  const { growth } = encoding.packed;
  const encodeAt: EncodeAt = (text, target, at) => {
    const { length } = text;
    progress.read = 0;
    progress.written = at;
    if (length > SHORT_TEXT && length <= WINDOW && kernel?.scratch) {
      kernel.encode(text, 0, length, target, at, progress);
    }
    const { read, written } = progress;
    if (read < length) loops.encode(text, read, length, target, written, progress);
    return progress.written;
  };
  return { encodeAt, growth };
}
