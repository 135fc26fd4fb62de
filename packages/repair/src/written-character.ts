/** Characters that people write, among all that bytes may be by chance. */

/** Letters of Latin Extended-B and IPA that a language writes: ơ ư Ș ș Ț ț ə. */
const FURTHER_LETTERS: ReadonlySet<number> = new Set([
  0x1a0, 0x1a1, 0x1af, 0x1b0, 0x218, 0x219, 0x21a, 0x21b, 0x259,
]);

/** Tells whether a letter is of a language that is written in Latin. */
export const isLatin = (codePoint: number): boolean =>
  (codePoint >= 0xc0 && codePoint < 0x180) ||
  (codePoint >= 0x1e00 && codePoint < 0x1f00) ||
  FURTHER_LETTERS.has(codePoint);

const signRanges: readonly (readonly [first: number, last: number])[] = [
  [0xa0, 0xbf],
  [0x200b, 0x2bff],
  [0x3000, 0x303f],
  [0xfe00, 0xfe0f],
  [0xfeff, 0xfeff],
  [0xff00, 0xffef],
];

/** Tells whether a character is a sign or punctuation. */
export const isSign = (codePoint: number): boolean =>
  signRanges.some(([first, last]) => codePoint >= first && codePoint <= last);

/** Letters and signs of the scripts that people write today, without those of Latin. */
const letterRanges: readonly (readonly [first: number, last: number])[] = [
  [0x386, 0x3a1],
  [0x3a3, 0x3ce],
  [0x400, 0x45f],
  [0x490, 0x4ff],
  [0x531, 0x587],
  [0x5b0, 0x5f4],
  [0x60c, 0x6d5],
  [0x6f0, 0x6f9],
  [0x900, 0x137f],
  [0x1780, 0x17ff],
  [0x1f00, 0x1fff],
  [0x3040, 0x30ff],
  [0x4e00, 0x9fff],
  [0xac00, 0xd7a3],
  [0x1_0000, 0x10_ffff],
];

/** Separators, and controls of direction and format. */
const isInvisible = (codePoint: number): boolean =>
  (codePoint >= 0x2028 && codePoint <= 0x202e) || (codePoint >= 0x2060 && codePoint <= 0x206f);

/**
 * Tells whether people write a character, so that it may be the character that was misread.
 *
 * @param reading - The characters of the legacy encoding, which text that was misread twice has.
 */
export const isPlausible = (codePoint: number, reading: ReadonlyMap<number, number>): boolean =>
  reading.has(codePoint) ||
  isLatin(codePoint) ||
  (isSign(codePoint) && !isInvisible(codePoint)) ||
  letterRanges.some(([first, last]) => codePoint >= first && codePoint <= last);
