/**
 * CESU-8 for iconv-lite, and so for all that is built on it.
 *
 * @packageDocumentation
 */
import type { Bytes, Codec, ErrorPolicy, Decoder as Reading, Encoder as Writing } from '@utf8/core';
import { Decoder, Encoder } from './index.js';

/** What is asked of the exports of iconv-lite. */
export interface IconvLite {
  encode(text: string, encoding: 'utf8'): Uint8Array;
  /** By name; null until the first use. */
  encodings: object | null;
  /** What was made of them, by name. */
  _codecDataCache: object;
  _canonicalizeEncoding(name: string): string;
}

/** Options of {@link register}. */
export interface RegisterOptions {
  /** What reads and writes; `@utf8/cesu8` by default. */
  readonly codec?: Pick<Codec, 'Decoder' | 'Encoder'> | undefined;
  /** What writes; by default what reads. `/mixed` reads databases best, but writes UTF-8. */
  readonly encodeAs?: Pick<Codec, 'Encoder'> | undefined;
  /** What to do about faults; `replace` by default, since nothing in iconv-lite throws. */
  readonly errors?: ErrorPolicy | undefined;
  /** What iconv-lite is to call it, which knows names by their letters and digits; `cesu8` by default. */
  readonly name?: string | undefined;
}

/**
 * Puts a codec into iconv-lite's registry, in place of the one that has the name there, if any.
 *
 * Everything that iconv-lite does by that name is then the codec's work: `encode` and `decode`, streams,
 * and coders that write chunk by chunk. Its options `stripBOM` and `addBOM` stay its own. Uses before
 * the call make no difference, except that a coder made before it stays what it is.
 *
 * @param iconv - The exports of iconv-lite, 0.4 or later. Each copy of it in a program has a registry of
 *   its own: node-hdb's is `require('hdb').iconv`.
 * @throws TypeError where this is no iconv-lite, the name has neither letters nor digits, or an option
 *   is of the wrong type.
 * @example
 * ```ts
 * import iconv from 'iconv-lite';
 * import * as mixed from '@utf8/cesu8/mixed';
 * import { register } from '@utf8/cesu8/iconv-lite';
 *
 * register(iconv);
 * register(iconv, { name: 'oracle-utf8', codec: mixed });
 * iconv.decode(Buffer.from('41eda0bd', 'hex'), 'cesu8'); // => 'A\ufffd'
 * iconv.decode(Buffer.from('f09f9880', 'hex'), 'oracle-utf8'); // => '😀'
 * ```
 * @see https://www.unicode.org/reports/tr26/
 */
export function register(iconv: IconvLite, options: RegisterOptions = {}): void {
  const {
    codec = { Decoder, Encoder },
    encodeAs = codec,
    errors = 'replace',
    name = 'cesu8',
  } = options;
  const newDecoder = (): Reading => new codec.Decoder({ errors, ignoreBOM: true });
  const newEncoder = (): Writing => new encodeAs.Encoder({ errors });
  // So that a wrong option shows here, and not at the first text.
  newDecoder();
  newEncoder();
  const { encodings, cache, canonicalize, toNative } = open(iconv);
  const key = canonicalize(name);
  if (!key) throw new TypeError(`Expected a name with letters or digits, but got '${name}'.`);
  encodings[key] = class {
    readonly bomAware = true;
    readonly decoder = class {
      readonly #decoder = newDecoder();
      write(bytes: Bytes): string {
        return this.#decoder.decode(bytes, { stream: true });
      }
      end(): string {
        return this.#decoder.decode();
      }
    };
    readonly encoder = class {
      readonly #encoder = newEncoder();
      write(text: string): Uint8Array {
        return toNative(this.#encoder.encode(text, { stream: true }));
      }
      end(): Uint8Array {
        return toNative(this.#encoder.encode());
      }
    };
  };
  delete cache[key];
}

type Registry = Record<string, unknown>;

/** The registry of a copy of iconv-lite, as it looks things up, and how it wants its bytes. */
function open(exports: IconvLite): {
  encodings: Registry;
  cache: Registry;
  canonicalize(name: string): string;
  toNative(bytes: Uint8Array): Uint8Array;
} {
  // `import * as iconv` has but copies of what can be assigned; the module itself is its default.
  const iconv = (exports as { default?: IconvLite } | undefined)?.default ?? exports;
  // The first use loads the encodings.
  const native = iconv?.encode?.('', 'utf8')?.constructor;
  const { encodings, _codecDataCache: cache } = iconv ?? {};
  if (!native || !encodings || !cache) {
    throw new TypeError(
      'Expected the exports of iconv-lite, but got what has no registry of encodings.',
    );
  }
  return {
    encodings: encodings as Registry,
    cache: cache as Registry,
    canonicalize: (name) => iconv._canonicalizeEncoding(name),
    // Node's Buffer, or what stands for it in a bundle, or else plain bytes.
    toNative: (bytes) =>
      native === Uint8Array
        ? bytes
        : (native as typeof Buffer).from(bytes.buffer, bytes.byteOffset, bytes.byteLength),
  };
}
