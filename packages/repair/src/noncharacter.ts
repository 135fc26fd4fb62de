/**
 * Noncharacters: well-formed, but refused by some databases, such as Redshift.
 *
 * @see Unicode 16.0, section 23.7
 */
import { indexOfRun } from './byte-search.js';

/** The policies for noncharacters. */
export const noncharacterPolicies = ['keep', 'replace', 'remove', 'fail'] as const;

/** A policy for noncharacters. */
export type NoncharacterPolicy = (typeof noncharacterPolicies)[number];

/** Tells whether a code point is one of the 66 noncharacters: U+FDD0 to U+FDEF, and the last two of each plane. */
export const isNoncharacter = (codePoint: number): boolean =>
  (codePoint & 0xfffe) === 0xfffe || (codePoint >= 0xfdd0 && codePoint <= 0xfdef);

/** The last bytes of U+nFFFE and U+nFFFF in every encoding, pairs included, and the first ones of U+FDC0 to U+FDFF. */
const runs: readonly Uint8Array[] = [
  Uint8Array.of(0xbf, 0xbe),
  Uint8Array.of(0xbf, 0xbf),
  Uint8Array.of(0xef, 0xb7),
];

const UNIT = Uint8Array.of(0x5c, 0x75);

/** The code units of noncharacters; of those above U+FFFF, the last ones. */
const units = /^(?:fff[ef]|fd[de][\da-f]|dff[ef])$/i;

/**
 * Tells whether bytes, a text or a whole file, may contain a noncharacter, as such or by an escape such as
 * `\ufffe`: by native searches. True may be a false alarm; false never is.
 *
 * @param bytes - A text, or a whole file of texts.
 * @returns True if a closer look is necessary.
 * @example
 * ```ts
 * import { mayContainNoncharacter } from '@utf8/repair';
 *
 * mayContainNoncharacter(Uint8Array.of(0x41, 0xef, 0xbf, 0xbe)); // => true
 * mayContainNoncharacter(Uint8Array.of(0x41, 0xef, 0xbf, 0xbd)); // => false
 * ```
 * @see Unicode 16.0, section 23.7
 */
export function mayContainNoncharacter(bytes: Uint8Array): boolean {
  if (runs.some((run) => indexOfRun(bytes, run, 0) !== -1)) return true;
  for (let i = indexOfRun(bytes, UNIT, 0); i !== -1; i = indexOfRun(bytes, UNIT, i + 2)) {
    if (units.test(String.fromCharCode(...bytes.subarray(i + 2, i + 6)))) return true;
  }
  return false;
}
