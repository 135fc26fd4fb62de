/** What statements say about records. Each function reads from the first word. */
import { type CopyRows, readCopyRows } from './copy-rows.js';
import type { Tokens } from './tokens.js';

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
export function readInsert(tokens: Tokens): InsertStatement | undefined {
  let word = tokens.next();
  if (word !== 'insert' && word !== 'replace') return undefined;
  do word = tokens.next();
  while (/^(low_priority|delayed|high_priority|ignore|into)$/.test(word));
  const name = tokens.readName();
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
      const names = tokens.readNames();
      if (!names) return undefined;
      if (last !== 'partition') columns = names;
    } else if (tokens.name === undefined) return undefined;
    last = word;
  }
  return undefined;
}

/** Reads the columns of a CREATE TABLE; undefined if the statement does not list any. */
export function readCreate(tokens: Tokens): SqlTable | undefined {
  if (tokens.next() !== 'create') return undefined;
  let word: string;
  do word = tokens.next();
  while (/^(or|replace|global|local|temporary|temp|unlogged|foreign)$/.test(word));
  if (word !== 'table') return undefined;
  word = tokens.next();
  if (word === 'if') for (let i = 0; i < 3; i++) tokens.next();
  const name = tokens.readName();
  if (name === undefined || tokens.next() !== '(') return undefined;
  const { isBlob, notColumns } = tokens.sql.dialect;
  const columns: string[] = [];
  const blobs: string[] = [];
  let depth = 1;
  // The column whose type is read.
  let column: string | undefined;
  for (let isFirst = true; depth > 0; ) {
    word = tokens.next();
    if (word === '') return undefined;
    if (column !== undefined && isBlob(word)) blobs.push(column);
    column = isFirst && (tokens.isQuoted || !notColumns.has(word)) ? tokens.name : undefined;
    if (column !== undefined) columns.push(column);
    isFirst = depth === 1 && word === ',';
    if (word === '(') depth++;
    else if (word === ')') depth--;
  }
  return { name, columns, blobs };
}

/** A COPY … FROM stdin. */
export interface CopyStatement extends StatementTarget {
  /** How the rows are written, or the option that is not supported. */
  readonly rows: CopyRows | string;
}

/** Reads a COPY whose rows follow it; undefined if the statement is not one. */
export function readCopy(tokens: Tokens): CopyStatement | undefined {
  if (tokens.next() !== 'copy') return undefined;
  tokens.next();
  const name = tokens.readName();
  if (name === undefined) return undefined;
  let columns: readonly string[] | undefined;
  let word = tokens.next();
  if (word === '(') {
    columns = tokens.readNames();
    word = tokens.next();
  }
  if (word !== 'from' || tokens.next() !== 'stdin') return undefined;
  return { name, columns, rows: readCopyRows(tokens) };
}

/** Reads `SET standard_conforming_strings`; undefined if the statement is another. */
export function readStandard(tokens: Tokens): boolean | undefined {
  if (tokens.next() !== 'set' || tokens.next() !== 'standard_conforming_strings') return undefined;
  tokens.next();
  tokens.next();
  return !/^'?off'?$/i.test(tokens.text);
}
