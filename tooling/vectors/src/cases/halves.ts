/** Pairs of surrogates, halves alone, and what readers swallow behind them. */
import { type Case, group } from '../case.js';

export const halves: Case[] = [
  ...group(
    'pair',
    `
    emoji       | ED A0 BD ED B8 80 | 😀 as a pair, the way CESU-8 and Modified UTF-8 write it
    emoji-four  | F0 9F 98 80 | 😀 in four bytes, the way UTF-8 writes it
    both-forms  | ED A0 BD ED B8 80 F0 9F 98 80 | One character in both spellings: what a mixed database holds
    both-forms-reversed | F0 9F 98 80 ED A0 BD ED B8 80 | Both spellings, four bytes first
    first       | ED A0 80 ED B0 80 | U+10000: the first high half and the first low half
    first-last  | ED A0 80 ED BF BF | U+103FF: the first high half and the last low half
    second-first | ED A0 81 ED B0 80 | U+10400: the high half grows by one
    last-first  | ED AF BF ED B0 80 | U+10FC00: the last high half and the first low half
    two         | ED A0 BD ED B8 80 ED A0 BD ED B8 81 | 😀😁: two pairs in a row
    ruby-oci8   | ED A0 BD ED B9 88 | 🙈 as one Oracle database held it
    ruby-oci8-four | F0 9F 99 88 | 🙈 as the same database held it in the next row
    in-text     | 61 ED A0 BD ED B8 80 62 | A pair between letters
    four-in-text | 61 F0 9F 98 80 62 | Four bytes between letters
    add-not-or  | ED A1 80 ED B0 80 | U+20000: code that ORs 10000 instead of adding it gets U+10000
    add-not-or-high | ED AF 80 ED B0 80 | U+100000, which the same mistake gets wrong
    nul-between-pairs | ED A0 BD ED B8 80 C0 80 ED A0 BD ED B8 80 | Two pairs with a NUL of Modified UTF-8 between
    json        | 7B 22 61 22 3A 22 ED A0 BD ED B8 80 22 7D | JSON with a pair in it, valid as CESU-8 only
  `,
  ),
  ...group(
    'half',
    `
    high        | ED A0 BD | A high half alone: one U+FFFD in Java, two in old .NET, three by maximal subparts of UTF-8
    low         | ED B8 80 | A low half alone
    high-first  | ED A0 80 | U+D800, the first surrogate
    high-last   | ED AF BF | U+DBFF, the last high half
    low-first   | ED B0 80 | U+DC00, the first low half
    low-last    | ED BF BF | U+DFFF, the last surrogate
    dotnet      | ED A0 90 | U+D810: two U+FFFD up to .NET Core 2, three from .NET Core 3.0 on
    dotnet-in-text | 61 62 63 ED A0 90 78 79 7A | The report dotnet/corefx#36163: abc, a half, xyz
    private-high | ED AE 80 | U+DB80, the first high half for private use
    private-high-last | ED AD BF | U+DB7F, the last one that is not
    ora2pg      | ED B9 A2 | The orphan low half that stopped a migration at row 37 million
    two-high    | ED A0 BD ED A0 BD | Two high halves
    two-low     | ED B8 80 ED B8 80 | Two low halves
    reversed    | ED B8 80 ED A0 BD | A low half before a high one
    high-high-low | ED A0 BD ED A0 BD ED B8 80 | A lone high half, then a pair
    high-low-low | ED A0 BD ED B8 80 ED B8 80 | A pair, then a lone low half
    low-high-low | ED B8 80 ED A0 BD ED B8 80 | A lone low half, then a pair
    four-halves | ED A0 BD ED A0 BD ED B8 80 ED B8 80 | A pair between two lone halves
    reversed-twice | ED B8 80 ED A0 BD ED B8 80 ED A0 BD | Halves in the wrong order with a pair hidden in the middle
    two-bytes   | ED A0 | A half cut after two bytes, at the end of the input
    two-bytes-low | ED B0 | A low half cut after two bytes, at the end of the input
    two-bytes-letter | ED A0 41 | A half cut after two bytes, then a letter
    two-bytes-low-letter | ED B0 41 | A low half cut after two bytes: one fault of length 2 in CESU-8
    high-then-cut-low | ED A0 BD ED B8 | A pair that lacks its last byte: the input may go on
    high-then-cut-low-letter | ED A0 BD ED B8 41 | A high half, a low half that is cut, a letter: two faults in CESU-8
    high-then-lead | ED A0 BD ED | A high half and the lead of what may be its partner
    high-then-lead-letter | ED A0 BD ED 41 | A high half, a lead, a letter
    high-then-cut-high | ED A0 BD ED A0 | A high half and two bytes of another
    high-then-cut-hangul | ED A0 BD ED 95 | A high half and two bytes of Hangul
    high-extra-trail | ED A0 BD 80 | A high half and a stray trail
    low-extra-trail | ED B8 80 80 | A low half and a stray trail
    escaped-byte | ED B2 80 | U+DC80, which stands for the byte 80 in Python's surrogateescape: it must not look alike
    overlong-high | F0 8D A0 BD | U+D83D in four bytes: overlong, and a surrogate besides
    all-kinds   | ED A0 BD 41 ED B8 80 42 ED A0 BD ED B8 80 43 | A high half, a low half and a pair, with letters between
    joined      | 61 ED A0 BD 62 ED B8 80 63 | Halves that would make a pair if the b were dropped
    unicode-table-3-9 | ED A0 80 ED BF BF ED AF 41 | Table 3-9 of the Unicode Standard: eight U+FFFD and an A
    mismatched-by-one | ED A0 BD ED AF BF | U+DBFF where a low half should be: one below the first of them
    mismatched-above | ED A0 BD EE 80 80 | U+E000 where a low half should be: one above the last of them
    d7ff-low    | ED 9F BF ED B0 80 | U+D7FF is no high half, so the low half behind it is alone
  `,
  ),
  ...group(
    'swallowed',
    `
    letter-after-high | ED A0 BD 41 | A high half before a letter: readers that expect six bytes swallow it
    letter-after-low  | ED B8 80 41 | A low half before a letter
    quote-after-high  | 22 ED A0 BD 22 2C | A half before a closing quote: who swallows the quote runs on
    three-letters-after-high | ED A0 BD 41 42 43 | Three letters where three bytes of a low half are expected
    two-bytes-after-high | ED A0 BD C3 A9 | A high half before é
    two-bytes-after-low | ED B8 80 C3 A9 | A low half before é
    three-bytes-after-high | ED A0 BD E2 82 AC | A high half before €: as many bytes as a low half has
    three-bytes-after-low | ED B8 80 E2 82 AC | A low half before €
    four-bytes-after-high | ED A0 BD F0 9F 98 80 | A high half before a character of four bytes
    four-bytes-after-low | ED B8 80 F0 9F 98 80 | A low half before a character of four bytes
    pair-after-high | ED A0 BE ED A0 BD ED B8 80 | A high half before a pair, which must stay whole
    pair-after-low | ED B8 81 ED A0 BD ED B8 80 | A low half before a pair
    pair-before-high | ED A0 BD ED B8 80 ED A0 BE | A pair before a high half at the end
    nul-after-high | ED A0 BD 00 | A high half before a raw NUL
    two-byte-nul-after-high | ED A0 BD C0 80 | A high half before the NUL of Modified UTF-8
    newline-after-high | ED A0 BD 0A 41 | A high half at the end of a line
    bom-after-high | ED A0 BD EF BB BF | A high half before U+FEFF
    hessian     | 61 ED A0 BD 62 63 64 | The report apache/dubbo-go-hessian2#393: a half that swallows its neighbours
    letter-after-lead | C3 41 | A lead of two bytes before a letter: the letter is no trail
    quote-after-lead | 22 C3 22 | A lead before a closing quote, an old way into scripts
    tag-after-lead | E3 3C 73 3E | A lead of three bytes before a tag
    two-letters-after-lead | E2 41 42 | A lead of three bytes before two letters
    three-letters-after-lead | F0 41 42 43 | A lead of four bytes before three letters
    letter-after-two | E2 82 41 | Two of three bytes, then a letter
    letter-after-three | F0 9F 98 41 | Three of four bytes, then a letter
    lead-after-lead | C3 C3 A9 | A lead before é: one fault, and é stays
    lead-after-two | E2 82 C3 A9 | Two of three bytes before é
    euro-after-two | E2 82 E2 82 AC | Two of three bytes before €
    four-after-three | F0 9F 98 F0 9F 98 80 | Three of four bytes before a whole character
    pair-after-two | E2 82 ED A0 BD ED B8 80 | Two of three bytes before a pair
    newline-after-lead | C3 0A | A lead at the end of a line: the line must still end
    five-letters-after-lead | F8 41 42 43 44 | A lead of five bytes before letters
    six-letters-after-lead | FC 41 42 43 44 45 | A lead of six bytes before letters
    letter-after-four-of-five | F8 88 80 80 41 | Four of five bytes, then a letter
    letter-after-five-of-six | FC 84 80 80 80 41 | Five of six bytes, then a letter
  `,
  ),
  ...group(
    'mixed',
    `
    row-of-a-database | E5 AE A2 ED A0 BD ED B8 80 F0 9F 98 81 | One value with both spellings, as old and new writers leave it
    four-then-high | F0 9F 98 80 ED A0 BD | Four bytes, then a half without partner
    high-then-four | 61 ED A0 BD F0 9F 98 80 62 | A half that the next writer completed in its own way
    pair-then-nul | ED A0 BD ED B8 80 00 | A pair and a raw NUL: SQLite written through JNI, read by C
    pair-then-two-byte-nul | ED A0 BD ED B8 80 C0 80 | A pair and C0 80: Modified UTF-8 without doubt
    four-then-two-byte-nul | F0 9F 98 80 C0 80 | Four bytes and C0 80: only Android's Modified UTF-8 accepts both
    five-then-pair | F8 88 80 80 80 ED A0 BD ED B8 80 | A five-byte form and a pair: no variant accepts both
    six-then-nul  | FC 84 80 80 80 80 C0 80 | A six-byte form and C0 80: no variant accepts both
    half-of-each  | ED A0 BD F0 9F | A half, then half of a four-byte form, at the end
    pair-then-cut-four | ED A0 BD ED B8 80 F0 9F 98 | A pair, then three of four bytes
    four-then-cut-pair | F0 9F 98 80 ED A0 BD ED | Four bytes, then a pair cut after four of six
    latin1-tail | ED A0 BD ED B8 80 E9 | A pair, then é in Latin-1
    html-entity | ED A0 BD ED B8 80 26 23 78 31 46 36 30 30 3B | A pair beside an escape, which is ASCII to every decoder
    sql-line    | 27 ED A0 BD ED B8 80 27 2C 27 F0 9F 98 80 27 | Two columns of a dump, one in each spelling
    php-length  | 73 3A 36 3A 22 ED A0 BD ED B8 80 22 | PHP's s:6 counts the bytes that repair changes from six to four
  `,
  ),
];
