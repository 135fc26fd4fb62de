/** What a survey means: the variant that bytes are taken for, and what to know before converting. */
import { findFileKind } from './file-kind.js';
import type { Label } from './label.js';
import type { Counts, Evidence, Finding, FirstFault, Unassigned, Verdict } from './report.js';

/** What a verdict rests on. */
export interface Grounds {
  readonly bytes: number;
  readonly isAscii: boolean;
  readonly hasBom: boolean;
  readonly counts: Counts;
  /** In the order of preference. */
  readonly findings: readonly Finding[];
  /** For each of the findings, how many forms in the bytes the variant refuses. */
  readonly refusals: readonly number[];
  /** The first bytes, at most four. */
  readonly head: Uint8Array;
}

/** Decides which variant bytes are taken for. If several accept them, the first is preferred. */
export function judge(grounds: Grounds): Verdict {
  const held = grounds.findings.filter(({ isWellFormed }) => isWellFormed);
  const [first, ...others] = held.map(({ label }) => label);
  if (first) {
    const explain = reasons[first] ?? explainInGeneral;
    return { label: first, nearest: first, sentence: explain(grounds, others, first) };
  }
  const { label, fault } = findNearest(grounds);
  return {
    label: undefined,
    nearest: label,
    sentence: complain(grounds, label, fault as FirstFault),
  };
}

/**
 * Says why bytes are taken for a variant.
 *
 * @param others - The variants after it in which they are well-formed too.
 */
type Explanation = (grounds: Grounds, others: readonly Label[], label: Label) => string;

/** The explanations of labels, where the general one does not say enough. */
const reasons: Readonly<Partial<Record<Label, Explanation>>> = {
  'utf-8'({ bytes, isAscii, hasBom, counts: { fourByte, rawNul } }) {
    if (bytes === 0) return 'The input is empty, so it is well-formed in every variant.';
    const everywhere =
      rawNul > 0
        ? `every variant except Modified UTF-8, which has no raw 00 (found: ${rawNul})`
        : 'every variant';
    if (isAscii) return `Every byte is ASCII, so the bytes mean the same in ${everywhere}.`;
    if (fourByte > 0) {
      return `${count(fourByte, 'four-byte form')} and no six-byte pair: characters above U+FFFF are spelled as UTF-8 spells them.`;
    }
    const mark = hasBom ? '; U+FEFF at the start usually marks UTF-8' : '';
    return `No character above U+FFFF tells the variants apart, so the bytes mean the same in ${everywhere}${mark}.`;
  },
  'cesu-8'({ counts: { pairs } }, others) {
    const twin = others.includes('mutf-8')
      ? ', which Modified UTF-8 also does; only U+0000 and lone surrogates would tell the two apart'
      : '';
    return `${count(pairs, 'six-byte pair')} and no four-byte form: characters above U+FFFF are spelled as CESU-8 spells them${twin}.`;
  },
  'cesu-8-lenient'({ counts: { pairs, loneSurrogates }, findings }, others) {
    const beside = pairs > 0 ? ` beside ${count(pairs, 'six-byte pair')}` : '';
    const strict = findings.find(({ label }) => label === 'cesu-8');
    const cut = strict?.fault?.incomplete ? '; the input may end inside a pair' : '';
    return `${count(loneSurrogates, 'lone surrogate')}${beside}, which CESU-8 refuses and ${list(['cesu-8-lenient', ...others])} accept${cut}.`;
  },
  'cesu-8+utf-8'({ counts: { pairs, fourByte } }, others) {
    const takers =
      others.length > 0
        ? `${list(['cesu-8+utf-8', ...others])} accept`
        : 'only cesu-8+utf-8 accepts';
    return `${count(pairs, 'six-byte pair')} and ${count(fourByte, 'four-byte form')}: characters above U+FFFF are spelled both ways, which ${takers}.`;
  },
  'mutf-8'({ counts: { modifiedNul, pairs, loneSurrogates } }) {
    const beside = [
      ...(pairs > 0 ? [count(pairs, 'six-byte pair')] : []),
      ...(loneSurrogates > 0 ? [count(loneSurrogates, 'lone surrogate')] : []),
    ];
    const suffix = beside.length > 0 ? `, beside ${list(beside)}` : '';
    return `C0 80 in ${count(modifiedNul, 'place')} and no raw 00: U+0000 is spelled as Modified UTF-8 spells it${suffix}.`;
  },
  'mutf-8-lenient'({ counts: { overlongs, modifiedNul, rawNul } }) {
    if (overlongs > 0) {
      return `${count(overlongs, 'overlong form')}, which only mutf-8-lenient (Java's DataInput) accepts; overlong forms are a known bypass for filters.`;
    }
    return `U+0000 both as C0 80 (${modifiedNul}) and as raw 00 (${rawNul}), which only mutf-8-lenient (Java's DataInput) accepts, unless the 00 end C strings of Modified UTF-8.`;
  },
  'wtf-8'({ counts: { loneSurrogates, fourByte } }) {
    return `${count(loneSurrogates, 'lone surrogate')} and ${count(fourByte, 'four-byte form')}, but no six-byte pair: WTF-8 spells JavaScript strings and Windows file names like this.`;
  },
  'wtf-8-generalized'({ counts: { fourByte, pairs, loneSurrogates } }, others) {
    const forms = [
      count(pairs, 'six-byte pair'),
      count(loneSurrogates, 'lone surrogate'),
      count(fourByte, 'four-byte form'),
    ];
    return `${list(forms)}, which only ${list(['wtf-8-generalized', ...others])} accept; a mixture of UTF-8 and CESU-8 with a pair cut in two is more likely.`;
  },
  'mutf-8-android'({ counts: { modifiedNul, fourByte, pairs, loneSurrogates } }) {
    const forms = [
      count(fourByte, 'four-byte form'),
      ...(pairs > 0 ? [count(pairs, 'six-byte pair')] : []),
      ...(loneSurrogates > 0 ? [count(loneSurrogates, 'lone surrogate')] : []),
    ];
    return `C0 80 in ${count(modifiedNul, 'place')} and no raw 00, beside ${list(forms)}: Android's runtime spells U+0000 as Modified UTF-8 does, and characters above U+FFFF as UTF-8 does.`;
  },
  utf8mb3() {
    return "No character above U+FFFF: the bytes fit MySQL's utf8mb3, which is UTF-8 up to U+FFFF.";
  },
  rfc2279({ counts: { beyondUnicode, fiveByte, sixByte } }) {
    const kinds = [
      ...(beyondUnicode > 0 ? [count(beyondUnicode, 'four-byte form')] : []),
      ...(fiveByte > 0 ? [count(fiveByte, 'five-byte form')] : []),
      ...(sixByte > 0 ? [count(sixByte, 'six-byte form')] : []),
    ];
    return `${list(kinds)} above U+10FFFF, which only RFC 2279 has.`;
  },
};

const nouns: Readonly<Record<Evidence, string>> = {
  fourByte: 'four-byte form',
  pairs: 'six-byte pair',
  loneSurrogates: 'lone surrogate',
  modifiedNul: 'C0 80',
  rawNul: 'raw 00',
  overlongs: 'overlong form',
  beyondUnicode: 'four-byte form above U+10FFFF',
  fiveByte: 'five-byte form',
  sixByte: 'six-byte form',
  malformed: 'malformed sequence',
};

/** Names the evidence, and the variants that accept it. */
const explainInGeneral: Explanation = ({ bytes, counts }, others, label) => {
  const found = (Object.keys(nouns) as Evidence[])
    .filter((kind) => counts[kind] > 0)
    .map((kind) =>
      kind === 'modifiedNul' || kind === 'rawNul'
        ? `${nouns[kind]} in ${count(counts[kind], 'place')}`
        : count(counts[kind], nouns[kind]),
    );
  const evidence = found.length > 0 ? list(found) : count(bytes, 'byte');
  return others.length > 0
    ? `${evidence}, which ${list([label, ...others])} accept.`
    : `${evidence}, which only ${label} accepts.`;
};

/** The variant to name where the bytes are well-formed in none. */
function findNearest({ counts, findings, refusals }: Grounds): Finding {
  // Truncated bytes are well-formed except for the end.
  const cut = findings.find(({ fault }) => fault?.incomplete);
  if (cut) return cut;
  // In binary data forms occur by chance, and overlong ones are no evidence.
  const number = isNoise(counts) ? 0 : refusals.indexOf(Math.min(...refusals));
  return findings[number] as Finding;
}

function complain(
  { counts, head }: Grounds,
  nearest: Label,
  { offset, reason, hex, incomplete }: FirstFault,
): string {
  const mark = findMark(head);
  if (mark)
    return `Not well-formed in any variant: the input begins with the byte order mark of ${mark}.`;
  if (incomplete) {
    return `Well-formed in ${nearest} up to byte ${offset}, where the input ends inside a sequence (${hex}).`;
  }
  return `Not well-formed in any variant; ${nearest} comes closest; its first fault is at byte ${offset}: ${reason} (${hex})${hint(counts)}.`;
}

/** What else the bytes may be, if that is safe to say. */
function hint(counts: Counts): string {
  if (counts.rawNul > 0 && isNoise(counts)) {
    return '; raw 00 together with malformed bytes suggest binary data or UTF-16';
  }
  return counts.rawNul === 0 && countSequences(counts) === 0
    ? '; no byte above 7F is part of a sequence, so a one-byte encoding such as ISO 8859-1 is more likely'
    : '';
}

/** Whether more is malformed than not, ASCII aside. */
const isNoise = (counts: Counts): boolean => counts.malformed > countSequences(counts);

/** How many sequences of more than one byte there are. */
const countSequences = ({ malformed, rawNul, ...sequences }: Counts): number =>
  Object.values(sequences).reduce((total, number) => total + number, 0);

/** The encoding whose byte order mark comes first, where that is none of UTF-8's. */
function findMark(head: Uint8Array): string | undefined {
  const kind = findFileKind(head);
  return kind && 'mark' in kind ? kind.mark : undefined;
}

/** What a warning rests on. */
export interface Doubts {
  readonly bytes: number;
  readonly counts: Counts;
  readonly unassigned: Unassigned | undefined;
  /** How many of the raw 00 are at odd offsets. */
  readonly oddNul: number;
}

/** Says what else to know before converting, a sentence each. */
export function warn({ bytes, counts: { rawNul }, unassigned, oddNul }: Doubts): string[] {
  const warnings: string[] = [];
  if (unassigned) {
    const { pairs, fourByte, codePoint, offset } = unassigned;
    const kinds = [
      ...(pairs > 0 ? [count(pairs, 'six-byte pair')] : []),
      ...(fourByte > 0 ? [count(fourByte, 'four-byte form')] : []),
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
