/** Declarations of another encoding than UTF-8, and how they should read. */
import type { Change } from '../format.js';
import type { SqlText } from './dialect.js';
import { hasBody } from './programs.js';
import { readWords } from './read-words.js';
import { Tokens } from './tokens.js';
import { type Word, Words } from './words.js';

/** Replacements of words, by the index of their first byte. */
export type Fixes = ReadonlyMap<number, string>;

const NOTHING: Fixes = new Map();

/** Finds the words of a statement to be replaced, in order. */
export function findFixes(sql: SqlText, start: number, end: number): Change[] {
  const delimiter = sql.bytes.lastIndexOf(sql.mode.delimiter, end - 1, 'latin1');
  const words = readWords(new Tokens(sql, start, delimiter < start ? end : delimiter));
  const fixes = listFixes(words, sql);
  const changes: Change[] = [];
  while (!words.isOver) {
    const { start: from, end: to } = words.next();
    const fixed = fixes.get(from);
    if (fixed !== undefined) changes.push({ start: from, end: to, bytes: Buffer.from(fixed) });
  }
  return changes;
}

/** Returns the words as they are after the same changes. */
export function applyFixes(words: Words, sql: SqlText): Words {
  const fixes = listFixes(words, sql);
  if (fixes.size === 0) return words;
  const all: Word[] = [];
  for (const rest = words.copy(); !rest.isOver; ) {
    const word = rest.next();
    const fixed = fixes.get(word.start);
    if (fixed === undefined) all.push(word);
    else if (/^$| /.test(fixed)) all.push(...splitFix(word, fixed));
    else {
      const text = word.isQuoted ? word.text : fixed;
      const was = unquote(word.isQuoted ? (word.name ?? '') : word.text).toLowerCase();
      all.push({ ...word, text, name: unquote(fixed), was });
    }
  }
  return new Words(all);
}

/** Returns the words that replace one of a type in utf8mb3. */
const splitFix = (word: Word, fixed: string): Word[] =>
  (fixed.match(/\S+/g) ?? []).map((text) => ({
    ...word,
    text,
    name: /^\w/.test(text) ? text : undefined,
    was: text === 'utf8mb4' ? 'utf8mb3' : undefined,
  }));

const unquote = (text: string): string => text.replace(/^(['"`])(.*)\1$/, '$2');

function listFixes(words: Words, { dialect, mode }: SqlText): Fixes {
  const { listFixes: list } = dialect;
  if (!list || hasBody(words)) return NOTHING;
  const fixes = new Map<number, string>();
  for (const statement of words.copy().splitAt(';')) {
    for (const [word, fixed] of list(statement, mode.client)) fixes.set(word.start, fixed);
  }
  return fixes;
}
