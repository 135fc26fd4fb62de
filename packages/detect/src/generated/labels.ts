// Generated from packages/variants.json by `npm run generate`; a test fails if the two differ.

/** The label of an encoding, as this package writes it. */
export type Label =
  | 'utf-8'
  | 'cesu-8'
  | 'cesu-8-lenient'
  | 'cesu-8+utf-8'
  | 'mutf-8'
  | 'mutf-8-lenient'
  | 'wtf-8'
  | 'wtf-8-generalized'
  | 'mutf-8-android'
  | 'rfc2279'
  | 'rfc2279-lax'
  | 'utf8mb3';

/**
 * The other names of each label: those that IANA registers, and common ones. Labels are in order of
 * preference: if two encodings accept the same bytes, the first is the verdict.
 *
 * @see https://www.iana.org/assignments/character-sets, MIBenum 106 and 1016
 */
export const aliases: Readonly<Record<Label, readonly string[]>> = {
  'utf-8': ['utf8', 'csUTF8', 'utf8mb4', 'unicode-1-1-utf-8', 'unicode11utf8', 'unicode20utf8', 'x-unicode20utf8'],
  'cesu-8': ['csCESU8', 'csCESU-8', 'cesu8'],
  'cesu-8-lenient': [],
  'cesu-8+utf-8': [],
  'mutf-8': ['modified-utf-8', 'mutf8'],
  'mutf-8-lenient': [],
  'wtf-8': ['wtf8'],
  'wtf-8-generalized': [],
  'mutf-8-android': [],
  rfc2279: [],
  'rfc2279-lax': [],
  utf8mb3: [],
};
