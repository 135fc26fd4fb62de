import { type Bytes, toUint8Array } from '../argument/bytes.js';
import { checkOptions } from '../argument/options.js';
import type { Decoder, DecoderConstructor, DecoderOptions } from '../codec/coder.js';
import { createTextSink, decodeInto, measureBom } from '../decode.js';
import { type Encoding, encodingFor } from '../encoding.js';
import { checkPolicy, type ErrorPolicy } from '../fault/policy.js';
import { createCarry } from './carry.js';
import { selectOptions } from './label.js';

export function createDecoder(encoding: Encoding): DecoderConstructor {
  return class implements Decoder {
    readonly encoding = encoding.name;
    readonly fatal: boolean;
    readonly ignoreBOM: boolean;
    readonly #policy: ErrorPolicy;
    readonly #pass = createCarry(encoding.packed.longest);

    constructor(first?: string | DecoderOptions, second?: DecoderOptions) {
      const options = selectOptions(encoding, first, second);
      this.#policy = checkPolicy(
        options,
        'fatal, ignoreBOM, errors',
        options?.fatal ? 'strict' : 'replace',
      );
      this.fatal = this.#policy === 'strict';
      this.ignoreBOM = Boolean(options?.ignoreBOM);
    }

    decode(input: Bytes = new Uint8Array(), options?: { stream?: boolean | undefined }): string {
      checkOptions(options, 'stream');
      const chunk = toUint8Array(input);
      const policy = this.#policy;
      const working = encodingFor(encoding, policy);
      const sink = createTextSink(encoding, chunk.length);
      this.#pass(chunk, !options?.stream, (bytes, from, base, isLast) => {
        const start = from || base || this.ignoreBOM ? from : measureBom(encoding, bytes);
        return decodeInto(sink, working, bytes, start, policy, base, isLast);
      });
      return sink.finish();
    }
  };
}
