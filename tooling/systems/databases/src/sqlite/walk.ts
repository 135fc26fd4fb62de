/** A server of SQLite, walked through and changed as a repair does it. */
import type {
  Change,
  ChangeOptions,
  Outcome,
  Row,
  Server,
} from '../../../../../packages/database/src/server/server.js';
import type { Key, Table } from '../../../../../packages/database/src/server/table.js';
import { demand } from '../program.js';

const replacements: readonly (readonly [Buffer, Buffer])[] = [
  [Buffer.from('eda0bdedb880', 'hex'), Buffer.from('😀')],
  [Buffer.from('c080', 'hex'), Buffer.from([0])],
];

/** A judge of its own: a pair becomes four bytes, and `C0 80` becomes `00`. */
export function repairText(text: Uint8Array): Buffer {
  let repaired = Buffer.from(text);
  for (const [old, replacement] of replacements) {
    for (let at = repaired.indexOf(old); at !== -1; at = repaired.indexOf(old, at + 1)) {
      repaired = Buffer.concat([
        repaired.subarray(0, at),
        replacement,
        repaired.subarray(at + old.length),
      ]);
    }
  }
  return repaired;
}

/** All rows of a table, in order, as pages of some size have them. */
export async function readRows(
  server: Server,
  table: Table,
  limit: number,
  isClean?: (bytes: Uint8Array) => boolean,
): Promise<{ readonly rows: Row[]; readonly count: number }> {
  const rows: Row[] = [];
  let count = 0;
  let after: Key | undefined;
  for (;;) {
    const page = await server.readPage(table, table.columns, after, limit, { isClean });
    rows.push(...page.rows);
    count += page.count;
    if (page.isLast) return { rows, count };
    after = page.last;
  }
}

/** Returns the changes of a row. */
export const changesOf = (table: Table, { values }: Row): Change[] =>
  table.columns.flatMap((column, i) => {
    const old = values[i];
    if (!old) return [];
    const repaired = repairText(old);
    return repaired.equals(old) ? [] : [{ column, old, new: repaired }];
  });

/** A row that was changed. */
export interface Changed {
  readonly table: Table;
  readonly key: Key;
  readonly changes: readonly Change[];
  readonly outcome: Outcome;
}

/** Repairs all tables in one transaction. */
export async function repairAll(server: Server, options?: ChangeOptions): Promise<Changed[]> {
  const changed: Changed[] = [];
  for (const table of await server.listTables()) {
    const { rows } = await readRows(server, table, 7);
    await server.transact(async (transaction) => {
      for (const row of rows) {
        const changes = changesOf(table, row);
        if (changes.length === 0) continue;
        const outcome = await transaction.change(table, row.key, changes, options);
        changed.push({ table, key: row.key, changes, outcome });
      }
    });
  }
  return changed;
}

/** Runs SQL in SQLite's shell, which stops at the first error. */
export const shell = (file: string, sql: string | Uint8Array): string =>
  demand('sqlite3', ['-batch', '-bail', file], sql).toString();

/**
 * Every cell of every table, without any code of ours: a line for each row, with rowids, types and bytes. Text
 * is repaired on request.
 */
export function readCells(file: string, tables: readonly Table[], isRepaired = false): string {
  return tables
    .map(({ name, key, columns, otherColumns }) => {
      const isRowid =
        key?.names.length === 1 &&
        !otherColumns.concat(columns.map((c) => c.name)).includes(key.names[0] as string);
      const cells = [...columns.map((column) => column.name), ...otherColumns]
        .map((column) => `"${column.replaceAll('"', '""')}"`)
        .map(
          (column) =>
            `typeof(${column}) || ':' || CASE typeof(${column}) WHEN 'real' THEN printf('%!.17g', ${column}) ELSE hex(${column}) END`,
        );
      const identity = isRowid ? [`'rowid:' || ${key.names[0]}`] : [];
      const rows = shell(file, `SELECT ${[...identity, ...cells].join(', ')} FROM "${name}";`)
        .trimEnd()
        .split('\n')
        .map((line) => (isRepaired ? repairLine(line) : line))
        // The repair of a key moves its row.
        .sort();
      return [name, ...rows].join('\n');
    })
    .join('\n');
}

const repairLine = (line: string): string =>
  line.replace(
    /\btext:([0-9A-F]+)/g,
    (_, hex) => `text:${repairText(Buffer.from(hex, 'hex')).toString('hex').toUpperCase()}`,
  );

/** Rows, a line for each. */
export const toText = (rows: readonly Row[]): string =>
  rows
    .map(({ key, values }) =>
      JSON.stringify([key, values.map((value) => value && Buffer.from(value).toString('hex'))]),
    )
    .join('\n');
