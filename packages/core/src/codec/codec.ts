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

/**
 * The part of a codec that conversions need. Each variant exports it as `codec`, so that a program which only
 * converts contains neither streams nor boundaries. The module of a variant is accepted instead.
 */
export interface CodecCore {
  /** The name that errors contain, such as `CESU-8`. */
  readonly name: string;
  /** Further names that `TextDecoder` accepts as a label, in any case. */
  readonly labels?: readonly string[];
  /** The definition: the rows that everything else is derived from. */
  readonly grammar: Grammar;
}

/** Code points in memory of their own. */
export type CodePoints = ReturnType<Uint32ArrayConstructor['of']>;

/**
 * The names that every variant's module exports: `import * as cesu8 from '@utf8/cesu8'` is a codec.
 *
 * Every function accepts any {@link Bytes}, never writes to its input, and never returns memory that it
 * shares with another result. On malformed input each fault counts as one character to boundaries,
 * `truncate`, counts and `compare`; so does a pair of surrogates in an encoding of code units.
 */
export interface Codec extends CodecCore {
  /** The core of the codec, for functions of two codecs. */
  readonly codec?: CodecCore;
  /**
   * Decodes bytes to a string.
   *
   * @param bytes - Any buffer, or any view of one.
   * @param options - The error policy, and whether a byte order mark is dropped.
   * @returns The text.
   * @throws DecodeError at the first fault under `strict`, the default.
   * @throws RangeError if the text is longer than a string can be; `Decoder` returns it in pieces.
   * @throws TypeError if an argument is of the wrong type.
   * @example
   * ```ts
   * import { decode } from '@utf8/cesu8';
   *
   * decode(Uint8Array.of(0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80)); // => '😀'
   * decode(Uint8Array.of(0x41, 0xff), { errors: 'replace' }); // => 'A\ufffd'
   * ```
   * @see Unicode 16.0, section 3.9, D93b, "maximal subpart"
   */
  decode(bytes: Bytes, options?: DecodeOptions): string;
  /**
   * Encodes a string to bytes.
   *
   * @param text - Any string.
   * @param options - The error policy.
   * @returns A new `Uint8Array`.
   * @throws EncodeError under `strict`, the default, at the first code point that the encoding lacks.
   * @throws RangeError if the result is larger than the platform can allocate.
   * @throws TypeError if an argument is of the wrong type.
   * @example
   * ```ts
   * import { encode } from '@utf8/cesu8';
   *
   * encode('😀'); // => Uint8Array.of(0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80)
   * encode('a\ud83d', { errors: 'replace' }); // => Uint8Array.of(0x61, 0xef, 0xbf, 0xbd)
   * ```
   */
  encode(text: string, options?: EncodeOptions): OwnBytes;
  /**
   * Encodes as many whole characters of a string as fit into a target.
   *
   * @param text - Any string.
   * @param target - Receives the bytes, from its start.
   * @param options - The error policy.
   * @returns The numbers of UTF-16 code units read and of bytes written.
   * @throws EncodeError as `encode` does; the text before that code point is written.
   * @throws TypeError if an argument is of the wrong type.
   * @example
   * ```ts
   * import { encodeInto } from '@utf8/cesu8';
   *
   * encodeInto('a😀', new Uint8Array(6)); // => { read: 1, written: 1 }
   * ```
   */
  encodeInto(
    text: string,
    target: Uint8Array,
    options?: EncodeOptions,
  ): { read: number; written: number };
  /**
   * Tells whether bytes are well-formed from beginning to end.
   *
   * @param bytes - Any buffer, or any view of one.
   * @returns True if there is no fault.
   * @throws TypeError if the argument is neither a buffer nor a view of one.
   * @example
   * ```ts
   * import { isValid } from '@utf8/cesu8';
   *
   * isValid(Uint8Array.of(0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80)); // => true
   * isValid(Uint8Array.of(0xf0, 0x9f, 0x98, 0x80)); // => false
   * ```
   */
  isValid(bytes: Bytes): boolean;
  /**
   * Finds the first fault at or after an index.
   *
   * @param bytes - Any buffer, or any view of one.
   * @param from - A character boundary, in bytes; 0 by default.
   * @returns The fault, with its offset in bytes from the start of the input; undefined if there is none.
   * @throws RangeError if `from` is not an index into the bytes.
   * @throws TypeError if an argument is of the wrong type.
   * @example
   * ```ts
   * import { findFault } from '@utf8/cesu8';
   *
   * findFault(Uint8Array.of(0x41, 0xff));
   * // => { offset: 1, length: 1, reason: 'invalid-lead', incomplete: false }
   * ```
   * @see Unicode 16.0, section 3.9, D93b, "maximal subpart"
   */
  findFault(bytes: Bytes, from?: number): Fault | undefined;
  /**
   * Finds every fault, in order, while the caller iterates.
   *
   * @param bytes - Any buffer, or any view of one.
   * @returns Faults, with offsets in bytes from the start of the input.
   * @throws TypeError if the argument is neither a buffer nor a view of one.
   * @example
   * ```ts
   * import { faults } from '@utf8/cesu8';
   *
   * Array.from(faults(Uint8Array.of(0xff, 0x41, 0xfe)), ({ offset }) => offset); // => [0, 2]
   * ```
   * @see Unicode 16.0, section 3.9, D93b, "maximal subpart"
   */
  faults(bytes: Bytes): Iterable<Fault>;
  /**
   * Counts the bytes that `encode` would write, without storing them.
   *
   * @param text - Any string.
   * @param options - Those of `encode`.
   * @returns A number of bytes.
   * @throws EncodeError as `encode` does.
   * @throws TypeError if an argument is of the wrong type.
   * @example
   * ```ts
   * import { byteLength } from '@utf8/cesu8';
   *
   * byteLength('a😀'); // => 7
   * ```
   */
  byteLength(text: string, options?: EncodeOptions): number;
  /**
   * Counts the UTF-16 code units of the text that `decode` would return, without creating it.
   *
   * @param bytes - Any buffer, or any view of one.
   * @param options - Those of `decode`.
   * @returns A number of UTF-16 code units.
   * @throws DecodeError at the first fault under `strict`, the default.
   * @throws TypeError if an argument is of the wrong type.
   * @example
   * ```ts
   * import { decodedLength } from '@utf8/cesu8';
   *
   * decodedLength(Uint8Array.of(0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80)); // => 2
   * ```
   */
  decodedLength(bytes: Bytes, options?: DecodeOptions): number;
  /**
   * Decodes bytes to code points, also above U+10FFFF if the encoding has those.
   *
   * @param bytes - Any buffer, or any view of one.
   * @param options - Those of `decode`.
   * @returns A new `Uint32Array`.
   * @throws DecodeError at the first fault under `strict`, the default.
   * @throws TypeError if an argument is of the wrong type.
   * @example
   * ```ts
   * import { decodeCodePoints } from '@utf8/rfc2279';
   *
   * decodeCodePoints(Uint8Array.of(0xf8, 0x88, 0x80, 0x80, 0x80)); // => Uint32Array.of(0x200000)
   * ```
   */
  decodeCodePoints(bytes: Bytes, options?: DecodeOptions): CodePoints;
  /**
   * Encodes code points to bytes.
   *
   * @param codePoints - Any iterable of numbers.
   * @returns A new `Uint8Array`.
   * @throws EncodeError at a number that the encoding lacks; its offset is an index of the numbers.
   * @throws TypeError if the argument is not iterable.
   * @example
   * ```ts
   * import { encodeCodePoints } from '@utf8/cesu8';
   *
   * encodeCodePoints([0x41, 0xe9]); // => Uint8Array.of(0x41, 0xc3, 0xa9)
   * ```
   */
  encodeCodePoints(codePoints: Iterable<number>): OwnBytes;
  /**
   * Counts characters; a fault counts as one.
   *
   * @param bytes - Any buffer, or any view of one.
   * @returns A number of characters.
   * @throws TypeError if the argument is neither a buffer nor a view of one.
   * @example
   * ```ts
   * import { countCodePoints } from '@utf8/cesu8';
   *
   * countCodePoints(Uint8Array.of(0x61, 0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80)); // => 2
   * ```
   */
  countCodePoints(bytes: Bytes): number;
  /**
   * Finds the greatest character boundary at or before an index.
   *
   * @param bytes - Any buffer, or any view of one.
   * @param index - In bytes. Below 0 it counts as 0, beyond the end as the end.
   * @returns An index in bytes.
   * @throws TypeError if an argument is of the wrong type.
   * @example
   * ```ts
   * import { floorBoundary } from '@utf8/cesu8';
   *
   * floorBoundary(Uint8Array.of(0x61, 0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80), 4); // => 1
   * ```
   */
  floorBoundary(bytes: Bytes, index: number): number;
  /**
   * Finds the least character boundary at or after an index.
   *
   * @param bytes - Any buffer, or any view of one.
   * @param index - In bytes. Below 0 it counts as 0, beyond the end as the end.
   * @returns An index in bytes.
   * @throws TypeError if an argument is of the wrong type.
   * @example
   * ```ts
   * import { ceilBoundary } from '@utf8/cesu8';
   *
   * ceilBoundary(Uint8Array.of(0x61, 0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80), 4); // => 7
   * ```
   */
  ceilBoundary(bytes: Bytes, index: number): number;
  /**
   * Shortens bytes to whole characters.
   *
   * @param bytes - Any buffer, or any view of one. The result for a `Buffer` is a `Buffer`.
   * @param maxBytes - Greatest length of the result, in bytes.
   * @returns A view of the same memory.
   * @throws TypeError if an argument is of the wrong type.
   * @example
   * ```ts
   * import { encode, truncate } from '@utf8/cesu8';
   *
   * // For a column VARCHAR(20 BYTE) of Oracle's UTF8:
   * truncate(encode('three emoji: 😀😀😀'), 20).length; // => 19
   * ```
   */
  truncate<Input extends Uint8Array>(bytes: Input, maxBytes: number): ReturnType<Input['subarray']>;
  /**
   * Shortens bytes to whole characters.
   *
   * @param bytes - Any buffer, or any view of one.
   * @param maxBytes - Greatest length of the result, in bytes.
   * @returns A `Uint8Array` of the same memory.
   * @throws TypeError if an argument is of the wrong type.
   */
  truncate(bytes: Bytes, maxBytes: number): Uint8Array;
  /**
   * Compares two byte strings by code points or by UTF-16 code units, not by bytes. A fault counts as U+FFFD.
   *
   * @param a - Any buffer, or any view of one.
   * @param b - Any buffer, or any view of one.
   * @param order - `code points`, the default; `code units` is the order of `<` for strings, and of DEX
   *   files: U+FF21 follows U+1F600.
   * @returns -1, 0 or 1.
   * @throws TypeError if an argument is of the wrong type.
   * @example
   * ```ts
   * import { compare, encode } from '@utf8/cesu8';
   *
   * compare(encode('Ａ'), encode('😀')); // => -1
   * compare(encode('Ａ'), encode('😀'), 'code units'); // => 1
   * ```
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
