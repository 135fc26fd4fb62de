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
  readonly fatal: boolean;
  readonly ignoreBOM: boolean;
  /**
   * Decodes the next chunk. A sequence that its end cuts is kept for the next call, unless `stream` is
   * false, which ends the stream; the decoder can then be used for another.
   *
   * @param input - The next bytes; leaving it out is the same as no bytes.
   * @returns The text that is certain so far.
   * @throws DecodeError under `strict`; its offset counts bytes from the start of the stream. The
   *   decoder then starts afresh.
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
   * @returns Bytes in memory of their own.
   * @throws EncodeError under `strict`; its offset counts UTF-16 code units from the start of the
   *   stream. The encoder then starts afresh.
   */
  encode(text?: string, options?: { readonly stream?: boolean | undefined }): OwnBytes;
}

/** Makes decoders. A label of the codec may come first, as `TextDecoder` takes one. */
export interface DecoderConstructor<Instance = Decoder> {
  /** @throws TypeError if the options are no object, or `errors` is no policy. */
  new (options?: DecoderOptions): Instance;
  /** @throws RangeError if the label is not one of the codec's. */
  new (label: string, options?: DecoderOptions): Instance;
}

/** Makes encoders. A label of the codec may come first. */
export interface EncoderConstructor<Instance = Encoder> {
  /** @throws TypeError if the options are no object, or `errors` is no policy. */
  new (options?: EncoderOptions): Instance;
  /** @throws RangeError if the label is not one of the codec's. */
  new (label: string, options?: EncoderOptions): Instance;
}

/** Bytes in, text out. */
export interface DecoderStream {
  readonly encoding: string;
  readonly fatal: boolean;
  readonly ignoreBOM: boolean;
  readonly readable: TransformOf<Bytes, string>['readable'];
  readonly writable: TransformOf<Bytes, string>['writable'];
}

/** Text in, bytes out. */
export interface EncoderStream {
  readonly encoding: string;
  readonly readable: TransformOf<string, OwnBytes>['readable'];
  readonly writable: TransformOf<string, OwnBytes>['writable'];
}

/** Makes decoder streams, as {@link DecoderConstructor} makes decoders. */
export interface DecoderStreamConstructor<Instance = DecoderStream> {
  new (options?: DecoderOptions): Instance;
  new (label: string, options?: DecoderOptions): Instance;
}

/** Makes encoder streams, as {@link EncoderConstructor} makes encoders. */
export interface EncoderStreamConstructor<Instance = EncoderStream> {
  new (options?: EncoderOptions): Instance;
  new (label: string, options?: EncoderOptions): Instance;
}
