import { defineGrammar, type Grammar } from '@utf8/core';

/** The name that errors and decoders contain. */
export const name = 'WTF-8 (generalized)';

/** The label, and other names of the encoding, in any case. */
export const labels: readonly string[] = ['wtf-8-generalized'];

/**
 * WTF-8 that also accepts two surrogates in a row, as their pair, as Python's `surrogatepass` does. A pair is
 * written in four bytes, as WTF-8 writes it.
 *
 * @see https://simonsapin.github.io/wtf-8/#generalized-utf8
 */
export const grammar: Grammar = /* @__PURE__ */ defineGrammar(
  'code points',
  `
  U+0000..U+007F     = 00-7F
  U+0080..U+07FF     = C2-DF 80-BF
  U+0800..U+0FFF     = E0    A0-BF 80-BF
  U+1000..U+FFFF     = E1-EF 80-BF 80-BF
  U+10000..U+3FFFF   = F0    90-BF 80-BF 80-BF
  U+40000..U+FFFFF   = F1-F3 80-BF 80-BF 80-BF
  U+100000..U+10FFFF = F4    80-8F 80-BF 80-BF
`,
);
