import { type Bytes, toUint8Array } from '../argument/bytes.js';
import { checkOptions, STREAM_OPTIONS } from '../argument/check.js';
import type { DecoderConstructor, StreamOptions } from '../codec/coder.js';
import type { DecodeOptions } from '../codec/options.js';
import { createTextSink, DECODE_OPTIONS, decodeInto, measureBom, stripsBom } from '../decode.js';
import { type Encoding, encodingFor } from '../encoding.js';
import { checkPolicy, type ErrorPolicy } from '../fault/policy.js';
import { createCarry } from './carry.js';

export function createDecoder(encoding: Encoding): DecoderConstructor {
  return class Decoder {
    readonly encoding = encoding.name;
    readonly #policy: ErrorPolicy;
    readonly #stripsBom: boolean;
    readonly #pass = createCarry(encoding.packed.longest);

    constructor(options?: DecodeOptions) {
      this.#policy = checkPolicy(options, DECODE_OPTIONS);
      this.#stripsBom = stripsBom(options?.bom);
    }

    decode(input: Bytes = new Uint8Array(), options?: StreamOptions): string {
      checkOptions(options, STREAM_OPTIONS);
      const chunk = toUint8Array(input);
      const policy = this.#policy;
      const working = encodingFor(encoding, policy);
      const sink = createTextSink(encoding, chunk.length);
      this.#pass(chunk, !options?.stream, (bytes, from, base, isLast) => {
        const start = from || base || !this.#stripsBom ? from : measureBom(encoding, bytes);
        return decodeInto(sink, working, bytes, start, policy, base, isLast);
      });
      return sink.finish();
    }
  };
}
