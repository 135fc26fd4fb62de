import { defineGrammar, type Grammar } from '@utf8/core';

/** The name that errors and decoders contain. */
export const name = 'CESU-8';

/** The label, and other names of the encoding, in any case. */
export const labels: readonly string[] = ['cesu-8', 'csCESU8', 'csCESU-8', 'cesu8'];

/**
 * CESU-8: UTF-8 up to U+FFFF, and the two surrogates of a pair, in three bytes each, above it. Sequences of
 * four bytes and unpaired surrogates are faults.
 *
 * @see UTR #26, section 2
 */
export const grammar: Grammar = /* @__PURE__ */ defineGrammar(
  'scalar values',
  `
  U+0000..U+007F    = 00-7F
  U+0080..U+07FF    = C2-DF 80-BF
  U+0800..U+0FFF    = E0    A0-BF 80-BF
  U+1000..U+CFFF    = E1-EC 80-BF 80-BF
  U+D000..U+D7FF    = ED    80-9F 80-BF
  U+E000..U+FFFF    = EE-EF 80-BF 80-BF
  U+10000..U+10FFFF = ED    A0-AF 80-BF + ED B0-BF 80-BF
`,
);
