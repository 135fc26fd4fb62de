/** Reads what SHOW CREATE TABLE and CHECK clauses say, in which names and strings may contain anything. */
import { isSign, isWord, split, type Token, tokenize } from './mysql-tokens.js';

/** A table as SHOW CREATE TABLE defines it. */
export interface Definition {
  /** The text before the columns, and the text after the last part. */
  readonly head: string;
  readonly tail: string;
  /** Columns, indexes and constraints. */
  readonly parts: readonly DefinitionPart[];
}

export interface DefinitionPart {
  /** The name of a column; undefined for any other definition. */
  readonly column: string | undefined;
  /** The name and the type of a column, or any other definition as a whole. */
  readonly start: string;
  /** Character set and collation. */
  readonly charset: string;
  /** The text after the character set and the collation. */
  readonly rest: string;
}

/** Parses the result of SHOW CREATE TABLE; undefined if it is not one. */
export function parseDefinition(ddl: string): Definition | undefined {
  const tokens = tokenize(ddl);
  const open = tokens.findIndex((token) => isSign(token, '('));
  let depth = 0;
  const close = tokens.findIndex((token) => {
    if (isSign(token, '(')) depth++;
    return isSign(token, ')') && --depth === 0;
  });
  if (open === -1 || close === -1) return undefined;
  return {
    head: ddl.slice(0, tokens[open]?.end),
    tail: ddl.slice(tokens[close]?.start),
    parts: split(tokens.slice(open + 1, close), (token) => isSign(token, ',')).map((part) =>
      parsePart(ddl, part),
    ),
  };
}

function parsePart(ddl: string, part: readonly Token[]): DefinitionPart {
  const [first] = part;
  const slice = (from: number, to: number): string =>
    from < to ? ddl.slice(part[from]?.start, part[to - 1]?.end) : '';
  // Indexes and constraints begin with a word.
  if (first?.is !== 'name') {
    return { column: undefined, start: slice(0, part.length), charset: '', rest: '' };
  }
  let at = 2;
  if (isSign(part[at], '(')) while (at < part.length && !isSign(part[at++], ')'));
  // MariaDB: /*M!100301 COMPRESSED*/
  if (part[at]?.text.startsWith('/*')) while (at < part.length && !isSign(part[at++], '/'));
  const end = at;
  if (isWord(part[at], 'CHARACTER') && isWord(part[at + 1], 'SET')) at += 3;
  if (isWord(part[at], 'COLLATE')) at += 2;
  return {
    column: first.text,
    start: slice(0, end),
    charset: slice(end, at),
    rest: slice(at, part.length),
  };
}

/**
 * Finds the columns that CHECK clauses restrict to JSON, as MariaDB does with the type JSON: clauses of
 * which a condition that always has to hold is `json_valid` of a column.
 */
export const findJsonColumns = (clauses: readonly string[]): ReadonlySet<string> =>
  new Set(clauses.flatMap((clause) => findValidated(tokenize(clause))));

function findValidated(tokens: readonly Token[]): string[] {
  // Here, AND may not be between conditions that all have to hold.
  const others = ['OR', 'XOR', 'BETWEEN', 'CASE'];
  const isOther = (token: Token): boolean => others.some((word) => isWord(token, word));
  if (split(tokens, (token) => isOther(token) || isSign(token, '|')).length > 1) return [];
  const parts = split(tokens, (token) => isWord(token, 'AND'));
  if (parts.length > 1) return parts.flatMap(findValidated);
  const [first, second, third, fourth, fifth] = tokens;
  const isCall = isSign(second, '(') && isSign(fourth, ')') && fifth === undefined;
  if (isWord(first, 'JSON_VALID') && isCall && third?.is === 'name') return [third.text];
  const isWhole = isSign(first, '(') && split(tokens, (token) => isSign(token, ')')).length === 2;
  return isWhole && isSign(tokens.at(-1), ')') ? findValidated(tokens.slice(1, -1)) : [];
}

/** Writes a definition without the character set and collation of a column, to compare it with another. */
export const describeWithout = ({ head, tail, parts }: Definition, name: string): string =>
  JSON.stringify([
    head,
    parts.map((part) => [part.start, part.column === name ? '' : part.charset, part.rest]),
    tail,
  ]);
