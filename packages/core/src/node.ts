/**
 * A `Transcoder` as Node's `stream.Transform`.
 *
 * @packageDocumentation
 */
import { Transform, type TransformCallback, type TransformOptions } from 'node:stream';
import { refuse } from './argument/check.js';
import type { CodecCore } from './codec/codec.js';
import { Transcoder } from './stream/transcoder.js';
import type { TranscodeOptions } from './transcode.js';

/**
 * Converts a stream of bytes as a Node stream; see {@link Transcoder}.
 *
 * A fault destroys the stream with a `DecodeError`, and a chunk that is a string with a `TypeError`: its
 * bytes in the source encoding are not known.
 *
 * @example
 * ```ts
 * import { Readable } from 'node:stream';
 * import { buffer } from 'node:stream/consumers';
 * import { TranscoderTransform } from '@utf8/core/node';
 * import * as cesu8 from '@utf8/cesu8';
 * import * as utf8 from '@utf8/strict';
 *
 * const dump = Readable.from([Uint8Array.of(0xed, 0xa0, 0xbd), Uint8Array.of(0xed, 0xb8, 0x80)]);
 * const result = dump.pipe(new TranscoderTransform(cesu8, utf8));
 * (await buffer(result)).toString('hex'); // => 'f09f9880'
 * ```
 */
export class TranscoderTransform extends Transform {
  readonly #transcoder: Transcoder;

  /**
   * @param from - The codec of the input.
   * @param to - The codec of the result.
   * @param options - Those of {@link Transcoder} and of `stream.Transform`.
   * @throws TypeError if an argument is of the wrong type, such as a label instead of a codec.
   */
  constructor(from: CodecCore, to: CodecCore, options: TranscodeOptions & TransformOptions = {}) {
    if (typeof options !== 'object' || options === null) refuse('options', options);
    const { errors, ...streamOptions } = options;
    super({ ...streamOptions, decodeStrings: false });
    this.#transcoder = new Transcoder(from, to, { errors });
  }

  /** @internal */
  override _transform(
    chunk: Uint8Array | string,
    _encoding: string,
    callback: TransformCallback,
  ): void {
    this.#pass(() => {
      if (typeof chunk === 'string') refuse('bytes', chunk);
      return this.#transcoder.push(chunk);
    }, callback);
  }

  /** @internal */
  override _flush(callback: TransformCallback): void {
    this.#pass(() => this.#transcoder.flush(), callback);
  }

  #pass(transcode: () => Uint8Array, callback: TransformCallback): void {
    try {
      const bytes = transcode();
      callback(null, bytes.length > 0 ? bytes : undefined);
    } catch (error) {
      callback(error as Error);
    }
  }
}
