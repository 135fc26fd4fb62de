/** Columns whose text can be repaired, and the expressions that read and write their bytes. */
import { createHash } from 'node:crypto';
import type { Narrowness, TextColumn } from '../table.js';
import type { DefinitionPart } from './mysql-definition.js';
import { binary, quoteName, text } from './mysql-literal.js';

/** Character sets whose ASCII is not ASCII in bytes, or whose bytes UTF-8 would be taken for text. */
const OTHERS =
  /^(ucs2|utf16|utf16le|utf32|swe7|big5|gbk|gb2312|gb18030|sjis|cp932|ujis|eucjpms|euckr|filename)$/;

/**
 * Tells whether text in a character set may be of the UTF-8 family. In the others, such as UTF-16 and GBK,
 * any bytes are text of their own.
 */
export const mayContainUtf8 = (charset: string): boolean => !OTHERS.test(charset);

/** Tells whether text in a character set is UTF-8 by declaration. */
export const isUtf8 = (charset: string | undefined): boolean => /^utf8/.test(charset ?? '');

const UTF8MB3 = { why: 'utf8mb3 has no characters above U+FFFF', characterBytes: 3 };

/** Characters that each character set lacks, and the most bytes of those that it has. */
const LIMITS: Readonly<Record<string, Pick<Narrowness, 'why' | 'characterBytes'>>> = {
  utf8: UTF8MB3,
  utf8mb3: UTF8MB3,
  ascii: { why: 'ascii has no characters above U+007F', characterBytes: 1 },
};

/** Tells whether columns in a character set are narrow. */
export const isLimited = (charset: string | undefined): boolean =>
  Object.hasOwn(LIMITS, charset ?? '');

/**
 * Says why a column cannot store all text, and which statement has to come first.
 *
 * @param definition - The column in SHOW CREATE TABLE, with all that it was declared with.
 */
export function findNarrowness(
  table: string,
  column: Pick<TextColumn, 'charset' | 'collation'>,
  definition: Pick<DefinitionPart, 'start' | 'rest'> | undefined,
): Narrowness | undefined {
  const limit = LIMITS[column.charset ?? ''];
  if (!limit || !definition) return undefined;
  const old = column.collation ?? '';
  const collation = old.startsWith('ascii_')
    ? old.replace(/^ascii_general_ci$/, 'utf8mb4_general_ci').replace(/^ascii_/, 'utf8mb4_')
    : old.replace(/^utf8(mb3)?_/, 'utf8mb4_');
  const charset = `CHARACTER SET utf8mb4 COLLATE ${collation}`;
  const words = [definition.start, charset, definition.rest].filter(Boolean).join(' ');
  return { ...limit, statement: `ALTER TABLE ${table} MODIFY ${words}` };
}

/**
 * A new value as its column can contain it before it is altered. U+FFFD is equal to every character above
 * U+FFFF in some collations; in the others, the column contains no value that the new one could equal.
 */
export function narrow({
  column,
  new: bytes,
}: {
  readonly column: TextColumn;
  readonly new: Uint8Array;
}): Uint8Array {
  if (column.narrowness?.characterBytes !== 3) return bytes;
  const latin1 = Buffer.from(bytes).toString('latin1');
  return Buffer.from(latin1.replace(/[\xf0-\xf4][\x80-\xbf]{3}/g, '\xef\xbf\xbd'), 'latin1');
}

/** The type of MySQL; that of MariaDB is LONGTEXT with a check. */
const isJsonType = (column: TextColumn): boolean => column.type === 'json';

/** The expression for the bytes of a column. */
export function readBytes(column: TextColumn, from = ''): string {
  const name = from + column.sql;
  return isJsonType(column)
    ? `CAST(CONVERT(${name} USING utf8mb4) AS BINARY)`
    : `CAST(${name} AS BINARY)`;
}

/** The expression for the number of bytes of a column. */
export const lengthOf = (column: TextColumn): string =>
  isJsonType(column) ? `LENGTH(CONVERT(${column.sql} USING utf8mb4))` : `LENGTH(${column.sql})`;

/** The conditions that columns have some bytes; long ones are compared by digests. */
export function matchBytes(
  changes: readonly { readonly column: TextColumn; readonly old: Uint8Array }[],
  limit: number,
): string[] {
  const isShort = changes.reduce((sum, { old }) => sum + old.length * 2, 0) < limit / 4;
  return changes.map(({ column, old }) => {
    const read = readBytes(column);
    if (isShort || old.length <= SHORT) return `${read} = ${binary(old)}`;
    return `SHA2(${read}, 512) = '${createHash('sha512').update(old).digest('hex')}'`;
  });
}

/** Bytes that are no longer than their digest by much. */
const SHORT = 0x200;

/** Values for columns, and the statements that have to come first. */
export interface Assignments {
  readonly before: readonly string[];
  /** By column. */
  readonly values: readonly string[];
}

/** Writes values so that a statement does not exceed about this many bytes. */
export function assign(
  changes: readonly { readonly column: TextColumn; readonly new: Uint8Array }[],
  limit: number,
): Assignments {
  const size = changes.reduce((sum, change) => sum + change.new.length * 2, 0);
  const before: string[] = [];
  const values = changes.map(({ column, new: bytes }, i) => {
    const charset = isJsonType(column) ? 'utf8mb4' : (column.charset ?? 'utf8mb4');
    // Bytes go into a column as they are, whether it has been altered already or not.
    if (size < limit / 2) return column.narrowness ? binary(bytes) : text(bytes, charset);
    const variable = `@utf8_${i}`;
    const step = Math.floor(limit / 4);
    for (let start = 0; start === 0 || start < bytes.length; start += step) {
      const part = binary(bytes.subarray(start, start + step));
      before.push(`SET ${variable} = ${start === 0 ? part : `CONCAT(${variable}, ${part})`}`);
    }
    // The server refuses malformed text in a column of UTF-8, if it is MySQL.
    return isJsonType(column) ? `CONVERT(${variable} USING utf8mb4)` : variable;
  });
  return { before, values };
}

/** The condition that a page need not have a value: it is ASCII, and has no U+0000 and no escape. */
export function isPlain(column: TextColumn, isMariaDb: boolean, readsEscapes = false): string {
  const read = readBytes(column);
  const isJson = readsEscapes || column.structure !== undefined;
  // PCRE goes by bytes if the text is binary: 0.14 s for 118 MB in two million values, where the
  // conversion takes 0.47 s. CHAR_LENGTH takes 0.14 s too, and overlooks malformed bytes.
  if (isMariaDb) return `NOT (${read} REGEXP '[\\\\x80-\\\\xff\\\\x00${isJson ? '\\\\x5c' : ''}]')`;
  const conditions = [
    `LENGTH(CONVERT(CONVERT(${read} USING latin1) USING utf8mb4)) = LENGTH(${read})`,
    `INSTR(${read}, X'00') = 0`,
    ...(isJson ? [`INSTR(${read}, X'5C') = 0`] : []),
  ];
  return `(${conditions.join(' AND ')})`;
}

/** Returns a short, exact expression for comparing another value of a row. */
export function readOther(name: string, dataType: string): string {
  const column = quoteName(name);
  if (/(text|blob|json)$/.test(dataType)) return `SHA2(${column}, 256)`;
  // FLOAT prints six digits.
  return dataType === 'float' || dataType === 'double' ? `${column} + 0e0` : column;
}
