/** What statements say about records. */
import type { SqlDialect, SqlMode } from './dialect.js';
import { Tokens } from './tokens.js';

/** The table of a statement, and its columns if they are listed. */
interface StatementTarget {
  readonly name: string;
  readonly columns: readonly string[] | undefined;
}

/** A table as it was created, as JSON. */
export interface SqlTable {
  readonly name: string;
  readonly columns: readonly string[];
  /** The columns whose strings are bytes. */
  readonly blobs: readonly string[];
}

/** An INSERT up to its first tuple. */
export interface InsertStatement extends StatementTarget {
  /** The index of the first tuple. */
  readonly end: number;
}

/** Reads an INSERT up to its first tuple; undefined if the statement is not an INSERT with tuples. */
export function readInsert(
  bytes: Buffer,
  start: number,
  dialect: SqlDialect,
  mode: SqlMode,
): InsertStatement | undefined {
  const tokens = new Tokens(bytes, start, bytes.length, dialect, mode);
  let word = tokens.next();
  if (word !== 'insert' && word !== 'replace') return undefined;
  do word = tokens.next();
  while (/^(low_priority|delayed|high_priority|ignore|into)$/.test(word));
  const name = readName(tokens);
  if (name === undefined) return undefined;
  let columns: string[] | undefined;
  // At most: PARTITION (…), the columns, AS alias, OVERRIDING SYSTEM VALUE.
  let last = '';
  for (let i = 0; i < 9; i++) {
    word = tokens.next();
    if (word === 'values' || (word === 'value' && last !== 'system' && last !== 'user')) {
      const isTuple = tokens.next() === '(';
      return isTuple ? { name, columns, end: tokens.start } : undefined;
    }
    if (word === '(') {
      const names = readNames(tokens);
      if (!names) return undefined;
      if (last !== 'partition') columns = names;
    } else if (tokens.name === undefined) return undefined;
    last = word;
  }
  return undefined;
}

/** Reads the columns of a CREATE TABLE; undefined if the statement does not list any. */
export function readCreate(
  bytes: Buffer,
  start: number,
  end: number,
  dialect: SqlDialect,
  mode: SqlMode,
): SqlTable | undefined {
  const tokens = new Tokens(bytes, start, end, dialect, mode);
  if (tokens.next() !== 'create') return undefined;
  let word: string;
  do word = tokens.next();
  while (/^(or|replace|global|local|temporary|temp|unlogged|foreign)$/.test(word));
  if (word !== 'table') return undefined;
  word = tokens.next();
  if (word === 'if') for (let i = 0; i < 3; i++) tokens.next();
  const name = readName(tokens);
  if (name === undefined || tokens.next() !== '(') return undefined;
  const columns: string[] = [];
  const blobs: string[] = [];
  let depth = 1;
  // The column whose type is read.
  let column: string | undefined;
  for (let isFirst = true; depth > 0; ) {
    word = tokens.next();
    if (word === '') return undefined;
    if (column !== undefined && dialect.isBlob(word)) blobs.push(column);
    const isColumn = isFirst && (tokens.isQuoted || !dialect.notColumns.has(word));
    column = isColumn ? tokens.name : undefined;
    if (column !== undefined) columns.push(column);
    isFirst = depth === 1 && word === ',';
    if (word === '(') depth++;
    else if (word === ')') depth--;
  }
  return { name, columns, blobs };
}

/** A COPY … FROM stdin. */
export interface CopyStatement extends StatementTarget {
  /** An option that changes how the rows are written; undefined if there is none. */
  readonly option: string | undefined;
}

/** Reads a COPY whose rows follow it; undefined if the statement is not one. */
export function readCopy(
  bytes: Buffer,
  start: number,
  end: number,
  dialect: SqlDialect,
  mode: SqlMode,
): CopyStatement | undefined {
  const tokens = new Tokens(bytes, start, end, dialect, mode);
  if (tokens.next() !== 'copy') return undefined;
  tokens.next();
  const name = readName(tokens);
  if (name === undefined) return undefined;
  let columns: readonly string[] | undefined;
  let word = tokens.next();
  if (word === '(') {
    columns = readNames(tokens);
    word = tokens.next();
  }
  if (word !== 'from' || tokens.next() !== 'stdin') return undefined;
  for (;;) {
    word = tokens.next();
    if (word === '' || word === ';') return { name, columns, option: undefined };
    if (!/^(with|format|text|freeze|encoding|utf8|[(),'])$/.test(word)) {
      return { name, columns, option: word };
    }
  }
}

/** Reads `SET standard_conforming_strings`; undefined if the statement is another. */
export function readStandard(
  bytes: Buffer,
  start: number,
  end: number,
  dialect: SqlDialect,
  mode: SqlMode,
): boolean | undefined {
  const tokens = new Tokens(bytes, start, end, dialect, mode);
  if (tokens.next() !== 'set' || tokens.next() !== 'standard_conforming_strings') return undefined;
  tokens.next();
  tokens.next();
  return !/^'?off'?$/i.test(bytes.toString('latin1', tokens.start, tokens.end));
}

/** Reads a qualified name, as `public.people`; its first part has been read. */
function readName(tokens: Tokens): string | undefined {
  const parts: string[] = [];
  for (;;) {
    const part = tokens.name;
    if (part === undefined) return undefined;
    parts.push(part);
    if (!tokens.isBeforeDot) return parts.join('.');
    tokens.next();
    tokens.next();
  }
}

/** Reads names after an opening parenthesis. */
function readNames(tokens: Tokens): string[] | undefined {
  const names: string[] = [];
  for (;;) {
    const word = tokens.next();
    if (word === ')') return names;
    if (word === ',') continue;
    const name = tokens.name;
    if (name === undefined) return undefined;
    names.push(name);
  }
}
