/** Names and values as literals of SQLite's SQL. */
import type { KeyValue } from '../table.js';
import type { SqlValue } from './sqlite-driver.js';

/** A name in double quotes. */
export const quoteName = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** Text without U+0000 in single quotes. */
export const quoteString = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** Text by its bytes, which need not be UTF-8. */
export const textLiteral = (bytes: Uint8Array): string => `CAST(${blobLiteral(bytes)} AS TEXT)`;

export const blobLiteral = (bytes: Uint8Array): string =>
  `X'${Buffer.from(bytes).toString('hex')}'`;

/** A value of any type as bytes that are equal only if the values and their types are. */
export const typedValue = (sql: string): string =>
  `typeof(${sql}), CASE typeof(${sql}) WHEN 'text' THEN CAST(${sql} AS BLOB) ELSE ${sql} END`;

/** The bytes of a text; NULL for all other values. */
export const textOf = (sql: string): string =>
  `CASE typeof(${sql}) WHEN 'text' THEN CAST(${sql} AS BLOB) END`;

/** Returns a condition: a value is a text of certain bytes, which are a parameter or a literal. */
export const isText = (sql: string, bytes = '?'): string =>
  `typeof(${sql}) = 'text' AND CAST(${sql} AS BLOB) = ${bytes}`;

/** A value of a key, from what {@link typedValue} reads. */
export function toKeyValue(type: SqlValue, value: SqlValue): KeyValue {
  if (value instanceof Uint8Array) {
    return { hex: Buffer.from(value).toString('hex'), is: type === 'text' ? 'text' : 'blob' };
  }
  if (typeof value === 'bigint') {
    return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  }
  // JSON has no infinite numbers.
  return typeof value === 'number' && Number.isFinite(value) ? value : String(value);
}

/** A value of a key as a parameter: its SQL, without an affinity that could change the other side, and its value. */
export function toParameter(value: KeyValue): { readonly sql: string; readonly value: SqlValue } {
  if (typeof value === 'object') {
    const bytes = Buffer.from(value.hex, 'hex');
    return { sql: value.is === 'text' ? '+CAST(? AS TEXT)' : '?', value: bytes };
  }
  return { sql: '?', value: toNumber(value) };
}

/** A value of a key as a literal. */
export function toLiteral(value: KeyValue): string {
  if (typeof value === 'object') {
    const bytes = Buffer.from(value.hex, 'hex');
    return value.is === 'text' ? `+${textLiteral(bytes)}` : blobLiteral(bytes);
  }
  const number = toNumber(value);
  if (typeof number === 'bigint') return String(number);
  if (!Number.isFinite(number)) return number < 0 ? '-9e999' : '9e999';
  return realLiteral(number);
}

function toNumber(value: number | string): bigint | number {
  if (typeof value === 'string') return value.endsWith('Infinity') ? Number(value) : BigInt(value);
  return Number.isSafeInteger(value) ? BigInt(value) : value;
}

/**
 * SQLite 3.40 reads a decimal number of more than 15 digits only nearly. A quotient of two integers up to 2⁵³
 * by a power of two is exact.
 */
function realLiteral(number: number): string {
  const decimal = String(number);
  const digits = decimal.replace(/e.*|[-.]/g, '').replace(/^0+/, '');
  if (digits.length <= 15) return /[.e]/.test(decimal) ? decimal : `${decimal}.0`;
  for (let power = 0; power <= 53; power++) {
    const scaled = number * 2 ** power;
    if (Number.isSafeInteger(scaled)) return `${scaled}.0 / ${2 ** power}.0`;
  }
  return decimal;
}
