import { type Bytes, toUint8Array } from '../argument/bytes.js';
import { checkOptions } from '../argument/refuse.js';
import type { DecoderConstructor, StreamOptions } from '../codec/coder.js';
import type { DecodeOptions } from '../codec/options.js';
import { createTextSink, decodeInto, measureBom, stripsBom } from '../drive/decode.js';
import type { DecodeWay } from '../drive/way.js';
import { checkPolicy, type ErrorPolicy } from '../fault/policy.js';
import { type Engine, engineFor } from '../read/engine.js';
import { createCarry } from './carry.js';

export function createDecoder(engine: Engine, way?: DecodeWay): DecoderConstructor {
  return class Decoder {
    readonly encoding = engine.name;
    readonly #policy: ErrorPolicy;
    readonly #stripsBom: boolean;
    readonly #pass = createCarry(engine.packed.longest);

    constructor(options?: DecodeOptions) {
      this.#policy = checkPolicy(options);
      this.#stripsBom = stripsBom(options?.bom);
    }

    decode(input: Bytes = new Uint8Array(), options?: StreamOptions): string {
      checkOptions(options);
      const chunk = toUint8Array(input);
      const policy = this.#policy;
      const working = engineFor(engine, policy);
      const sink = createTextSink(engine, chunk.length, way);
      this.#pass(chunk, !options?.stream, (bytes, from, base, isLast) => {
        const start = from || base || !this.#stripsBom ? from : measureBom(engine, bytes);
        return decodeInto(sink, working, bytes, start, policy, base, isLast, way);
      });
      return sink.finish();
    }
  };
}
