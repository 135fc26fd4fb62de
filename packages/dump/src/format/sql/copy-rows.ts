/**
 * Rows of a COPY in a script, and the options that describe them.
 *
 * @see https://www.postgresql.org/docs/current/sql-copy.html
 */
import type { Format, ReaderState, UnitScanner } from '../format.js';
import { BACKSLASH, COMMA, CR, DOT, DOUBLE_QUOTE, LF, TAB } from '../shared/ascii.js';
import { createDelimited } from '../shared/delimited.js';
import { NO_BYTE } from '../shared/options.js';
import type { Tokens } from './tokens.js';

/** The options of a COPY, as JSON; characters are bytes. */
export interface CopyRows {
  readonly isCsv: boolean;
  readonly delimiter: number;
  readonly quote: number;
  readonly escaper: number;
  readonly hasHeader: boolean;
}

/** Options that change nothing about where fields begin and end, with or without a value. */
const HARMLESS = /^(freeze|null|default|force_not_null|force_null|on_error|log_verbosity)$/;

const ENCODINGS = /^(utf-?8|sql_ascii)$/i;

/**
 * Reads the options of a COPY up to its end, in the syntax of any version.
 *
 * @returns The option that is not supported, if there is one.
 */
export function readCopyRows(tokens: Tokens): CopyRows | string {
  let isCsv = false;
  let hasHeader = false;
  let delimiter: number | undefined;
  let quote = DOUBLE_QUOTE;
  let escaper: number | undefined;
  let hasQuote = false;
  let word = tokens.next();
  for (; word !== '' && word !== ';'; word = tokens.next()) {
    if (/^(with|using|text|as|[(),'])$/.test(word)) continue;
    if (word === 'format') {
      word = readWord(tokens);
      if (word !== 'csv' && word !== 'text') return word;
      isCsv = word === 'csv';
    } else if (word === 'csv') isCsv = true;
    else if (word === 'header') hasHeader = !/^(false|off|0)$/.test(peekWord(tokens));
    else if (word === 'encoding') {
      const name = readWord(tokens);
      if (!ENCODINGS.test(name)) return `encoding ${name}`;
    } else if (/^(delimiters?|quote|escape)$/.test(word)) {
      const byte = readCharacter(tokens);
      if (byte === undefined) return word;
      if (word === 'quote') quote = byte;
      else if (word === 'escape') escaper = byte;
      else delimiter = byte;
      hasQuote ||= !word.startsWith('delimiter');
    } else if (word === 'force') passNames(tokens);
    else if (HARMLESS.test(word)) passValue(tokens);
    else return word;
  }
  // In text, a rejected row would take the place of the header.
  if (!isCsv && hasHeader) return 'header';
  if (!isCsv && hasQuote) return 'quote';
  return {
    isCsv,
    delimiter: delimiter ?? (isCsv ? COMMA : TAB),
    quote,
    escaper: escaper ?? quote,
    hasHeader,
  };
}

/** Reads a word, or the text of a string, in lower case. */
function readWord(tokens: Tokens): string {
  let word = tokens.next();
  if (word === 'as') word = tokens.next();
  return word === "'" ? tokens.text.slice(1, -1).toLowerCase() : word;
}

/** Reads the word after an option, if it has one. */
function peekWord(tokens: Tokens): string {
  const { start, end } = tokens;
  const word = readWord(tokens);
  if (/^(true|false|on|off|0|1|match)$/.test(word)) return word;
  tokens.start = start;
  tokens.end = end;
  return '';
}

/** Reads a string of one byte; undefined if it is another. */
function readCharacter(tokens: Tokens): number | undefined {
  let word = tokens.next();
  if (word === 'as') word = tokens.next();
  const isEscaped = word === 'e';
  if (isEscaped) word = tokens.next();
  if (word !== "'") return undefined;
  const text = tokens.text.slice(1, -1).replaceAll("''", "'");
  if (isEscaped && text === '\\t') return TAB;
  const spelled = isEscaped ? text.replace(/^\\([\\'])$/, '$1') : text;
  const byte = spelled.charCodeAt(0);
  return spelled.length === 1 && byte < 0x80 && byte !== LF && byte !== CR ? byte : undefined;
}

/** Passes a value, or a list of columns in parentheses. */
function passValue(tokens: Tokens): void {
  const { start, end } = tokens;
  let word = tokens.next();
  if (word === 'as' || word === 'e') word = tokens.next();
  if (word === '(') while (word !== ')' && word !== '') word = tokens.next();
  else if (/^[,);]?$|^(csv|header|delimiters?|quote|escape|force|null)$/.test(word)) {
    tokens.start = start;
    tokens.end = end;
  }
}

/** Passes `NOT NULL a, b` or `NULL a, b`. */
function passNames(tokens: Tokens): void {
  if (tokens.next() === 'not') tokens.next();
  let { start, end } = tokens;
  do {
    tokens.next();
    ({ start, end } = tokens);
  } while (tokens.next() === ',');
  tokens.start = start;
  tokens.end = end;
}

/** Creates the format of rows in CSV; their header is read apart. */
export const createCsvRows = (
  { delimiter, quote, escaper }: CopyRows,
  columns: readonly string[],
): Format =>
  createDelimited('csv', {
    delimiter,
    delimiterRest: new Uint8Array(),
    quote,
    escaper: escaper === quote ? NO_BYTE : escaper,
    plainEscaper: NO_BYTE,
    rules: { letters: {} },
    hasReturns: true,
    hasHeader: false,
    columns,
    types: { usual: 'text', binary: [] },
  });

/** Finds the line `\.`, which ends the rows wherever it is; -1 if it is not in the bytes. */
export function findCopyEnd(bytes: Buffer, start: number, isLast: boolean): number {
  for (let i = start; ; i++) {
    i = bytes.indexOf('\\.', i, 'latin1');
    if (i === -1) return -1;
    if (i > start && bytes[i - 1] !== LF) continue;
    const end = i + (bytes[i + 2] === CR ? 3 : 2);
    if (bytes[end] === LF || (isLast && end >= bytes.length)) return i;
  }
}

/** Finds the end of a record in CSV, or of the line that ends the rows. */
export class CsvRowScanner implements UnitScanner {
  state: ReaderState;
  readonly #rows: UnitScanner;
  /** The first bytes, while they may be `\.`. */
  #head: number[] | undefined = [];

  constructor(format: Format, state: ReaderState) {
    const { line, record } = state;
    this.#rows = format.createScanner({ line, record, context: null });
    this.state = state;
  }

  push(chunk: Uint8Array, isLast: boolean): number {
    const end = this.#rows.push(chunk, isLast);
    const head = this.#head;
    for (let i = 0; head && i < chunk.length && head.length < 4; i++) head.push(chunk[i] as number);
    if (end === -1) return -1;
    const { line, record } = this.#rows.state;
    const isEnd = head !== undefined && isEndLine(head);
    this.state = { ...this.state, line, record: isEnd ? record - 1 : record };
    return end;
  }
}

/** Tells whether bytes begin with the line `\.`. */
function isEndLine([first, second, third, fourth]: readonly number[]): boolean {
  if (first !== BACKSLASH || second !== DOT) return false;
  return third === undefined || third === LF || (third === CR && fourth === LF);
}
