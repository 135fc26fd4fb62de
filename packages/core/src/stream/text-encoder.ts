import type { OwnBytes } from '../argument/bytes.js';
import type { Codec } from '../codec/codec.js';
import type { EncodeOptions } from '../codec/options.js';
import type { TextEncoderConstructor } from '../codec/text-coder.js';
import { defineInterface } from './web-idl.js';

export function createTextEncoder(
  name: string,
  encode: Codec['encode'],
  encodeInto: Codec['encodeInto'],
): TextEncoderConstructor {
  return defineInterface(
    'TextEncoder',
    class {
      readonly #encoding = name.toLowerCase();
      readonly #options: EncodeOptions = { errors: 'replace' };

      get encoding(): string {
        return this.#encoding;
      }

      encode(input = ''): OwnBytes {
        const options = this.#options;
        return encode(`${input}`, options);
      }

      encodeInto(source: string, destination: Uint8Array): { read: number; written: number } {
        const options = this.#options;
        return encodeInto(`${source}`, destination, options);
      }
    },
  );
}
