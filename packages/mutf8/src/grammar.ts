import { defineGrammar, type Grammar } from '@utf8/core';

/** The name that errors and decoders contain. */
export const name = 'Modified UTF-8';

/** The label, and other names of the encoding, in any case. */
export const labels: readonly string[] = ['mutf-8', 'modified-utf-8', 'mutf8'];

/**
 * Modified UTF-8 as class files contain it: UTF-16 code units, lone surrogates included, each in one to
 * three bytes; U+0000 in two, so that no byte is 00.
 *
 * @see The Java Virtual Machine Specification, section 4.4.7
 */
export const grammar: Grammar = /* @__PURE__ */ defineGrammar(
  'code units',
  `
  U+0000         = C0    80
  U+0001..U+007F = 01-7F
  U+0080..U+07FF = C2-DF 80-BF
  U+0800..U+0FFF = E0    A0-BF 80-BF
  U+1000..U+FFFF = E1-EF 80-BF 80-BF
`,
);
