import { defineGrammar, type Grammar } from '@utf8/core';

/** The name that errors and decoders contain. */
export const name = 'UTF-8';

/** The label, and other names of the encoding, in any case. */
export const labels: readonly string[] = [
  'utf-8',
  'utf8',
  'csUTF8',
  'utf8mb4',
  'unicode-1-1-utf-8',
  'unicode11utf8',
  'unicode20utf8',
  'x-unicode20utf8',
];

/**
 * UTF-8 as RFC 3629 defines it: shortest form, no surrogates, nothing above U+10FFFF.
 *
 * @see RFC 3629, section 4; Unicode 16.0, section 3.9, Table 3-7
 */
export const grammar: Grammar = /* @__PURE__ */ defineGrammar(
  'scalar values',
  `
  U+0000..U+007F     = 00-7F
  U+0080..U+07FF     = C2-DF 80-BF
  U+0800..U+0FFF     = E0    A0-BF 80-BF
  U+1000..U+CFFF     = E1-EC 80-BF 80-BF
  U+D000..U+D7FF     = ED    80-9F 80-BF
  U+E000..U+FFFF     = EE-EF 80-BF 80-BF
  U+10000..U+3FFFF   = F0    90-BF 80-BF 80-BF
  U+40000..U+FFFFF   = F1-F3 80-BF 80-BF 80-BF
  U+100000..U+10FFFF = F4    80-8F 80-BF 80-BF
`,
);
