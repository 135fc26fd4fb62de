import { sequenceKinds } from '@utf8/detect/internal';

/** The kinds of sequence that a repair finds, and the one that {@link findUnassigned} finds. */
export const kinds = [
  'pair',
  'four-byte',
  'unpaired-surrogate',
  'nul',
  'overlong',
  'legacy-byte',
  'mojibake',
  'noncharacter',
  'control',
  'unassigned',
  'other',
  'equal-json-keys',
  'inner-length',
] as const;

/** A kind of sequence; `other` is whatever has no name of its own. */
export type Kind = (typeof kinds)[number];

/** A kind that a repair changes or refuses. */
type RepairedKind = Exclude<Kind, 'unassigned'>;

/** The kinds that a repair changes or refuses: all except `unassigned`, which it keeps. */
export const repairedKinds: readonly Exclude<Kind, 'unassigned'>[] = kinds.filter(
  (kind) => kind !== 'unassigned',
);

const names: Readonly<Partial<Record<(typeof sequenceKinds)[number], RepairedKind>>> = {
  nul: 'nul',
  modifiedNul: 'nul',
  pair: 'pair',
  fourByte: 'four-byte',
  highSurrogate: 'unpaired-surrogate',
  lowSurrogate: 'unpaired-surrogate',
  overlong: 'overlong',
};

/** The kinds of sequence that every encoding of the family shares. */
const shared: readonly string[] = ['ascii', 'twoByte', 'threeByte'];

const kindsByIndex = sequenceKinds.map((name) =>
  shared.includes(name) ? undefined : (names[name] ?? 'other'),
);

/**
 * Returns the kind of finding for a kind of sequence.
 *
 * @param index - An index of `sequenceKinds` of `@utf8/detect/internal`.
 * @param codePoint - The code point of the sequence, if it has one: every encoding of U+0000 is `nul`.
 * @returns The kind; undefined if every encoding of the family encodes such characters in the same way.
 * @internal
 */
export const kindOf = (index: number, codePoint?: number): RepairedKind | undefined =>
  codePoint === 0 ? 'nul' : kindsByIndex[index];
