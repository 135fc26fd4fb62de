import type { ErrorPolicy } from '../fault/policy.js';

/** Options of decoding functions and of decoders. */
export interface DecodeOptions {
  /** Policy for faults; `strict` by default. */
  readonly errors?: ErrorPolicy | undefined;
  /** `strip` drops a byte order mark at the start; `keep`, the default, decodes it to U+FEFF. */
  readonly bom?: 'keep' | 'strip' | undefined;
}

/** Options of encoding functions and of encoders. */
export interface EncodeOptions {
  /** Policy for characters that the encoding lacks, such as lone surrogates; `strict` by default. */
  readonly errors?: ErrorPolicy | undefined;
}
