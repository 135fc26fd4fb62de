/**
 * What `utf8 explain` knows: for each form the rule that it follows or breaks, where that is written,
 * and what somebody who sees it for the first time should be told.
 *
 * In notes, `{…}` stands for what is known of the sequence at hand; see {@link Facts}.
 */
import type { Form } from './sequence.js';

/** What notes may speak of. */
export interface Facts {
  /** In hex, such as `C0 AE`. */
  readonly bytes: string;
  /** How many bytes there are, with the noun. */
  readonly length: string;
  /** How many bytes the lead asks for. */
  readonly needed: string;
  /** Such as `U+002E`. */
  readonly codePoint: string;
  /** The code point, and the character where it has a shape: `U+002E "."`. */
  readonly character: string;
  /** In hex, as UTF-8 spells the character. */
  readonly shortest: string;
  /** How many bytes those are, with the noun. */
  readonly shortestLength: string;
  /** In hex, as CESU-8 spells the character. */
  readonly pair: string;
  /** The two code units of UTF-16, such as `D83D DE00`. */
  readonly units: string;
  /** What a decoder that takes everything reads here and around, in quotes. */
  readonly seen: string;
  /** What comes instead of the bytes that are missing. */
  readonly ending: string;
  /** What the first byte is in Windows-1252, the one-byte encoding that is likeliest. */
  readonly oneByte: string;
  /** What can come of it: one of {@link hazards}. */
  readonly hazard: string;
}

/** What to think of a form. */
export interface Rule {
  /** A few words. */
  readonly name: string;
  readonly isBroken: boolean;
  /** Where it is written, the place that decides first. */
  readonly sections: readonly string[];
  /** The rule in a sentence; those that everybody knows have none. */
  readonly says?: string;
  /** What is said once, at the end, where the form occurs. */
  readonly note?: readonly string[];
}

/** The rules, by form. */
export const rules: Readonly<Record<Form, Rule>> = {
  ascii: { name: 'UTF8-1', isBroken: false, sections: ['RFC 3629 §4'] },
  twoByte: { name: 'UTF8-2', isBroken: false, sections: ['RFC 3629 §4'] },
  threeByte: { name: 'UTF8-3', isBroken: false, sections: ['RFC 3629 §4'] },
  nul: {
    name: 'UTF8-1',
    isBroken: false,
    sections: ['RFC 3629 §4', 'JVMS §4.4.7'],
    note: [
      'U+0000 as it is. C ends a string here, and PostgreSQL refuses it. Modified UTF-8 has no raw 00: it writes C0 80 instead.',
    ],
  },
  fourByte: {
    name: 'UTF8-4',
    isBroken: false,
    sections: ['RFC 3629 §4', 'UTR #26 §2', 'JVMS §4.4.7'],
    note: [
      'UTF-8 spells {character} and all above U+FFFF in four bytes. CESU-8 and Modified UTF-8 have no such form: they spell it as a pair, {pair}.',
    ],
  },
  bom: {
    name: 'byte order mark',
    isBroken: false,
    sections: ['RFC 3629 §6'],
    says: 'U+FEFF at the beginning may be a mark.',
    note: [
      'U+FEFF at the beginning tells some programs that this is UTF-8; to others it is an invisible character in front of the first word. All variants spell it alike, so it tells none of them. utf8 convert --bom strip drops it.',
    ],
  },
  replacement: {
    name: 'replacement',
    isBroken: false,
    sections: ['Unicode 23.8', 'RFC 3629 §4'],
    says: 'U+FFFD stands for what could not be decoded.',
    note: [
      'These bytes are well-formed, but somebody has decoded malformed bytes before and put U+FFFD in their place. What was there is lost.',
    ],
  },
  pair: {
    name: 'six-byte pair',
    isBroken: false,
    sections: ['UTR #26 §2', 'JVMS §4.4.7', 'RFC 3629 §3'],
    says: 'the UTF-16 pair, each half in three bytes.',
    note: [
      'UTF-16 has {character} as the two halves {units}. CESU-8 and Modified UTF-8 write each half as if it were a character; UTF-8 must not, and writes {shortest}.',
      'Such bytes come from Oracle\'s "UTF8", SAP HANA, JNI and old MySQL. utf8 convert --from cesu-8 (or cesu-8+utf-8, where both spellings occur) makes UTF-8 of them.',
    ],
  },
  modifiedNul: {
    name: 'NUL as C0 80',
    isBroken: false,
    sections: ['JVMS §4.4.7', 'RFC 3629 §3'],
    says: 'U+0000 in two bytes, so that no byte is 00.',
    note: [
      "Java's Modified UTF-8 writes U+0000 so, to have strings without a byte 00 for C. Everywhere else it is an overlong form: a U+0000 that nobody finds who looks for 00, which is why a strict decoder refuses it. utf8 convert --from mutf-8 makes 00 of it.",
    ],
  },
  overlong: {
    name: 'overlong',
    isBroken: true,
    sections: ['RFC 3629 §3', 'RFC 3629 §10', 'Unicode 3.9 Table 3-7 and D92', 'UTR #36 §3.1'],
    says: 'a character has one spelling, the shortest.',
    note: [
      '{bytes} is an overlong form of {character}: its payload bits add up to {codePoint}, in {length} where {shortestLength} ({shortest}) would do. Each character has one well-formed spelling, so this one is forbidden.',
      'A decoder that takes it all the same reads {seen} here. {hazard}',
    ],
  },
  highHalf: {
    name: 'lone high half',
    isBroken: true,
    sections: ['RFC 3629 §3', 'Unicode 3.9 Table 3-7 and D92', 'UTR #26 §2', 'JVMS §4.4.7'],
    says: 'U+D800..U+DFFF are halves, no characters.',
    note: [
      '{codePoint} is the first half of a UTF-16 pair, and no second half follows. So there is no character, and UTF-8 and CESU-8 refuse it. Modified UTF-8 encodes code units, so it takes it.',
      'Mostly somebody has cut a text in the middle of a pair.',
    ],
  },
  lowHalf: {
    name: 'lone low half',
    isBroken: true,
    sections: ['RFC 3629 §3', 'Unicode 3.9 Table 3-7 and D92', 'UTR #26 §2', 'JVMS §4.4.7'],
    says: 'U+D800..U+DFFF are halves, no characters.',
    note: [
      '{codePoint} is the second half of a UTF-16 pair, and no first half is before it. So there is no character, and UTF-8 and CESU-8 refuse it. Modified UTF-8 encodes code units, so it takes it.',
      'Mostly somebody has cut a text in the middle of a pair.',
    ],
  },
  beyondUnicode: {
    name: 'above U+10FFFF',
    isBroken: true,
    sections: ['RFC 3629 §3', 'RFC 2279 §2', 'Unicode 3.9 Table 3-7 and D92'],
    says: 'the last code point is U+10FFFF.',
    note: [
      'The payload bits add up to {codePoint}. UTF-8 had room for 31 bits until 2003 (RFC 2279); since then it ends where UTF-16 does, at U+10FFFF. No character was ever there.',
    ],
  },
  fiveByte: {
    name: 'five-byte form',
    isBroken: true,
    sections: ['RFC 3629 §3', 'RFC 2279 §2', 'Unicode 3.9 Table 3-7 and D92'],
    says: 'a sequence has at most four bytes.',
    note: [
      'The payload bits add up to {codePoint}. Until 2003 UTF-8 had forms of five and six bytes (RFC 2279), for code points that Unicode has never had and never will have.',
    ],
  },
  sixByte: {
    name: 'six-byte form',
    isBroken: true,
    sections: ['RFC 3629 §3', 'RFC 2279 §2', 'Unicode 3.9 Table 3-7 and D92'],
    says: 'a sequence has at most four bytes.',
    note: [
      'The payload bits add up to {codePoint}. Until 2003 UTF-8 had forms of five and six bytes (RFC 2279), for code points that Unicode has never had and never will have.',
    ],
  },
  cut: {
    name: 'cut short',
    isBroken: true,
    sections: ['RFC 3629 §4', 'Unicode 3.9 D93b', 'UTR #36 §3.1'],
    says: 'a lead has all its trail bytes behind it.',
    note: [
      '{bytes} asks for {needed} in all, but {ending}. Either bytes were lost, or this is no UTF-8: in Windows-1252, its first byte is {oneByte}.',
      'Whatever follows is not part of the fault. A decoder that swallows it, to have its number of bytes, lets a quote or a < vanish from where a filter has seen it.',
    ],
  },
  stray: {
    name: 'stray trail byte',
    isBroken: true,
    sections: ['RFC 3629 §4', 'Unicode 3.9 Table 3-7 and D92'],
    says: 'a trail byte (80..BF) follows a lead.',
    note: [
      '{bytes} can only go on with what a lead has begun, and none has. Either bytes were lost, or this is no UTF-8: in Windows-1252, it is {oneByte}.',
    ],
  },
  never: {
    name: 'no byte of UTF-8',
    isBroken: true,
    sections: ['RFC 3629 §1', 'RFC 2279 §1'],
    says: 'FE and FF never appear.',
    note: [
      '{bytes} is no byte of any variant, in no place. FF FE or FE FF at the beginning is the mark of UTF-16.',
    ],
  },
};

/** What can come of an overlong form: the first whose characters have the one at hand. */
export const hazards: readonly { readonly characters: RegExp; readonly says: string }[] = [
  {
    characters: /[./\\]/,
    says: 'A filter that looks for the bytes of "../" before they are decoded finds nothing: the classic bypass for path traversal, out of the folder that a server meant to show. RFC 3629 §10 warns of it with the bytes 2F C0 AE 2E 2F; IIS fell to it in 2000 (CVE-2000-0884), Tomcat in 2008 (CVE-2008-2938).',
  },
  {
    characters: /['"<>&;`]/,
    says: 'A filter that looks for its one byte before it is decoded finds nothing: a classic bypass for injection into HTML, SQL or a shell.',
  },
  {
    characters: /\0/,
    says: 'A check that looks for the byte 00 before it is decoded finds nothing, and C code behind the decoder ends the string here.',
  },
  {
    characters: /./su,
    says: 'A filter that looks for its well-formed bytes before they are decoded finds nothing: overlong forms are a classic bypass for filters.',
  },
];
