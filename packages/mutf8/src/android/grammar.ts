import { defineGrammar, type Grammar } from '@utf8/core';

/** The name that errors and decoders contain. */
export const name = 'Modified UTF-8 (Android)';

/** The label, and other names of the encoding, in any case. */
export const labels: readonly string[] = ['mutf-8-android'];

/**
 * Modified UTF-8 as Android's runtime (ART) reads and writes it: C0 80 for U+0000, four bytes above U+FFFF,
 * and lone surrogates in three. Two surrogates in a row are accepted too, as their pair.
 *
 * @see art/libdexfile/dex/utf.h and utf-inl.h, GetUtf16FromUtf8, in the Android Open Source Project
 */
export const grammar: Grammar = /* @__PURE__ */ defineGrammar(
  'code points',
  `
  U+0000             = C0    80
  U+0001..U+007F     = 01-7F
  U+0080..U+07FF     = C2-DF 80-BF
  U+0800..U+0FFF     = E0    A0-BF 80-BF
  U+1000..U+FFFF     = E1-EF 80-BF 80-BF
  U+10000..U+3FFFF   = F0    90-BF 80-BF 80-BF
  U+40000..U+FFFFF   = F1-F3 80-BF 80-BF 80-BF
  U+100000..U+10FFFF = F4    80-8F 80-BF 80-BF
`,
);
