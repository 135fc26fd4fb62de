/** The rule that each kind of sequence follows or breaks, its sections, and a note for new readers. */
import type { SequenceKind } from './sequence.js';

/** The rule of a kind of sequence. */
export interface Rule {
  readonly name: string;
  /** The sections of standards that contain the rule; the decisive one first. */
  readonly sections: readonly string[];
  /** The rule in one sentence, unless it is well known. */
  readonly summary?: string;
  /** Paragraphs about the first example. `findFacts` replaces `{…}`. */
  readonly note?: string;
  /** Programs that write such bytes, as a list in words. */
  readonly origin?: string;
}

const surrogate = {
  sections: ['RFC 3629 §3', 'Unicode 3.9 Table 3-7 and D92', 'UTR #26 §2', 'JVMS §4.4.7'],
  summary: 'U+D800..U+DFFF are surrogates, not characters.',
};

const refused =
  'It is not a character, so UTF-8 and CESU-8 refuse it. Modified UTF-8 encodes code units, so it accepts it; WTF-8 accepts it because JavaScript and Windows do.';

const cutText = 'The usual cause is text that was cut in the middle of a pair.';

const tooLong: Omit<Rule, 'name'> = {
  sections: ['RFC 3629 §3', 'RFC 2279 §2', 'Unicode 3.9 Table 3-7 and D92'],
  summary: 'a sequence has at most four bytes.',
  note: 'The payload bits are {codePoint}. Until 2003, UTF-8 had sequences of five and six bytes (RFC 2279), for code points that Unicode never had and never will have.',
};

const broken: ReadonlySet<SequenceKind> = /* @__PURE__ */ new Set<SequenceKind>([
  'overlong',
  'highSurrogate',
  'lowSurrogate',
  'beyondUnicode',
  'fiveByte',
  'sixByte',
  'truncated',
  'unexpectedContinuation',
  'invalidLead',
]);

/** Tells whether a kind of sequence breaks its rule. */
export const isBroken = (kind: SequenceKind): boolean => broken.has(kind);

/** The rules, by kind. */
export const rules: Readonly<Record<SequenceKind, Rule>> = {
  ascii: { name: 'UTF8-1', sections: ['RFC 3629 §4'] },
  twoByte: { name: 'UTF8-2', sections: ['RFC 3629 §4'] },
  threeByte: { name: 'UTF8-3', sections: ['RFC 3629 §4'] },
  nul: {
    name: 'UTF8-1',
    sections: ['RFC 3629 §4', 'JVMS §4.4.7'],
    note: 'A raw U+0000. It ends a string in C, and PostgreSQL refuses it. Modified UTF-8 has no raw 00 and writes C0 80 instead.',
  },
  fourByte: {
    name: 'UTF8-4',
    sections: ['RFC 3629 §4', 'UTR #26 §2', 'JVMS §4.4.7'],
    note: 'UTF-8 encodes {character}, like every character above U+FFFF, in four bytes. CESU-8 and Modified UTF-8 encode it as a surrogate pair, {pair}; Android\'s runtime writes four bytes. MySQL\'s utf8mb3, its old "utf8", cannot store it.',
  },
  bom: {
    name: 'byte order mark',
    sections: ['RFC 3629 §6'],
    summary: 'U+FEFF at the start may be a mark.',
    note: 'Some programs read U+FEFF at the start as a mark of UTF-8; others see an invisible character before the first word. All variants encode it alike, so it identifies none of them. utf8 convert --bom strip removes it.',
  },
  replacement: {
    name: 'replacement',
    sections: ['Unicode 23.8', 'RFC 3629 §4'],
    summary: 'U+FFFD replaces what could not be decoded.',
    note: 'These bytes are well-formed, but an earlier program replaced malformed bytes by U+FFFD. The original is lost.',
  },
  pair: {
    name: 'six-byte pair',
    sections: ['UTR #26 §2', 'JVMS §4.4.7', 'RFC 3629 §3'],
    summary: 'a UTF-16 pair, each surrogate in three bytes.',
    note: 'UTF-16 writes {character} as the two surrogates {codeUnits}. CESU-8 and Modified UTF-8 encode each of them like a character; UTF-8 and WTF-8 forbid that, and write {shortest}.\nSuch bytes come from {origin}: Oracle calls the encoding UTF8, Java uses it in class files and JNI. Old MySQL stores them too. utf8 convert --from cesu-8 (or cesu-8+utf-8, if both encodings occur) turns them into UTF-8.',
    origin: 'Oracle, SAP HANA and Java',
  },
  modifiedNul: {
    name: 'NUL as C0 80',
    sections: ['JVMS §4.4.7', 'RFC 3629 §3'],
    summary: 'U+0000 in two bytes, so that no byte is 00.',
    origin: 'Java and Android',
    note: 'Modified UTF-8, of {origin}, writes U+0000 like this, so that its strings contain no byte 00. Everywhere else it is overlong: a search for 00 does not find it, so strict decoders refuse it. utf8 convert --from mutf-8 turns it into 00.',
  },
  overlong: {
    name: 'overlong',
    sections: ['RFC 3629 §3', 'RFC 3629 §10', 'Unicode 3.9 Table 3-7 and D92', 'UTR #36 §3.1'],
    summary: 'a character has one encoding, the shortest.',
    note: '{bytes} is an overlong encoding of {character}: its payload bits are {codePoint}, in {length} where {shortestLength} ({shortest}) would do. A character has exactly one well-formed encoding, so this one is forbidden.\nA decoder that accepts it anyway reads {context} here. {hazard}',
  },
  highSurrogate: {
    ...surrogate,
    name: 'unpaired high surrogate',
    note: `{codePoint} is a high surrogate, and no low surrogate follows. ${refused}\n${cutText}`,
  },
  lowSurrogate: {
    ...surrogate,
    name: 'unpaired low surrogate',
    note: `{codePoint} is a low surrogate, and no high surrogate comes before it. ${refused}\n${cutText}`,
  },
  beyondUnicode: {
    name: 'above U+10FFFF',
    sections: ['RFC 3629 §3', 'RFC 2279 §2', 'Unicode 3.9 Table 3-7 and D92'],
    summary: 'the last code point is U+10FFFF.',
    note: 'The payload bits are {codePoint}. Until 2003, UTF-8 had room for 31 bits (RFC 2279); since then it ends where UTF-16 does, at U+10FFFF. No character was ever above it.',
  },
  fiveByte: { ...tooLong, name: 'five-byte sequence' },
  sixByte: { ...tooLong, name: 'six-byte sequence' },
  truncated: {
    name: 'truncated',
    sections: ['RFC 3629 §4', 'Unicode 3.9 D93b', 'UTR #36 §3.1'],
    summary: 'all trail bytes follow their lead.',
    note: '{bytes} announces {announcedLength} in all, but {ending}. Either bytes were lost, or this is not UTF-8: in Windows-1252, its first byte is {windows1252}.\nThe bytes after it are not part of the fault. A decoder that skips them, to get the announced number of bytes, lets a quote or a < disappear that a filter has seen.',
  },
  unexpectedContinuation: {
    name: 'unexpected trail byte',
    sections: ['RFC 3629 §4', 'Unicode 3.9 Table 3-7 and D92'],
    summary: 'a trail byte (80..BF) follows a lead.',
    note: '{bytes} can only continue a sequence, and no lead began one. Either bytes were lost, or this is not UTF-8: in Windows-1252, it is {windows1252}.',
  },
  invalidLead: {
    name: 'not a UTF-8 byte',
    sections: ['RFC 3629 §1', 'RFC 2279 §1'],
    summary: 'FE and FF never appear.',
    note: '{bytes} appears in no variant. FF FE or FE FF at the start is the byte order mark of UTF-16.',
  },
};

/** Attacks with overlong sequences: the first entry that matches the character applies. */
export const hazards: readonly (readonly [characters: RegExp, attack: string])[] = [
  [
    /[./\\]/,
    'A filter that searches for the bytes of "../" before decoding finds nothing: the classic bypass for path traversal, out of the folder that a server meant to show. RFC 3629 §10 warns of it with the bytes 2F C0 AE 2E 2F; IIS was hit in 2000 (CVE-2000-0884), Tomcat in 2008 (CVE-2008-2938).',
  ],
  [
    /['"<>&;`]/,
    'A filter that searches for its single byte before decoding finds nothing: a classic bypass for injection into HTML, SQL or a shell.',
  ],
  [
    /\0/,
    'A check that searches for the byte 00 before decoding finds nothing, and C code after the decoder ends the string here.',
  ],
  [
    /./su,
    'A filter that searches for its well-formed bytes before decoding finds nothing: overlong sequences are a classic bypass for filters.',
  ],
];
