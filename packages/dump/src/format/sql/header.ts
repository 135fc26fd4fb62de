/** Statements that make a server lose characters, and how they should read. */
import type { Change } from '../format.js';
import type { SqlText } from './dialect.js';
import { Tokens } from './tokens.js';

/** Finds the words of a statement to be replaced, in order. */
export function findFixes(sql: SqlText, start: number, end: number): Change[] {
  const tokens = new Tokens(sql, start, end);
  const fixes: Change[] = [];
  let before = tokens.next();
  if (!/^(create|alter|set)$/.test(before)) return fixes;
  for (let word = tokens.next(); word !== ''; word = tokens.next()) {
    const isWhole = tokens.isString || tokens.isQuoted;
    const fixed = sql.dialect.fixWord(isWhole ? tokens.text.toLowerCase() : word, before);
    if (fixed !== undefined) {
      fixes.push({ start: tokens.start, end: tokens.end, bytes: Buffer.from(fixed) });
    }
    if (word !== '=' && word !== 'to') before = word;
  }
  return fixes;
}
