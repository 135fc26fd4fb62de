import { defineGrammar, type Grammar } from '@utf8/core';

/** The name that errors and decoders contain. */
export const name = 'CESU-8 (lenient)';

/** The label, and other names of the encoding, in any case. */
export const labels: readonly string[] = ['cesu-8-lenient'];

/**
 * CESU-8 as Java's and ICU's decoders accept it: lone surrogates are decoded and encoded.
 *
 * @see UTR #26, section 2, with each surrogate as a character
 */
export const grammar: Grammar = /* @__PURE__ */ defineGrammar(
  'code units',
  `
  U+0000..U+007F = 00-7F
  U+0080..U+07FF = C2-DF 80-BF
  U+0800..U+0FFF = E0    A0-BF 80-BF
  U+1000..U+FFFF = E1-EF 80-BF 80-BF
`,
);
