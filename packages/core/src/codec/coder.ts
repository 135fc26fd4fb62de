/** The shapes of what decodes and encodes chunk by chunk. */
import type { Bytes, OwnBytes } from '../argument/bytes.js';
import type { ErrorPolicy } from '../fault/policy.js';
import type { TransformOf } from './transform-stream.js';

/** Options of a {@link Decoder}: those of `TextDecoder`, and `errors`, which wins over `fatal`. */
export interface DecoderOptions {
  /** True to throw at the first fault; false, the default, to put U+FFFD there. */
  readonly fatal?: boolean | undefined;
  /** True to keep a byte order mark at the start; false, the default, to drop it. */
  readonly ignoreBOM?: boolean | undefined;
  /** What to do about faults; by default what `fatal` says, over which it wins. */
  readonly errors?: ErrorPolicy | undefined;
}

/**
 * Decodes a stream of bytes chunk by chunk, with the shape and the defaults of `TextDecoder`.
 *
 * @example
 * ```ts
 * import { Decoder } from '@utf8/cesu8';
 *
 * const decoder = new Decoder({ fatal: true });
 * let text = decoder.decode(Uint8Array.of(0xed, 0xa0, 0xbd), { stream: true });
 * text += decoder.decode(Uint8Array.of(0xed, 0xb8, 0x80));
 * text; // => '😀'
 * ```
 * @see https://encoding.spec.whatwg.org/#interface-textdecoder
 */
export interface Decoder {
  /** The name of the codec. */
  readonly encoding: string;
  /** Whether the first fault throws. */
  readonly fatal: boolean;
  /** Whether a byte order mark at the start is kept. */
  readonly ignoreBOM: boolean;
  /**
   * Decodes the next chunk. A sequence that its end cuts is kept for the next call, unless `stream` is
   * false, which ends the stream; the decoder can then be used for another.
   *
   * @param input - The next bytes; leaving it out is the same as no bytes.
   * @param options - `stream`: true if more chunks follow; false, the default, ends the stream.
   * @returns The text that is certain so far.
   * @throws DecodeError under `strict`; its offset counts bytes from the start of the stream. The decoder
   *   is then reset.
   * @throws RangeError if the text is longer than a string can be.
   * @throws TypeError if an argument is of the wrong type, or a policy function leaves an unfinished
   *   character in the decoder that called it.
   */
  decode(input?: Bytes, options?: { readonly stream?: boolean | undefined }): string;
}

/** Options of an {@link Encoder}. */
export interface EncoderOptions {
  /** What to do about lone surrogates; `replace` by default, as `TextEncoder` does. */
  readonly errors?: ErrorPolicy | undefined;
}

/**
 * Encodes a stream of texts chunk by chunk. A pair that is cut between two chunks is put together.
 *
 * @example
 * ```ts
 * import { Encoder } from '@utf8/cesu8';
 *
 * const encoder = new Encoder();
 * encoder.encode('\ud83d', { stream: true }).length; // => 0
 * encoder.encode('\ude00').length; // => 6
 * ```
 */
export interface Encoder {
  /** The name of the codec. */
  readonly encoding: string;
  /**
   * Encodes the next chunk. A high surrogate at its end is kept for the next call, unless `stream` is
   * false, which ends the stream; the encoder can then be used for another.
   *
   * @param text - The next text; leaving it out is the same as an empty one.
   * @param options - `stream`: true if more texts follow; false, the default, ends the stream.
   * @returns A new `Uint8Array`.
   * @throws EncodeError under `strict`; its offset counts UTF-16 code units from the start of the stream.
   *   The encoder is then reset.
   * @throws RangeError if the result is larger than the platform can allocate.
   * @throws TypeError if an argument is of the wrong type, or a policy function leaves an unfinished
   *   character in the encoder that called it.
   */
  encode(text?: string, options?: { readonly stream?: boolean | undefined }): OwnBytes;
}

/** Makes decoders. A label of the codec may come first, as for `TextDecoder`. */
export interface DecoderConstructor<Instance = Decoder> {
  /**
   * @param options - What to do about faults and a byte order mark, as `TextDecoder` takes it.
   * @throws TypeError if the options are no object, or `errors` is no policy.
   */
  new (options?: DecoderOptions): Instance;
  /**
   * @param label - A name of the codec, in any case.
   * @param options - What to do about faults and a byte order mark, as `TextDecoder` takes it.
   * @throws RangeError if the label is not one of the codec's.
   * @throws TypeError if the options are no object, or `errors` is no policy.
   */
  new (label: string, options?: DecoderOptions): Instance;
}

/** Makes encoders. A label of the codec may come first. */
export interface EncoderConstructor<Instance = Encoder> {
  /**
   * @param options - What to do about what the encoding does not contain.
   * @throws TypeError if the options are no object, or `errors` is no policy.
   */
  new (options?: EncoderOptions): Instance;
  /**
   * @param label - A name of the codec, in any case.
   * @param options - What to do about what the encoding does not contain.
   * @throws RangeError if the label is not one of the codec's.
   * @throws TypeError if the options are no object, or `errors` is no policy.
   */
  new (label: string, options?: EncoderOptions): Instance;
}

/**
 * Decodes a web stream: bytes in, text out.
 *
 * @see https://encoding.spec.whatwg.org/#interface-textdecoderstream
 */
export interface DecoderStream {
  /** The name of the codec. */
  readonly encoding: string;
  /** Whether the first fault ends the stream with a `DecodeError`. */
  readonly fatal: boolean;
  /** Whether a byte order mark at the start is kept. */
  readonly ignoreBOM: boolean;
  /** The texts. */
  readonly readable: TransformOf<Bytes, string>['readable'];
  /** Where the bytes go, in chunks that may be cut anywhere. */
  readonly writable: TransformOf<Bytes, string>['writable'];
}

/**
 * Encodes a web stream: text in, bytes out.
 *
 * @see https://encoding.spec.whatwg.org/#interface-textencoderstream
 */
export interface EncoderStream {
  /** The name of the codec. */
  readonly encoding: string;
  /** The bytes. */
  readonly readable: TransformOf<string, OwnBytes>['readable'];
  /** Where the texts go, in chunks that may be cut anywhere, within a pair too. */
  readonly writable: TransformOf<string, OwnBytes>['writable'];
}

/** Makes decoder streams, as {@link DecoderConstructor} makes decoders. */
export interface DecoderStreamConstructor<Instance = DecoderStream> {
  /**
   * @param options - What to do about faults and a byte order mark, as `TextDecoder` takes it.
   * @throws TypeError if the options are no object, or `errors` is no policy.
   */
  new (options?: DecoderOptions): Instance;
  /**
   * @param label - A name of the codec, in any case.
   * @param options - What to do about faults and a byte order mark, as `TextDecoder` takes it.
   * @throws RangeError if the label is not one of the codec's.
   * @throws TypeError if the options are no object, or `errors` is no policy.
   */
  new (label: string, options?: DecoderOptions): Instance;
}

/** Makes encoder streams, as {@link EncoderConstructor} makes encoders. */
export interface EncoderStreamConstructor<Instance = EncoderStream> {
  /**
   * @param options - What to do about what the encoding does not contain.
   * @throws TypeError if the options are no object, or `errors` is no policy.
   */
  new (options?: EncoderOptions): Instance;
  /**
   * @param label - A name of the codec, in any case.
   * @param options - What to do about what the encoding does not contain.
   * @throws RangeError if the label is not one of the codec's.
   * @throws TypeError if the options are no object, or `errors` is no policy.
   */
  new (label: string, options?: EncoderOptions): Instance;
}
