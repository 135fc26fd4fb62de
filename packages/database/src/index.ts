/**
 * Repairs the text of live databases, in place, with an undo log.
 *
 * @packageDocumentation
 */
import { createEmitPlan, type EmitOptions, runEmit } from './emit/run-emit.js';
import type { RepairDatabaseOptions, ScanDatabaseOptions } from './options.js';
import { createRepairPlan, runRepair } from './repair/run-repair.js';
import type { RepairReport, RevertReport } from './report.js';
import { openTarget } from './server/open.js';
import type { Server } from './server/server.js';
import { checkUndo, type RevertDatabaseOptions, runUndo } from './undo/run-undo.js';
import { parseUrl, type ServerKind, type Target } from './url.js';

export {
  type AllowedHazard,
  allowedHazards,
  type DatabaseHazard,
  databaseHazards,
} from '@utf8/dump/internal';
export { discardUnfinished } from './interrupt.js';
export type { FoundHazard, HazardAction, HazardChoice } from './judge/hazard.js';
export type { NamedKey } from './key.js';
export type { LookOptions } from './options.js';
export type {
  ColumnReport,
  DatabaseFinding,
  DeclarationReport,
  FindingExample,
  HazardExample,
  HazardReport,
  LookReport,
  Refusal,
  RepairCounts,
  SuggestionReport,
  TableReport,
} from './report.js';
export type { Declaration, DeclaredExample, Misdeclaration } from './server/declaration.js';
export { LockError } from './server/lock-error.js';
export { type OpenOptions, openServer } from './server/open.js';
export type {
  Change,
  ChangeOptions,
  Outcome,
  Page,
  PageOptions,
  Progress,
  RefusalReason,
  Row,
  Server,
  Transaction,
} from './server/server.js';
export type {
  Effect,
  Key,
  KeyValue,
  Narrowness,
  RowKey,
  Table,
  TextColumn,
  TextReference,
  UniqueKey,
} from './server/table.js';
export type {
  EmitOptions,
  RepairDatabaseOptions,
  RepairReport,
  RevertDatabaseOptions,
  RevertReport,
  ScanDatabaseOptions,
  Target,
};
export { parseUrl, type ServerKind };

/**
 * Scans a database for text that is damaged or in another encoding. Nothing is written.
 *
 * @param options - The database, the encodings, and the policies, also for hazards.
 * @returns The findings, and the effect of a repair with the same options.
 * @throws UsageError (`ERR_UTF8_USAGE`) if options are invalid, or if the driver of the server is missing.
 * @throws LabelError (`ERR_UTF8_LABEL`) if there is no such encoding.
 * @throws RepairOptionError (`ERR_UTF8_REPAIR_OPTION`) if the policies contradict each other.
 * @throws InputError (`ERR_UTF8_INPUT`) if the database cannot be read.
 * @throws OutputError (`ERR_UTF8_OUTPUT`) if the report cannot be written.
 * @example
 * ```ts
 * import { DatabaseSync } from 'node:sqlite';
 * import { scanDatabase } from '@utf8/database';
 *
 * new DatabaseSync('list.db').exec(`CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT);
 *   INSERT INTO users VALUES (1, CAST(x'EDA0BDEDB880' AS TEXT));`);
 *
 * const { found } = await scanDatabase({ url: 'sqlite:list.db' });
 * found?.tables[0]?.columns[0]?.findings; // => { pair: 1 }
 * ```
 */
export async function scanDatabase(options: ScanDatabaseOptions): Promise<RepairReport> {
  const target = parseUrl(options.url);
  const plan = createRepairPlan({ ...options, undo: undefined }, target);
  return withServer(target, options.lockTimeout, (server) => runRepair(server, plan));
}

/**
 * Repairs text that is damaged or in another encoding, in place, and scans again.
 *
 * Every row is changed by a statement that finds it only while its values are the old ones, so that no
 * change of another writer is lost. The old values are in the undo log before a transaction is committed.
 * A run that is killed can be resumed; memory is that of one batch of rows.
 *
 * @param options - The database, the encodings, and the policies, also for hazards.
 * @returns The findings, the changes, and the text that is left.
 * @throws UsageError (`ERR_UTF8_USAGE`) if options are invalid, if they do not fit an interrupted run,
 *   or if the driver of the server is missing.
 * @throws LabelError (`ERR_UTF8_LABEL`) if there is no such encoding.
 * @throws RepairOptionError (`ERR_UTF8_REPAIR_OPTION`) if the policies contradict each other.
 * @throws InputError (`ERR_UTF8_INPUT`) if the database cannot be read.
 * @throws OutputError (`ERR_UTF8_OUTPUT`) if the database, the undo log or the report cannot be written.
 *   Committed changes stay, and the run can be resumed.
 * @throws BusyError (`ERR_UTF8_BUSY`) if another run repairs the database, or writes the undo log.
 * @example
 * ```ts
 * import { DatabaseSync } from 'node:sqlite';
 * import { repairDatabase } from '@utf8/database';
 *
 * const app = new DatabaseSync('app.db');
 * app.exec(`CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT);
 *   INSERT INTO users VALUES (1, 'Ann'), (2, CAST(x'EDA0BDEDB880' AS TEXT));`);
 *
 * const report = await repairDatabase({ url: 'sqlite:app.db', undo: 'app.jsonl' });
 * report.left?.candidates; // => 0
 * app.prepare('SELECT name FROM users WHERE id = 2').get()?.name; // => '😀'
 * ```
 */
export async function repairDatabase(options: RepairDatabaseOptions): Promise<RepairReport> {
  const target = parseUrl(options.url);
  const plan = createRepairPlan(options, target);
  return withServer(target, options.lockTimeout, (server) => runRepair(server, plan));
}

/**
 * Restores the old values of an undo log, the last first, wherever the new ones have not been changed
 * since. A run that was killed continues when it is called again.
 *
 * @param options - The database and the undo log.
 * @returns The numbers of values that were restored and that were left unchanged.
 * @throws UsageError (`ERR_UTF8_USAGE`) if the undo log is not one of this database.
 * @throws InputError (`ERR_UTF8_INPUT`) if the undo log is damaged, or incomplete although its run was not
 *   interrupted in this database: nothing is written then.
 * @throws OutputError (`ERR_UTF8_OUTPUT`) if the database cannot be written.
 * @throws BusyError (`ERR_UTF8_BUSY`) if another run repairs the database, or uses the undo log.
 * @example
 * ```ts
 * import { DatabaseSync } from 'node:sqlite';
 * import { repairDatabase, revertDatabase } from '@utf8/database';
 *
 * const notes = new DatabaseSync('notes.db');
 * notes.exec(`CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT);
 *   INSERT INTO notes VALUES (1, CAST(x'C080' AS TEXT)), (2, CAST(x'EDA0BDEDB880' AS TEXT));`);
 * const url = 'sqlite:notes.db';
 * await repairDatabase({ url, undo: 'notes.jsonl', nul: 'remove' });
 *
 * notes.exec("UPDATE notes SET text = 'new' WHERE id = 1");
 * const { restored, kept } = await revertDatabase({ url, undo: 'notes.jsonl' });
 * [restored, kept]; // => [1, 1]
 * notes.prepare('SELECT hex(text) AS hex FROM notes WHERE id = 2').get()?.hex; // => 'EDA0BDEDB880'
 * ```
 */
export async function revertDatabase(options: RevertDatabaseOptions): Promise<RevertReport> {
  const target = parseUrl(options.url);
  checkUndo(options, target);
  return withServer(target, options.lockTimeout, (server) => runUndo(server, options, target));
}

/**
 * Writes the statements of a repair to a file, and those that undo it to another one, and changes nothing
 * in the database. Each statement changes a row only if its values are still the old ones.
 *
 * @param options - The database, the encodings and policies, and the paths of the files.
 * @returns The findings. If a hazard has stopped the run, it writes no files.
 * @throws UsageError (`ERR_UTF8_USAGE`) if options are invalid, if an action for a hazard cannot be
 *   written as a statement, or if the driver of the server is missing.
 * @throws LabelError (`ERR_UTF8_LABEL`) if there is no such encoding.
 * @throws RepairOptionError (`ERR_UTF8_REPAIR_OPTION`) if the policies contradict each other.
 * @throws InputError (`ERR_UTF8_INPUT`) if the database cannot be read.
 * @throws OutputError (`ERR_UTF8_OUTPUT`) if a file cannot be written.
 * @example
 * ```ts
 * import { readFileSync } from 'node:fs';
 * import { DatabaseSync } from 'node:sqlite';
 * import { emitRepair } from '@utf8/database';
 *
 * const shop = new DatabaseSync('shop.db');
 * shop.exec(`CREATE TABLE goods (id INTEGER PRIMARY KEY, name TEXT);
 *   INSERT INTO goods VALUES (1, CAST(x'EDA0BDEDB880' AS TEXT));`);
 * await emitRepair({ url: 'sqlite:shop.db', output: 'repair.sql', inverse: 'undo.sql' });
 *
 * shop.exec(readFileSync('repair.sql', 'utf8'));
 * shop.prepare('SELECT name FROM goods').get()?.name; // => '😀'
 * shop.exec(readFileSync('undo.sql', 'utf8'));
 * shop.prepare('SELECT hex(name) AS hex FROM goods').get()?.hex; // => 'EDA0BDEDB880'
 * ```
 */
export async function emitRepair(options: EmitOptions): Promise<RepairReport> {
  const target = parseUrl(options.url);
  const plan = createEmitPlan(options, target);
  return withServer(target, options.lockTimeout, (server) =>
    runEmit(server, plan, options, target),
  );
}

async function withServer<Result>(
  target: Target,
  lockTimeout: number | undefined,
  work: (server: Server) => Promise<Result>,
): Promise<Result> {
  const server = await openTarget(target, { lockTimeout });
  let result: Result;
  try {
    result = await work(server);
  } catch (error) {
    // The first error matters more than an error on closing.
    await server.close().catch(() => {});
    throw error;
  }
  await server.close();
  return result;
}
