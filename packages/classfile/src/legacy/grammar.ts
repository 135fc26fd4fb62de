import { defineGrammar, type Grammar } from '@utf8/core';

/** The name that errors and decoders contain. */
export const name = 'Modified UTF-8 (class files to version 47)';

/** The label, and other names of the encoding, in any case. */
export const labels: readonly string[] = [];

/**
 * Modified UTF-8 as HotSpot accepts it in class files of major version 47 and less, those from before
 * Java 1.4: overlong forms in two and three bytes pass, but a raw 00 does not.
 *
 * @see ClassFileParser::verify_legal_utf8 and UTF8::is_legal_utf8 of HotSpot
 */
export const grammar: Grammar = /* @__PURE__ */ defineGrammar(
  'code units',
  `
  U+0000         =  C0    80
  U+0001..U+007F =  01-7F
  U+0080..U+07FF =  C2-DF 80-BF
  U+0800..U+0FFF =  E0    A0-BF 80-BF
  U+1000..U+FFFF =  E1-EF 80-BF 80-BF

  U+0001..U+003F <= C0    81-BF
  U+0040..U+007F <= C1    80-BF
  U+0000..U+07FF <= E0    80-9F 80-BF
`,
);
