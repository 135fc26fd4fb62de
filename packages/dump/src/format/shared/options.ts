/** Options that formats share, and how their values are read. */
import { isUtf8 } from 'node:buffer';
import { UsageError } from '../../error.js';
import { opt, phrase } from '../../phrase.js';
import type { FormatOption, FormatOptions } from '../format.js';
import { BACKSLASH, CR, LF } from './ascii.js';

export const delimiterOption: FormatOption = {
  name: 'delimiter',
  value: 'text',
  help: 'text between fields, such as ";", "\\t" or "||"',
};

export const quoteOption: FormatOption = {
  name: 'quote',
  value: 'character',
  help: 'character around fields; "" for none',
};

export const escapeOption: FormatOption = {
  name: 'escape',
  value: 'character',
  help: 'character that escapes the next one, such as "\\"',
};

export const quotedEscapeOption: FormatOption = {
  name: 'quotedEscape',
  value: 'character',
  help: phrase`like ${opt('escape')}, but only inside quotes, as in COPY`,
};

export const headerOption: FormatOption = {
  name: 'header',
  help: 'read the first record as data, not as column names',
  isSwitch: true,
  isOn: true,
};

export const columnsOption: FormatOption = {
  name: 'columns',
  value: 'names',
  help: 'column names, separated by commas',
};

export const assumeOption: FormatOption = {
  name: 'assume',
  value: 'kind',
  help: 'treat columns of unknown type as text or binary',
};

export const schemaOption: FormatOption = {
  name: 'schema',
  value: 'file',
  help: 'read CREATE TABLE statements, or JSON, for unknown tables',
};

export const fixHeaderOption: FormatOption = {
  name: 'fixHeader',
  help: 'declare UTF-8, and decode other text as it was declared',
  isSwitch: true,
};

export const schemaTableOption: FormatOption = {
  name: 'schemaTable',
  value: 'name',
  help: phrase`table of ${opt('schema')} in the file, if its name does not tell`,
};

export const jsonColumnsOption: FormatOption = {
  name: 'jsonColumns',
  value: 'columns',
  help: 'columns that contain JSON, by name or number',
};

export const xmlColumnsOption: FormatOption = {
  name: 'xmlColumns',
  value: 'columns',
  help: 'columns that contain XML, by name or number',
};

/** The options that every format has, about the values of columns. */
export const valueOptions: readonly FormatOption[] = [jsonColumnsOption, xmlColumnsOption];

/** The value of {@link readByte} for no character. */
export const NO_BYTE = -1;

/** Reads a character of ASCII, as itself or as `\t` or `\x01`; "" means none. */
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
    phrase`${opt(option.name)} ${JSON.stringify(value)}: expected one ASCII character, such as "," or "\\t" or "\\x01"`,
  );
}

/** Reads a single character between fields. It must not occur in the text that repairs insert. */
export function readDelimiter(options: FormatOptions, usual: number): number {
  const byte = readByte(options, delimiterOption, usual);
  requireOther(options, byte === NO_BYTE ? [] : [byte]);
  return byte;
}

/**
 * Reads the text between fields. Up to U+FFFF a character has the same bytes in every encoding of the
 * family; beyond, they depend on the encoding, and a conversion would change them.
 */
function readDelimiters(options: FormatOptions, usual: number): Buffer {
  const { delimiter } = options;
  if (delimiter === undefined) return Buffer.of(usual);
  const text = typeof delimiter === 'string' ? delimiter : '';
  const latin = Buffer.from(text).toString('latin1');
  const bytes = Buffer.from(
    latin.replace(/\\(?:t|x([0-9A-Fa-f]{2}))/g, (_, hex?: string) =>
      hex ? String.fromCharCode(Number.parseInt(hex, 16)) : '\t',
    ),
    'latin1',
  );
  requireOther(options, bytes);
  const refuse = (why: string): never => {
    throw new UsageError(phrase`${opt('delimiter')} ${JSON.stringify(delimiter)}: ${why}`);
  };
  if (bytes.includes(LF) || bytes.includes(CR)) refuse('line ends end records');
  if (bytes.includes(0)) refuse('U+0000 is not supported');
  if (!isUtf8(bytes)) refuse('expected characters, or bytes that are UTF-8');
  if (bytes.some((byte) => byte >= 0xf0)) {
    refuse('characters above U+FFFF have different bytes in other encodings');
  }
  return bytes;
}

function requireOther({ delimiter }: FormatOptions, bytes: ArrayLike<number>): void {
  if (
    Array.from(bytes).some(
      (byte) => byte !== BACKSLASH && !/[0-9A-Za-z]/.test(String.fromCharCode(byte)),
    )
  ) {
    return;
  }
  const why = bytes.length > 0 ? 'escapes consist of letters, digits and backslashes; ' : '';
  throw new UsageError(
    phrase`${opt('delimiter')} ${JSON.stringify(delimiter)}: ${why}expected another character`,
  );
}

/** The characters of a dialect. */
export interface DialectBytes {
  /** The first byte of the separator of fields, and the others. */
  readonly delimiter: number;
  readonly delimiterRest: Uint8Array;
  /** {@link NO_BYTE} if fields have no quotes. */
  readonly quote: number;
  /** {@link NO_BYTE} if nothing escapes. */
  readonly escaper: number;
  /** Escape character outside of quotes; {@link NO_BYTE} if nothing escapes there. */
  readonly plainEscaper: number;
}

/** Reads the characters of a dialect, which must differ. */
export function readDialectBytes(
  options: FormatOptions,
  usual: Omit<DialectBytes, 'delimiterRest' | 'plainEscaper'>,
): DialectBytes {
  const delimiters = readDelimiters(options, usual.delimiter);
  const quote = readByte(options, quoteOption, usual.quote);
  const quotedEscaper = readByte(options, quotedEscapeOption, NO_BYTE);
  const isQuotedOnly = quotedEscaper !== NO_BYTE;
  if (isQuotedOnly && options.escape !== undefined) {
    throw new UsageError(phrase`${opt('escape')} and ${opt('quotedEscape')} cannot be combined`);
  }
  const escaper = isQuotedOnly ? quotedEscaper : readByte(options, escapeOption, usual.escaper);
  const refuse = (one: string, other: string): never => {
    throw new UsageError(phrase`${opt(one)} and ${opt(other)} must differ`);
  };
  const contains = (byte: number): boolean => delimiters.some((each) => each === byte);
  if (contains(quote)) refuse('delimiter', 'quote');
  if (contains(escaper)) refuse('delimiter', 'escape');
  return {
    delimiter: delimiters[0] as number,
    delimiterRest: delimiters.subarray(1),
    quote,
    // A quote that escapes a quote is what doubling is.
    escaper: escaper === quote ? NO_BYTE : escaper,
    plainEscaper: isQuotedOnly || escaper === quote ? NO_BYTE : escaper,
  };
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
  if (!Array.isArray(names) || names.length === 0 || names.includes('')) {
    throw new UsageError(
      phrase`${opt(option.name)} ${JSON.stringify(columns)}: expected column names separated by commas, as in id,name`,
    );
  }
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice === undefined) return names;
  throw new UsageError(phrase`${opt(option.name)} names ${twice} twice; remove one of them`);
}

/** Reads a switch; true unless it is set to false. */
export function readSwitch(options: FormatOptions, option: FormatOption): boolean {
  const { [option.name]: value = true } = options;
  if (typeof value === 'boolean') return value;
  throw new UsageError(phrase`${opt(option.name)}: expected true or false`);
}
