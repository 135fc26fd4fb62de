/** Columns in a legacy character set whose text is UTF-8, and the statements that declare them so. */

import { formatBytes } from '@utf8/core';
import { OutputError } from '@utf8/dump';
import type { Declaration, DeclaredExample, Misdeclaration } from '../declaration.js';
import type { TextColumn } from '../table.js';
import { type MysqlTable, readDefinition } from './mysql-catalogue.js';
import { textIfAny } from './mysql-cell.js';
import { isUtf8, readBytes } from './mysql-columns.js';
import type { MysqlConnection } from './mysql-connection.js';
import { binary, parseKeyValue, quoteName, readKeyColumn } from './mysql-literal.js';

/** Rows that a report shows of each sort. */
const EXAMPLES = 3;

/** Bytes of a value that a report shows. */
const SHOWN = 64;

/** The most characters of VARCHAR in utf8mb4: 65,535 bytes for a row. */
const MOST = 16_383;

/** The condition that a value has bytes above 7F. */
const hasOthers = (bytes: string): string =>
  `LENGTH(CONVERT(CONVERT(${bytes} USING latin1) USING utf8mb4)) <> LENGTH(${bytes})`;

/** The condition that a value is well-formed UTF-8. Other values become NULL in MySQL, and "?" in MariaDB. */
const isWellFormed = (bytes: string): string =>
  `COALESCE(CAST(CONVERT(${bytes} USING utf8mb4) AS BINARY) = ${bytes}, FALSE)`;

/** Finds the columns of a table that contain UTF-8, and are declared as something else. */
export async function findMisdeclared(
  connection: MysqlConnection,
  table: MysqlTable,
): Promise<Misdeclaration[]> {
  const columns = table.columns.filter(({ charset }) => charset && !isUtf8(charset));
  if (columns.length === 0) return [];
  const counts = columns.flatMap((column) => {
    const bytes = readBytes(column);
    const own = `SUM(${hasOthers(bytes)} AND ${isWellFormed(bytes)})`;
    return [own, `SUM(${hasOthers(bytes)} AND NOT ${isWellFormed(bytes)})`];
  });
  const [row] = await connection.demand(`SELECT ${counts.join(', ')} FROM ${table.sql}`);
  const found: Misdeclaration[] = [];
  for (const [i, column] of columns.entries()) {
    const [utf8, others] = [row?.[2 * i], row?.[2 * i + 1]].map((cell) => Number(cell ?? 0));
    if (!utf8) continue;
    const characters = await readCharacters(connection, column);
    const examples = (test: string) => readExamples(connection, table, column, test);
    const bytes = readBytes(column);
    found.push({
      column: column.name,
      type: column.type,
      charset: column.charset as string,
      utf8,
      others: others as number,
      characters,
      declaration: { old: describe(column), new: `utf8mb4 ${findCollation(column)}` },
      refusal: await findRefusal(connection, table, column),
      examples: {
        utf8: await examples(isWellFormed(bytes)),
        others: others ? await examples(`NOT ${isWellFormed(bytes)}`) : [],
      },
    });
  }
  return found;
}

const describe = ({ charset, collation }: TextColumn): string => `${charset} ${collation}`;

/** Reads the characters of the bytes 80 to FF in a character set; empty for undefined bytes. */
async function readCharacters(
  connection: MysqlConnection,
  { charset }: TextColumn,
): Promise<string[]> {
  const bytes = Array.from({ length: 128 }, (_, i) => Buffer.of(0x80 + i));
  const texts = bytes.map((byte) => `HEX(CONVERT(_${charset} ${binary(byte)} USING utf8mb4))`);
  const [row = []] = await connection.demand(`SELECT ${texts.join(', ')}`);
  // The server writes "?" for undefined bytes.
  return row.map((cell) => `${Buffer.from(`${cell}`, 'hex')}`.replace('?', ''));
}

async function readExamples(
  connection: MysqlConnection,
  table: MysqlTable,
  column: TextColumn,
  test: string,
): Promise<DeclaredExample[]> {
  const { keyColumns = [] } = table;
  const bytes = readBytes(column);
  const keys = keyColumns.map((key) => readKeyColumn(key));
  const rows = await connection.demand(
    `SELECT ${[`LEFT(${bytes}, ${SHOWN})`, ...keys].join(', ')} FROM ${table.sql}
     WHERE ${hasOthers(bytes)} AND ${test} LIMIT ${EXAMPLES}`,
  );
  return rows.map(([value, ...key]) => ({
    key: Object.fromEntries(
      keyColumns.map((each, i) => [each.name, parseKeyValue(each, key[i] as Buffer)]),
    ),
    bytes: formatBytes(value ?? new Uint8Array()),
  }));
}

/** The languages that both servers have a collation of UCA 4.0 for. */
const LANGUAGE =
  /_(german2|danish|spanish|polish|hungarian|croatian|turkish|lithuanian|estonian|slovenian|czech|icelandic|latvian|romanian)_/;

/** The collation that is the nearest in utf8mb4: by UCA 5.2, in which not all emoji are equal. */
function findCollation({ collation = '' }: TextColumn): string {
  if (/_(bin|cs)$/.test(collation)) return 'utf8mb4_bin';
  const [, language] = LANGUAGE.exec(collation) ?? [];
  return language ? `utf8mb4_${language}_ci` : 'utf8mb4_unicode_520_ci';
}

/** Says why a column cannot be declared anew; undefined if nothing is known to be in the way. */
async function findRefusal(
  connection: MysqlConnection,
  table: MysqlTable,
  column: TextColumn,
): Promise<string | undefined> {
  const { name, type } = column;
  if (table.refusal) return table.refusal;
  const reference = table.allReferences.find(
    ({ child, childColumns, parent, parentColumns }) =>
      (child === table.name && childColumns.includes(name)) ||
      (parent === table.name && parentColumns.includes(name)),
  );
  if (reference) return `foreign key ${reference.name} needs the same character set on both sides`;
  if (!/^(var)?char|text$/i.test(type.replace(/\(.*/, ''))) return `its type is ${type}`;
  const length = Number(/^varchar\((\d+)\)/i.exec(type)?.[1] ?? 0);
  if (length > MOST) return `${type} is longer than utf8mb4 allows, which is ${MOST} characters`;
  const { parts } = await readDefinition(connection, table.sql);
  const own = parts.find((part) => part.column === name);
  if (/[^ -~]/.test(own?.rest ?? '')) return 'its default or its comment is not ASCII';
  const index = parts.find(
    ({ column: other, start }) =>
      other === undefined && /^FULLTEXT\b/i.test(start) && start.includes(quoteName(name)),
  );
  if (index) return `${index.start}: drop this index first, and create it again`;
  return findEqual(connection, table, column);
}

/** Finds a unique key with values that would be equal under the new collation. */
async function findEqual(
  connection: MysqlConnection,
  table: MysqlTable,
  column: TextColumn,
): Promise<string | undefined> {
  for (const { name, columns } of table.uniqueKeys) {
    if (!columns.includes(column.name)) continue;
    const parts = columns.map((each) => {
      const own = table.columns.find((other) => other.name === each);
      const value =
        each === column.name
          ? `CONVERT(${readBytes(column)} USING utf8mb4) COLLATE ${findCollation(column)}`
          : (own?.sql ?? quoteName(each));
      const prefix = table.prefixes.get(name)?.get(each);
      return prefix ? `LEFT(${value}, ${prefix})` : value;
    });
    const present = columns.map((each) => `${quoteName(each)} IS NOT NULL`);
    const [equal] = await connection.demand(
      `SELECT 1 FROM ${table.sql} WHERE ${[...present, isWellFormed(readBytes(column))].join(' AND ')}
       GROUP BY ${parts.join(', ')} HAVING COUNT(*) > 1 LIMIT 1`,
    );
    if (equal) return `values of unique key ${name} would be equal under ${findCollation(column)}`;
  }
  return undefined;
}

/** The type of bytes that has room for those of a text. CHAR would be padded in BINARY. */
function toBinary(type: string): string {
  const [, base = '', length = '1'] = /^(\w+)(?:\((\d+)\))?/.exec(type) ?? [];
  return /char/.test(base) ? `VARBINARY(${Number(length) * 4})` : base.replace('text', 'blob');
}

/** Undo logs may contain anything. */
const DECLARED = /^\w+ \w+$/;
const TYPE = /^((var)?char\(\d+\)|(tiny|medium|long)?text)$/;

/**
 * Declares a column anew, while no other connection can read or write the table. Its bytes stay unchanged:
 * they pass through a type of bytes, which remains if the server is killed in between.
 *
 * @param label - The name of the table, as in reports.
 * @param isInterrupted - True if only a column that was left so is declared.
 * @returns False if there was nothing to do.
 * @throws OutputError if the server refuses: the column is as it was.
 */
export async function redeclare(
  connection: MysqlConnection,
  label: string,
  { column: name, type, from, to }: Declaration,
  isInterrupted: boolean,
): Promise<boolean> {
  const place = `${label}.${name}`;
  if (!DECLARED.test(from) || !DECLARED.test(to) || !TYPE.test(type)) {
    throw new OutputError(`${place}: cannot be declared as ${type} in ${to}`);
  }
  const sql = label.startsWith('`') ? label : quoteName(label);
  const column = quoteName(name);
  const bytes = `CAST(${column} AS BINARY)`;
  const describe = async (): Promise<[string | undefined, string]> => {
    const { parts, ...rest } = await readDefinition(connection, sql);
    const part = parts.find((each) => each.column === name);
    const others = parts.map((each) => (each === part ? part.rest : each));
    const [sum] = await connection.demand(
      `SELECT COUNT(${column}), SUM(LENGTH(${bytes})), SUM(CRC32(${bytes})) FROM ${sql}`,
    );
    return [part?.rest, JSON.stringify([rest, others, String(sum)])];
  };
  const findCharset = async (): Promise<string> => {
    const names = [label.startsWith('`') ? label.slice(1, -1).replaceAll('``', '`') : label, name];
    const [table, own] = names.map((each) => `CONVERT(${binary(Buffer.from(each))} USING utf8mb4)`);
    const [row] = await connection.records(
      `SELECT CHARACTER_SET_NAME AS charset, COLLATION_NAME AS collation
       FROM information_schema.COLUMNS
       WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = ${table} AND COLUMN_NAME = ${own}`,
      { charset: textIfAny, collation: textIfAny },
    );
    if (!row) throw new OutputError(`${place}: no longer exists`);
    return row.charset ? `${row.charset} ${row.collation}` : BYTES;
  };
  // MySQL 8.0 waits for itself if it alters a table that it has locked.
  if (connection.isMariaDb) await connection.demand(`LOCK TABLES ${sql} WRITE`);
  try {
    const now = await findCharset();
    if (now === to || (isInterrupted && now !== BYTES)) return false;
    if (now !== from && now !== BYTES)
      throw new OutputError(`${place}: is in ${now} now, not in ${from}`);
    const isUtf8 = to.startsWith('utf8mb4');
    const malformed = `SELECT 1 FROM ${sql} WHERE ${column} IS NOT NULL AND NOT ${isWellFormed(bytes)} LIMIT 1`;
    if (isUtf8 && now === from && (await connection.demand(malformed)).length > 0) {
      throw new OutputError(`${place}: has values that are not UTF-8`);
    }
    const [rest = '', before] = await describe();
    const alter = (words: string): Promise<unknown> =>
      connection.demand(`ALTER TABLE ${sql} MODIFY ${column} ${words} ${rest}`);
    const declare = (declared: string): Promise<unknown> =>
      alter(`${type} CHARACTER SET ${declared.replace(' ', ' COLLATE ')}`);
    const passBytes = (): Promise<unknown> => alter(toBinary(type));
    try {
      if (now === from) await passBytes();
      await declare(to);
      if ((await describe())[1] === before) return true;
      await passBytes();
      throw new OutputError('more than the character set would change');
    } catch (error) {
      // The first statement may have been refused, or the second.
      if ((await findCharset()) === BYTES) await declare(from);
      const { message } = error as Error;
      throw new OutputError(`${place}: cannot be declared as ${to}: ${message}`, { cause: error });
    }
  } finally {
    await connection.demand('UNLOCK TABLES');
  }
}

/** Stands for the character set of a column of bytes. */
const BYTES = 'binary';
