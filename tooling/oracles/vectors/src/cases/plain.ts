/** Text that some or all variants accept, and text that is easily confused with it. */
import { type Case, group } from '../case.js';

export const plain: Case[] = [
  ...group(
    'plain',
    `
    empty       |    | Nothing at all, which every variant accepts
    one-a       | 41 | One letter, the same in all
    ascii       | 48 65 6C 6C 6F 2C 20 77 6F 72 6C 64 | ASCII only: it says nothing about the variant
    delete      | 7F | DELETE, the last code point of one byte
    control-one | 01 | U+0001, the first code point of one byte that Modified UTF-8 has
    latin       | 6E 61 C3 AF 76 65 | naïve: one letter in two bytes
    greek       | CE BA E1 BD B9 CF 83 CE BC CE B5 | κόσμε, the word that Markus Kuhn's test file begins with
    cyrillic    | D0 BC D0 B8 D1 80 | мир, all of it in two bytes
    hebrew      | D7 A9 D7 9C D7 95 D7 9D | שלום, leads D7 next to the end of the two-byte range
    devanagari  | E0 A4 A8 E0 A4 AE | नम: E0 with second byte A4, close to the overlong range
    euro        | E2 82 AC | The euro sign, three bytes
    chinese     | E4 B8 AD E6 96 87 | 中文
    japanese    | E6 97 A5 E6 9C AC E8 AA 9E | 日本語
    combining   | 65 CC 81 | e and a combining acute: two code points, never composed by a decoder
    replacement | EF BF BD | U+FFFD itself, encoded: accepted, and not to be counted as a replacement
    replacement-twice | EF BF BD EF BF BD | Two encoded U+FFFD, left by a reader before this one
    double-encoded | C3 83 C2 A9 | é encoded twice: well-formed, however wrong it looks
    line-separator | E2 80 A8 | U+2028, which is a line end to JavaScript and to no encoding
    hangul      | ED 95 9C EA B8 80 | 한글 begins with ED, as encoded surrogates do
    han-extension-b | F0 A0 AE B7 | 𠮷 in four bytes: UTF-8 and RFC 2279, and not CESU-8 or Modified UTF-8
    han-extension-b-as-pair | ED A1 82 ED BE B7 | 𠮷 as the pair D842 DFB7, as in CESU-8 and Modified UTF-8
    family      | F0 9F 91 A9 E2 80 8D F0 9F 91 A7 | A family: two four-byte characters and the joiner between them
    family-as-pairs | ED A0 BD ED B1 A9 E2 80 8D ED A0 BD ED B1 A7 | The same family with each character as a pair
    flag        | F0 9F 87 AA F0 9F 87 BA | A flag is two four-byte characters
    long-ascii  | 30 31 32 33 34 35 36 37 38 39 61 62 63 64 65 66 67 68 69 6A 6B 6C 6D 6E 6F 70 71 72 73 74 75 76 77 | 33 bytes of ASCII, longer than a SIMD register
    late-letter | 30 31 32 33 34 35 36 37 38 39 61 62 63 64 65 C3 A9 | é across the border between the first 16 bytes and the next
    late-fault  | 30 31 32 33 34 35 36 37 38 39 61 62 63 64 65 C3 41 | A lead in the last place of 16 bytes, without its trail
    late-four   | 30 31 32 33 34 35 36 37 38 39 61 62 63 F0 9F 98 80 | Four bytes across the border after 16
    late-pair   | 30 31 32 33 34 35 36 37 38 39 61 62 63 ED A0 BD ED B8 80 | A pair whose surrogates lie on either side of byte 16
    late-stray  | 30 31 32 33 34 35 36 37 38 39 61 62 63 64 65 66 67 68 69 6A 6B 6C 6D 6E 6F 70 71 72 73 74 75 80 | A stray trail as the last of 32 bytes
  `,
  ),
  ...group(
    'nul',
    `
    raw          | 00 | U+0000 as one byte, which Modified UTF-8 never has
    two-bytes    | C0 80 | U+0000 as Modified UTF-8 writes it; overlong anywhere else
    raw-inside   | 61 00 62 | A raw NUL between letters: where C strings end, and PostgreSQL refuses
    two-bytes-inside | 61 C0 80 62 | C0 80 between letters
    both         | 00 C0 80 | Both encodings of U+0000: only readUTF accepts both
    both-reversed | C0 80 00 | Both encodings of U+0000, the long one first
    raw-twice    | 00 00 | Two raw NULs are two characters
    two-bytes-twice | C0 80 C0 80 | Two NULs of Modified UTF-8
    three-bytes  | E0 80 80 | U+0000 in three bytes: overlong even in Modified UTF-8, but readUTF accepts it
    four-bytes   | F0 80 80 80 | U+0000 in four bytes, which no reader may accept
    five-bytes   | F8 80 80 80 80 | U+0000 in five bytes: overlong where five bytes exist
    six-bytes    | FC 80 80 80 80 80 | U+0000 in six bytes: overlong where six bytes exist
    trailing-raw | 61 00 | A terminator that was counted as text
    leading-raw  | 00 61 | Reads as an empty C string
    utf-16       | 00 41 00 42 | UTF-16BE read as UTF-8: letters with NULs before them
    class-name   | 4C 61 C0 80 3B | A descriptor with a NUL of Modified UTF-8 in it, as Kotlin metadata has
  `,
  ),
  ...group(
    'bom',
    `
    alone     | EF BB BF | A byte order mark and nothing else: U+FEFF, kept
    first     | EF BB BF 41 | A byte order mark before text; a decoder that strips it returns the A alone
    twice     | EF BB BF EF BB BF 41 | Two marks: a decoder that strips removes the first alone
    inside    | 41 EF BB BF 42 | U+FEFF inside text is a zero-width no-break space, never stripped
    last      | 41 EF BB BF | U+FEFF at the end
    truncated-two | EF BB | Two thirds of a byte order mark
    truncated-one | EF | One third of a byte order mark
    broken    | EF BB 41 | Two bytes of a mark, then a letter that must survive
    wrong-end | EF BB C0 | A mark whose last byte cannot be
    swapped   | EF BF BE | U+FFFE, the mark with its bytes swapped: a noncharacter, and well-formed
    utf-16be  | FE FF 00 41 | The byte order mark of UTF-16BE: two bytes that begin nothing here
    utf-16le  | FF FE 41 00 | The byte order mark of UTF-16LE
    before-fault | EF BB BF FF | A mark before a fault, whose offset counts from the mark
    before-nul | EF BB BF 00 | A mark before a raw NUL
    overlong  | F0 8F BB BF | U+FEFF in four bytes: overlong, no mark
    utf-7     | 2B 2F 76 38 | The byte order mark of UTF-7 is plain ASCII
  `,
  ),
  ...group(
    'noncharacter',
    `
    fdd0      | EF B7 90 | U+FDD0: noncharacters are well-formed; strict Perl refuses them
    fdef      | EF B7 AF | U+FDEF, the last of the 32 in the middle of the plane
    fdcf      | EF B7 8F | U+FDCF, one before the noncharacters
    fdf0      | EF B7 B0 | U+FDF0, one after them
    fffe-ffff | EF BF BE EF BF BF | The last two of the Basic Multilingual Plane
    1fffe     | F0 9F BF BE | U+1FFFE
    1ffff     | F0 9F BF BF | U+1FFFF
    2ffff     | F0 AF BF BF | U+2FFFF
    10fffe    | F4 8F BF BE | U+10FFFE, one before the last code point
    1fffe-as-pair | ED A0 BF ED BF BE | U+1FFFE as a pair
    1ffff-as-pair | ED A0 BF ED BF BF | U+1FFFF as a pair
    10fffe-as-pair | ED AF BF ED BF BE | U+10FFFE as a pair
  `,
  ),
  ...group(
    'plane',
    `
    0-end   | EF BF BF F0 90 80 80 | The last of plane 0 and the first of plane 1, where UTF-8 goes from three bytes to four
    0-end-as-pair | EF BF BF ED A0 80 ED B0 80 | The same border in CESU-8, where bytes go from EF down to ED
    2       | F0 A0 80 80 | U+20000, the first of plane 2
    3-end   | F0 BF BF BF | U+3FFFF, the last that begins with F0
    4       | F1 80 80 80 | U+40000, the first that begins with F1, in a plane without characters
    14-tag  | F3 A0 81 A5 | A tag letter of plane 14, as flags of England have
    14-selector | F3 A0 84 80 | U+E0100, a variation selector
    14-selector-as-pair | ED AD 80 ED B4 80 | U+E0100 as a pair
    15-private | F3 B0 80 80 | U+F0000, the first of plane 15
    15-private-as-pair | ED AE 80 ED B0 80 | U+F0000 as a pair, where high surrogates of private use begin
    15-before | F3 AF BF BF | U+EFFFF, the last of plane 14
    16      | F4 80 80 80 | U+100000, the first that begins with F4
    16-private | F4 80 8D B2 | U+100372, which a real migration met, however improbable it looks
    16-private-as-pair | ED AF 80 ED BD B2 | U+100372 as Oracle's UTF8 stores it
    16-end  | F4 8F BF BF | U+10FFFF, the last code point of Unicode
    16-end-as-pair | ED AF BF ED BF BF | U+10FFFF as a pair: the last of the high surrogates and of the low ones
    17      | F4 90 80 80 | U+110000: one above Unicode, and still within RFC 2279
  `,
  ),
  ...group(
    'lookalike',
    `
    hangul-last-row | ED 9E A3 | 힣, U+D7A3: the last syllable; a careless regular expression mistakes ED for a surrogate
    before-surrogates | ED 9F BF | U+D7FF, one below the surrogates
    jamo        | ED 9E B0 | U+D7B0: Hangul Jamo Extended-B, hard below the surrogates
    hangul-pair | ED 8F 89 ED 95 9C | 평한: two syllables that begin with ED, and no pair
    hangul-then-pair | ED 95 9C ED A0 BD ED B8 80 | 한 directly before a pair
    pair-then-hangul | ED A0 BD ED B8 80 ED 95 9C | A pair directly before 한
    hangul-then-four | ED 95 9C F0 9F 98 80 | 한 directly before four bytes
    hangul-then-high | ED 95 9C ED A0 BD | 한, then an unpaired high surrogate: only the surrogate is wrong
    high-then-hangul | ED A0 BD ED 95 9C | A high surrogate, then 한, which must survive
    after-surrogates | EE 80 80 | U+E000, one above the surrogates, the first for private use
    private-a0  | EE A0 80 ED 95 9C | U+E800: A0 after EE is no surrogate, and ED next is Hangul
    misaligned  | EE DA A0 | EE cut short by DA A0: a regular expression on A0..BF misreads it
    misaligned-pair | EE DA A0 EE DA B0 | The same twice, which a loose pattern mistakes for a pair
    trails-of-a-pair | EA A0 BD EA B8 80 | The trails of a pair after other leads: U+A83D and 글, no pair
    inner-ed    | C3 ED A0 BD ED B8 80 | A lead cut short by a pair: one fault, and the pair stays whole
    across      | E0 A1 AD ED A0 AD | A high surrogate right after a character whose last byte is AD: only from ED on is it a surrogate
    pair-bytes-apart | ED A0 BD 20 ED B8 80 | The surrogates of a pair with a space between: two lone surrogates
    af-trail    | E3 AF BF ED BF BF | U+3BFF, and then a low surrogate alone, not AF BF ED BF BF
    latin1-as-utf8 | E9 74 E9 | été in Latin-1, read as UTF-8
    windows-1252 | 93 71 75 6F 74 65 94 | Quotes of windows-1252: two stray trails around ASCII
    gbk         | D6 D0 CE C4 | 中文 in GBK: leads of two bytes without trails
    shift-jis   | 93 FA 96 7B | 日本 in Shift_JIS
    big5        | A4 A4 A4 E5 | 中文 in Big5: stray trails, and a lead cut short at the end
    euc-kr      | C7 D1 B1 DB | 한글 in EUC-KR: two leads cut short, and between them D1 B1, which happens to be a letter
    koi8-r      | CD C9 D2 | мир in KOI8-R: three leads in a row
    java-serial | AC ED 00 05 | The first bytes of a Java serialization stream
    class-magic | CA FE BA BE | The first bytes of a class file: CA cut short, FE, two stray trails
    gzip        | 1F 8B 08 00 | The first bytes of a gzip file
    png         | 89 50 4E 47 0D 0A 1A 0A | The first bytes of a PNG file
  `,
  ),
];
