import { type Bytes, toUint8Array } from '../argument/bytes.js';
import { checkOptions } from '../argument/refuse.js';
import type { Decoder, DecoderConstructor, DecoderOptions } from '../codec/coder.js';
import { createTextSink, decodeInto, measureBom } from '../drive/decode.js';
import type { DecodeWay } from '../drive/way.js';
import { checkPolicy, type ErrorPolicy } from '../fault/policy.js';
import { type Engine, engineFor } from '../read/engine.js';
import { createCarry } from './carry.js';
import { selectOptions } from './label.js';

export function createDecoder(engine: Engine, way?: DecodeWay): DecoderConstructor {
  return class implements Decoder {
    readonly encoding = engine.name;
    readonly fatal: boolean;
    readonly ignoreBOM: boolean;
    readonly #policy: ErrorPolicy;
    readonly #pass = createCarry(engine.packed.longest);

    constructor(first?: string | DecoderOptions, second?: DecoderOptions) {
      const options = selectOptions(engine, first, second);
      this.#policy = checkPolicy(options, options?.fatal ? 'strict' : 'replace');
      this.fatal = this.#policy === 'strict';
      this.ignoreBOM = Boolean(options?.ignoreBOM);
    }

    decode(input: Bytes = new Uint8Array(), options?: { stream?: boolean | undefined }): string {
      checkOptions(options);
      const chunk = toUint8Array(input);
      const policy = this.#policy;
      const working = engineFor(engine, policy);
      const sink = createTextSink(engine, chunk.length, way);
      this.#pass(chunk, !options?.stream, (bytes, from, base, isLast) => {
        const start = from || base || this.ignoreBOM ? from : measureBom(engine, bytes);
        return decodeInto(sink, working, bytes, start, policy, base, isLast, way);
      });
      return sink.finish();
    }
  };
}
