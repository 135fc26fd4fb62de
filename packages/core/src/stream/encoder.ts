import type { OwnBytes } from '../argument/bytes.js';
import { checkOptions, checkText } from '../argument/options.js';
import type { Encoder, EncoderConstructor, EncoderOptions } from '../codec/coder.js';
import { createSink, encodeTo } from '../encode.js';
import { type Encoding, encodingFor } from '../encoding.js';
import { checkPolicy, checkSize, type ErrorPolicy } from '../fault/policy.js';
import { selectOptions } from './label.js';

export function createEncoder(encoding: Encoding): EncoderConstructor {
  return class implements Encoder {
    readonly encoding = encoding.name;
    readonly #policy: ErrorPolicy;
    /** A high surrogate that the last chunk ended with. */
    #high = '';
    /** Where in the stream that surrogate, or else the next chunk, begins. */
    #offset = 0;

    constructor(first?: string | EncoderOptions, second?: EncoderOptions) {
      this.#policy = checkPolicy(selectOptions(encoding, first, second), 'errors', 'replace');
    }

    encode(text = '', options?: { stream?: boolean | undefined }): OwnBytes {
      checkText(text);
      checkOptions(options, 'stream');
      const policy = this.#policy;
      const high = this.#high;
      const offset = this.#offset;
      // Before the loops, so that a fault that throws leaves a fresh encoder.
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

const isHigh = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;
const isLow = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff;
