/** Types of the drop-ins, with the interfaces of the platform's classes of the same names. */
import type { Bytes, OwnBytes } from '../argument/bytes.js';
import type { StreamOptions } from './coder.js';
import type { TransformOf } from './transform-stream.js';

/** Options of a {@link TextDecoder}. */
export interface TextDecoderOptions {
  /** True to throw at the first fault; false, the default, to decode each fault to U+FFFD. */
  readonly fatal?: boolean | undefined;
  /** True to keep a byte order mark at the start; false, the default, to drop it. */
  readonly ignoreBOM?: boolean | undefined;
}

/**
 * Decodes as the platform's `TextDecoder` does.
 *
 * @see https://encoding.spec.whatwg.org/#interface-textdecoder
 */
export interface TextDecoder {
  /** The name of the codec in lower case, such as `utf-8`. */
  readonly encoding: string;
  /** True if the first fault throws. */
  readonly fatal: boolean;
  /** True if a byte order mark at the start is kept. */
  readonly ignoreBOM: boolean;
  /**
   * Decodes bytes, or the next chunk of a stream.
   *
   * @param input - The next bytes; none by default.
   * @param options - `stream`: true if more chunks follow; false, the default, ends the stream.
   * @returns The text that is certain so far.
   * @throws RangeError if the text is longer than a string can be.
   * @throws TypeError if `fatal` is true and the bytes are malformed, with the fields of a `DecodeError`; if an
   *   argument is of the wrong type.
   */
  decode(input?: Bytes, options?: StreamOptions | null): string;
}

/**
 * Encodes as the platform's `TextEncoder` does.
 *
 * @see https://encoding.spec.whatwg.org/#interface-textencoder
 */
export interface TextEncoder {
  /** The name of the codec in lower case, such as `utf-8`. */
  readonly encoding: string;
  /**
   * Encodes a text. Characters that the encoding lacks are encoded as U+FFFD.
   *
   * @param input - Converted to a string; empty by default.
   * @returns A new `Uint8Array`.
   * @throws RangeError if the result is larger than the platform can allocate.
   * @throws TypeError if the input cannot be converted to a string.
   */
  encode(input?: string): OwnBytes;
  /**
   * Encodes as much of a text as fits into a target, whole characters only.
   *
   * @param source - Converted to a string.
   * @param destination - The target, written from its start.
   * @returns The number of UTF-16 code units that were read, and of bytes that were written.
   * @throws TypeError if the source cannot be converted to a string, or the destination is not a `Uint8Array`.
   */
  encodeInto(source: string, destination: Uint8Array): { read: number; written: number };
}

/**
 * Decodes a web stream as the platform's `TextDecoderStream` does.
 *
 * @see https://encoding.spec.whatwg.org/#interface-textdecoderstream
 */
export interface TextDecoderStream extends Pick<TextDecoder, 'encoding' | 'fatal' | 'ignoreBOM'> {
  /** The decoded text, in chunks. */
  readonly readable: TransformOf<Bytes, string>['readable'];
  /** Accepts bytes, in chunks that may be cut anywhere. */
  readonly writable: TransformOf<Bytes, string>['writable'];
}

/**
 * Encodes a web stream as the platform's `TextEncoderStream` does.
 *
 * @see https://encoding.spec.whatwg.org/#interface-textencoderstream
 */
export interface TextEncoderStream {
  /** The name of the codec in lower case, such as `utf-8`. */
  readonly encoding: string;
  /** The encoded bytes, in chunks. */
  readonly readable: TransformOf<string, OwnBytes>['readable'];
  /** Accepts texts, in chunks that may be cut anywhere, within surrogate pairs too. */
  readonly writable: TransformOf<string, OwnBytes>['writable'];
}

/** Creates text decoders. */
export interface TextDecoderConstructor<Instance = TextDecoder> {
  /** The properties that instances share. */
  readonly prototype: Instance;
  /**
   * @param label - A name of the codec, in any case, with white space around it.
   * @param options - `fatal`, for faults, and `ignoreBOM`, for a byte order mark.
   * @throws RangeError if the label does not name this codec.
   * @throws TypeError if the options are not an object.
   */
  new (label?: string, options?: TextDecoderOptions | null): Instance;
}

/** Creates text decoder streams. */
export type TextDecoderStreamConstructor<Instance = TextDecoderStream> =
  TextDecoderConstructor<Instance>;

/** Creates text encoders. */
export interface TextEncoderConstructor<Instance = TextEncoder> {
  /** The properties that instances share. */
  readonly prototype: Instance;
  new (): Instance;
}

/** Creates text encoder streams. */
export type TextEncoderStreamConstructor<Instance = TextEncoderStream> =
  TextEncoderConstructor<Instance>;
