import { defineGrammar, type Grammar } from '@utf8/core';

/** The name that errors and decoders contain. */
export const name = 'Modified UTF-8 (Android resources)';

/** The label, and other names of the encoding, in any case. */
export const labels: readonly string[] = [];

/**
 * The text of Android's string pools. aapt2 writes six bytes above U+FFFF, and older versions and other
 * tools four; Android reads both. U+0000 is a byte 00, which a pool can contain since it states lengths.
 *
 * @see frameworks/base/tools/aapt2/util/Util.cpp, Utf8ToModifiedUtf8, in the Android Open Source Project
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

  U+0000             <= 00
`,
);
