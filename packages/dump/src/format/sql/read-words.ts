import type { Tokens } from './tokens.js';
import { type Word, Words } from './words.js';

/**
 * Reads the words of a statement.
 *
 * @param fixes - Whether they are those that `--fix-header` writes.
 */
export function readWords(tokens: Tokens, fixes = false): Words {
  const words: Word[] = [];
  let before = '';
  for (let text = tokens.next(); text !== ''; text = tokens.next()) {
    const { name, isQuoted, start, end, isString } = tokens;
    const written = isString ? tokens.text : text;
    const fixed = fixes ? tokens.sql.dialect.fixWord(written, before) : undefined;
    words.push({ text: fixed ?? written, name, isQuoted, start, end });
    if (text !== '=' && text !== 'to') before = text;
  }
  return new Words(words);
}
