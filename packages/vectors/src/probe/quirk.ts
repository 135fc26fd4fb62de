/** Quirks: deviations from a variant that change the model of a reader. */
import { isCodePoint } from './mode.js';
import { bitRow, type Row } from './row.js';

/** A kind of deviation. `risks` describes the use of each for an attacker. */
export type DeviationKind =
  | 'accepts overlong sequences'
  | 'accepts surrogates'
  | 'accepts two encodings of a character'
  | 'accepts numbers beyond Unicode'
  | 'reads any byte as a trail'
  | 'swallows bytes after malformed bytes'
  | 'drops malformed bytes'
  | 'stops in silence'
  | 'passes malformed bytes on'
  | 'guesses another encoding'
  | 'loses characters'
  | 'changes characters'
  | 'refuses well-formed text'
  | 'accepts malformed text'
  | 'counts otherwise'
  | 'truncates long text'
  | 'depends on the position'
  | 'depends on the size of reads'
  | 'depends on earlier input'
  | 'answers from a cache'
  | 'is not deterministic'
  | 'hangs or crashes'
  | 'reads wrongly';

/** A character or fault of the input, as a reader splits it. */
export interface Piece {
  readonly offset: number;
  readonly length: number;
  /** The code point; undefined for a fault. */
  readonly value: number | undefined;
}

export interface Quirk {
  readonly id: string;
  /** The behaviour as a verb phrase. */
  readonly words: string;
  /** Undefined if a conforming reader may have the quirk. */
  readonly kind?: DeviationKind;
  /** Number of observations that the quirk must explain; 1 by default. */
  readonly price?: number;
  /** Sequences that are accepted in addition. */
  readonly rows?: readonly Row[];
  /** True if truncated sequences of `rows` are not one fault. */
  readonly isWhole?: boolean;
  /** Selects code points that are faults although the variant accepts them. */
  readonly refuses?: (value: number) => boolean;
  /** Returns the length of a fault, including the bytes after it that it swallows. */
  readonly swallows?: (bytes: Uint8Array, offset: number, length: number) => number;
  /** Tells whether the whole input is refused, even if other faults are not. */
  readonly refusesAll?: (pieces: readonly Piece[], bytes: Uint8Array) => boolean;
  readonly pieces?: (pieces: readonly Piece[], bytes: Uint8Array) => readonly Piece[];
  readonly text?: (text: readonly number[]) => readonly number[];
}

const isNoncharacter = (value: number): boolean =>
  (value >= 0xfdd0 && value <= 0xfdef) || (isCodePoint(value) && (value & 0xfffe) === 0xfffe);

const isSurrogate = (value: number): boolean => value >= 0xd800 && value <= 0xdfff;

/** Changes text as strings between surrogates and numbers that are not code points. */
const asString =
  (change: (text: string) => string) =>
  (text: readonly number[]): number[] => {
    const result: number[] = [];
    let run = '';
    const flush = (): void => {
      for (const character of change(run)) result.push(character.codePointAt(0) as number);
      run = '';
    };
    for (const value of text) {
      if (isCodePoint(value) && !isSurrogate(value)) run += String.fromCodePoint(value);
      else {
        flush();
        result.push(value);
      }
    }
    flush();
    return result;
  };

const without =
  (isGone: (value: number) => boolean) =>
  (text: readonly number[]): number[] =>
    text.filter((value) => !isGone(value));

/** Tells whether the last fault is a sequence that the end of the input truncates. */
function endsInFault(pieces: readonly Piece[], bytes: Uint8Array): boolean {
  const last = pieces.at(-1);
  if (!last || last.value !== undefined) return false;
  return isLead(bytes[last.offset]) && last.length < announcedLength(bytes[last.offset] as number);
}

/** Tells whether the end of the input truncates a sequence, well-formed or not. */
function endsIncomplete(_: readonly Piece[], bytes: Uint8Array): boolean {
  let at = bytes.length - 1;
  while (at >= 0 && isTrail(bytes[at])) at--;
  return isLead(bytes[at]) && announcedLength(bytes[at] as number) > bytes.length - at;
}

const isTrail = (byte = 0): boolean => (byte & 0xc0) === 0x80;
const isLead = (byte = 0): boolean => byte >= 0xc2 && byte <= 0xfd;

/** Returns the length that a lead announces, in bytes. @see RFC 2279, section 2 */
export const announcedLength = (lead: number): number =>
  lead >= 0xfc ? 6 : lead >= 0xf8 ? 5 : lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1;

export const isWhite = (value: number): boolean =>
  value === 0x20 || (value >= 0x09 && value <= 0x0d);

function stripEnd(
  text: readonly number[],
  isStripped: (value: number) => boolean,
): readonly number[] {
  let end = text.length;
  while (end > 0 && isStripped(text[end - 1] as number)) end--;
  return text.slice(0, end);
}

const accept = (
  id: string,
  words: string,
  kind: DeviationKind,
  ...rows: readonly string[]
): Quirk => ({ id, words: `accepts ${words}`, kind, rows: rows.map(bitRow) });

const pair: Row = {
  parts: [
    [
      [0xed, 0xed],
      [0xa0, 0xaf],
      [0x80, 0xbf],
    ],
    [
      [0xed, 0xed],
      [0xb0, 0xbf],
      [0x80, 0xbf],
    ],
  ],
  ranges: [
    [0xed, 0xed],
    [0xa0, 0xaf],
    [0x80, 0xbf],
    [0xed, 0xed],
    [0xb0, 0xbf],
    [0x80, 0xbf],
  ],
  value: (bytes, offset) => {
    const bits = (i: number, mask: number): number => (bytes[offset + i] as number) & mask;
    const high = bits(1, 0x0f) * 0x40 + bits(2, 0x3f);
    return 0x10000 + high * 0x400 + bits(4, 0x0f) * 0x40 + bits(5, 0x3f);
  },
};

const OVERLONG = 'accepts overlong sequences';
const BEYOND = 'accepts numbers beyond Unicode';
const LOSES = 'loses characters';
const CHANGES = 'changes characters';
const REFUSES = 'refuses well-formed text';

const known: readonly Quirk[] = [
  {
    id: 'strips-bom',
    words: 'strips a byte order mark at the start',
    text: (text) => (text[0] === 0xfeff ? text.slice(1) : text),
  },
  accept('overlong-nul', 'C0 80 as U+0000', OVERLONG, 'C0 80'),
  accept('overlong-2', 'overlong sequences of two bytes', OVERLONG, 'C0-C1 80-BF'),
  accept('overlong-3', 'overlong sequences of three bytes', OVERLONG, 'E0 80-9F 80-BF'),
  accept('overlong-4', 'overlong sequences of four bytes', OVERLONG, 'F0 80-8F 80-BF 80-BF'),
  accept('overlong-5', 'overlong sequences of five bytes', OVERLONG, 'F8 80-87 80-BF 80-BF 80-BF'),
  accept(
    'overlong-6',
    'overlong sequences of six bytes',
    OVERLONG,
    'FC 80-83 80-BF 80-BF 80-BF 80-BF',
  ),
  accept('surrogates', 'surrogates in three bytes', 'accepts surrogates', 'ED A0-BF 80-BF'),
  {
    id: 'pairs',
    words: 'accepts surrogate pairs in six bytes',
    kind: 'accepts two encodings of a character',
    rows: [pair],
  },
  {
    ...accept(
      'four-bytes',
      'four-byte sequences',
      'accepts two encodings of a character',
      'F0 90-BF 80-BF 80-BF',
      'F1-F3 80-BF 80-BF 80-BF',
      'F4 80-8F 80-BF 80-BF',
    ),
    // Higher, since such a reader is more likely UTF-8 with missing checks.
    price: 4,
  },
  accept(
    'above-10ffff',
    'four-byte sequences above U+10FFFF',
    BEYOND,
    'F4 90-BF 80-BF 80-BF',
    'F5-F7 80-BF 80-BF 80-BF',
  ),
  accept(
    'five-bytes',
    'five-byte sequences',
    BEYOND,
    'F8 88-BF 80-BF 80-BF 80-BF',
    'F9-FB 80-BF 80-BF 80-BF 80-BF',
  ),
  accept(
    'six-bytes',
    'six-byte sequences',
    BEYOND,
    'FC 84-BF 80-BF 80-BF 80-BF 80-BF',
    'FD 80-BF 80-BF 80-BF 80-BF 80-BF',
  ),
  accept(
    'seven-bytes',
    'the sequences of seven and thirteen bytes that Perl has',
    BEYOND,
    `FE 82-BF${' 80-BF'.repeat(5)}`,
    `FF 80 80 80 80 80 81-BF${' 80-BF'.repeat(6)}`,
  ),
  accept(
    'masks-trails',
    'any byte as the trail of C0 to DF',
    'reads any byte as a trail',
    'C0-DF 00-FF',
  ),
  {
    id: 'refuses-noncharacters',
    words: 'refuses noncharacters',
    kind: REFUSES,
    refuses: isNoncharacter,
  },
  {
    id: 'refuses-beyond',
    words: 'replaces numbers above U+10FFFF',
    refuses: (value) => value > 0x10ffff,
  },
  { id: 'refuses-nul', words: 'refuses U+0000', kind: REFUSES, refuses: (value) => value === 0 },
  {
    id: 'refuses-supplementary',
    words: 'refuses characters above U+FFFF',
    kind: REFUSES,
    refuses: (value) => value > 0xffff,
  },
  {
    id: 'refuses-feff',
    words: 'refuses U+FEFF',
    kind: REFUSES,
    refuses: (value) => value === 0xfeff,
  },
  {
    id: 'refuses-fffd',
    words: 'treats an encoded U+FFFD as malformed',
    kind: REFUSES,
    refuses: (value) => value === 0xfffd,
  },
  {
    id: 'refuses-controls',
    words: 'refuses control characters',
    kind: REFUSES,
    refuses: (value) => (value < 0x20 && !isWhite(value)) || (value > 0x7e && value < 0xa0),
  },
  {
    id: 'swallows-next',
    words: 'swallows the byte after a truncated sequence',
    kind: 'swallows bytes after malformed bytes',
    swallows: (bytes, offset, length) =>
      announcedLength(bytes[offset] as number) > length && !isTrail(bytes[offset + length])
        ? length + 1
        : length,
  },
  {
    id: 'swallows-next-unicode',
    words: 'swallows the byte after a truncated sequence',
    kind: 'swallows bytes after malformed bytes',
    swallows: (bytes, offset, length) => {
      const lead = bytes[offset] as number;
      const isCut = lead >= 0xc2 && lead <= 0xf4 && announcedLength(lead) > length;
      return isCut && !isTrail(bytes[offset + length]) ? length + 1 : length;
    },
  },
  {
    id: 'swallows-announced',
    words: 'swallows as many bytes as a lead announces',
    kind: 'swallows bytes after malformed bytes',
    swallows: (bytes, offset, length) => Math.max(length, announcedLength(bytes[offset] as number)),
  },
  {
    id: 'drops-incomplete',
    words: 'drops an incomplete sequence at the end without an error',
    kind: LOSES,
    pieces: (pieces, bytes) => (endsInFault(pieces, bytes) ? pieces.slice(0, -1) : pieces),
  },
  {
    id: 'drops-faults-alone',
    words: 'reports success and prints nothing if the whole input is malformed',
    kind: 'accepts malformed text',
    pieces: (pieces) => (pieces.every(({ value }) => value === undefined) ? [] : pieces),
  },
  {
    id: 'refuses-incomplete',
    words: 'refuses input that ends within a sequence',
    refusesAll: endsIncomplete,
  },
  {
    id: 'stops-at-nul',
    words: 'stops at U+0000',
    kind: 'stops in silence',
    pieces: (pieces) => {
      const at = pieces.findIndex(({ value }) => value === 0);
      return at < 0 ? pieces : pieces.slice(0, at);
    },
  },
  {
    id: 'drops-nul',
    words: 'drops U+0000',
    kind: LOSES,
    text: without((value) => value === 0),
  },
  {
    id: 'drops-feff',
    words: 'drops U+FEFF anywhere',
    kind: LOSES,
    text: without((value) => value === 0xfeff),
  },
  {
    id: 'drops-noncharacters',
    words: 'drops noncharacters',
    kind: LOSES,
    text: without(isNoncharacter),
  },
  {
    id: 'drops-supplementary',
    words: 'drops characters above U+FFFF',
    kind: LOSES,
    text: without((value) => value > 0xffff),
  },
  {
    id: 'drops-controls',
    words: 'drops control characters',
    kind: LOSES,
    text: without((value) => value >= 0 && value < 0x20 && !isWhite(value)),
  },
  {
    id: 'normalizes-nfc',
    words: 'normalizes text to NFC',
    kind: CHANGES,
    text: asString((text) => text.normalize('NFC')),
  },
  {
    id: 'normalizes-nfd',
    words: 'normalizes text to NFD',
    kind: CHANGES,
    text: asString((text) => text.normalize('NFD')),
  },
  {
    id: 'normalizes-nfkc',
    words: 'normalizes text to NFKC',
    kind: CHANGES,
    text: asString((text) => text.normalize('NFKC')),
  },
  {
    id: 'crlf-to-lf',
    words: 'turns CR LF into LF',
    kind: CHANGES,
    text: asString((text) => text.replaceAll('\r\n', '\n')),
  },
  {
    id: 'newlines-to-lf',
    words: 'turns CR LF and CR into LF',
    kind: CHANGES,
    text: asString((text) => text.replace(/\r\n?/g, '\n')),
  },
  {
    id: 'lf-to-crlf',
    words: 'turns LF into CR LF',
    kind: CHANGES,
    text: asString((text) => text.replaceAll('\n', '\r\n')),
  },
  {
    id: 'strips-newline',
    words: 'strips a line feed at the end',
    kind: LOSES,
    text: (text) => (text.at(-1) === 0x0a ? text.slice(0, -1) : text),
  },
  {
    id: 'strips-newlines',
    words: 'strips line feeds at the end',
    kind: LOSES,
    text: (text) => stripEnd(text, (value) => value === 0x0a),
  },
  {
    id: 'strips-end',
    words: 'strips white space at the end',
    kind: LOSES,
    text: (text) => stripEnd(text, isWhite),
  },
  {
    id: 'strips-start',
    words: 'strips white space at the start',
    kind: LOSES,
    text: (text) => text.slice(text.findIndex((value) => !isWhite(value)) >>> 0),
  },
];

/** All quirks, in order of preference among those that explain the same observations. */
export const quirks: readonly Quirk[] = [
  ...known,
  ...known.filter(({ rows }) => rows).map((quirk) => ({ ...quirk, isWhole: true })),
];
