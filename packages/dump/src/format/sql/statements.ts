/** Statements that describe records. Each function reads from the first word. */
import { type CopyRows, readCopyRows } from './copy-rows.js';
import type { Tokens } from './tokens.js';

/** The table of a statement by the parts of its name, and its columns if they are listed. */
interface StatementTarget {
  readonly parts: readonly string[];
  readonly columns: readonly string[] | undefined;
}

/** An INSERT up to its first tuple. */
export interface InsertStatement extends StatementTarget {
  /** The index of the first tuple. */
  readonly end: number;
}

/** Passes the words between the verb of an INSERT or UPDATE and the table, which is then the last token. */
function passOptions(tokens: Tokens): void {
  let word = tokens.next();
  while (/^(low_priority|delayed|high_priority|ignore)$/.test(word)) word = tokens.next();
  if (word === 'or') {
    // SQLite's `INSERT OR REPLACE`.
    tokens.next();
    word = tokens.next();
  }
  if (word === 'into' || word === 'only') tokens.next();
}

/** Reads an INSERT up to its first tuple; undefined if the statement is not an INSERT with tuples. */
export function readInsert(tokens: Tokens): InsertStatement | undefined {
  let word = tokens.next();
  if (word !== 'insert' && word !== 'replace') return undefined;
  passOptions(tokens);
  const parts = tokens.readName();
  if (parts === undefined) return undefined;
  let columns: string[] | undefined;
  // At most: PARTITION (…), the columns, AS alias, OVERRIDING SYSTEM VALUE.
  let last = '';
  for (let i = 0; i < 9; i++) {
    word = tokens.next();
    if (word === 'values' || (word === 'value' && last !== 'system' && last !== 'user')) {
      word = tokens.next();
      const end = tokens.start;
      // MySQL also writes `VALUES ROW(1), ROW(2)`.
      const isTuple = word === '(' || (word === 'row' && tokens.next() === '(');
      return isTuple ? { parts, columns, end } : undefined;
    }
    if (word === '(') {
      const names = tokens.readNames();
      if (!names) return undefined;
      if (last !== 'partition') columns = names;
    } else if (tokens.name === undefined) return undefined;
    last = word;
  }
  return undefined;
}

/** An `INSERT … SET` or `UPDATE … SET`. */
export interface SetStatement {
  readonly parts: readonly string[];
  /** The index of the first assignment. */
  readonly end: number;
}

/** Reads an `INSERT … SET`, or an UPDATE of one table, up to the first assignment. */
export function readSet(tokens: Tokens): SetStatement | undefined {
  const verb = tokens.next();
  if (!/^(insert|replace|update)$/.test(verb)) return undefined;
  passOptions(tokens);
  const parts = tokens.readName();
  if (parts === undefined) return undefined;
  // At most: PARTITION (…), AS alias.
  for (let i = 0; i < 3; i++) {
    const word = tokens.next();
    if (word === 'set') {
      tokens.next();
      return { parts, end: tokens.start };
    }
    if (!tokens.isQuoted && JOINS.test(word)) return undefined;
    if (word === '(' ? !tokens.readNames() : tokens.name === undefined) return undefined;
  }
  return undefined;
}

/** Words after which another table follows, so that a column may be its own. */
const JOINS = /^(join|straight_join|inner|cross|left|right|natural)$/;

/** A COPY … FROM stdin. */
export interface CopyStatement extends StatementTarget {
  /** Syntax of the rows, or the option that is not supported. */
  readonly rows: CopyRows | string;
}

/** Reads a COPY whose rows follow it; undefined if the statement is not one. */
export function readCopy(tokens: Tokens): CopyStatement | undefined {
  if (tokens.next() !== 'copy') return undefined;
  tokens.next();
  const parts = tokens.readName();
  if (parts === undefined) return undefined;
  let columns: readonly string[] | undefined;
  let word = tokens.next();
  if (word === '(') {
    columns = tokens.readNames();
    word = tokens.next();
  }
  if (word !== 'from' || tokens.next() !== 'stdin') return undefined;
  return { parts, columns, rows: readCopyRows(tokens) };
}
