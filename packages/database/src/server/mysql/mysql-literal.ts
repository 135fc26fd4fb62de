/**
 * Names and values in statements. They are in hex or digits, so that neither a character set nor `sql_mode`
 * (NO_BACKSLASH_ESCAPES, ANSI_QUOTES) changes their meaning.
 */
import { InputError } from '@utf8/dump';
import type { Key, KeyValue } from '../table.js';

export const quoteName = (name: string): string => `\`${name.replaceAll('`', '``')}\``;

/** A name as people write it; quoted if it contains a dot, which would separate two names. */
export const toLabel = (name: string): string => (/[.`]/.test(name) ? quoteName(name) : name);

const toHex = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex').toUpperCase();

export const binary = (bytes: Uint8Array): string => `X'${toHex(bytes)}'`;

/** Text of a column in this character set, byte for byte; the server refuses malformed text. */
export const text = (bytes: Uint8Array, charset: string): string => `_${charset} ${binary(bytes)}`;

/** Method of reading and comparing the values of a key's column. */
export type KeyKind =
  | { readonly is: 'integer' | 'decimal' | 'index' | 'words' | 'blob' }
  | { readonly is: 'text'; readonly charset: string };

const KINDS: Readonly<Record<string, KeyKind['is']>> = {
  tinyint: 'integer',
  smallint: 'integer',
  mediumint: 'integer',
  int: 'integer',
  bigint: 'integer',
  year: 'integer',
  decimal: 'decimal',
  bit: 'index',
  enum: 'index',
  set: 'index',
  date: 'words',
  datetime: 'words',
  timestamp: 'words',
  time: 'words',
  uuid: 'words',
  inet4: 'words',
  inet6: 'words',
  binary: 'blob',
  varbinary: 'blob',
  tinyblob: 'blob',
  blob: 'blob',
  mediumblob: 'blob',
  longblob: 'blob',
};

/**
 * Finds how a column serves in a key. FLOAT and DOUBLE do not, since their text need not equal the value that
 * they contain; neither do types without an order.
 */
export function findKeyKind(dataType: string, charset: string | undefined): KeyKind | undefined {
  const is = KINDS[dataType];
  if (is && is !== 'text') return { is };
  if (charset && /(char|text)$/.test(dataType)) return { is: 'text', charset };
  return undefined;
}

/** A column of a key. */
export interface KeyColumn {
  readonly name: string;
  readonly kind: KeyKind;
}

/** The expression that reads a column of a key, from a table or an alias of it. */
export function readKeyColumn({ name, kind }: KeyColumn, from = ''): string {
  const column = from + quoteName(name);
  if (kind.is === 'index') return `${column} + 0`;
  return kind.is === 'text' ? `CAST(${column} AS BINARY)` : column;
}

/** Understands what {@link readKeyColumn} returned. */
export function parseKeyValue({ kind }: KeyColumn, value: Buffer): KeyValue {
  if (kind.is === 'text' || kind.is === 'blob') {
    return { hex: toHex(value).toLowerCase(), is: kind.is };
  }
  const words = value.toString('latin1');
  if (kind.is !== 'integer' && kind.is !== 'index') return words;
  // Without the zeros of ZEROFILL.
  const number = BigInt(words);
  return Number.isSafeInteger(Number(number)) ? Number(number) : String(number);
}

/** A value of a key in SQL. Keys come from undo logs too, which may contain anything. */
export function formatKeyValue({ name, kind }: KeyColumn, value: KeyValue | undefined): string {
  const pattern = kind.is === 'decimal' ? /^-?\d+(\.\d+)?$/ : /^-?\d+$/;
  if (typeof value === 'object') {
    if (/^([\da-f]{2})*$/i.test(value.hex)) {
      const bytes = Buffer.from(value.hex, 'hex');
      if (kind.is === 'text') return text(bytes, kind.charset);
      if (kind.is === 'blob') return binary(bytes);
    }
  } else if (kind.is === 'words') {
    if (/^[-\da-f:. ]+$/i.test(String(value))) return `'${value}'`;
  } else if (kind.is !== 'text' && kind.is !== 'blob' && pattern.test(String(value))) {
    return String(value);
  }
  throw new InputError(`the key has no such value of column ${name}: ${JSON.stringify(value)}`);
}

/** The condition that a row has a key. Text is the same only if its bytes are. */
export function matchKey(columns: readonly KeyColumn[], key: Key, from = ''): string {
  return columns
    .map((column, i) => {
      const name = from + quoteName(column.name);
      const value = formatKeyValue(column, key[i]);
      if (column.kind.is !== 'text') return `${name} = ${value}`;
      const bytes = binary(Buffer.from((key[i] as { hex: string }).hex, 'hex'));
      // The first condition uses the index.
      return `${name} = ${value} AND CAST(${name} AS BINARY) = ${bytes}`;
    })
    .join(' AND ');
}

/**
 * The condition that a row comes after a key: `(a > 1) OR (a = 1 AND b > 2)`, whose ranges the servers
 * find in the index, unlike those of `(a, b) > (1, 2)`. A unique key is unique under its collation, and
 * so is its order.
 */
export function followKey(columns: readonly KeyColumn[], key: Key): string {
  const names = columns.map(({ name }) => quoteName(name));
  const values = columns.map((column, i) => formatKeyValue(column, key[i]));
  return names
    .map((name, i) => {
      const equal = names.slice(0, i).map((other, j) => `${other} = ${values[j]}`);
      return `(${[...equal, `${name} > ${values[i]}`].join(' AND ')})`;
    })
    .join(' OR ');
}
