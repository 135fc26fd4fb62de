/** Pairs of surrogates, lone surrogates, and what readers swallow after them. */
import { type Case, group } from '../case.js';

export const surrogates: Case[] = [
  ...group(
    'pair',
    `
    emoji       | ED A0 BD ED B8 80 | 😀 as a pair, as in CESU-8 and Modified UTF-8
    emoji-four  | F0 9F 98 80 | 😀 in four bytes, as in UTF-8
    both-encodings | ED A0 BD ED B8 80 F0 9F 98 80 | One character in both encodings, as in a mixed database
    both-encodings-reversed | F0 9F 98 80 ED A0 BD ED B8 80 | Both encodings, four bytes first
    first       | ED A0 80 ED B0 80 | U+10000: the first high surrogate and the first low surrogate
    first-last  | ED A0 80 ED BF BF | U+103FF: the first high surrogate and the last low surrogate
    second-first | ED A0 81 ED B0 80 | U+10400: the high surrogate grows by one
    last-first  | ED AF BF ED B0 80 | U+10FC00: the last high surrogate and the first low surrogate
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
    'surrogate',
    `
    high        | ED A0 BD | A high surrogate alone: one U+FFFD in Java, two in old .NET, three by maximal subparts of UTF-8
    low         | ED B8 80 | A low surrogate alone
    high-first  | ED A0 80 | U+D800, the first surrogate
    high-last   | ED AF BF | U+DBFF, the last high surrogate
    low-first   | ED B0 80 | U+DC00, the first low surrogate
    low-last    | ED BF BF | U+DFFF, the last surrogate
    dotnet      | ED A0 90 | U+D810: two U+FFFD up to .NET Core 2, three from .NET Core 3.0 on
    dotnet-in-text | 61 62 63 ED A0 90 78 79 7A | The report dotnet/corefx#36163: abc, a surrogate, xyz
    private-high | ED AE 80 | U+DB80, the first high surrogate for private use
    private-high-last | ED AD BF | U+DB7F, the last one that is not
    ora2pg      | ED B9 A2 | The unpaired low surrogate that stopped a migration at row 37 million
    two-high    | ED A0 BD ED A0 BD | Two high surrogates
    two-low     | ED B8 80 ED B8 80 | Two low surrogates
    reversed    | ED B8 80 ED A0 BD | A low surrogate before a high one
    high-high-low | ED A0 BD ED A0 BD ED B8 80 | A lone high surrogate, then a pair
    high-low-low | ED A0 BD ED B8 80 ED B8 80 | A pair, then a lone low surrogate
    low-high-low | ED B8 80 ED A0 BD ED B8 80 | A lone low surrogate, then a pair
    high-high-low-low | ED A0 BD ED A0 BD ED B8 80 ED B8 80 | A pair between two lone surrogates
    reversed-twice | ED B8 80 ED A0 BD ED B8 80 ED A0 BD | Surrogates in the wrong order with a pair in the middle
    two-bytes   | ED A0 | A surrogate cut after two bytes, at the end of the input
    two-bytes-low | ED B0 | A low surrogate cut after two bytes, at the end of the input
    two-bytes-letter | ED A0 41 | A surrogate cut after two bytes, then a letter
    two-bytes-low-letter | ED B0 41 | A low surrogate cut after two bytes: one fault of length 2 in CESU-8
    high-then-truncated-low | ED A0 BD ED B8 | A pair that lacks its last byte: the input may go on
    high-then-truncated-low-letter | ED A0 BD ED B8 41 | A high surrogate, a low surrogate that is cut, a letter: two faults in CESU-8
    high-then-lead | ED A0 BD ED | A high surrogate and the lead of a possible low surrogate
    high-then-lead-letter | ED A0 BD ED 41 | A high surrogate, a lead, a letter
    high-then-truncated-high | ED A0 BD ED A0 | A high surrogate and two bytes of another
    high-then-truncated-hangul | ED A0 BD ED 95 | A high surrogate and two bytes of Hangul
    high-extra-trail | ED A0 BD 80 | A high surrogate and a stray trail
    low-extra-trail | ED B8 80 80 | A low surrogate and a stray trail
    escaped-byte | ED B2 80 | U+DC80, which stands for the byte 80 in Python's surrogateescape: it must not look alike
    overlong-high | F0 8D A0 BD | U+D83D in four bytes: overlong, and a surrogate besides
    all-kinds   | ED A0 BD 41 ED B8 80 42 ED A0 BD ED B8 80 43 | A high surrogate, a low surrogate and a pair, with letters between
    joined      | 61 ED A0 BD 62 ED B8 80 63 | Surrogates that would become a pair if the b were dropped
    unicode-table-3-9 | ED A0 80 ED BF BF ED AF 41 | Table 3-9 of the Unicode Standard: eight U+FFFD and an A
    mismatched-by-one | ED A0 BD ED AF BF | U+DBFF where a low surrogate should be: one below the first of them
    mismatched-above | ED A0 BD EE 80 80 | U+E000 where a low surrogate should be: one above the last of them
    d7ff-low    | ED 9F BF ED B0 80 | U+D7FF is no high surrogate, so the low surrogate after it is alone
  `,
  ),
  ...group(
    'swallowed',
    `
    letter-after-high | ED A0 BD 41 | A high surrogate before a letter: readers that expect six bytes swallow it
    letter-after-low  | ED B8 80 41 | A low surrogate before a letter
    quote-after-high  | 22 ED A0 BD 22 2C | A surrogate before a closing quote: a reader that swallows the quote reads on
    three-letters-after-high | ED A0 BD 41 42 43 | Three letters where three bytes of a low surrogate are expected
    two-bytes-after-high | ED A0 BD C3 A9 | A high surrogate before é
    two-bytes-after-low | ED B8 80 C3 A9 | A low surrogate before é
    three-bytes-after-high | ED A0 BD E2 82 AC | A high surrogate before €: as many bytes as a low surrogate has
    three-bytes-after-low | ED B8 80 E2 82 AC | A low surrogate before €
    four-bytes-after-high | ED A0 BD F0 9F 98 80 | A high surrogate before a character of four bytes
    four-bytes-after-low | ED B8 80 F0 9F 98 80 | A low surrogate before a character of four bytes
    pair-after-high | ED A0 BE ED A0 BD ED B8 80 | A high surrogate before a pair, which must stay whole
    pair-after-low | ED B8 81 ED A0 BD ED B8 80 | A low surrogate before a pair
    pair-before-high | ED A0 BD ED B8 80 ED A0 BE | A pair before a high surrogate at the end
    nul-after-high | ED A0 BD 00 | A high surrogate before a raw NUL
    two-byte-nul-after-high | ED A0 BD C0 80 | A high surrogate before the NUL of Modified UTF-8
    newline-after-high | ED A0 BD 0A 41 | A high surrogate at the end of a line
    bom-after-high | ED A0 BD EF BB BF | A high surrogate before U+FEFF
    hessian     | 61 ED A0 BD 62 63 64 | The report apache/dubbo-go-hessian2#393: a surrogate that swallows its neighbours
    letter-after-lead | C3 41 | A lead of two bytes before a letter: the letter is no trail
    quote-after-lead | 22 C3 22 | A lead before a closing quote, an old script injection
    tag-after-lead | E3 3C 73 3E | A lead of three bytes before a tag
    two-letters-after-lead | E2 41 42 | A lead of three bytes before two letters
    three-letters-after-lead | F0 41 42 43 | A lead of four bytes before three letters
    letter-after-two | E2 82 41 | Two of three bytes, then a letter
    letter-after-three | F0 9F 98 41 | Three of four bytes, then a letter
    lead-after-lead | C3 C3 A9 | A lead before é: one fault, and é stays
    lead-after-two | E2 82 C3 A9 | Two of three bytes before é
    euro-after-two | E2 82 E2 82 AC | Two of three bytes before €
    four-after-three | F0 9F 98 F0 9F 98 80 | Three of four bytes before a complete character
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
    row-of-a-database | E5 AE A2 ED A0 BD ED B8 80 F0 9F 98 81 | One value with both encodings, as old and new writers leave it
    four-then-high | F0 9F 98 80 ED A0 BD | Four bytes, then an unpaired surrogate
    high-then-four | 61 ED A0 BD F0 9F 98 80 62 | A surrogate before the four bytes of another writer
    pair-then-nul | ED A0 BD ED B8 80 00 | A pair and a raw NUL: SQLite written through JNI, read by C
    pair-then-two-byte-nul | ED A0 BD ED B8 80 C0 80 | A pair and C0 80: only Modified UTF-8 accepts both
    four-then-two-byte-nul | F0 9F 98 80 C0 80 | Four bytes and C0 80: only Android's Modified UTF-8 accepts both
    five-then-pair | F8 88 80 80 80 ED A0 BD ED B8 80 | A five-byte sequence and a pair: no variant accepts both
    six-then-nul  | FC 84 80 80 80 80 C0 80 | A six-byte sequence and C0 80: no variant accepts both
    surrogate-then-truncated-four | ED A0 BD F0 9F | A surrogate, then part of a four-byte sequence, at the end
    pair-then-truncated-four | ED A0 BD ED B8 80 F0 9F 98 | A pair, then three of four bytes
    four-then-truncated-pair | F0 9F 98 80 ED A0 BD ED | Four bytes, then a pair cut after four of six
    latin1-tail | ED A0 BD ED B8 80 E9 | A pair, then é in Latin-1
    html-entity | ED A0 BD ED B8 80 26 23 78 31 46 36 30 30 3B | A pair beside an escape, which is ASCII to every decoder
    sql-line    | 27 ED A0 BD ED B8 80 27 2C 27 F0 9F 98 80 27 | Two columns of a dump, one in each encoding
    php-length  | 73 3A 36 3A 22 ED A0 BD ED B8 80 22 | PHP's s:6 counts the bytes that repair changes from six to four
  `,
  ),
];
