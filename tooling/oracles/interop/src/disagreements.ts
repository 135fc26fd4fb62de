/**
 * Differences between other implementations and ours, each with the rule that decides. The differential test
 * fails at a difference that is not listed, and at a listed one that no longer occurs.
 *
 * `rows` describe a difference completely: the answers of a peer must be those of our grammar with these
 * rows, byte for byte and error for error.
 */
import type { CodecName } from './comparisons.js';

export interface Disagreement {
  readonly peers: readonly string[];
  readonly codecs: readonly CodecName[];
  /** Description of their behaviour. */
  readonly they: string;
  /** Description of our behaviour. */
  readonly we: string;
  /** The rule that decides. */
  readonly standard: string;
  /** Rows of their grammar that differ, in the notation of `reading.ts`. */
  readonly rows?: readonly string[];
  /** They count each byte of a fault as one fault. */
  readonly byBytes?: true;
  /** Our codec that writes as they do, if they write otherwise. */
  readonly like?: CodecName;
  /** Input that shows it: bytes, or the code units of a text. */
  readonly example: string;
  /** The answers to the example, by the operations in which it shows. */
  readonly answers: Readonly<Record<string, { readonly theirs: string; readonly ours: string }>>;
}

/** The last two code points of each plane above the first. */
const noncharacters = Array.from({ length: 16 }, (_, i) => {
  const plane = i + 1;
  const lead = (0xf0 | (plane >> 2)).toString(16);
  const trail = (0x8f | ((plane & 3) << 4)).toString(16);
  return `! ${lead} ${trail} BF BE-BF`;
});

export const disagreements: readonly Disagreement[] = [
  {
    peers: ['jvm'],
    codecs: ['strict'],
    they: 'count an encoded surrogate as one fault of three bytes, and what is left of one cut short as one fault too',
    we: 'begin a new fault at every byte, since no sequence begins with ED A0',
    standard: 'Unicode 16.0, section 3.9, D93b and table 3-9; WHATWG Encoding, UTF-8 decoder',
    rows: ['! ED A0-BF 80-BF'],
    example: 'ED A0 80',
    answers: {
      'utf8.decode': { theirs: 'fault 0 3', ours: 'fault 0 1' },
      'utf8.replace': { theirs: 'ok fffd', ours: 'ok fffdfffdfffd' },
      'utf8.string': { theirs: 'ok fffd', ours: 'ok fffdfffdfffd' },
    },
  },
  {
    peers: ['perl'],
    codecs: ['strict'],
    they: 'refuse the 66 noncharacters',
    we: 'accept them: they are scalar values, and for interchange since Corrigendum 9',
    standard: 'RFC 3629, section 4; Unicode Corrigendum 9',
    rows: ['! EF B7 90-AF', '! EF BF BE-BF', ...noncharacters],
    example: 'EF BF BE',
    answers: {
      'utf8.decode': { theirs: 'fault 0', ours: 'ok 0000fffe' },
    },
  },
  {
    peers: ['jvm', 'icu'],
    codecs: ['cesu8'],
    they: 'decode a half without its partner',
    we: 'take it for one fault of three bytes; @utf8/cesu8/lenient decodes it',
    standard:
      'UTR #26, section 2: what is encoded is the surrogate pair of a supplementary character',
    rows: ['ED A0-BF 80-BF'],
    example: 'ED A0 BD',
    answers: {
      'cesu8.decode': { theirs: 'ok d83d', ours: 'fault 0 3' },
      'cesu8.replace': { theirs: 'ok d83d', ours: 'ok fffd' },
    },
  },
  {
    peers: ['icu'],
    codecs: ['cesu8', 'cesu8/lenient'],
    they: 'count a four-byte form of UTF-8, whole or cut short, as one fault',
    we: 'begin a new fault at every byte, since nothing in CESU-8 begins with F0',
    standard: 'Unicode 16.0, section 3.9, D93b, on the sequences of UTR #26',
    rows: ['! F0    90-BF 80-BF 80-BF', '! F1-F3 80-BF 80-BF 80-BF', '! F4    80-8F 80-BF 80-BF'],
    example: 'F0 9F 98 80',
    answers: {
      'cesu8.decode': { theirs: 'fault 0 4', ours: 'fault 0 1' },
      'cesu8.replace': { theirs: 'ok fffd', ours: 'ok fffdfffdfffdfffd' },
    },
  },
  {
    peers: ['icu'],
    codecs: ['cesu8'],
    they: 'encode a lone surrogate',
    we: 'refuse it, as the JVM does; @utf8/cesu8/lenient encodes it',
    standard:
      'UTR #26, section 2: what is encoded is the surrogate pair of a supplementary character',
    like: 'cesu8/lenient',
    example: 'D83D',
    answers: { 'cesu8.encode': { theirs: 'ok eda0bd', ours: 'fault 0 1' } },
  },
  {
    peers: ['python'],
    codecs: ['cesu8/lenient'],
    they: 'decode the four-byte forms of UTF-8 beside lone surrogates: surrogatepass is UTF-8 and more',
    we: 'refuse them',
    standard: 'UTR #26, section 2',
    rows: ['F0    90-BF 80-BF 80-BF', 'F1-F3 80-BF 80-BF 80-BF', 'F4    80-8F 80-BF 80-BF'],
    example: 'F0 9F 98 80',
    answers: { 'utf8.surrogatepass': { theirs: 'ok d83dde00', ours: 'fault 0' } },
  },
  {
    peers: ['jvm'],
    codecs: ['mutf8'],
    they: 'accept overlong forms in class files of version 47 and less, and in readUTF',
    we: 'refuse them, as HotSpot does from version 48 on; @utf8/mutf8/data-input accepts them',
    standard: 'JVMS, section 4.4.7: one to three bytes by the size of the code unit',
    rows: ['C0 81-BF', 'C1 80-BF', 'E0 80-9F 80-BF'],
    example: 'C1 81 E0 80 80',
    answers: {
      class47: { theirs: 'ok 00410000', ours: 'fault' },
      readUTF: { theirs: 'ok 00410000', ours: 'fault' },
    },
  },
  {
    peers: ['jvm'],
    codecs: ['mutf8'],
    they: 'accept a raw 00 in readUTF',
    we: 'refuse it, as HotSpot does in class files of every version; @utf8/mutf8/data-input accepts it',
    standard: 'JVMS, section 4.4.7: no byte may have the value 0',
    rows: ['00'],
    example: '00',
    answers: { readUTF: { theirs: 'ok 0000', ours: 'fault' } },
  },
  {
    peers: ['jvm'],
    codecs: ['mutf8/data-input'],
    they: 'refuse a raw 00 in class files of version 47, where they accept overlong forms',
    we: 'accept it: @utf8/mutf8/data-input is readUTF, not the class loader of old',
    standard: 'JVMS, section 4.4.7: no byte may have the value 0',
    rows: ['! 00'],
    example: '00',
    answers: { class47: { theirs: 'fault', ours: 'ok 0000' } },
  },
  {
    peers: ['art'],
    codecs: ['mutf8/android'],
    they: 'refuse the four-byte forms in the strings of DEX files',
    we: 'accept them, as JNI does; @utf8/mutf8 does what the verifier of DEX files does',
    standard: 'Dalvik executable format, "MUTF-8 (Modified UTF-8) Encoding": one to three bytes',
    rows: ['! F0    90-BF 80-BF 80-BF', '! F1-F3 80-BF 80-BF 80-BF', '! F4    80-8F 80-BF 80-BF'],
    example: 'F0 9F 98 80',
    answers: { 'dex.decode': { theirs: 'fault', ours: 'ok d83dde00' } },
  },
  {
    peers: ['art'],
    codecs: ['mutf8/android'],
    they: 'accept overlong forms of all lengths in JNI, with CheckJNI too',
    we: 'refuse them, as the verifier of DEX files does',
    standard:
      'JNI specification, "Modified UTF-8 Strings": one to three bytes by the size of the code unit',
    rows: ['C0 81-BF', 'C1 80-BF', 'E0 80-9F 80-BF', 'F0 80-8F 80-BF 80-BF'],
    example: 'C1 81 E0 80 80 F0 80 80 80',
    answers: { 'jni.decode': { theirs: 'ok 00410000dbc0dc00', ours: 'fault' } },
  },
  {
    peers: ['art'],
    codecs: ['mutf8/android'],
    they: 'accept four-byte forms above U+10FFFF in JNI; the surrogates keep 20 bits of the number',
    we: 'refuse them: no pair of surrogates spells such a number',
    standard: 'Unicode 16.0, section 3.9, D91 and table 3-5; a TODO in NewStringUTF says the same',
    rows: ['F4    90-BF 80-BF 80-BF', 'F5-F7 80-BF 80-BF 80-BF'],
    example: 'F4 90 80 80',
    answers: { 'jni.decode': { theirs: 'ok d800dc00', ours: 'fault' } },
  },
  {
    peers: ['cto'],
    codecs: ['wtf8'],
    they: 'decode the six-byte form of a pair, so two byte strings stand for one text',
    we: 'refuse it, as one fault of six bytes',
    standard: 'WTF-8, section 6: a surrogate pair byte sequence is ill-formed',
    rows: ['ED A0-AF 80-BF ED B0-BF 80-BF'],
    example: 'ED A0 BD ED B8 80',
    answers: {
      'wtf8.decode': { theirs: 'ok d83dde00', ours: 'fault' },
      'wtf8.replace': { theirs: 'ok d83dde00', ours: 'ok fffd' },
      'wtf8.stream': { theirs: 'ok d83dde00', ours: 'ok fffd' },
    },
  },
  {
    peers: ['bynens'],
    codecs: ['wtf8'],
    they: 'decode the six-byte form of a pair, so two byte strings stand for one text',
    we: 'refuse it, as one fault of six bytes',
    standard: 'WTF-8, section 6: a surrogate pair byte sequence is ill-formed',
    rows: ['ED A0-AF 80-BF ED B0-BF 80-BF'],
    example: 'ED A0 BD ED B8 80',
    answers: { 'wtf8.decode': { theirs: 'ok d83dde00', ours: 'fault' } },
  },
  {
    peers: ['cto'],
    codecs: ['wtf8'],
    they: 'accept four-byte forms above U+10FFFF; the surrogates keep 20 bits of the number',
    we: 'refuse them',
    standard:
      'WTF-8, section 5, and RFC 3629, section 4: F4 begins no sequence with 90, and F5 to F7 none',
    rows: ['F4    90-BF 80-BF 80-BF', 'F5-F7 80-BF 80-BF 80-BF'],
    example: 'F4 90 80 80',
    answers: {
      'wtf8.decode': { theirs: 'ok d800dc00', ours: 'fault' },
      'wtf8.replace': { theirs: 'ok d800dc00', ours: 'ok fffdfffdfffdfffd' },
      'wtf8.stream': { theirs: 'ok d800dc00', ours: 'ok fffdfffdfffdfffd' },
    },
  },
  {
    peers: ['cto'],
    codecs: ['wtf8'],
    they: 'write a U+FFFD for each byte of a sequence that is cut short',
    we: 'write one for all of its bytes',
    standard: 'Unicode 16.0, section 3.9, D93b; WHATWG Encoding, UTF-8 decoder',
    byBytes: true,
    example: 'F0 9F 98',
    answers: {
      'wtf8.replace': { theirs: 'ok fffdfffdfffd', ours: 'ok fffd' },
      'wtf8.stream': { theirs: 'ok fffdfffdfffd', ours: 'ok fffd' },
    },
  },
  {
    peers: ['perl'],
    codecs: ['rfc2279'],
    they: 'accept surrogates in the lax "utf8"',
    we: 'refuse them',
    standard: 'RFC 2279, section 2: the pairs of UTF-16 are undone before anything is encoded',
    rows: ['ED A0-BF 80-BF'],
    example: 'ED A0 80',
    answers: { 'lax.decode': { theirs: 'ok 0000d800', ours: 'fault 0' } },
  },
  {
    peers: ['perl'],
    codecs: ['rfc2279', 'rfc2279/lax'],
    they: 'go on in the lax "utf8" where RFC 2279 ends: FE and six trails, FF and twelve, to 63 bits',
    we: 'refuse FE and FF',
    standard: 'RFC 2279, section 1: the octet values FE and FF never appear',
    rows: [
      'FE 82-BF 80-BF 80-BF 80-BF 80-BF 80-BF',
      `FF 80 80 80 80 80 81-BF${' 80-BF'.repeat(6)}`,
      `FF 80 80 80 80 81-BF${' 80-BF'.repeat(7)}`,
      `FF 80 80 80 81-BF${' 80-BF'.repeat(8)}`,
      `FF 80 80 81-BF${' 80-BF'.repeat(9)}`,
      `FF 80 81-87${' 80-BF'.repeat(10)}`,
    ],
    example: 'FE 82 80 80 80 80 80',
    answers: { 'lax.decode': { theirs: 'ok 80000000', ours: 'fault 0' } },
  },
];

/**
 * Malformed bytes that ART decodes, because JNI checks only the end: "we do not perform full validation",
 * says NewStringUTF. CheckJNI, of debuggable programs, aborts at some of them.
 */
export const unchecked: readonly {
  /** Description of its behaviour. */
  readonly they: string;
  /** The rule that decides. */
  readonly standard: string;
  readonly example: string;
  /** The code units that it decodes. */
  readonly theirs: string;
  /** Result of @utf8/mutf8/android, with U+FFFD for errors. */
  readonly ours: string;
  /** True if CheckJNI accepts the bytes. */
  readonly checked: boolean;
}[] = [
  {
    they: 'reads a trail byte 80-9F as the lead of two bytes',
    standard: 'JNI specification, "Modified UTF-8 Strings": a lead of two bytes is 110xxxxx',
    example: '81 41',
    theirs: '0041',
    ours: 'fffd0041',
    checked: false,
  },
  {
    they: 'reads a trail byte A0-AF as the lead of three bytes',
    standard: 'JNI specification, "Modified UTF-8 Strings": a lead of three bytes is 1110xxxx',
    example: 'A1 41 42',
    theirs: '1042',
    ours: 'fffd00410042',
    checked: false,
  },
  {
    they: 'reads a trail byte B0-BF as the lead of four bytes',
    standard: 'Unicode 16.0, section 3.9, table 3-6: a lead of four bytes is 11110xxx',
    example: 'B1 41 42 43',
    theirs: 'd8c4dc83',
    ours: 'fffd004100420043',
    checked: false,
  },
  {
    they: 'reads any byte as a trail, ASCII too',
    standard: 'JNI specification, "Modified UTF-8 Strings": trail bytes are 10xxxxxx',
    example: 'C3 28',
    theirs: '00e8',
    ours: 'fffd0028',
    checked: false,
  },
  {
    they: 'drops the bits of F8-FF that four bytes have no place for',
    standard: 'Unicode 16.0, section 3.9, table 3-7: F5 to FF begin no sequence',
    example: 'F8 90 80 80',
    theirs: 'd800dc00',
    ours: 'fffdfffdfffdfffd',
    checked: false,
  },
  {
    they: 'writes "?" for what the end cuts, and not U+FFFD',
    standard: 'Unicode 16.0, section 3.9, D93b, and section 23.8: U+FFFD replaces',
    example: '41 E2 82',
    theirs: '0041003f',
    ours: '0041fffd',
    checked: false,
  },
  {
    they: 'decodes an overlong form of a quotation mark',
    standard: 'JNI specification, "Modified UTF-8 Strings": U+0001 to U+007F are one byte',
    example: 'C0 A2',
    theirs: '0022',
    ours: 'fffdfffd',
    checked: true,
  },
];
