import type { Tokens } from './tokens.js';
import { type Word, Words } from './words.js';

/** Characters that the encodings of the family may encode differently. */
export const NOT_ASCII: RegExp = /[^\0-\x7f]/;

/** Reads the words of a statement. */
export function readWords(tokens: Tokens): Words {
  const words: Word[] = [];
  for (let text = tokens.next(); text !== ''; text = tokens.next()) {
    const { name, isQuoted, start, end, isString } = tokens;
    const spelling = name !== undefined && NOT_ASCII.test(name) ? tokens.text : undefined;
    words.push({ text: isString ? tokens.text : text, name, isQuoted, spelling, start, end });
  }
  return new Words(words);
}
