import { ByteSink } from './byte-sink.js';
import { checkText } from './bytes.js';
import { encodeInto } from './encode.js';
import { type Engine, engineFor } from './engine.js';
import { checkPolicy, type ErrorPolicy } from './policy.js';

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
   * @param text - The next text; none is the same as an empty one.
   * @returns Bytes in memory of their own.
   * @throws EncodeError under `strict`; its offset counts UTF-16 code units from the start of the
   *   stream. The encoder then starts afresh.
   */
  encode(text?: string, options?: { readonly stream?: boolean | undefined }): Uint8Array;
}

export function createEncoder(engine: Engine): new (options?: EncoderOptions) => Encoder {
  return class implements Encoder {
    readonly encoding = engine.name;
    readonly #policy: ErrorPolicy;
    #high = '';
    /** Where in the stream the kept surrogate, or else the next chunk, begins. */
    #offset = 0;

    constructor({ errors }: EncoderOptions = {}) {
      this.#policy = checkPolicy(errors, 'replace');
    }

    encode(text = '', { stream = false }: { stream?: boolean | undefined } = {}): Uint8Array {
      checkText(text);
      const whole = this.#high + text;
      const end = stream && isHigh(whole.charCodeAt(whole.length - 1)) ? -1 : undefined;
      const ready = whole.slice(0, end);
      const offset = this.#offset;
      // Before the loop, so that a fault that throws leaves a fresh encoder.
      this.#high = '';
      this.#offset = 0;
      const sink = new ByteSink(ready.length);
      encodeInto(sink, engineFor(engine, this.#policy), ready, this.#policy, offset);
      if (stream) {
        this.#high = whole.slice(ready.length);
        this.#offset = offset + ready.length;
      }
      return sink.finish();
    }
  };
}

const isHigh = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;
