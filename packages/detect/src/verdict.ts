/** Decides which variant bytes are most likely in, and lists warnings about a conversion. */
import type { Label } from './generated/labels.js';
import type { Counts, Evidence, Finding, FirstFault, Unassigned, Verdict } from './report.js';

/** The data from which a verdict follows. */
export interface VerdictInput {
  readonly bytes: number;
  readonly isAscii: boolean;
  readonly hasBom: boolean;
  readonly counts: Counts;
  /** In order of preference. */
  readonly findings: readonly Finding[];
  /** Number of sequences that each variant refuses, in the order of the findings. */
  readonly refusals: readonly number[];
  /** The first bytes, at most four. */
  readonly head: Uint8Array;
}

/** Decides which variant the bytes are most likely in: the first that accepts them. */
export function decideVerdict(input: VerdictInput): Verdict {
  const accepting = input.findings.filter(({ isWellFormed }) => isWellFormed);
  const [first, ...others] = accepting.map(({ label }) => label);
  if (first) {
    const explain = explanations[first] ?? explainAny;
    return { label: first, nearest: first, sentence: explain(input, others, first) };
  }
  const { label, fault } = findNearest(input);
  const mixture = unlikely.has(label) && !fault?.incomplete ? findMixture(input) : undefined;
  if (mixture) return mixture;
  return {
    label: undefined,
    nearest: label,
    sentence: describeMalformed(input, label, fault as FirstFault),
  };
}

/** Variants of special programs, which accept surrogates that a mixture has by accident. */
const unlikely: ReadonlySet<Label> = new Set([
  'cesu-8-lenient',
  'wtf-8',
  'wtf-8-generalized',
  'mutf-8-android',
]);

/**
 * Describes malformed UTF-8 with surrogates, such as the log of several programs; undefined if it is something else.
 */
function findMixture({ counts, findings }: VerdictInput): Verdict | undefined {
  const { pairs, loneSurrogates, malformed, modifiedNul, overlongs } = counts;
  const isElse = modifiedNul + overlongs + counts.fiveByte + counts.sixByte > 0 || isNoise(counts);
  const nearest = findings.find(({ label }) => label === 'cesu-8+utf-8');
  if (isElse || pairs + loneSurrogates === 0 || !nearest?.fault) return undefined;
  const { offset, reason, hex } = nearest.fault;
  const parts = list(listCounts({ pairs, loneSurrogates, malformed }));
  const sentence = `Not well-formed in any variant: UTF-8 with ${parts}; the first malformed bytes are at byte ${offset}: ${reason} (${hex}).`;
  return { label: undefined, nearest: nearest.label, sentence };
}

/**
 * Explains a verdict in one sentence.
 *
 * @param others - The other variants that accept the bytes.
 */
type Explanation = (input: VerdictInput, others: readonly Label[], label: Label) => string;

/** Explanations of verdicts that need more than the counts and the accepting variants. */
const explanations: Readonly<Partial<Record<Label, Explanation>>> = {
  'utf-8'({ bytes, isAscii, hasBom, counts: { fourByte, rawNul } }) {
    if (bytes === 0) return 'The input is empty, so it is well-formed in every variant.';
    const everywhere =
      rawNul > 0
        ? `every variant except Modified UTF-8, which has no raw 00 (found: ${rawNul})`
        : 'every variant';
    if (isAscii) return `Every byte is ASCII, so the bytes mean the same in ${everywhere}.`;
    if (fourByte > 0) {
      return `${count(fourByte, nouns.fourByte)} and no six-byte pair: characters above U+FFFF are in four bytes, as in UTF-8.`;
    }
    const mark = hasBom ? '; U+FEFF at the start usually marks UTF-8' : '';
    return `No character above U+FFFF distinguishes the variants, so the bytes mean the same in ${everywhere}${mark}.`;
  },
  'cesu-8'({ counts: { pairs } }, others) {
    const encodings = others.includes('mutf-8')
      ? 'CESU-8 and Modified UTF-8; only U+0000 and lone surrogates would distinguish these two'
      : 'CESU-8';
    return `${count(pairs, nouns.pairs)} and no four-byte sequence: characters above U+FFFF are in six bytes, as in ${encodings}.`;
  },
  'cesu-8-lenient'({ counts: { pairs, loneSurrogates }, findings }, others) {
    const suffix = pairs > 0 ? ` and ${count(pairs, nouns.pairs)}` : '';
    const strict = findings.find(({ label }) => label === 'cesu-8');
    const cut = strict?.fault?.incomplete ? '; the input may end inside a pair' : '';
    return `${count(loneSurrogates, nouns.loneSurrogates)}${suffix}: CESU-8 refuses lone surrogates, and ${list(['cesu-8-lenient', ...others])} accept them${cut}.`;
  },
  'cesu-8+utf-8'({ counts: { pairs, fourByte } }, others) {
    const accepting =
      others.length > 0
        ? `${list(['cesu-8+utf-8', ...others])} accept`
        : 'only cesu-8+utf-8 accepts';
    return `${count(pairs, nouns.pairs)} and ${count(fourByte, nouns.fourByte)}: some characters above U+FFFF are in six bytes and some in four, which ${accepting}.`;
  },
  'mutf-8'({ counts: { modifiedNul, pairs, loneSurrogates } }) {
    const others = listCounts({ pairs, loneSurrogates });
    const suffix = others.length > 0 ? `, with ${list(others)}` : '';
    return `C0 80 in ${count(modifiedNul, 'place')} and no raw 00: U+0000 is in two bytes, as in Modified UTF-8${suffix}.`;
  },
  'mutf-8-lenient'({ counts: { overlongs, modifiedNul, rawNul } }) {
    if (overlongs > 0) {
      return `${count(overlongs, nouns.overlongs)}, which only mutf-8-lenient (Java's DataInput) accepts; overlong sequences are a known bypass for filters.`;
    }
    return `U+0000 both as C0 80 (${modifiedNul}) and as raw 00 (${rawNul}), which only mutf-8-lenient (Java's DataInput) accepts, unless the 00 end C strings of Modified UTF-8.`;
  },
  'wtf-8'({ counts: { loneSurrogates, fourByte } }) {
    return `${count(loneSurrogates, nouns.loneSurrogates)} and ${count(fourByte, nouns.fourByte)}, but no six-byte pair, as WTF-8 encodes JavaScript strings and Windows file names.`;
  },
  'wtf-8-generalized'({ counts: { fourByte, pairs, loneSurrogates } }, others) {
    const counted = listCounts({ pairs, loneSurrogates, fourByte });
    return `${list(counted)}, which only ${list(['wtf-8-generalized', ...others])} accept; a mixture of UTF-8 and CESU-8 with a pair cut in two is more likely.`;
  },
  'mutf-8-android'({ counts: { modifiedNul, fourByte, pairs, loneSurrogates } }) {
    const others = listCounts({ fourByte, pairs, loneSurrogates });
    return `C0 80 in ${count(modifiedNul, 'place')} and no raw 00, with ${list(others)}: Android's runtime encodes U+0000 as Modified UTF-8 does, and characters above U+FFFF as UTF-8 does.`;
  },
  utf8mb3() {
    return "No character above U+FFFF: the bytes fit MySQL's utf8mb3, which is UTF-8 up to U+FFFF.";
  },
  rfc2279({ counts: { beyondUnicode, fiveByte, sixByte } }) {
    const kinds = [
      ...(beyondUnicode > 0 ? [count(beyondUnicode, 'four-byte sequence')] : []),
      ...listCounts({ fiveByte, sixByte }),
    ];
    return `${list(kinds)} above U+10FFFF, which only RFC 2279 has.`;
  },
};

const nouns: Readonly<Record<Evidence, string>> = {
  fourByte: 'four-byte sequence',
  pairs: 'six-byte pair',
  loneSurrogates: 'lone surrogate',
  modifiedNul: 'C0 80',
  rawNul: 'raw 00',
  overlongs: 'overlong sequence',
  beyondUnicode: 'four-byte sequence above U+10FFFF',
  fiveByte: 'five-byte sequence',
  sixByte: 'six-byte sequence',
  malformed: 'malformed sequence',
};

/** Lists the counts above zero, with their nouns. */
const listCounts = (counts: Partial<Record<Evidence, number>>): string[] =>
  (Object.keys(nouns) as Evidence[]).flatMap((name) => {
    const number = counts[name] ?? 0;
    if (number === 0) return [];
    return name === 'modifiedNul' || name === 'rawNul'
      ? [`${nouns[name]} in ${count(number, 'place')}`]
      : [count(number, nouns[name])];
  });

/** Names the evidence, and the variants that accept it. */
const explainAny: Explanation = ({ bytes, counts }, others, label) => {
  const found = listCounts(counts);
  const evidence = found.length > 0 ? list(found) : count(bytes, 'byte');
  return others.length > 0
    ? `${evidence}, which ${list([label, ...others])} accept.`
    : `${evidence}, which only ${label} accepts.`;
};

/** Finds the nearest variant of bytes that are malformed in all variants. */
function findNearest({ counts, findings, refusals }: VerdictInput): Finding {
  // Truncated bytes are well-formed except for the end. Any byte from F5 to FD alone begins a sequence of RFC 2279.
  const hasLong = counts.beyondUnicode + counts.fiveByte + counts.sixByte > 0;
  const cut = findings.find(
    ({ label, fault }) => fault?.incomplete && (hasLong || !label.startsWith('rfc2279')),
  );
  if (cut) return cut;
  // Binary data contains sequences of every kind by chance, so its counts prove nothing.
  const nearest = isNoise(counts) ? 0 : refusals.indexOf(Math.min(...refusals));
  return findings[nearest] as Finding;
}

function describeMalformed(
  { counts, head }: VerdictInput,
  nearest: Label,
  { offset, reason, hex, incomplete }: FirstFault,
): string {
  const mark = findMark(head);
  if (mark)
    return `Not well-formed in any variant: the input begins with the byte order mark of ${mark}.`;
  if (incomplete) {
    return `Well-formed in ${nearest} up to byte ${offset}, where the input ends inside a sequence (${hex}).`;
  }
  return `Not well-formed in any variant; ${nearest} comes closest; its first malformed bytes are at byte ${offset}: ${reason} (${hex})${suggestOther(counts)}.`;
}

/** Suggests an encoding outside the family, if the counts support one. */
function suggestOther(counts: Counts): string {
  if (counts.rawNul > 0 && isNoise(counts)) {
    return '; raw 00 together with malformed bytes suggest binary data or UTF-16';
  }
  return counts.rawNul === 0 && countMultibyte(counts) === 0
    ? '; no byte above 7F is part of a sequence, so a one-byte encoding such as ISO 8859-1 is more likely'
    : '';
}

/** Tells whether most sequences above ASCII are malformed. */
const isNoise = (counts: Counts): boolean => counts.malformed > countMultibyte(counts);

/** Counts the complete sequences of more than one byte. */
const countMultibyte = ({ malformed, rawNul, ...sequences }: Counts): number =>
  Object.values(sequences).reduce((total, number) => total + number, 0);

/** The byte order marks of UTF-16 and UTF-32. @see Unicode 16.0, section 23.8, Table 23-4 */
const marks: readonly (readonly [encoding: string, bytes: readonly number[]])[] = [
  ['UTF-32, little-endian', [0xff, 0xfe, 0x00, 0x00]],
  ['UTF-32, big-endian', [0x00, 0x00, 0xfe, 0xff]],
  ['UTF-16, little-endian', [0xff, 0xfe]],
  ['UTF-16, big-endian', [0xfe, 0xff]],
];

/** Finds the encoding whose byte order mark comes first, except UTF-8. */
const findMark = (head: Uint8Array): string | undefined =>
  marks.find(([, bytes]) => bytes.every((byte, i) => head[i] === byte))?.[0];

/** The data from which warnings follow. */
export interface WarningInput {
  readonly bytes: number;
  readonly counts: Counts;
  readonly unassigned: Unassigned | undefined;
  /** Number of raw 00 at odd offsets. */
  readonly oddNul: number;
}

/** Lists warnings about a conversion, one sentence each. */
export function listWarnings({
  bytes,
  counts: { rawNul },
  unassigned,
  oddNul,
}: WarningInput): string[] {
  const warnings: string[] = [];
  if (unassigned) {
    const { pairs, fourByte, codePoint, offset } = unassigned;
    const kinds = [
      ...(pairs > 0 ? [count(pairs, nouns.pairs)] : []),
      ...(fourByte > 0 ? [count(fourByte, nouns.fourByte)] : []),
    ];
    const first = `U+${codePoint.toString(16).toUpperCase()} at byte ${offset}`;
    warnings.push(
      `${list(kinds)} would decode to planes 4 to 13, which have no characters (the first: ${first}); the repair is probably wrong.`,
    );
  }
  // A third, since text in UTF-16 is seldom all ASCII; one parity, since binary data has both.
  if (rawNul > 1 && rawNul * 3 >= bytes && (oddNul === 0 || oddNul === rawNul)) {
    const [parity, order] = oddNul === 0 ? ['even', 'big'] : ['odd', 'little'];
    warnings.push(
      `All ${rawNul} raw 00 in ${bytes} bytes are at ${parity} offsets, as in UTF-16, ${order}-endian.`,
    );
  }
  return warnings;
}

const count = (number: number, one: string, many: string = `${one}s`): string =>
  `${number} ${number === 1 ? one : many}`;

const list = (parts: readonly string[]): string =>
  parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;
