/**
 * Evidence that a sequence of characters is the misread bytes of one character, weighed against text that
 * people write on purpose: an accented capital before punctuation ends a word in capitals, a small one ends
 * any word (`été»`), units have exponents (`Å²`). Counted in points; two of them decide. See `findMojibake`.
 */
import type { Misread } from './misread.js';
import { isLatin, isSign } from './written-character.js';

/** Characters next to a sequence. */
export interface Surroundings {
  /** The ASCII character before and after it: 0 if there is none, or it is written by an escape. */
  readonly before: number;
  readonly after: number;
  /** True if another sequence that may be of the same script is next to it. */
  readonly isJoined: boolean;
}

/** Class of a byte from 80 to BF as a character of Windows-1252. */
const [OTHER, ENDING, STRANGE, LETTER] = [0, 1, 2, 3];

const classes = new Uint8Array(0x100).fill(OTHER);
/**
 * Characters that end a word, or join it to the next: ellipsis, high quotation marks, bullet, dashes, trade mark
 * sign, U+203A, no-break space, soft hyphen, ® · »
 */
for (const byte of [
  0x85, 0x91, 0x92, 0x93, 0x94, 0x95, 0x96, 0x97, 0x99, 0x9b, 0xa0, 0xad, 0xae, 0xb7, 0xbb,
])
  classes[byte] = ENDING;
/**
 * Characters that never follow a letter: euro sign, low quotation marks, U+02C6, per mille sign, U+2039, U+02DC,
 * ¡ ¢ £ ¤ ¥ ¦ § ¨ ¬ ¯ µ ¶ ¸ ¿, and bytes without a character.
 */
for (const byte of [
  0x80, 0x81, 0x82, 0x84, 0x88, 0x89, 0x8b, 0x8d, 0x8f, 0x90, 0x98, 0x9d, 0xa1, 0xa2, 0xa3, 0xa4,
  0xa5, 0xa6, 0xa7, 0xa8, 0xac, 0xaf, 0xb5, 0xb6, 0xb8, 0xbf,
])
  classes[byte] = STRANGE;
/** ƒ Š Œ Ž š œ ž Ÿ */
for (const byte of [0x83, 0x8a, 0x8c, 0x8e, 0x9a, 0x9c, 0x9e, 0x9f]) classes[byte] = LETTER;

const DAGGERS: ReadonlySet<number> = new Set([0x86, 0x87]);
/** ° ± ² ³ ¹, which follow a unit. */
const EXPONENTS: ReadonlySet<number> = new Set([0xb0, 0xb1, 0xb2, 0xb3, 0xb9]);
/** © ª « º ¼ ½ ¾, which no text has after a single Â. */
const STARTING: ReadonlySet<number> = new Set([0xa9, 0xaa, 0xab, 0xba, 0xbc, 0xbd, 0xbe]);
const ACUTE_ACCENT = 0xb4;
const NO_BREAK_SPACE = 0xa0;
const SMALL_S = 0x73;
const SPACE = 0x20;

const isSmall = (byte: number): boolean => byte >= 0x61 && byte <= 0x7a;
const isLetter = (byte: number): boolean => isSmall(byte | 0x20);
const isDigit = (byte: number): boolean => byte >= 0x30 && byte <= 0x39;

/** Weighs a sequence: from 0 points, as in clean text, to 3. */
export function weigh(misread: Misread, around: Surroundings): number {
  const { bytes, codePoint, controls } = misread;
  // Three symbols in a row after ð, or six characters that form a pair.
  if (bytes.length > 3) return 3;
  const lead = bytes[0] as number;
  let points: number;
  if (codePoint < 0xa0) points = weighControl(misread, around);
  else if (isLatin(codePoint))
    points = lead < 0xe0 ? weighLatin(misread, around) : weighLong(misread, around);
  else if (isSign(codePoint))
    points = lead === 0xc2 ? weighSign(misread, around) : weighLongSign(misread, around);
  else points = weighOther(misread, around);
  return points === 0 && controls > 0 && codePoint >= 0xa0 ? 1 : points;
}

const classOf = ({ bytes }: Misread, index: number): number =>
  classes[bytes[index] as number] as number;

/** For a C1 control, which ISO 8859-1 makes of a byte: the text was misread twice. */
const weighControl = (misread: Misread, { isJoined }: Surroundings): number =>
  isJoined && classOf(misread, 1) >= STRANGE ? 1 : 0;

/** For `Ã©`, `Å‚`: a capital, and the character after it. */
function weighLatin(misread: Misread, { before, after, isJoined }: Surroundings): number {
  const [lead = 0, trail = 0] = misread.bytes;
  const kind = classOf(misread, 1);
  if (kind === STRANGE || (kind === LETTER && lead === 0xc3)) return 2;
  // A capital follows no small letter.
  if (isSmall(before)) return 2;
  if (kind === ENDING) {
    // `Ã–sterreich`, `Ã  la`: no word is Ã alone.
    const isWord = lead === 0xc3 && !isLetter(before) && before < 0x80;
    const isFollowed = trail === NO_BREAK_SPACE ? after === SPACE : isSmall(after);
    return isWord && isFollowed ? 2 : 0;
  }
  const isExponent = lead === 0xc5 && EXPONENTS.has(trail);
  const isGenitive = trail === ACUTE_ACCENT && after === SMALL_S;
  if (!isExponent && !isGenitive && isSmall(after)) return 2;
  if (DAGGERS.has(trail) && isLetter(after)) return 2;
  return isJoined ? 1 : 0;
}

/** For `Â°`, `Â£`: a sign of ISO 8859-1 after a capital that rarely ends a word. */
function weighSign(misread: Misread, { before, isJoined }: Surroundings): number {
  const trail = misread.bytes[1] as number;
  if (classOf(misread, 1) === STRANGE || isSmall(before) || isDigit(before)) return 2;
  const isWord = !isLetter(before) && before < 0x80;
  if (isWord && STARTING.has(trail)) return 2;
  // Â² is an operator of physics.
  return (isWord && !EXPONENTS.has(trail)) || isJoined ? 1 : 0;
}

/** For Vietnamese letters such as `áº¿`. */
function weighLong(misread: Misread, { before, after, isJoined }: Surroundings): number {
  const [one, two] = [classOf(misread, 1), classOf(misread, 2)];
  if (one === STRANGE || two === STRANGE) return 2;
  if (one === ENDING && two === ENDING) return isJoined ? 1 : 0;
  if (two !== ENDING && isLetter(after)) return 2;
  if (isSmall(before) && isSmall(after)) return 2;
  return isJoined ? 1 : 0;
}

/** For `â€™`, `â–ˆ`. */
function weighLongSign(misread: Misread, { before, isJoined }: Surroundings): number {
  const [one, two] = [classOf(misread, 1), classOf(misread, 2)];
  const isStrange = one >= STRANGE || two >= STRANGE;
  if (isStrange) return 2;
  const isWord = !isLetter(before) && before < 0x80;
  const isEnding = one === ENDING && two === ENDING;
  return 1 + (isJoined || (isWord && !isEnding) ? 1 : 0);
}

/** For letters of other scripts; a single one proves little. */
function weighOther(misread: Misread, { before, after, isJoined }: Surroundings): number {
  const { bytes, codePoint } = misread;
  const last = classOf(misread, bytes.length - 1);
  const isStrange = last === STRANGE || (bytes.length === 3 && classOf(misread, 1) === STRANGE);
  if (codePoint >= 0x300 && codePoint < 0x370) return isSmall(before) ? 2 : 0;
  if (!isJoined) {
    if (isLetter(before) || before >= 0x80) return 0;
    const isGreek = bytes[0] === 0xce || bytes[0] === 0xcf;
    // `Î±-`, `Î¼m`, `Ï€`
    if (isGreek && last !== ENDING && !EXPONENTS.has(bytes[1] as number)) return 2;
    if (isGreek && bytes[1] === 0xb1) return 2;
    return isStrange && !isLetter(after) ? 1 : 0;
  }
  const isEnding = bytes.every((_, i) => i === 0 || classOf(misread, i) === ENDING);
  return (isEnding ? 0 : 1) + (isStrange ? 1 : 0);
}
