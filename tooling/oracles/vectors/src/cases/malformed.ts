/** Malformed bytes: overlongs, unexpected trails, numbers beyond Unicode, and famous attacks. */
import { type Case, group } from '../case.js';

export const malformed: Case[] = [
  ...group(
    'attack',
    `
    dots-slashes | C0 AE C0 AE C0 AF | ../ in overlong sequences, the directory traversal of IIS in 2000
    slash        | 2E 2E C0 AF | ../ with only the slash overlong
    slash-path   | 2F C0 AE 2E 2F | /../ with one dot overlong
    slash-three  | 2E 2E E0 80 AF | ../ with the slash in three bytes
    slash-four   | 2E 2E F0 80 80 AF | ../ with the slash in four bytes
    slash-five   | 2E 2E F8 80 80 80 AF | ../ with the slash in five bytes
    slash-six    | 2E 2E FC 80 80 80 80 AF | ../ with the slash in six bytes
    backslash    | C1 9C | An overlong backslash, the other part of the same attack
    nimda        | 2E 2E C1 1C | ..%c1%1c, which the Nimda worm sent: C1 and no trail, yet some decoders masked it to a backslash
    nimda-c0-2f  | C0 2F | %c0%2f: the slash is there in plain sight after a byte that is no lead
    masked-slash | C0 6F | C0 and a byte whose low six bits are those of a slash: a decoder without checks makes it one
    less-than    | C0 BC 73 63 72 69 70 74 C0 BE | <script> with overlong brackets
    quote        | C0 A7 | An overlong apostrophe, for SQL
    double-quote | C0 A2 | An overlong quotation mark
    newline      | C0 8A | An overlong line feed, for headers and logs
    carriage-return | C0 8D C0 8A | An overlong CR LF, for splitting responses
    percent      | C0 A5 | An overlong percent sign, to be decoded twice
    jndi         | 24 7B 6A C1 AE 64 69 | \${jndi with an overlong n, past a filter
    file-name    | 61 2E 70 68 70 C0 80 2E 6A 70 67 | a.php, a hidden NUL, .jpg
    file-name-raw | 61 2E 70 68 70 00 2E 6A 70 67 | The same with a raw NUL
    swallowed-quote | 3C 61 20 62 3D 22 F0 22 3E | A lead of four bytes in an attribute, to swallow the closing quote
    dropped-byte | 3C 73 63 72 FF 69 70 74 3E | <script> with a byte in it that must not be dropped in silence
    dropped-surrogate | 3C 73 63 72 ED A0 BD 69 70 74 3E | <script> with a surrogate in it that must not be dropped in silence
    dropped-trail | 2E 80 2E 2F | ../ with a stray trail in it that must not be dropped
    dropped-bom  | 3C EF BB BF 73 63 72 69 70 74 3E | <script> with U+FEFF in it: well-formed, and not to be stripped
    serialization | C1 AA C1 A1 C1 B6 C1 A1 | java in overlong letters: readObject accepts it, a filter on bytes does not see it
    serialization-three | E0 81 AA E0 81 A1 E0 81 B6 E0 81 A1 | java in letters of three bytes
    shortest-mix | 2F C0 AE C0 AE 2F E0 80 AE E0 80 AE 2F | Path steps in overlongs of two lengths
  `,
  ),
  ...group(
    'overlong',
    `
    two-first   | C0 81 | U+0001 in two bytes
    two-c0-last | C0 BF | U+003F in two bytes, the last that begins with C0
    two-c1-first | C1 80 | U+0040 in two bytes, the first that begins with C1
    letter      | C1 81 | A in two bytes, which the npm package mutf-8 accepts although it was told to be fatal
    two-last    | C1 BF | U+007F in two bytes, the last overlong of two bytes
    c0-alone    | C0 | C0 at the end of the input: in UTF-8 nothing can follow, in Modified UTF-8 80 can
    c1-alone    | C1 | C1 at the end of the input
    c0-letter   | C0 41 | C0 before a letter
    c0-c0       | C0 C0 | C0 twice
    three-slash | E0 80 AF | A slash in three bytes
    three-7f    | E0 81 BF | U+007F in three bytes, the last that would fit one
    three-80    | E0 82 80 | U+0080 in three bytes, the first that would fit two
    three-e9    | E0 83 A9 | é in three bytes
    three-last  | E0 9F BF | U+07FF in three bytes, the last overlong of three
    three-last-row | E0 9F 80 | U+07C0 in three bytes: the second byte is one below what E0 allows
    three-truncated | E0 80 | Two of three bytes of an overlong
    three-truncated-letter | E0 9F 41 | Two of three bytes of an overlong, then a letter
    four-7ff    | F0 80 9F BF | U+07FF in four bytes
    four-800    | F0 80 A0 80 | U+0800 in four bytes
    four-euro   | F0 82 82 AC | € in four bytes
    four-last   | F0 8F BF BF | U+FFFF in four bytes, the last overlong of four
    four-last-row | F0 8F 80 80 | U+F000 in four bytes: the second byte is one below what F0 allows
    four-truncated | F0 80 80 | Three of four bytes of an overlong
    five-euro   | F8 80 82 82 AC | € in five bytes
    five-last   | F8 87 BF BF BF | U+1FFFFF in five bytes, the last overlong of five
    five-last-row | F8 87 80 80 80 | U+1C0000 in five bytes: the second byte is one below what F8 allows
    five-emoji  | F8 80 9F 98 80 | 😀 in five bytes
    six-euro    | FC 80 80 82 82 AC | € in six bytes
    six-last    | FC 83 BF BF BF BF | U+3FFFFFF in six bytes, the last overlong of six
    six-last-row | FC 83 80 80 80 80 | U+3000000 in six bytes: the second byte is one below what FC allows
    between-letters | 61 C1 A2 63 | abc with the b overlong
    then-good   | C0 AF C3 A9 | An overlong, then é, which must survive
    two-in-a-row | C0 80 C1 BF | The first and the last overlong of two bytes
    unicode-table-3-8 | C0 AF E0 80 BF F0 81 82 41 | Table 3-8 of the Unicode Standard: eight U+FFFD and an A
    kuhn-impossible | C0 AF E0 80 AF F0 80 80 AF F8 80 80 80 AF FC 80 80 80 80 AF | The slash in all five overlong encodings, one after the other
  `,
  ),
  ...group(
    'beyond',
    `
    110001      | F4 90 80 81 | U+110001, two above the last code point
    13ffff      | F4 BF BF BF | U+13FFFF, the last that begins with F4
    140000      | F5 80 80 80 | U+140000, the first that begins with F5
    1fffff      | F7 BF BF BF | U+1FFFFF, the last of four bytes
    200000      | F8 88 80 80 80 | U+200000, the first of five bytes
    ffffff      | F8 BF BF BF BF | U+FFFFFF, the last that begins with F8
    1000000     | F9 80 80 80 80 | U+1000000, the first that begins with F9
    3ffffff     | FB BF BF BF BF | U+3FFFFFF, the last of five bytes
    4000000     | FC 84 80 80 80 80 | U+4000000, the first of six bytes
    3fffffff    | FC BF BF BF BF BF | U+3FFFFFFF, the last that begins with FC
    40000000    | FD 80 80 80 80 80 | U+40000000, the first that begins with FD
    7fffffff    | FD BF BF BF BF BF | U+7FFFFFFF, the last of RFC 2279: 31 bits
    fe          | FE | FE, which no RFC gives a meaning
    ff          | FF | FF, which no RFC gives a meaning
    fe-fe-ff-ff | FE FE FF FF | Bytes that appear in no UTF-8 at all
    seven-bytes | FE 82 80 80 80 80 80 | 2 to the power of 31 as Perl and FLAC go on, in seven bytes
    seven-bytes-36 | FE BF BF BF BF BF BF | 36 bits in seven bytes, the largest frame number of FLAC
    thirteen-bytes | FF 80 80 80 80 80 81 80 80 80 80 80 80 | Perl's encoding in thirteen bytes
    f5-alone    | F5 | F5 alone: no lead of UTF-8, the lead of a truncated sequence in RFC 2279
    f8-alone    | F8 | F8 alone
    fc-alone    | FC | FC alone
    f4-90       | F4 90 | Two bytes that only RFC 2279 can go on from
    f4-90-letter | F4 90 41 | F4 90 before a letter: two faults in UTF-8, one in RFC 2279
    f7-letter   | F7 41 | F7 before a letter
    in-text     | 61 F8 88 80 80 80 62 | A five-byte sequence between letters: one number in RFC 2279, five faults in UTF-8
    two-sixes   | FC 84 80 80 80 80 FD BF BF BF BF BF | Two numbers of six bytes in a row
    every-length | 7F C2 80 E0 A0 80 F0 90 80 80 F8 88 80 80 80 FC 84 80 80 80 80 | One number of every length, as Kuhn's section 2.1 has it
    then-fault  | FD BF BF BF BF BF FF | The greatest number, then an invalid byte
    five-then-trail | F8 88 80 80 80 80 | A five-byte sequence and one trail too many
    six-then-trail | FC 84 80 80 80 80 80 | A six-byte sequence and one trail too many
  `,
  ),
  ...group(
    'stray',
    `
    80      | 80 | A trail alone, the least
    bf      | BF | A trail alone, the greatest
    two     | 80 BF | Two trails: two faults in every variant
    five    | 80 BF 80 BF 80 | Five trails are five faults
    after-letter | 41 80 | A trail after ASCII
    after-two | C3 A9 80 | A trail too many after é
    after-three | E2 82 AC 80 | A trail too many after €
    after-four | F0 9F 98 80 80 | A trail too many after a four-byte sequence
    after-pair | ED A0 BD ED B8 80 80 | A trail too many after a pair
    between | 61 80 62 BF 63 | Letters with trails between
    before-lead | 80 C3 A9 | A trail before é
    all-trails | 80 81 82 83 84 85 86 87 88 89 8A 8B 8C 8D 8E 8F 90 91 92 93 94 95 96 97 98 99 9A 9B 9C 9D 9E 9F A0 A1 A2 A3 A4 A5 A6 A7 A8 A9 AA AB AC AD AE AF B0 B1 B2 B3 B4 B5 B6 B7 B8 B9 BA BB BC BD BE BF | All 64 trails, as Kuhn's section 3.1.9 has them
    leads-of-two | C2 20 C3 20 CF 20 DF 20 | Leads of two bytes, each before a space that must survive
    leads-of-three | E0 20 E1 20 ED 20 EF 20 | Leads of three bytes, each before a space
    leads-of-four | F0 20 F1 20 F3 20 F4 20 | Leads of four bytes, each before a space
    leads-beyond | F5 20 F7 20 F8 20 FB 20 FC 20 FD 20 | Leads beyond Unicode, each before a space
    leads-in-a-row | C3 E2 F0 F8 FC | A lead of every length, none with a trail
    next-to-ascii | 7F 80 | The last of ASCII and the first of the trails
    c2-c2   | C2 C2 80 | A lead in the place of a trail, then U+0080
  `,
  ),
  ...group(
    'subpart',
    `
    unicode-table-3-10 | F4 91 92 93 FF 41 80 BF 42 | Table 3-10 of the Unicode Standard: five U+FFFD, A, two U+FFFD, B
    unicode-table-3-11 | E1 80 E2 F0 91 92 F1 BF 41 | Table 3-11: four truncated sequences, four U+FFFD, and an A
    unicode-5 | 61 F1 80 80 E1 80 C2 62 80 63 80 BF 64 | The example of Unicode 5.2 and 6.2: subparts of three, two and one bytes
    f0-90   | F0 90 41 | A maximal subpart of two bytes
    f0-80   | F0 80 41 | Two subparts: no sequence begins with F0 80
    e0-a0   | E0 A0 41 | A maximal subpart of two bytes after E0
    e0-9f-bf-e0 | E0 9F E0 A0 80 | A refused second byte, then U+0800
    ed-9f   | ED 9F 41 | Two bytes of U+D7C0: one subpart, not a surrogate
    ed-80   | ED 80 41 | Two bytes of Hangul cut short by a letter
    ed-alone | ED | ED at the end: Hangul or a surrogate may follow
    ed-letter | ED 41 | ED before a letter
    f4-8f   | F4 8F 41 | Two bytes of plane 16: one subpart
    f4-8f-bf | F4 8F BF | Three bytes of U+10FFFF
    f0-8f   | F0 8F 41 | F0 with a second byte that is one too small
    f1-f1   | F1 80 F1 80 80 80 | Two bytes of a plane 4 character, then a complete one
    dotnet-f0-8e | F0 8E | One U+FFFD up to .NET Core 2, two from .NET Core 3.0 on
    truncated-truncated-truncated | C3 E2 82 F0 9F 98 | Three sequences, each cut short by the next: three subparts
    truncated-fault-truncated | E2 82 FF E2 82 | A subpart, FF, a subpart at the end
    all-truncated | C2 E0 A0 ED 9F EF BF F0 90 80 F4 8F BF | Truncated sequences of every shape in a row
    trail-after-truncated | E2 82 AC 82 E2 82 | A character, a trail, and a cut character at the end
    f0-ed   | F0 ED A0 BD ED B8 80 | F0 before a pair
    perl    | F7 BF BF BF 41 | One U+FFFD in Perl, which counts what the lead announces; four by maximal subparts
  `,
  ),
];
