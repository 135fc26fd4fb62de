import {
  classify,
  classKind,
  classLength,
  readCodePoint,
  sequenceKinds,
} from '@utf8/detect/internal';
import { indexOfByte } from './byte-search.js';
import { isNoncharacter } from './noncharacter.js';

/** Tells whether a code point is in planes 4 to 13, which have no characters. */
const isInEmptyPlane = (codePoint: number): boolean =>
  codePoint >= 0x4_0000 && codePoint <= 0xd_ffff;

/**
 * Tells whether a code point is a noncharacter, or in planes 4 to 13, which have no characters. Other
 * unassigned code points are not asked for, since every version of Unicode assigns some.
 *
 * @see Unicode 16.0, section 23.7, for noncharacters; section 2.8 for planes
 */
export const isUnassigned = (codePoint: number): boolean =>
  isInEmptyPlane(codePoint) || isNoncharacter(codePoint);

/** The place of a code point without a character. */
export interface UnassignedCodePoint {
  /** In bytes from the start of the text. */
  readonly offset: number;
  /** In bytes. */
  readonly length: number;
  /** The noncharacter, or the code point in an empty plane. */
  readonly codePoint: number;
  /** `unassigned` for other code points in planes 4 to 13. */
  readonly kind: 'noncharacter' | 'unassigned';
}

const mayBeUnassigned: readonly boolean[] = sequenceKinds.map((kind) =>
  ['threeByte', 'fourByte', 'pair'].includes(kind),
);

/**
 * Finds noncharacters and code points in planes 4 to 13, in order: they probably come from a wrong
 * conversion, such as of two surrogates that were not a pair. A repair keeps them, unless a policy is for
 * noncharacters.
 *
 * @param text - In any encoding of the family; a pair of surrogates is one code point.
 * @returns The places in the text, in bytes, found as the caller iterates.
 * @example
 * ```ts
 * import { findUnassigned } from '@utf8/repair';
 *
 * [...findUnassigned(Uint8Array.of(0x41, 0xef, 0xbf, 0xbe))];
 * // => [{ offset: 1, length: 3, codePoint: 0xfffe, kind: 'noncharacter' }]
 * ```
 * @see Unicode 16.0, section 23.7
 */
export function* findUnassigned(text: Uint8Array): Generator<UnassignedCodePoint, void> {
  for (let offset = 0; offset < text.length; ) {
    if ((text[offset] as number) < 0xe0) {
      offset++;
      continue;
    }
    const found = classify(text, offset, text.length);
    const length = classLength(found);
    if (mayBeUnassigned[classKind(found)]) {
      const codePoint = readCodePoint(text, offset, length);
      if (isUnassigned(codePoint)) {
        const kind = isNoncharacter(codePoint) ? 'noncharacter' : 'unassigned';
        yield { offset, length, codePoint, kind };
      }
    }
    offset += length;
  }
}

/** By lead, whether the bytes from there may be what {@link findUnassigned} finds. */
const suspicions: readonly [lead: number, test: (second: number, third: number) => boolean][] = [
  [0xef, (second, third) => second === 0xb7 || (second === 0xbf && third >= 0xbe)],
  [0xf0, (second, third) => (second & 0b1111) === 0b1111 && third === 0xbf],
  [0xf1, () => true],
  [0xf2, () => true],
  [0xf3, (second, third) => second < 0xa0 || ((second & 0b1111) === 0b1111 && third === 0xbf)],
  [0xf4, (second, third) => second === 0x8f && third === 0xbf],
];

/** Suspicion for surrogate pairs in six bytes: high surrogates of planes 4 to 13, and low ones of U+nFFFE and U+nFFFF. */
const pairSuspicion: (typeof suspicions)[number] = [
  0xed,
  (second, third) => (second >= 0xa3 && second <= 0xac) || (second === 0xbf && third >= 0xbe),
];

/**
 * Tells whether bytes, a text or a whole file, may contain what {@link findUnassigned} finds: by native
 * searches. True may be a false alarm; false never is.
 *
 * @param bytes - A text, or a whole file of texts.
 * @param hasPairs - True if there may be surrogate pairs in six bytes, which takes longer in Hangul.
 * @returns True if a closer look is necessary.
 * @example
 * ```ts
 * import { mayContainUnassigned } from '@utf8/repair';
 *
 * mayContainUnassigned(Uint8Array.of(0x41, 0xef, 0xbf, 0xbe)); // => true
 * mayContainUnassigned(Uint8Array.of(0x41, 0xef, 0xbb, 0xbf)); // => false
 * ```
 * @see Unicode 16.0, section 23.7
 */
export const mayContainUnassigned = (bytes: Uint8Array, hasPairs = true): boolean =>
  (hasPairs ? [...suspicions, pairSuspicion] : suspicions).some(([lead, test]) => {
    for (let i = indexOfByte(bytes, lead, 0); i !== -1; i = indexOfByte(bytes, lead, i + 1)) {
      if (test(bytes[i + 1] as number, bytes[i + 2] as number)) return true;
    }
    return false;
  });
