import { defineGrammar, type Grammar } from '@utf8/core';

/** The name that errors and decoders contain. */
export const name = 'WTF-8';

/** The label, and other names of the encoding, in any case. */
export const labels: readonly string[] = ['wtf-8', 'wtf8'];

/**
 * WTF-8: UTF-8 that accepts lone surrogates, so it can encode every UTF-16 string. A pair is always four
 * bytes; in six bytes, it is one fault.
 *
 * @see https://simonsapin.github.io/wtf-8/#generalized-utf8 and #wtf-8
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
  U+10000..U+10FFFF  ! ED    A0-AF 80-BF + ED B0-BF 80-BF
`,
);
