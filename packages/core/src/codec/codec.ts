import type { Bytes, OwnBytes } from '../argument/bytes.js';
import type { Fault } from '../fault/fault.js';
import type { Grammar } from '../grammar/grammar.js';
import type {
  DecoderConstructor,
  DecoderStreamConstructor,
  EncoderConstructor,
  EncoderStreamConstructor,
} from './coder.js';
import type { DecodeOptions, EncodeOptions } from './options.js';
import type {
  TextDecoderConstructor,
  TextDecoderStreamConstructor,
  TextEncoderConstructor,
  TextEncoderStreamConstructor,
} from './text-coder.js';

export type { DecodeOptions, EncodeOptions };

/** Code points in memory of their own. */
export type CodePoints = ReturnType<Uint32ArrayConstructor['of']>;

/**
 * What every variant's module exports, name by name: `import * as cesu8 from '@utf8/cesu8'` is a codec.
 * The variants' own functions document parameters, errors and an example in full.
 *
 * Every function accepts any {@link Bytes}, never writes to its input, and never returns memory that
 * another result can be reached through. On malformed input each fault counts as one character to
 * boundaries, `truncate`, counts and `compare`; so does a pair of surrogates in an encoding of code units.
 */
export interface Codec {
  /** The name in errors and in `encoding`, such as `CESU-8`. */
  readonly name: string;
  /** Further names that `TextDecoder` accepts as a label, in any case. */
  readonly labels?: readonly string[];
  /** The definition: the rows that everything here is derived from. */
  readonly grammar: Grammar;
  /**
   * The prepared grammar, which functions of two codecs share.
   *
   * @internal
   */
  readonly engine?: unknown;
  /**
   * Decodes bytes to a string.
   *
   * @param bytes - The input.
   * @param options - What to do about faults and about a byte order mark.
   * @returns The text.
   * @throws DecodeError at the first fault under `strict`, the default.
   * @throws RangeError if the text is longer than a string can be; `Decoder` returns it in pieces.
   * @throws TypeError if an argument is of the wrong type.
   */
  decode(bytes: Bytes, options?: DecodeOptions): string;
  /**
   * Encodes a string to bytes.
   *
   * @param text - Any string.
   * @param options - What to do about what the encoding does not contain.
   * @returns A new `Uint8Array`.
   * @throws EncodeError under `strict`, the default, at the first code point that the encoding does not
   *   contain.
   * @throws RangeError if the result is larger than the platform can allocate.
   * @throws TypeError if an argument is of the wrong type.
   */
  encode(text: string, options?: EncodeOptions): OwnBytes;
  /**
   * Encodes as much of a string as fits into a target, whole characters only.
   *
   * @param text - Any string.
   * @param target - Where to write, from its start.
   * @param options - What to do about what the encoding does not contain.
   * @returns How many UTF-16 code units were read, and how many bytes written.
   * @throws EncodeError as `encode` does; what is before that is written.
   * @throws TypeError if an argument is of the wrong type.
   */
  encodeInto(
    text: string,
    target: Uint8Array,
    options?: EncodeOptions,
  ): { read: number; written: number };
  /**
   * Tells whether bytes are well-formed from beginning to end.
   *
   * @param bytes - The input.
   * @returns True if there is no fault.
   * @throws TypeError if the argument is neither a buffer nor a view of one.
   */
  isValid(bytes: Bytes): boolean;
  /**
   * Finds the first fault at or after an index.
   *
   * @param bytes - The input.
   * @param from - Where to begin, in bytes: a boundary. 0 by default.
   * @returns The fault, its offset in bytes from the start of the input; undefined if there is none.
   * @throws RangeError if `from` is no index into the bytes.
   * @throws TypeError if an argument is of the wrong type.
   */
  findFault(bytes: Bytes, from?: number): Fault | undefined;
  /**
   * Finds every fault, in order, as the caller asks for them.
   *
   * @param bytes - The input.
   * @returns Faults, their offsets in bytes from the start of the input.
   * @throws TypeError if the argument is neither a buffer nor a view of one.
   */
  faults(bytes: Bytes): Iterable<Fault>;
  /**
   * Counts the bytes that `encode` would write.
   *
   * @param text - Any string.
   * @param options - Those of `encode`.
   * @returns A number of bytes.
   * @throws EncodeError as `encode` does.
   * @throws TypeError if an argument is of the wrong type.
   */
  byteLength(text: string, options?: EncodeOptions): number;
  /**
   * Counts the UTF-16 code units of what `decode` would return.
   *
   * @param bytes - The input.
   * @param options - Those of `decode`.
   * @returns A number of UTF-16 code units.
   * @throws DecodeError at the first fault under `strict`, the default.
   * @throws TypeError if an argument is of the wrong type.
   */
  decodedLength(bytes: Bytes, options?: DecodeOptions): number;
  /**
   * Decodes bytes to code points, beyond U+10FFFF too if the encoding has those.
   *
   * @param bytes - The input.
   * @param options - Those of `decode`.
   * @returns A new `Uint32Array`.
   * @throws DecodeError at the first fault under `strict`, the default.
   * @throws TypeError if an argument is of the wrong type.
   */
  decodeCodePoints(bytes: Bytes, options?: DecodeOptions): CodePoints;
  /**
   * Encodes code points to bytes.
   *
   * @param codePoints - Any iterable of numbers.
   * @returns A new `Uint8Array`.
   * @throws EncodeError at a number that the encoding does not contain; its offset is an index of the
   *   numbers.
   * @throws TypeError if the argument is not iterable.
   */
  encodeCodePoints(codePoints: Iterable<number>): OwnBytes;
  /**
   * Counts characters; a fault counts as one.
   *
   * @param bytes - The input.
   * @returns A number of characters.
   * @throws TypeError if the argument is neither a buffer nor a view of one.
   */
  countCodePoints(bytes: Bytes): number;
  /**
   * Finds the greatest character boundary that is not above an index.
   *
   * @param bytes - The input.
   * @param index - In bytes. Below 0 it counts as 0, beyond the end as the end.
   * @returns An index in bytes.
   * @throws TypeError if an argument is of the wrong type.
   */
  floorBoundary(bytes: Bytes, index: number): number;
  /**
   * Finds the least character boundary that is not below an index.
   *
   * @param bytes - The input.
   * @param index - In bytes. Below 0 it counts as 0, beyond the end as the end.
   * @returns An index in bytes.
   * @throws TypeError if an argument is of the wrong type.
   */
  ceilBoundary(bytes: Bytes, index: number): number;
  /**
   * Shortens bytes to whole characters.
   *
   * @param bytes - Any `Uint8Array`.
   * @param maxBytes - The maximum length of the result, in bytes.
   * @returns A view of the same memory: a `Buffer` for a `Buffer`, otherwise a plain `Uint8Array`.
   * @throws TypeError if an argument is of the wrong type.
   */
  truncate<Input extends Uint8Array>(bytes: Input, maxBytes: number): ReturnType<Input['subarray']>;
  /**
   * Shortens bytes to whole characters.
   *
   * @param bytes - Any buffer, or any view of one.
   * @param maxBytes - The maximum length of the result, in bytes.
   * @returns A `Uint8Array` of the same memory.
   * @throws TypeError if an argument is of the wrong type.
   */
  truncate(bytes: Bytes, maxBytes: number): Uint8Array;
  /**
   * Compares two byte strings by code points or UTF-16 code units, whatever the order of the bytes.
   *
   * @param a - The first byte string.
   * @param b - The second byte string.
   * @param order - `code points`, the default, or `code units`, which is the order of `<` for strings. The
   *   two differ where U+E000 to U+FFFF meets a character above U+FFFF.
   * @returns -1 if the first is less, 1 if it is greater, otherwise 0.
   * @throws TypeError if `a` or `b` is neither a buffer nor a view of one, or the order is another.
   */
  compare(a: Bytes, b: Bytes, order?: 'code points' | 'code units'): number;
  /** Decodes chunk by chunk. */
  readonly Decoder: DecoderConstructor;
  /** Encodes chunk by chunk. */
  readonly Encoder: EncoderConstructor;
  /** Decodes a web stream. */
  readonly DecoderStream: DecoderStreamConstructor;
  /** Encodes a web stream. */
  readonly EncoderStream: EncoderStreamConstructor;
  /** Replaces the platform's `TextDecoder`. */
  readonly TextDecoder: TextDecoderConstructor;
  /** Replaces the platform's `TextEncoder`. */
  readonly TextEncoder: TextEncoderConstructor;
  /** Replaces the platform's `TextDecoderStream`. */
  readonly TextDecoderStream: TextDecoderStreamConstructor;
  /** Replaces the platform's `TextEncoderStream`. */
  readonly TextEncoderStream: TextEncoderStreamConstructor;
}
