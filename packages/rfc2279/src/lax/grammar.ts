import { defineGrammar, type Grammar } from '@utf8/core';

/** The name that errors and decoders contain. */
export const name = 'UTF-8 (RFC 2279, lax)';

/** The label, and other names of the encoding, in any case. */
export const labels: readonly string[] = ['rfc2279-lax'];

/**
 * Numbers of 31 bits in the scheme of RFC 2279, surrogates included, as in Perl and Lua. Surrogates are
 * numbers here: two of them are never a pair, and strings cannot contain them. `decodeCodePoints` and
 * `encodeCodePoints` handle them.
 *
 * @see RFC 2279, section 2; perlunicode, "Security Implications of Unicode"; Lua 5.4 manual, section 6.5
 */
export const grammar: Grammar = /* @__PURE__ */ defineGrammar(
  '31 bits',
  `
  U+0000..U+007F         = 00-7F
  U+0080..U+07FF         = C2-DF 80-BF
  U+0800..U+0FFF         = E0    A0-BF 80-BF
  U+1000..U+FFFF         = E1-EF 80-BF 80-BF
  U+10000..U+3FFFF       = F0    90-BF 80-BF 80-BF
  U+40000..U+1FFFFF      = F1-F7 80-BF 80-BF 80-BF
  U+200000..U+FFFFFF     = F8    88-BF 80-BF 80-BF 80-BF
  U+1000000..U+3FFFFFF   = F9-FB 80-BF 80-BF 80-BF 80-BF
  U+4000000..U+3FFFFFFF  = FC    84-BF 80-BF 80-BF 80-BF 80-BF
  U+40000000..U+7FFFFFFF = FD    80-BF 80-BF 80-BF 80-BF 80-BF
`,
);
