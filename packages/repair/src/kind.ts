import { forms } from '@utf8/detect';

/** The kinds of sequence that a repair finds, and the one that {@link findUnassigned} finds. */
export const kinds = [
  'pair',
  'four-byte form',
  'unpaired surrogate',
  'nul',
  'overlong',
  'legacy byte',
  'mojibake',
  'noncharacter or unassigned',
  'other',
  'equal JSON keys',
] as const;

/** A kind of sequence; `other` is whatever has no name of its own. */
export type Kind = (typeof kinds)[number];

/** The kinds that a repair changes or refuses: all except `noncharacter or unassigned`, which it keeps. */
export const repairedKinds: readonly Exclude<Kind, 'noncharacter or unassigned'>[] = kinds.filter(
  (kind) => kind !== 'noncharacter or unassigned',
);

const names: Readonly<Partial<Record<(typeof forms)[number], Kind>>> = {
  nul: 'nul',
  modifiedNul: 'nul',
  pair: 'pair',
  fourByte: 'four-byte form',
  highSurrogate: 'unpaired surrogate',
  lowSurrogate: 'unpaired surrogate',
  overlong: 'overlong',
};

/** The forms that every encoding of the family shares. */
const shared: readonly string[] = ['ascii', 'twoByte', 'threeByte'];

const kindsByForm = forms.map((form) =>
  shared.includes(form) ? undefined : (names[form] ?? 'other'),
);

/**
 * Returns the kind of a form.
 *
 * @param form - An index of `forms` of `@utf8/detect`.
 * @param codePoint - Of the sequence, if it has one: every spelling of U+0000 is `nul`.
 * @returns The kind; undefined if every encoding of the family spells the form in the same way.
 * @example
 * ```ts
 * import { forms } from '@utf8/detect';
 * import { kindOf } from '@utf8/repair';
 *
 * kindOf(forms.indexOf('pair')); // => 'pair'
 * kindOf(forms.indexOf('twoByte')); // => undefined
 * kindOf(forms.indexOf('overlong'), 0); // => 'nul'
 * ```
 */
export const kindOf = (form: number, codePoint?: number): Kind | undefined =>
  codePoint === 0 ? 'nul' : kindsByForm[form];
