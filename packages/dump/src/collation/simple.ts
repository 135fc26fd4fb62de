/** Rules that all collations without case share; recorded tables contain only the differences. */

/** Returns a character of a UCA collation without case, compatibility forms, and the script of its digits. */
export function foldSimple(character: string, isIgnorable: (character: string) => boolean): string {
  const decomposed = lower(character.normalize('NFKD')).normalize('NFKD');
  return Array.from(decomposed, (c) => (isIgnorable(c) ? '' : toDigit(c))).join('');
}

/** Returns a character of a general collation, which compares one character with one other. */
export const foldGeneral = (character: string): string =>
  Array.from(lower(character).normalize('NFD'))[0] ?? '';

/** Returns text in lower case, `ss` for ß. Some letters have a lower case only by their upper case, and others the reverse. */
export const lower = (text: string): string => text.toLowerCase().toUpperCase().toLowerCase();

/** Digits are ten in a row (The Unicode Standard, section 4.6). */
function toDigit(character: string): string {
  if (!isDigit(character)) return character;
  const code = character.codePointAt(0) as number;
  let value = 0;
  while (value < 9 && isDigit(String.fromCodePoint(code - value - 1))) value++;
  return String(value);
}

const isDigit = (character: string): boolean => /^\p{Nd}$/u.test(character);
