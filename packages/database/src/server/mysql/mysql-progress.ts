/** The table with the progress of a run, which the transactions of the run save. */
import { UsageError } from '@utf8/dump';
import type { Progress } from '../server.js';
import { text } from './mysql-cell.js';
import type { MysqlConnection } from './mysql-connection.js';
import { isMissingTable } from './mysql-fault.js';
import { binary } from './mysql-literal.js';

export const PROGRESS_TABLE = 'utf8_repair';

/** Tells our table from one that happens to have its name. */
const COMMENT = 'Progress of utf8 repair';

/** Makes the table if it is missing. That ends a transaction, so it comes before all. */
export async function createProgress(connection: MysqlConnection): Promise<void> {
  if (await hasProgressTable(connection)) return;
  await connection.demand(
    `CREATE TABLE IF NOT EXISTS ${PROGRESS_TABLE} (id TINYINT NOT NULL PRIMARY KEY, progress LONGBLOB NOT NULL)
     ENGINE = InnoDB COMMENT = '${COMMENT}'`,
  );
}

export async function readProgress(connection: MysqlConnection): Promise<Progress | undefined> {
  if (!(await hasProgressTable(connection))) return undefined;
  const [saved] = await connection
    .records(`SELECT progress FROM ${PROGRESS_TABLE} LIMIT 1`, { progress: text })
    .catch((error) => {
      if (isMissingTable(error.cause)) return [];
      throw error;
    });
  return saved?.progress ? JSON.parse(saved.progress) : undefined;
}

/** The statement that saves progress. */
export const formatProgress = (progress: Progress): string =>
  `REPLACE INTO ${PROGRESS_TABLE} VALUES (1, ${binary(Buffer.from(JSON.stringify(progress)))})`;

export async function dropProgress(connection: MysqlConnection): Promise<void> {
  if (await hasProgressTable(connection)) await connection.demand(`DROP TABLE ${PROGRESS_TABLE}`);
}

async function hasProgressTable(connection: MysqlConnection): Promise<boolean> {
  const [table] = await connection.records(
    `SELECT TABLE_COMMENT AS comment FROM information_schema.TABLES
     WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = '${PROGRESS_TABLE}'`,
    { comment: text },
  );
  if (!table) return false;
  const triggers = await connection.demand(
    `SELECT 1 FROM information_schema.TRIGGERS
     WHERE EVENT_OBJECT_SCHEMA = DATABASE() AND EVENT_OBJECT_TABLE = '${PROGRESS_TABLE}'`,
  );
  if (table.comment === COMMENT && triggers.length === 0) return true;
  throw new UsageError(
    `the database has a table ${PROGRESS_TABLE} that another program created; rename it first`,
  );
}
