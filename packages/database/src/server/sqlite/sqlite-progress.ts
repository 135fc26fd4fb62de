/** Progress of a run, in a table of ours. */
import { UsageError } from '@utf8/dump';
import type { Progress } from '../server.js';
import { flag, text } from './sqlite-cell.js';
import type { Connection } from './sqlite-driver.js';

export const PROGRESS_TABLE = 'utf8_repair';

/** Not STRICT, since SQLite before 3.37 does not open a file with such a table. */
const CREATE = `CREATE TABLE ${PROGRESS_TABLE} (id INTEGER PRIMARY KEY, progress TEXT NOT NULL)`;

/** @throws UsageError if a table of that name is not ours, which may be a view or have triggers. */
function exists(connection: Connection): boolean {
  const found = connection.records(
    `SELECT type = 'table' AND sql = '${CREATE}' AS isOurs FROM main.sqlite_schema
     WHERE (name = '${PROGRESS_TABLE}' COLLATE NOCASE OR tbl_name = '${PROGRESS_TABLE}' COLLATE NOCASE)
       AND type <> 'index' LIMIT 2`,
    { isOurs: flag },
  );
  if (found.length === 0) return false;
  if (found.length > 1 || !found[0]?.isOurs)
    throw new UsageError(
      `the database has a table ${PROGRESS_TABLE} that another program created; rename it first`,
    );
  return true;
}

export function readProgress(connection: Connection): Progress | undefined {
  if (!exists(connection)) return undefined;
  const [saved] = connection.records(`SELECT progress FROM main.${PROGRESS_TABLE} WHERE id = 1`, {
    progress: text,
  });
  return saved && (JSON.parse(saved.progress) as Progress);
}

export function saveProgress(connection: Connection, progress: Progress): void {
  if (!exists(connection)) connection.exec(CREATE);
  connection
    .prepare(`INSERT OR REPLACE INTO main.${PROGRESS_TABLE} (id, progress) VALUES (1, ?)`)
    .run([JSON.stringify(progress)]);
}

export function clearProgress(connection: Connection): void {
  if (exists(connection)) connection.exec(`DROP TABLE main.${PROGRESS_TABLE}`);
}
