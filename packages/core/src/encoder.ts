import { checkText } from './bytes.js';
import type { Encoder, EncoderOptions } from './coder.js';
import { createSink, encodeInto } from './encode.js';
import { type Engine, engineFor } from './engine.js';
import { checkPolicy, type ErrorPolicy } from './policy.js';

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
      const sink = createSink(engine, this.#policy, ready.length);
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
