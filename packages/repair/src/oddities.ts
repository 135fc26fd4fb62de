/**
 * Oddities of a text: neighbours that people do not write, such as letters of two scripts in a word, a
 * capital after a small letter, or a symbol after a letter. `findMojibake` lists them.
 */

import {
  classify,
  classKind,
  classLength,
  readCodePoint,
  sequenceKinds,
} from '@utf8/detect/internal';
import type { Misread } from './misread.js';

const BACKSLASH = 0x5c;
const SMALL_U = 0x75;

/** Classes of the characters above ASCII; ASCII has letters, and breaks between words. */
const [BREAK, SMALL, CAPITAL, LETTER, MARK, SIGN, SYMBOL, BOX, QUOTE, DASH, CONTROL] = Array.from(
  { length: 11 },
  (_, i) => i,
) as [number, number, number, number, number, number, number, number, number, number, number];

/** Bits of a class for the kind of the character; the others are its script. */
const KIND = 0b1111;
const SCRIPT_SHIFT = 4;

const scripts: readonly RegExp[] = [
  /\p{Script=Latin}/u,
  /\p{Script=Greek}/u,
  /\p{Script=Cyrillic}/u,
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}\u30fc]/u,
];

/** Signs within words: apostrophes, middle dots and hyphens. */
const JOINERS = /[\u00ad\u00b7\u2019\u02bc\u02bb\u2010\u2011]/;
/** Symbols that follow a word. */
const TRAILING = /[\u00ae\u00a9\u2122]/; // ® © ™
/** Symbols that precede letters: degree, micro and numero. */
const LEADING = /[\u00b0\u00b5\u2116]/; // ° µ №
/** Punctuation that does not follow a letter. */
const OPENING = /[\u201e\u201a\u00a1\u00bf\u00a7\u2030]/; // „ ‚ ¡ ¿ § ‰
/** Punctuation that joins words. */
const DASHES = /[\u2013\u2014\u2026\u2015\u2012]/; // – — … ― ‒
/** Symbols that are letters or punctuation by their properties: spacing accents, geresh. */
const ACCENTS = /[\u02b0-\u02ff\u0384\u0385\u05f3\u05f4\u00aa\u00ba]/; // ª º

/** Classes of code points, computed on first use. */
const known = new Map<number, number>();

function classOf(codePoint: number): number {
  if (codePoint < 0x80) {
    if (codePoint >= 0x61 && codePoint <= 0x7a) return SMALL;
    return codePoint >= 0x41 && codePoint <= 0x5a ? CAPITAL : BREAK;
  }
  if (codePoint > 0xffff) return BREAK;
  let found = known.get(codePoint);
  if (found === undefined) {
    found = describe(codePoint);
    known.set(codePoint, found);
  }
  return found;
}

function describe(codePoint: number): number {
  const character = String.fromCodePoint(codePoint);
  if (codePoint < 0xa0) return codePoint === 0x85 ? BREAK : CONTROL;
  if (codePoint >= 0x2500 && codePoint <= 0x259f) return BOX;
  if (JOINERS.test(character)) return BREAK;
  if (ACCENTS.test(character)) return SYMBOL;
  if (TRAILING.test(character) || LEADING.test(character) || OPENING.test(character)) return SIGN;
  if (DASHES.test(character)) return DASH;
  if (/\p{M}/u.test(character)) return MARK;
  if (/\p{L}/u.test(character)) {
    const script = scripts.findIndex((each) => each.test(character));
    // The blocks of other scripts have 128 code points, or neighbours that share a script.
    const number = script === -1 ? scripts.length + (codePoint >> 8) : script;
    const kind = /\p{Lu}/u.test(character) ? CAPITAL : /\p{Ll}/u.test(character) ? SMALL : LETTER;
    return kind | (number << SCRIPT_SHIFT);
  }
  if (/\p{S}/u.test(character)) return SYMBOL;
  return /\p{P}/u.test(character) ? QUOTE : BREAK;
}

const isLetter = (kind: number): boolean => kind >= SMALL && kind <= LETTER;
/** A symbol that is not part of a word. */
const isForeign = (kind: number): boolean => kind === SYMBOL || kind === BOX;

/** ╨ and ╤, which CP437 and CP866 have for the leads of Cyrillic. */
const isCyrillicLead = (codePoint: number): boolean => codePoint === 0x2568 || codePoint === 0x2564;
/** Lines continue after ╨ and ╤. */
const isHorizontal = (codePoint: number): boolean =>
  codePoint === 0x2500 || codePoint === 0x2550 || isCyrillicLead(codePoint);

const isCharacter: readonly boolean[] = sequenceKinds.map((kind) =>
  ['twoByte', 'threeByte', 'fourByte', 'pair'].includes(kind),
);

/**
 * Counts the oddities of a text, two for each that clean text rarely has.
 *
 * @param found - Misread characters, in order, which count as their replacements.
 */
export function countOddities(
  text: Uint8Array,
  start = 0,
  end: number = text.length,
  found: readonly Misread[] = [],
): number {
  let count = 0;
  let [one, two] = [0, 0];
  const add = (three: number): void => {
    if (one >= 0x80 || two >= 0x80) count += weighPair(one, two, three);
    [one, two] = [two, three];
  };
  let next = 0;
  for (let i = start; i < end; ) {
    const byte = text[i] as number;
    const misread = found[next];
    if (misread?.start === i) {
      add(misread.codePoint);
      i = misread.end;
      next++;
    } else if (byte === BACKSLASH) {
      // An escape, which may be of any character.
      add(0);
      i += text[i + 1] === SMALL_U ? 6 : (text[i + 1] ?? 0) < 0x80 ? 2 : 1;
    } else if (byte < 0x80) {
      add(byte);
      i++;
    } else {
      const sequence = classify(text, i, end);
      const length = classLength(sequence);
      add(isCharacter[classKind(sequence)] ? readCodePoint(text, i, length) : 0);
      i += length;
    }
  }
  add(0);
  add(0);
  return count;
}

function weighPair(one: number, two: number, three: number): number {
  const [a, b] = [classOf(one), classOf(two)];
  const [kind, next] = [a & KIND, b & KIND];
  if (kind === CONTROL) return 2;
  if (kind === MARK && isForeign(next)) return 2;
  if (isLetter(kind)) {
    if (isLetter(next)) {
      if (a >> SCRIPT_SHIFT !== b >> SCRIPT_SHIFT) return 2;
      if (kind === SMALL && next === CAPITAL) return 2;
      const isStart = kind === CAPITAL && next === CAPITAL && one >= 0x80 && two >= 0x80;
      return isStart && (classOf(three) & KIND) === SMALL ? 1 : 0;
    }
    if (isForeign(next)) return 2;
    if (next === SIGN) return TRAILING.test(String.fromCodePoint(two)) ? 0 : 2;
    if (next === QUOTE && isLetter(classOf(three) & KIND)) return 2;
    // `ü—Ä—`: a letter between dashes.
    return next === DASH && three >= 0x80 && isLetter(classOf(three) & KIND) && one >= 0x80 ? 1 : 0;
  }
  if (isForeign(kind)) {
    if (isLetter(next)) return 2;
    if (isCyrillicLead(one)) return next === BOX && !isHorizontal(two) ? 1 : 0;
    return isForeign(next) && kind !== next ? 1 : isSign(next) ? 1 : 0;
  }
  if (isSign(kind)) {
    if (isForeign(next)) return 1;
    if (kind === SIGN && isLetter(next)) return TRAILING.test(String.fromCodePoint(one)) ? 2 : 0;
  }
  if (next === MARK && kind !== MARK) return 2;
  return 0;
}

const isSign = (kind: number): boolean => kind === SIGN || kind === QUOTE || kind === DASH;
