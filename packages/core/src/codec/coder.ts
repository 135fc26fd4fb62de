/** Types of coders, which decode and encode chunk by chunk. */
import type { Bytes, OwnBytes } from '../argument/bytes.js';
import type { DecodeOptions, EncodeOptions } from './options.js';
import type { TransformOf } from './transform-stream.js';

/** Options of one call of a coder. */
export interface StreamOptions {
  /** True if more chunks follow; false, the default, ends the stream. */
  readonly stream?: boolean | undefined;
}

/**
 * Decodes a stream of bytes chunk by chunk.
 *
 * @example
 * ```ts
 * import { Decoder } from '@utf8/cesu8';
 *
 * const decoder = new Decoder();
 * let text = decoder.decode(Uint8Array.of(0xed, 0xa0, 0xbd), { stream: true });
 * text += decoder.decode(Uint8Array.of(0xed, 0xb8, 0x80));
 * text; // => '😀'
 * ```
 */
export interface Decoder {
  /** The name of the codec. */
  readonly encoding: string;
  /**
   * Decodes the next chunk. A sequence that continues in the next chunk is kept until then.
   *
   * @param input - The next bytes; none by default.
   * @param options - `stream`: true if more chunks follow; false, the default, ends the stream. The decoder
   *   can then be used for another stream.
   * @returns The text that is certain so far.
   * @throws DecodeError under `strict`, the default; its offset counts bytes from the start of the stream. The
   *   decoder is then reset.
   * @throws RangeError if the text is longer than a string can be.
   * @throws TypeError if an argument is of the wrong type, or a policy function leaves an unfinished
   *   character in the decoder that called it.
   */
  decode(input?: Bytes, options?: StreamOptions): string;
}

/**
 * Encodes a stream of texts chunk by chunk. A surrogate pair may be cut between two chunks.
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
   * Encodes the next chunk. A high surrogate at its end is kept for the next chunk.
   *
   * @param text - The next text; empty by default.
   * @param options - `stream`: true if more texts follow; false, the default, ends the stream. The encoder
   *   can then be used for another stream.
   * @returns A new `Uint8Array`.
   * @throws EncodeError under `strict`, the default; its offset counts UTF-16 code units from the start of the
   *   stream. The encoder is then reset.
   * @throws RangeError if the result is larger than the platform can allocate.
   * @throws TypeError if an argument is of the wrong type, or a policy function leaves an unfinished
   *   character in the encoder that called it.
   */
  encode(text?: string, options?: StreamOptions): OwnBytes;
}

/** Creates decoders. */
export interface DecoderConstructor<Instance = Decoder> {
  /**
   * @param options - `errors`: the policy for faults; `bom`: `strip` drops a byte order mark.
   * @throws TypeError if the options are not an object, or the value of one is unknown.
   */
  new (options?: DecodeOptions): Instance;
}

/** Creates encoders. */
export interface EncoderConstructor<Instance = Encoder> {
  /**
   * @param options - `errors`: the policy for characters that the encoding lacks.
   * @throws TypeError if the options are not an object, or `errors` is not a policy.
   */
  new (options?: EncodeOptions): Instance;
}

/** Decodes a web stream of bytes. A fault ends it with the errors of {@link Decoder.decode}. */
export interface DecoderStream {
  /** The name of the codec. */
  readonly encoding: string;
  /** The decoded text, in chunks. */
  readonly readable: TransformOf<Bytes, string>['readable'];
  /** Accepts bytes, in chunks that may be cut anywhere. */
  readonly writable: TransformOf<Bytes, string>['writable'];
}

/** Encodes a web stream of texts. It fails with the errors of {@link Encoder.encode}. */
export interface EncoderStream {
  /** The name of the codec. */
  readonly encoding: string;
  /** The encoded bytes, in chunks. */
  readonly readable: TransformOf<string, OwnBytes>['readable'];
  /** Accepts texts, in chunks that may be cut anywhere, within surrogate pairs too. */
  readonly writable: TransformOf<string, OwnBytes>['writable'];
}

/** Creates decoder streams. */
export type DecoderStreamConstructor<Instance = DecoderStream> = DecoderConstructor<Instance>;

/** Creates encoder streams. */
export type EncoderStreamConstructor<Instance = EncoderStream> = EncoderConstructor<Instance>;
