import type { Bytes } from './bytes.js';
import type {
  Decoder,
  DecoderOptions,
  DecoderStream,
  Encoder,
  EncoderOptions,
  EncoderStream,
} from './coder.js';
import type { Fault } from './fault.js';
import type { Grammar } from './grammar.js';
import type { ErrorPolicy } from './policy.js';

/** Options of decoding functions. */
export interface DecodeOptions {
  /** What to do about faults; `strict` by default. */
  readonly errors?: ErrorPolicy | undefined;
  /** `strip` to drop a byte order mark at the start; `keep`, the default, to pass it on as U+FEFF. */
  readonly bom?: 'keep' | 'strip' | undefined;
}

/** Options of encoding functions. */
export interface EncodeOptions {
  /** What to do about lone surrogates, where the encoding has none; `strict` by default. */
  readonly errors?: ErrorPolicy | undefined;
}

/**
 * What every variant's module has, name by name: `import * as cesu8 from '@utf8/cesu8'` is a Codec.
 *
 * Every function takes any {@link Bytes}, never writes to its input, and never returns memory that
 * another result can be reached through. On malformed input each fault counts as one character to
 * boundaries, `truncate`, counts and `compare`; in a domain of code units so does a pair of halves.
 *
 * The examples read as they do with `import * as cesu8 from '@utf8/cesu8'`.
 */
export interface Codec {
  /** The name that errors and decoders carry, such as `CESU-8`. */
  readonly name: string;

  /** The definition: the rows that everything here is derived from. */
  readonly grammar: Grammar;

  /**
   * Decodes bytes to a string.
   *
   * @throws {@link DecodeError} at the first fault under `strict`, the default.
   * @throws RangeError where the text is longer than a string can be; `Decoder` takes it in pieces.
   * @throws TypeError where an argument is of the wrong type.
   * @example
   * ```ts
   * import * as cesu8 from '@utf8/cesu8';
   *
   * cesu8.decode(Uint8Array.of(0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80)); // => '😀'
   * cesu8.decode(Uint8Array.of(0x41, 0xff), { errors: 'replace' }); // => 'A\ufffd'
   * ```
   * @see Unicode 16.0, section 3.9, D93b
   */
  decode(bytes: Bytes, options?: DecodeOptions): string;

  /**
   * Encodes a string to bytes, in memory of their own.
   *
   * @throws {@link EncodeError} at the first lone surrogate under `strict`, the default, where the
   *   encoding has none.
   * @throws RangeError where the result is larger than the platform can hold.
   * @throws TypeError where an argument is of the wrong type.
   * @example
   * ```ts
   * import * as cesu8 from '@utf8/cesu8';
   *
   * cesu8.encode('😀'); // => Uint8Array.of(0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80)
   * ```
   */
  encode(text: string, options?: EncodeOptions): Uint8Array;

  /**
   * Encodes as much of a string as fits into a target: never part of a character, never half a pair.
   *
   * @returns How many UTF-16 code units were read, and how many bytes written.
   * @throws {@link EncodeError} at a lone surrogate, as `encode` does; what is before it is written.
   * @throws TypeError where an argument is of the wrong type.
   * @example
   * ```ts
   * import * as cesu8 from '@utf8/cesu8';
   *
   * cesu8.encodeInto('a😀', new Uint8Array(6)); // => { read: 1, written: 1 }
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
   * @throws TypeError where the argument is no {@link Bytes}.
   * @example
   * ```ts
   * import * as cesu8 from '@utf8/cesu8';
   *
   * cesu8.isValid(Uint8Array.of(0xf0, 0x9f, 0x98, 0x80)); // => false
   * ```
   */
  isValid(bytes: Bytes): boolean;

  /**
   * Finds the first fault.
   *
   * @param from - Where to begin, in bytes: a boundary. The fault's offset counts from the start of
   *   the input all the same.
   * @returns The fault, or undefined where there is none.
   * @throws TypeError where an argument is of the wrong type.
   * @example
   * ```ts
   * import * as cesu8 from '@utf8/cesu8';
   *
   * cesu8.findFault(Uint8Array.of(0x41, 0xed, 0xa0, 0xbd, 0x42));
   * // => { offset: 1, length: 3, reason: 'surrogate', incomplete: false }
   * ```
   */
  findFault(bytes: Bytes, from?: number): Fault | undefined;

  /**
   * Finds every fault, in order, as the caller asks for them.
   *
   * @throws TypeError where the argument is no {@link Bytes}.
   * @example
   * ```ts
   * import * as cesu8 from '@utf8/cesu8';
   *
   * Array.from(cesu8.faults(Uint8Array.of(0xff, 0x41, 0xc0)), ({ offset }) => offset); // => [0, 2]
   * ```
   */
  faults(bytes: Bytes): Iterable<Fault>;

  /**
   * Counts the bytes that `encode` would write, without writing them.
   *
   * @throws What `encode` would throw.
   * @example
   * ```ts
   * import * as cesu8 from '@utf8/cesu8';
   *
   * cesu8.byteLength('a😀'); // => 7
   * ```
   */
  byteLength(text: string, options?: EncodeOptions): number;

  /**
   * Counts the UTF-16 code units of what `decode` would return, without making it.
   *
   * @throws What `decode` would throw, but no RangeError.
   * @example
   * ```ts
   * import * as cesu8 from '@utf8/cesu8';
   *
   * cesu8.decodedLength(Uint8Array.of(0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80)); // => 2
   * ```
   */
  decodedLength(bytes: Bytes, options?: DecodeOptions): number;

  /**
   * Decodes bytes to code points: the only full view of an encoding that goes beyond U+10FFFF, and
   * one in which lone surrogates stay visible.
   *
   * @throws {@link DecodeError} at the first fault under `strict`, the default.
   * @throws TypeError where an argument is of the wrong type.
   * @example
   * ```ts
   * import * as cesu8 from '@utf8/cesu8';
   *
   * cesu8.decodeCodePoints(Uint8Array.of(0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80)); // => Uint32Array.of(0x1f600)
   * ```
   */
  decodeCodePoints(bytes: Bytes, options?: DecodeOptions): Uint32Array;

  /**
   * Encodes code points to bytes, in memory of their own.
   *
   * @throws {@link EncodeError} at a number that the encoding does not hold; its offset is an index of
   *   the numbers.
   * @example
   * ```ts
   * import * as cesu8 from '@utf8/cesu8';
   *
   * cesu8.encodeCodePoints([0x41, 0xe9]); // => Uint8Array.of(0x41, 0xc3, 0xa9)
   * ```
   */
  encodeCodePoints(codePoints: Iterable<number>): Uint8Array;

  /**
   * Counts characters.
   *
   * @throws TypeError where the argument is no {@link Bytes}.
   * @example
   * ```ts
   * import * as cesu8 from '@utf8/cesu8';
   *
   * cesu8.countCodePoints(cesu8.encode('a😀')); // => 2
   * ```
   */
  countCodePoints(bytes: Bytes): number;

  /**
   * Finds the greatest character boundary that is not above an index.
   *
   * @param index - In bytes. Below 0 it counts as 0, beyond the end as the end.
   * @throws TypeError where an argument is of the wrong type.
   * @example
   * ```ts
   * import * as cesu8 from '@utf8/cesu8';
   *
   * cesu8.floorBoundary(cesu8.encode('a😀'), 5); // => 1
   * ```
   */
  floorBoundary(bytes: Bytes, index: number): number;

  /**
   * Finds the least character boundary that is not below an index.
   *
   * @param index - In bytes. Below 0 it counts as 0, beyond the end as the end.
   * @throws TypeError where an argument is of the wrong type.
   * @example
   * ```ts
   * import * as cesu8 from '@utf8/cesu8';
   *
   * cesu8.ceilBoundary(cesu8.encode('a😀b'), 5); // => 7
   * ```
   */
  ceilBoundary(bytes: Bytes, index: number): number;

  /**
   * Shortens bytes to whole characters.
   *
   * @param maxBytes - The most that the result may hold.
   * @returns A view of the same memory.
   * @throws TypeError where an argument is of the wrong type.
   * @example
   * ```ts
   * import * as cesu8 from '@utf8/cesu8';
   *
   * cesu8.decode(cesu8.truncate(cesu8.encode('a😀b'), 6)); // => 'a'
   * ```
   */
  truncate(bytes: Uint8Array, maxBytes: number): Uint8Array;

  /**
   * Compares two byte strings by code points, whatever the order of the bytes themselves. A fault
   * counts as U+FFFD.
   *
   * @returns -1, 0 or 1.
   * @throws TypeError where an argument is no {@link Bytes}.
   * @example
   * ```ts
   * import * as cesu8 from '@utf8/cesu8';
   *
   * cesu8.compare(cesu8.encode('\uff5e'), cesu8.encode('😀')); // => -1
   * ```
   */
  compare(a: Bytes, b: Bytes): number;

  /** Decodes chunk by chunk, with the shape and the defaults of `TextDecoder`. */
  readonly Decoder: new (
    options?: DecoderOptions,
  ) => Decoder;

  /** Encodes chunk by chunk, with the default of `TextEncoder`: `replace`. */
  readonly Encoder: new (
    options?: EncoderOptions,
  ) => Encoder;

  /** A `Decoder` in the shape of `TextDecoderStream`. */
  readonly DecoderStream: new (
    options?: DecoderOptions,
  ) => DecoderStream;

  /** An `Encoder` in the shape of `TextEncoderStream`. */
  readonly EncoderStream: new (
    options?: EncoderOptions,
  ) => EncoderStream;
}
