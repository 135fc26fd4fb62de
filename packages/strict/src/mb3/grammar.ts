import { defineGrammar, type Grammar } from '@utf8/core';

/** The name that errors and decoders contain. */
export const name = 'UTF-8 (mb3)';

/** The label, and other names of the encoding, in any case. */
export const labels: readonly string[] = ['utf8mb3'];

/**
 * UTF-8 up to U+FFFF, which MySQL and MariaDB call utf8mb3. Characters above U+FFFF are refused: one fault
 * per byte of their four-byte form, and one per character in `encode`.
 *
 * @see MySQL 8.4 Reference Manual, section 12.9.2, "The utf8mb3 Character Set"; RFC 3629, section 4
 */
export const grammar: Grammar = /* @__PURE__ */ defineGrammar(
  'bmp',
  `
  U+0000..U+007F = 00-7F
  U+0080..U+07FF = C2-DF 80-BF
  U+0800..U+0FFF = E0    A0-BF 80-BF
  U+1000..U+CFFF = E1-EC 80-BF 80-BF
  U+D000..U+D7FF = ED    80-9F 80-BF
  U+E000..U+FFFF = EE-EF 80-BF 80-BF
`,
);
