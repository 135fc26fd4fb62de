/**
 * CESU-8 for iconv-lite, and for programs that use it.
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
  /** The codec that decodes and encodes; `@utf8/cesu8` by default. */
  readonly codec?: (Reader & Writer) | undefined;
  /** The codec that encodes; `codec` by default. `/mixed` is best for reading databases, but writes UTF-8. */
  readonly encodeAs?: Writer | undefined;
  /** Policy for faults, unless a call passes `fatal: true`; `replace` by default, as in iconv-lite. */
  readonly errors?: ErrorPolicy | undefined;
  /** The name in iconv-lite, which ignores all characters except letters and digits; `cesu8` by default. */
  readonly name?: string | undefined;
}

const cesu8 = { Decoder, decode, Encoder, encode, isValid };

/**
 * Adds a codec to iconv-lite's registry. It replaces a codec of the same name.
 *
 * All functions of iconv-lite then use the codec for that name: `encode`, `decode`, streams, and coders that
 * convert chunk by chunk. iconv-lite itself handles `stripBOM` and `addBOM`; with `fatal: true`, decoding
 * throws at the first fault. iconv-lite may have been used before the call, but existing coders do not
 * change.
 *
 * @param iconv - The exports of iconv-lite, 0.4 or later. Each copy of it in a program has a registry of
 *   its own: node-hdb's is `require('hdb').iconv`.
 * @param options - The codec, the policy for faults, and the name.
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
