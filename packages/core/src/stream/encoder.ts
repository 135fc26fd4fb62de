import type { OwnBytes } from '../argument/bytes.js';
import { checkOptions, checkText, STREAM_OPTIONS } from '../argument/check.js';
import type { EncoderConstructor, StreamOptions } from '../codec/coder.js';
import type { EncodeOptions } from '../codec/options.js';
import { createSink, ENCODE_OPTIONS, encodeTo } from '../encode.js';
import { type Encoding, encodingFor } from '../encoding.js';
import { checkPolicy, checkSize, type ErrorPolicy } from '../fault/policy.js';

export function createEncoder(encoding: Encoding): EncoderConstructor {
  return class Encoder {
    readonly encoding = encoding.name;
    readonly #policy: ErrorPolicy;
    /** The high surrogate at the end of the last chunk, or an empty string. */
    #high = '';
    /** Index in the stream of that surrogate, otherwise of the next chunk. */
    #offset = 0;

    constructor(options?: EncodeOptions) {
      this.#policy = checkPolicy(options, ENCODE_OPTIONS);
    }

    encode(text = '', options?: StreamOptions): OwnBytes {
      checkText(text);
      checkOptions(options, STREAM_OPTIONS);
      const policy = this.#policy;
      const high = this.#high;
      const offset = this.#offset;
      // Reset first, so that an error leaves a fresh encoder.
      this.#high = '';
      this.#offset = 0;
      const working = encodingFor(encoding, policy);
      const sink = createSink(encoding, policy, text.length);
      if (!high || text || !options?.stream) {
        const low = high && isLow(text.charCodeAt(0)) ? text.charAt(0) : '';
        if (high) encodeTo(sink, working, high + low, policy, offset);
        const base = offset + high.length;
        const isOpen =
          options?.stream && text.length > low.length && isHigh(text.charCodeAt(text.length - 1));
        const ready = isOpen ? text.slice(0, -1) : text;
        encodeTo(sink, working, ready, policy, base, low.length);
        checkSize(this.#high, 0);
        this.#high = text.slice(ready.length);
        this.#offset = options?.stream ? base + ready.length : 0;
      } else {
        this.#high = high;
        this.#offset = offset;
      }
      return sink.finish();
    }
  };
}

const isHigh = (codeUnit: number): boolean => codeUnit >= 0xd800 && codeUnit <= 0xdbff;
const isLow = (codeUnit: number): boolean => codeUnit >= 0xdc00 && codeUnit <= 0xdfff;
