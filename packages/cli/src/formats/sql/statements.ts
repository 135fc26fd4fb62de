/** What statements say that matters to their records. */
import type { Dialect, Mode } from './dialect.js';
import { Tokens } from './tokens.js';

/** What a statement names: a table, and columns of it where it lists them. */
interface Target {
  readonly name: string;
  readonly columns: readonly string[] | undefined;
}

/** A table as it was created; JSON can hold it. */
export interface Table {
  readonly name: string;
  readonly columns: readonly string[];
  /** Those of the columns whose strings are bytes. */
  readonly blobs: readonly string[];
}

/** What is before the first tuple of an INSERT. */
export interface InsertHead extends Target {
  /** The index of the parenthesis. */
  readonly end: number;
}

/** Reads an INSERT up to its first tuple; undefined where a statement is none that has tuples. */
export function readInsert(
  bytes: Buffer,
  start: number,
  dialect: Dialect,
  mode: Mode,
): InsertHead | undefined {
  const tokens = new Tokens(bytes, start, bytes.length, dialect, mode);
  let word = tokens.next();
  if (word !== 'insert' && word !== 'replace') return undefined;
  do word = tokens.next();
  while (/^(low_priority|delayed|high_priority|ignore|into)$/.test(word));
  const name = readName(tokens);
  if (name === undefined) return undefined;
  let columns: string[] | undefined;
  // Few words and lists stand here: PARTITION (…), the columns, AS alias, OVERRIDING SYSTEM VALUE.
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

/** Reads the columns of a CREATE TABLE; undefined where a statement is none that lists them. */
export function readCreate(
  bytes: Buffer,
  start: number,
  end: number,
  dialect: Dialect,
  mode: Mode,
): Table | undefined {
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
  // The column whose type comes next.
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

/** What follows a COPY … FROM stdin. */
export interface CopyHead extends Target {
  /** A word of its options that says that the rows are in another form; undefined where they are not. */
  readonly option: string | undefined;
}

/** Reads a COPY that has its rows behind it; undefined where a statement is none. */
export function readCopy(
  bytes: Buffer,
  start: number,
  end: number,
  dialect: Dialect,
  mode: Mode,
): CopyHead | undefined {
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

/** What `SET standard_conforming_strings` says; undefined where a statement says nothing of the kind. */
export function readStandard(
  bytes: Buffer,
  start: number,
  end: number,
  dialect: Dialect,
  mode: Mode,
): boolean | undefined {
  const tokens = new Tokens(bytes, start, end, dialect, mode);
  if (tokens.next() !== 'set' || tokens.next() !== 'standard_conforming_strings') return undefined;
  tokens.next();
  tokens.next();
  return !/^'?off'?$/i.test(bytes.toString('latin1', tokens.start, tokens.end));
}

/** A name with what it is qualified by, as `public.people`; the tokens are at its first part. */
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

/** Names in parentheses, of which the first is behind. */
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
