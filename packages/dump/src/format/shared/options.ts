/** Options that formats share, and how their values are read. */
import { UsageError } from '../../error.js';
import type { FormatOption, FormatOptions } from '../format.js';
import { BACKSLASH, CR, LF } from './ascii.js';

export const delimiterOption: FormatOption = {
  name: 'delimiter',
  flag: '--delimiter <character>',
  help: 'character between fields, such as ";" or "\\t"',
};

export const quoteOption: FormatOption = {
  name: 'quote',
  flag: '--quote <character>',
  help: 'character around fields; "" for none',
};

export const escapeOption: FormatOption = {
  name: 'escape',
  flag: '--escape <character>',
  help: 'character that escapes the next one, such as "\\"',
};

export const headerOption: FormatOption = {
  name: 'header',
  flag: '--no-header',
  help: 'read the first record as data, not as column names',
  isSwitch: true,
};

export const columnsOption: FormatOption = {
  name: 'columns',
  flag: '--columns <names>',
  help: 'column names, separated by commas',
};

export const jsonColumnsOption: FormatOption = {
  name: 'jsonColumns',
  flag: '--json-columns <columns>',
  help: 'columns of JSON, by name or number',
};

/** The value of {@link readByte} for no character. */
export const NO_BYTE = -1;

/** Reads a character of ASCII, as itself or spelled `\t` or `\x01`; "" is none. */
function readByte(options: FormatOptions, option: FormatOption, usual: number): number {
  const value = options[option.name];
  if (value === undefined) return usual;
  if (value === '') return NO_BYTE;
  const text = typeof value === 'string' ? value : '';
  const hex = /^\\x([0-9A-Fa-f]{2})$/.exec(text)?.[1];
  const character =
    text === '\\t' ? '\t' : hex ? String.fromCharCode(Number.parseInt(hex, 16)) : text;
  const byte = character.charCodeAt(0);
  if (character.length === 1 && byte < 0x80 && byte !== LF && byte !== CR) return byte;
  throw new UsageError(
    `${wordOf(option)} ${JSON.stringify(value)}: expected one ASCII character, such as "," or "\\t" or "\\x01"`,
  );
}

/** Reads the character between fields. It must not occur in the text that repairs insert. */
export function readDelimiter(options: FormatOptions, usual: number): number {
  const byte = readByte(options, delimiterOption, usual);
  if (byte !== NO_BYTE && byte !== BACKSLASH && !/[0-9A-Za-z]/.test(String.fromCharCode(byte))) {
    return byte;
  }
  throw new UsageError(
    `--delimiter ${JSON.stringify(options.delimiter)}: escapes consist of letters, digits and backslashes; expected another character`,
  );
}

/** The characters of a dialect. */
export interface DialectBytes {
  readonly delimiter: number;
  /** {@link NO_BYTE} if fields have no quotes. */
  readonly quote: number;
  /** {@link NO_BYTE} if nothing escapes. */
  readonly escaper: number;
}

/** Reads the characters of a dialect, which must differ. */
export function readDialectBytes(options: FormatOptions, usual: DialectBytes): DialectBytes {
  const delimiter = readDelimiter(options, usual.delimiter);
  const quote = readByte(options, quoteOption, usual.quote);
  const escaper = readByte(options, escapeOption, usual.escaper);
  const refuse = (one: string, other: string): never => {
    throw new UsageError(`${one} and ${other} must differ`);
  };
  if (delimiter === quote) refuse('--delimiter', '--quote');
  if (delimiter === escaper) refuse('--delimiter', '--escape');
  // A quote that escapes a quote is what doubling is.
  return { delimiter, quote, escaper: escaper === quote ? NO_BYTE : escaper };
}

/** Reads names, given as a list or separated by commas; undefined if there are none. */
export function readColumns(
  options: FormatOptions,
  option: FormatOption = columnsOption,
): readonly string[] | undefined {
  const columns = options[option.name];
  if (columns === undefined) return undefined;
  const names =
    typeof columns === 'string' ? columns.split(',').map((name) => name.trim()) : columns;
  if (typeof names === 'object' && names.length > 0 && !names.includes('')) return names;
  throw new UsageError(
    `${wordOf(option)} ${JSON.stringify(columns)}: expected column names separated by commas, as in id,name`,
  );
}

/** Reads a switch; true unless it is set to false. */
export function readSwitch(options: FormatOptions, option: FormatOption): boolean {
  const { [option.name]: value = true } = options;
  if (typeof value === 'boolean') return value;
  throw new UsageError(`${wordOf(option)}: expected true or false`);
}

/** Returns the word of an option on the command line, such as `--quote`. */
export const wordOf = ({ flag }: FormatOption): string => flag.split(' ')[0] as string;
