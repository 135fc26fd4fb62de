/** Differences of WTF-8, MySQL's three-byte UTF-8 and Android's Modified UTF-8 from all other variants. */
import { type Case, group } from '../case.js';

export const profiles: Case[] = [
  ...group(
    'wtf',
    `
    file-name    | 61 ED A0 BD 62 2E 74 78 74 | A file name of Windows with an unpaired high surrogate, which WTF-8 exists for
    low-in-text  | 61 ED B8 80 62 | An unpaired low surrogate between letters
    around-four  | ED A0 BD F0 9F 98 80 ED B8 80 | A high surrogate, four bytes, a low surrogate: well-formed in WTF-8, since nothing pairs
    around-nul   | ED A0 BD 00 ED B8 80 | A high and a low surrogate with a raw NUL between
    lows-then-highs | ED BF BF ED B0 80 ED AF BF ED A0 80 | Two low surrogates before two high ones: no pair, so WTF-8 accepts all four
    edges-in-a-row | ED A0 80 ED AF BF ED B0 80 ED BF BF | The first and the last high surrogate, the first and the last low one: the middle two pair
    pair-then-fault | ED A0 BD ED B8 80 FF | A pair in six bytes, one fault in WTF-8, and FF, another
    pair-then-letter | ED A0 BD ED B8 80 41 | A pair in six bytes before a letter, which must survive
    fault-then-pair | FF ED A0 BD ED B8 80 | FF before a pair in six bytes
    three-pairs  | ED A0 BD ED B8 80 ED A0 BD ED B8 81 ED A0 BD ED B8 82 | Three pairs in six bytes: three faults in WTF-8
    four-then-pair | F0 9F 98 80 41 ED A0 BD ED B8 80 | The same character in four bytes, which WTF-8 accepts, and in six, which it refuses
    truncated-then-four | ED A0 BD ED B8 F0 9F 98 80 | A high surrogate, two bytes of a low one, and four bytes that must stay whole
    late-high    | 30 31 32 33 34 35 36 37 38 39 61 62 63 ED A0 BD 41 | A high surrogate as the last of 16 bytes, without a low surrogate after it
    low-first    | ED B8 80 41 ED A0 BD | A low surrogate at the start and a high one at the end: joining such strings must make a pair
  `,
  ),
  ...group(
    'bmp',
    `
    mysql-comment | E5 AE A2 F0 9F 98 80 41 | 客😀A, which MySQL's utf8mb3 cuts after the first character
    four-then-three | F0 9F 98 80 E2 82 AC | Four bytes before €: four faults in utf8mb3, and € stays
    two-fours    | F0 9F 98 80 F0 9F 98 81 | 😀😁 in four bytes each: eight faults in utf8mb3
    last-then-letter | EF BF BF 41 | U+FFFF, the last code point of utf8mb3, before a letter
    all-leads    | F0 F1 F2 F3 F4 | The leads of four bytes in a row: cut short in UTF-8, too large in utf8mb3
    two-of-four-letter | F0 9F 41 | Two of four bytes before a letter: one fault in UTF-8, two in utf8mb3
    three-of-four-three | F0 9F 98 E2 82 AC | Three of four bytes before €
  `,
  ),
  ...group(
    'android',
    `
    nul-between-fours | F0 9F 98 80 C0 80 F0 9F 98 81 | Four bytes, the NUL of Modified UTF-8, four bytes: a string of a DEX file
    raw-nul-after-four | F0 9F 98 80 00 | Four bytes and the raw NUL that ends a string of a DEX file
    all-three    | 61 C0 80 F0 9F 98 80 ED B8 80 | C0 80, four bytes and a low surrogate: only Android's Modified UTF-8 accepts all three
    pair-then-four-then-nul | ED A0 BD ED B8 80 F0 9F 98 80 C0 80 | One character in six bytes and in four, then C0 80
    high-then-four-low | ED A0 BD F0 9F 98 80 ED B8 80 C0 80 | A high and a low surrogate that four bytes keep apart, then C0 80
  `,
  ),
];
