import type { Bytes, OwnBytes } from '../argument/bytes.js';
import type { Fault } from '../fault/fault.js';
import type { ErrorPolicy } from '../fault/policy.js';
import type { Grammar } from '../grammar/grammar.js';
import type {
  DecoderConstructor,
  DecoderStreamConstructor,
  EncoderConstructor,
  EncoderStreamConstructor,
} from './coder.js';

/** Options of decoding functions. */
export interface DecodeOptions {
  /** What to do about faults; `strict` by default. */
  readonly errors?: ErrorPolicy | undefined;
  /** `strip` drops a byte order mark at the start; `keep`, the default, decodes it to U+FEFF. */
  readonly bom?: 'keep' | 'strip' | undefined;
}

/** Options of encoding functions. */
export interface EncodeOptions {
  /** What to do about what the encoding does not contain, such as lone surrogates; `strict` by default. */
  readonly errors?: ErrorPolicy | undefined;
}

/** Code points in memory of their own. */
export type CodePoints = ReturnType<Uint32ArrayConstructor['of']>;

/**
 * What every variant's module exports, name by name: `import * as cesu8 from '@utf8/cesu8'` is a Codec.
 * The variants' own functions document parameters, errors and an example in full.
 *
 * Every function accepts any {@link Bytes}, never writes to its input, and never returns memory that
 * another result can be reached through. On malformed input each fault counts as one character to
 * boundaries, `truncate`, counts and `compare`; so does a pair of surrogates in an encoding of code units.
 */
export interface Codec {
  /** The name that errors and decoders contain, such as `CESU-8`. */
  readonly name: string;
  /** Further names that `Decoder` and `Encoder` accept as a label, in any case. */
  readonly labels?: readonly string[];
  /** The definition: the rows that everything here is derived from. */
  readonly grammar: Grammar;
  /** The prepared grammar, which functions of two codecs share. Not for use by programs. */
  readonly engine?: unknown;
  /** Decodes bytes to a string. */
  decode(bytes: Bytes, options?: DecodeOptions): string;
  /** Encodes a string to bytes, in memory of their own. */
  encode(text: string, options?: EncodeOptions): OwnBytes;
  /** Encodes as much of a string as fits into a target, whole characters only. */
  encodeInto(
    text: string,
    target: Uint8Array,
    options?: EncodeOptions,
  ): { read: number; written: number };
  /** Tells whether bytes are well-formed from beginning to end. */
  isValid(bytes: Bytes): boolean;
  /** Finds the first fault at or after an index in bytes. */
  findFault(bytes: Bytes, from?: number): Fault | undefined;
  /** Finds every fault, in order, as the caller asks for them. */
  faults(bytes: Bytes): Iterable<Fault>;
  /** Counts the bytes that `encode` would write. */
  byteLength(text: string, options?: EncodeOptions): number;
  /** Counts the UTF-16 code units of what `decode` would return. */
  decodedLength(bytes: Bytes, options?: DecodeOptions): number;
  /** Decodes bytes to code points. */
  decodeCodePoints(bytes: Bytes, options?: DecodeOptions): CodePoints;
  /** Encodes code points to bytes, in memory of their own. */
  encodeCodePoints(codePoints: Iterable<number>): OwnBytes;
  /** Counts characters. */
  countCodePoints(bytes: Bytes): number;
  /** Finds the greatest character boundary that is not above an index in bytes. */
  floorBoundary(bytes: Bytes, index: number): number;
  /** Finds the least character boundary that is not below an index in bytes. */
  ceilBoundary(bytes: Bytes, index: number): number;
  /** Shortens bytes to whole characters: a view. */
  truncate(bytes: Uint8Array, maxBytes: number): Uint8Array;
  /** Compares two byte strings by code points: -1, 0 or 1. */
  compare(a: Bytes, b: Bytes): number;
  /** Decodes chunk by chunk, with the shape and the defaults of `TextDecoder`. */
  readonly Decoder: DecoderConstructor;
  /** Encodes chunk by chunk, with the default of `TextEncoder`: `replace`. */
  readonly Encoder: EncoderConstructor;
  /** A `Decoder` in the shape of `TextDecoderStream`. */
  readonly DecoderStream: DecoderStreamConstructor;
  /** An `Encoder` in the shape of `TextEncoderStream`. */
  readonly EncoderStream: EncoderStreamConstructor;
}
