/** Asks the server whether a row would collide with another one, without writing anything. */
import type { Change } from '../server.js';
import type { Key } from '../table.js';
import { type Details, needsServer, type UniqueIndex } from './postgres-catalogue.js';
import type { Connection } from './postgres-connection.js';
import { describeError, isRefusal } from './postgres-error.js';
import type { Rows } from './postgres-rows.js';
import { type Column, Parameters, type Place } from './postgres-sql.js';

/**
 * Returns the name of a unique index or an exclusion constraint that has another row with the same key
 * once a row is changed, or whose expression fails on the new values; undefined if there is none. An index
 * that may run functions of users is left to the server, which evaluates it when the row is written.
 */
export async function findCollision(
  connection: Connection,
  rows: Rows,
  details: Details,
  key: Key,
  changes: readonly Change[],
): Promise<string | undefined> {
  const changed = new Set(changes.map(({ column }) => column.name));
  const isConcerned = (name: string): boolean =>
    changed.has(name) || rows.column(details, name).expression !== undefined;
  for (const index of details.uniqueIndexes) {
    if (!index.columns.some(isConcerned) || needsServer(index, details.columns)) continue;
    const parameters = new Parameters();
    const add: Place = (bytes) => parameters.add(bytes);
    const operand = (value: string, name: string | undefined): string =>
      name === undefined ? value : rows.sql.operand(value, rows.column(details, name));
    const news = new Map(changes.map((change) => [change.column.name, change.new]));
    const assign = (column: Column): string => {
      const bytes = news.get(column.name);
      if (!bytes) return `t.${column.sql}`;
      const value = rows.sql.value(bytes, column, add);
      return `${value}${collate(column.collation)} AS ${column.sql}`;
    };
    const plain = details.columns.filter(({ expression }) => expression === undefined);
    const generated = details.columns.filter(
      ({ expression, isUnsafe }) => expression !== undefined && !isUnsafe,
    );
    const isAt = rows.isAt(details, key, add);
    const text = `WITH b AS (
         SELECT ${plain.map(assign).join(', ')} FROM ${details.table.sql} t WHERE ${isAt}
       ), n AS (
         SELECT ${['b.*', ...generated.map(({ expression, sql }) => `(${expression}) AS ${sql}`)].join(', ')} FROM b
       )
       SELECT 1 FROM ${side('n', 'n', index, 'true')} JOIN
         ${side('o', `${details.table.sql} t`, index, `NOT (${isAt})`)} ON ${match(index, operand)} LIMIT 1`;
    try {
      const found = await connection.ask(text, parameters.values);
      if (found.length > 0) return index.name;
    } catch (error) {
      if (isRefusal(error)) return index.name;
      throw describeError(details.table.name, error, false);
    }
  }
  return undefined;
}

const collate = (collation: string | undefined): string =>
  collation ? ` COLLATE ${collation}` : '';

/** The values of an index for one row or all. Expressions of a catalogue name columns without a table. */
function side(alias: string, from: string, { parts, predicate }: UniqueIndex, and: string): string {
  const values = parts.map(({ expression }, i) => `(${expression}) AS x${i}`).join(', ');
  return `(SELECT ${values} FROM ${from} WHERE ${predicate ? `(${predicate}) AND ` : ''}${and}) ${alias}`;
}

function match(
  { parts, comparesNulls }: UniqueIndex,
  operand: (value: string, column: string | undefined) => string,
): string {
  return parts
    .map(({ column, operator, collation }, i) => {
      // On one side alone, so that the server can use the index.
      const value = `${operand(`n.x${i}`, column)}${collate(collation)}`;
      const isEqual = `${operand(`o.x${i}`, column)} ${operator} ${value}`;
      return comparesNulls ? `(${isEqual} OR (o.x${i} IS NULL AND n.x${i} IS NULL))` : isEqual;
    })
    .join(' AND ');
}
