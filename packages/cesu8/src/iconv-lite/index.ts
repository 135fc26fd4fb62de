/**
 * CESU-8 for iconv-lite, and so for all that is built on it.
 *
 * @packageDocumentation
 */
import type { ErrorPolicy } from '@utf8/core';
import { Decoder, decode, Encoder, encode, isValid } from '../generated/index.js';
import { createDecoder, type Reader } from './decoder.js';
import { createEncoder, type Writer } from './encoder.js';
import { type IconvLite, openRegistry } from './registry.js';

export type { IconvLite, Reader, Writer };

/** Options of {@link register}. */
export interface RegisterOptions {
  /** What reads and writes; `@utf8/cesu8` by default. */
  readonly codec?: (Reader & Writer) | undefined;
  /** What writes; by default what reads. `/mixed` reads databases best, but writes UTF-8. */
  readonly encodeAs?: Writer | undefined;
  /** What to do about faults, unless a call says `fatal: true`; `replace` by default, as in iconv-lite. */
  readonly errors?: ErrorPolicy | undefined;
  /** The name in iconv-lite, which ignores all characters except letters and digits; `cesu8` by default. */
  readonly name?: string | undefined;
}

const cesu8 = { Decoder, decode, Encoder, encode, isValid };

/**
 * Puts a codec into iconv-lite's registry, in place of the one that has the name there, if any.
 *
 * Everything that iconv-lite does by that name is then the codec's work: `encode` and `decode`, streams,
 * and coders that write chunk by chunk. Its options `stripBOM` and `addBOM` stay its own, and `fatal: true`
 * makes decoding throw at the first fault. iconv-lite may have been used before the call, except that
 * existing coders do not change.
 *
 * @param iconv - The exports of iconv-lite, 0.4 or later. Each copy of it in a program has a registry of
 *   its own: node-hdb's is `require('hdb').iconv`.
 * @param options - The codec, what to do about faults, and the name.
 * @throws TypeError if this is not iconv-lite, the name has neither letters nor digits, or an option is of
 *   the wrong type.
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
  const { codec = cesu8, encodeAs = codec, errors = 'replace', name = 'cesu8' } = options;
  const { set, toNative } = openRegistry(iconv);
  const decoder = createDecoder(codec, errors);
  const encoder = createEncoder(encodeAs, errors, toNative);
  set(
    name,
    class {
      readonly bomAware = true;
      readonly decoder = decoder;
      readonly encoder = encoder;
    },
  );
}
