/** Integrity checks that PostgreSQL has for tables that were changed. */
import type { ComparedReference, Details } from './postgres-catalogue.js';
import { nameOf, text } from './postgres-cell.js';
import type { Connection } from './postgres-connection.js';
import { describeError } from './postgres-error.js';
import { isUnsafe } from './postgres-functions.js';
import { quote } from './postgres-sql.js';

/** The oids of these types. */
const REGCLASS = 2205;
const BOOL = 16;

/**
 * Checks foreign keys of text, which the server does not check while its triggers are disabled, and the
 * indexes of each table if the extension `amcheck` is installed and may be used.
 */
export async function checkIntegrity(
  connection: Connection,
  all: readonly Details[],
): Promise<readonly string[]> {
  const faults: string[] = [];
  const tables = new Map(all.map((details) => [details.table.name, details]));
  for (const details of all) {
    const { table } = details;
    for (const reference of details.references.filter(({ child }) => child === table.name)) {
      const parent = tables.get(reference.parent);
      if (!parent || !isComparable(reference, details, parent)) continue;
      const { childColumns, parentColumns, name, operators } = reference;
      const joins = childColumns.map(
        (column, i) =>
          `p.${quote(parentColumns[i] as string)} ${operators[i]?.parentWithChild} t.${quote(column)}`,
      );
      const given = childColumns.map((column) => `t.${quote(column)} IS NOT NULL`).join(' AND ');
      const [violations] = await connection.records(
        `SELECT pg_catalog.count(*) FROM ${table.sql} t WHERE ${given}
         AND NOT EXISTS (SELECT FROM ${parent.table.sql} p WHERE ${joins.join(' AND ')})`,
        { count: text },
      );
      if (violations?.count !== '0') {
        faults.push(`${table.name}: ${violations?.count} rows violate foreign key ${name}`);
      }
    }
  }
  return [...faults, ...(await checkIndexes(connection, all))];
}

/** Tells whether a foreign key and its target compare without a cast that the database defines. */
function isComparable(
  { childColumns, parentColumns }: ComparedReference,
  child: Details,
  parent: Details,
) {
  const find = ({ columns }: Details, name: string | undefined) =>
    columns.find((column) => column.name === name);
  return childColumns.every((name, i) => {
    const [a, b] = [find(child, name), find(parent, parentColumns[i])];
    return a && b && ((a.isBuiltIn && b.isBuiltIn) || a.base === b.base);
  });
}

async function checkIndexes(connection: Connection, all: readonly Details[]): Promise<string[]> {
  // Anyone may write another function of this name; only superusers write one in C.
  const [extension] = await connection.records(
    `SELECT pg_catalog.textsend(n.nspname::text) AS schema FROM pg_catalog.pg_extension e
     JOIN pg_catalog.pg_proc p ON p.pronamespace = e.extnamespace AND p.proname = 'bt_index_check'
       AND p.proargtypes::text = '${REGCLASS} ${BOOL}'
     JOIN pg_catalog.pg_language l ON l.oid = p.prolang AND l.lanname = 'c'
     JOIN pg_catalog.pg_namespace n ON n.oid = e.extnamespace WHERE e.extname = 'amcheck'`,
    { schema: nameOf },
  );
  if (!extension || all.length === 0) return [];
  const check = `${quote(extension.schema ?? '')}.bt_index_check`;
  // It would evaluate the expressions of an index.
  const indexes = await connection.records(
    `SELECT i.indexrelid AS oid FROM pg_catalog.pg_index i
     JOIN pg_catalog.pg_class c ON c.oid = i.indexrelid JOIN pg_catalog.pg_am a ON a.oid = c.relam
     WHERE a.amname = 'btree' AND i.indisvalid AND c.relkind = 'i'
       AND NOT ${isUnsafe('pg_class', 'i.indexrelid')}
       AND i.indrelid = ANY ('{${all.map(({ oid }) => oid).join(',')}}'::oid[])`,
    { oid: text },
  );
  const faults: string[] = [];
  for (const { oid } of indexes) {
    try {
      await connection.ask(`SELECT ${check}(${oid}::pg_catalog.regclass, true)`);
    } catch (error) {
      const { code, message } = error as { code?: string; message: string };
      if (code === '42501') return faults;
      // Corrupt data, or a corrupt index; other errors are not findings.
      if (code !== 'XX001' && code !== 'XX002') throw describeError('amcheck', error, false);
      faults.push(message);
    }
  }
  return faults;
}
