import type { Tokens } from './tokens.js';
import { type Word, Words } from './words.js';

/** Reads the words of a statement. */
export function readWords(tokens: Tokens): Words {
  const words: Word[] = [];
  for (let text = tokens.next(); text !== ''; text = tokens.next()) {
    const { name, isQuoted, start, end, isString } = tokens;
    words.push({ text: isString ? tokens.text : text, name, isQuoted, start, end });
  }
  return new Words(words);
}
