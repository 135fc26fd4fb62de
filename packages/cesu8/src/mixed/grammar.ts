import { defineGrammar, type Grammar } from '@utf8/core';

/** The name that errors and decoders contain. */
export const name = 'CESU-8 + UTF-8';

/** The label, and other names of the encoding, in any case. */
export const labels: readonly string[] = ['cesu-8+utf-8'];

/**
 * UTF-8 that also accepts pairs in six bytes, because one database may contain both. It writes UTF-8, so that
 * transcoding to UTF-8 is the repair. An unpaired surrogate is a fault.
 *
 * @see RFC 3629, section 4; UTR #26, section 2
 */
export const grammar: Grammar = /* @__PURE__ */ defineGrammar(
  'scalar values',
  `
  U+0000..U+007F     =  00-7F
  U+0080..U+07FF     =  C2-DF 80-BF
  U+0800..U+0FFF     =  E0    A0-BF 80-BF
  U+1000..U+CFFF     =  E1-EC 80-BF 80-BF
  U+D000..U+D7FF     =  ED    80-9F 80-BF
  U+E000..U+FFFF     =  EE-EF 80-BF 80-BF
  U+10000..U+3FFFF   =  F0    90-BF 80-BF 80-BF
  U+40000..U+FFFFF   =  F1-F3 80-BF 80-BF 80-BF
  U+100000..U+10FFFF =  F4    80-8F 80-BF 80-BF
  U+10000..U+10FFFF  <= ED    A0-AF 80-BF + ED B0-BF 80-BF
`,
);
