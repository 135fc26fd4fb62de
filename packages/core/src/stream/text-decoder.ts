import type { Bytes } from '../argument/bytes.js';
import type { Decoder, DecoderConstructor, StreamOptions } from '../codec/coder.js';
import type { TextDecoderConstructor, TextDecoderOptions } from '../codec/text-coder.js';
import type { Encoding } from '../encoding.js';
import { DecodeError } from '../fault/error.js';
import { defineInterface, toDictionary } from './web-idl.js';

export function createTextDecoder(
  encoding: Encoding,
  Decoder: DecoderConstructor,
): TextDecoderConstructor {
  return defineInterface(
    'TextDecoder',
    class {
      readonly #decoder: Decoder;
      readonly #fatal: boolean;
      readonly #ignoreBOM: boolean;

      constructor(label = encoding.name, options?: TextDecoderOptions | null) {
        const text = `${label}`;
        const { fatal, ignoreBOM } = toDictionary(options);
        checkLabel(encoding, text);
        this.#fatal = Boolean(fatal);
        this.#ignoreBOM = Boolean(ignoreBOM);
        this.#decoder = new Decoder({
          errors: fatal ? 'strict' : 'replace',
          bom: ignoreBOM ? 'keep' : 'strip',
        });
      }

      get encoding(): string {
        return this.#decoder.encoding.toLowerCase();
      }

      get fatal(): boolean {
        return this.#fatal;
      }

      get ignoreBOM(): boolean {
        return this.#ignoreBOM;
      }

      decode(input: Bytes = new Uint8Array(), options?: StreamOptions | null): string {
        const decoder = this.#decoder;
        const { stream } = toDictionary(options);
        try {
          return decoder.decode(input, { stream: Boolean(stream) });
        } catch (error) {
          throw error instanceof DecodeError ? toTypeError(error) : error;
        }
      }
    },
  );
}

/**
 * Checks a label, which may have ASCII white space around it.
 *
 * @see https://encoding.spec.whatwg.org/#concept-encoding-get
 */
function checkLabel({ name, labels }: Encoding, label: string): void {
  const written = label.toLowerCase();
  const isOwn = [name, ...labels].some((known) => {
    const lower = known.toLowerCase();
    return written.includes(lower) && !/[^\t\n\f\r ]/.test(written.replace(lower, ''));
  });
  if (!isOwn) throw new RangeError(`${name} has no label ${label}.`);
}

/** Converts an error to a plain `TypeError`, which programs tell apart by its class or its name. */
function toTypeError({ message, name: _, ...fields }: DecodeError): TypeError {
  return Object.assign(new TypeError(message), fields);
}
