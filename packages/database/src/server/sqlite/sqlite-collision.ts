/** Search for the unique index that a changed row would violate. */
import type { Change } from '../server.js';
import type { Key } from '../table.js';
import type { SqliteTable, UniqueIndex } from './sqlite-catalogue.js';
import type { Connection, SqlValue } from './sqlite-driver.js';
import { readSqliteError } from './sqlite-failure.js';
import type { RowKeySql } from './sqlite-key.js';
import { quoteName } from './sqlite-literal.js';

/** Not the name of a table: a CTE would hide it. */
const CHANGED = '"utf8 changed row"';

/**
 * Looks for another row with the same terms, whether these are columns or expressions, with the index.
 *
 * @returns The name of the first such index. Indexes that depend on a generated column are left to the server.
 */
export function findCollision(
  connection: Connection,
  facts: SqliteTable,
  key: Key,
  changes: readonly Change[],
): string | undefined {
  const { key: keySql, uniqueIndexes } = facts;
  if (!keySql) return undefined;
  const changed = new Set(changes.map(({ column }) => column.name));
  for (const index of uniqueIndexes) {
    const isOfColumns = index.columns.length === index.terms.length && index.where === undefined;
    if (isOfColumns && !index.columns.some((column) => changed.has(column))) continue;
    const { sql, values } = writeQuery(facts, keySql, index, key, changes);
    try {
      if (connection.prepare(sql).get(values)?.[0] === 1n) return index.name;
    } catch (error) {
      // A generated column, or a function or collation of the application.
      if (readSqliteError(error)?.code !== 'ERROR') throw error;
    }
  }
  return undefined;
}

function writeQuery(
  { table, columns }: SqliteTable,
  key: RowKeySql,
  { terms, where }: UniqueIndex,
  rowKey: Key,
  changes: readonly Change[],
): { readonly sql: string; readonly values: SqlValue[] } {
  const values: SqlValue[] = [];
  const row = columns.map((name) => {
    const change = changes.find(({ column }) => column.name === name);
    if (!change) return quoteName(name);
    values.push(change.new);
    return `CAST(? AS TEXT) AS ${quoteName(name)}`;
  });
  const self = key.equals(rowKey);
  values.push(...self.values, ...self.values);
  const condition = where === undefined ? '' : ` WHERE ${where}`;
  const same = terms.map(
    ({ sql, collation }) =>
      `${sql} COLLATE ${quoteName(collation)} = (SELECT ${sql} FROM ${CHANGED} AS ${table.sql}${condition})`,
  );
  return {
    sql: `WITH ${CHANGED} AS MATERIALIZED (SELECT ${row.join(', ')} FROM ${table.sql} WHERE ${self.sql})
      SELECT EXISTS (SELECT 1 FROM ${table.sql} WHERE ${where === undefined ? '' : `(${where}) AND `}NOT (${self.sql}) AND ${same.join(' AND ')})`,
    values,
  };
}
