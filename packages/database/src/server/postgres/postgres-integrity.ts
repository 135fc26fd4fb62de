/** What PostgreSQL can check about tables that were changed. */
import type { Details } from './postgres-catalogue.js';
import type { Connection } from './postgres-connection.js';
import { describeError } from './postgres-error.js';
import { quote } from './postgres-sql.js';

/**
 * Checks foreign keys of text, which the server does not check while its triggers are disabled, and the
 * indexes of each table if the extension `amcheck` is installed and may be used.
 */
export async function checkIntegrity(
  connection: Connection,
  all: readonly Details[],
): Promise<readonly string[]> {
  const faults: string[] = [];
  const tables = new Map(all.map(({ table }) => [table.name, table]));
  for (const { table } of all) {
    for (const reference of table.references.filter(({ child }) => child === table.name)) {
      const parent = tables.get(reference.parent);
      if (!parent) continue;
      const { childColumns, parentColumns, name } = reference;
      const joins = childColumns.map(
        (column, i) => `p.${quote(parentColumns[i] as string)} = t.${quote(column)}`,
      );
      const given = childColumns.map((column) => `t.${quote(column)} IS NOT NULL`).join(' AND ');
      const [row] = await connection.query(
        `SELECT pg_catalog.count(*) FROM ${table.sql} t WHERE ${given}
         AND NOT EXISTS (SELECT FROM ${parent.sql} p WHERE ${joins.join(' AND ')})`,
      );
      if (row?.[0] !== '0') {
        faults.push(`${table.name}: ${row?.[0]} rows violate foreign key ${name}`);
      }
    }
  }
  return [...faults, ...(await checkIndexes(connection, all))];
}

async function checkIndexes(connection: Connection, all: readonly Details[]): Promise<string[]> {
  const [extension] = await connection.query(
    `SELECT pg_catalog.quote_ident(n.nspname) FROM pg_catalog.pg_extension e
     JOIN pg_catalog.pg_namespace n ON n.oid = e.extnamespace WHERE e.extname = 'amcheck'`,
  );
  if (!extension || all.length === 0) return [];
  const indexes = await connection.query(
    `SELECT i.indexrelid, pg_catalog.textsend(c.relname::text) FROM pg_catalog.pg_index i
     JOIN pg_catalog.pg_class c ON c.oid = i.indexrelid JOIN pg_catalog.pg_am a ON a.oid = c.relam
     WHERE a.amname = 'btree' AND i.indisvalid AND c.relkind = 'i'
       AND i.indrelid = ANY ('{${all.map(({ oid }) => oid).join(',')}}'::oid[])`,
  );
  const faults: string[] = [];
  for (const [oid] of indexes) {
    try {
      await connection.ask(`SELECT ${extension[0]}.bt_index_check(${oid}::regclass, true)`);
    } catch (error) {
      const { code, message } = error as { code?: string; message: string };
      if (code === '42501') return faults;
      // Corrupt data, or a corrupt index; the rest is no finding about it.
      if (code !== 'XX001' && code !== 'XX002') throw describeError('amcheck', error, false);
      faults.push(message);
    }
  }
  return faults;
}
