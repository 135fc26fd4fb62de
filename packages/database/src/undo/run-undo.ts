/** Restores old values if the new ones are unchanged, from the last change to the first. */
import { createHash } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import { InputError, OutputError, UsageError } from '@utf8/dump';
import { attempt, opt, phrase } from '@utf8/dump/internal';
import { lock } from '@utf8/files';
import { decide, type HazardActions, resolveActions } from '../judge/hazard.js';
import { judgeTable } from '../judge/judge.js';
import { findChildren } from '../judge/references.js';
import { identifyRow, readKey } from '../key.js';
import { checkNumber, refuseShared } from '../options.js';
import { MoveError } from '../repair/move.js';
import { RollbackError, readInterrupted, Session, type Sleep, UNDO } from '../repair/session.js';
import { hazardOf, type Written, writeRow } from '../repair/write-row.js';
import type { Refusal, RevertReport } from '../report.js';
import type { Change, Progress, Server, Transaction } from '../server/server.js';
import type { Key, Table } from '../server/table.js';
import { completeDeclarations } from '../undo-log/complete-declarations.js';
import { parseLine, readDeclaration, type UndoLogLine } from '../undo-log/line.js';
import { checkUndoLog, readBackwards, type UndoLogSummary } from '../undo-log/undo-log-reader.js';
import { cutShort, otherUndoLog, UndoLogWriter } from '../undo-log/undo-log-writer.js';
import type { Target } from '../url.js';

/** Options of {@link revertDatabase}. */
export interface RevertDatabaseOptions {
  /** Such as `sqlite:app.db` or `postgres://user@host/shop`. */
  readonly url: string;
  /** Path of the undo log of the repair. */
  readonly undo: string;
  /**
   * Hazards despite which rows are restored: triggers on UPDATE run, or a history keeps the repaired row; none by
   * default.
   */
  readonly allow?: readonly ('trigger' | 'history')[] | undefined;
  /** Number of rows in a transaction; 1,000 by default. */
  readonly batch?: number | undefined;
  /**
   * Time to wait for a lock, in milliseconds; by default 5,000 for SQLite, and the server's own setting for
   * others. MariaDB and MySQL wait for whole seconds.
   */
  readonly lockTimeout?: number | undefined;
  /**
   * Receives the progress of the run.
   *
   * @param done - Number of processed bytes of the undo log.
   * @param total - The number of bytes of it to undo.
   */
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
  /**
   * Receives notices, one sentence each.
   *
   * @param sentence - A sentence, without a full stop.
   */
  readonly onNotice?: ((sentence: string) => void) | undefined;
}

/** Refusals that a report contains. */
const SHOWN = 10;

/** The changes of one row, as they are undone. */
interface Unit {
  readonly table: Table;
  readonly key: Key;
  readonly lines: readonly UndoLogLine[];
  /** Offset of its first line in the undo log, in bytes. */
  readonly at: number;
}

interface UndoCounts {
  restored: number;
  kept: number;
  refused: number;
}

/** Counts that an undo saves with its progress. */
interface SavedCounts extends UndoCounts {
  /** Size of the part of the undo log that this undo covers, in bytes. */
  readonly size: number;
}

/** Checks the options before anything is opened. */
export function checkUndo(options: RevertDatabaseOptions, target: Target): void {
  checkNumber('batch', options.batch ?? 1, 1, 100_000);
  resolveActions({ allow: options.allow });
  const other = options.allow?.find((hazard) => hazard !== 'trigger' && hazard !== 'history');
  if (other) {
    throw new UsageError(
      phrase`${other} cannot be allowed here; expected trigger or history (${opt('allow')})`,
    );
  }
  refuseShared(target, [{ option: 'undo', path: options.undo }]);
}

export async function runUndo(
  server: Server,
  options: RevertDatabaseOptions,
  target: Target,
  sleep?: Sleep,
): Promise<RevertReport> {
  const { undo: log } = options;
  const unlock = attempt(log, () => lock(log));
  try {
    return await undo(server, options, target, sleep);
  } finally {
    unlock();
  }
}

async function undo(
  server: Server,
  options: RevertDatabaseOptions,
  target: Target,
  sleep: Sleep | undefined,
): Promise<RevertReport> {
  const { undo: undoLog, onProgress, onNotice } = options;
  const saved = await readInterrupted(server);
  const isUndo = saved?.identity.startsWith(UNDO) ?? false;
  // Changes at the end of the undo log of a killed run were never committed.
  const most = saved && isUndo ? (saved.counts as SavedCounts).size : saved?.undoSize;
  if (saved && most !== undefined) await completeDeclarations(server, undoLog, most);
  const tables = new Map((await server.listTables()).map((table) => [table.name, table]));
  const summary = checkUndoLog(undoLog, most, (line, number) =>
    requireKnown(undoLog, line, number, tables),
  );
  if (!summary) {
    if (saved) throw otherUndoLog(undoLog);
    throw new InputError(`${undoLog}: its run was interrupted before it changed anything`);
  }
  if (!saved && !summary.isComplete) throw cutShort(undoLog);
  const { identity, end } = findStart(undoLog, summary, saved);
  if (saved && !isUndo) endUndoLog(undoLog, summary);
  if (summary.header.database !== target.name) {
    onNotice?.(`${undoLog}: was written for ${summary.header.database}`);
  }
  if (isUndo) onNotice?.('resuming an interrupted revert');
  const session = new Session(server, saved, { sleep });
  const counts: UndoCounts = { restored: 0, kept: 0, refused: 0 };
  if (saved && isUndo) {
    const { restored, kept, refused } = saved.counts as SavedCounts;
    Object.assign(counts, { restored, kept, refused });
  }
  const refusals: Refusal[] = [];
  const actions = resolveActions({ allow: options.allow });
  const total = summary.size - summary.start;
  for (const units of readBatches(undoLog, summary.start, end, tables, options.batch ?? 1000)) {
    const at = units.at(-1)?.at ?? summary.start;
    const undeclared = await undoDeclarations(server, tables, units);
    counts.refused += undeclared.length;
    refusals.push(...undeclared);
    const stuck = new Map<Unit, string>();
    let done: Undone | undefined;
    while (!done) {
      try {
        done = await session.transact(async (transaction) => {
          const rows = units.filter(({ lines }) => !lines[0]?.declares);
          const result = await undoUnits(server, transaction, tables, rows, actions, stuck);
          const sums = add(counts, result);
          const progress: Progress = {
            identity,
            table: '',
            after: undefined,
            undoSize: at,
            counts: { ...sums, size: summary.size } satisfies SavedCounts,
          };
          return { progress, result };
        });
      } catch (error) {
        if (!(error instanceof StuckError)) throw error;
        stuck.set(error.unit, error.message);
      }
    }
    Object.assign(counts, add(counts, done));
    refusals.push(...done.refusals.slice(0, SHOWN - refusals.length));
    onProgress?.(summary.size - at, total);
    // Lets signals arrive, as between pages.
    await turn();
  }
  const problems = await server.checkIntegrity();
  await session.finish();
  return { product: server.product, database: target.name, ...counts, refusals, problems };
}

/** Ends the undo log of an interrupted run, since the progress with its committed length is about to be removed. */
function endUndoLog(path: string, { size, sum }: UndoLogSummary): void {
  const writer = UndoLogWriter.resume(path, { size, sum });
  try {
    writer.finish();
  } finally {
    writer.close();
  }
}

/** Finds the start of an undo: the end of the committed part, or the position of an interrupted undo. */
function findStart(
  path: string,
  { size, sum, start }: UndoLogSummary,
  saved: Progress | undefined,
): { identity: string; end: number } {
  const hash = createHash('sha256')
    .update(JSON.stringify([size, sum]))
    .digest('hex');
  const identity = UNDO + hash;
  if (!saved) return { identity, end: size };
  if (saved.identity.startsWith(UNDO)) {
    if (saved.identity === identity && saved.undoSize >= start && saved.undoSize <= size) {
      return { identity, end: saved.undoSize };
    }
    throw otherUndoLog(path);
  }
  // A repair was interrupted: later lines were never committed.
  const isOurs = size === saved.undoSize && sum === (saved.counts as { sum?: unknown }).sum;
  if (!isOurs) throw otherUndoLog(path);
  return { identity, end: size };
}

/** Makes sure that a table still has the columns of a line. */
function requireKnown(
  path: string,
  line: UndoLogLine,
  number: number,
  tables: ReadonlyMap<string, Table>,
): void {
  const table = tables.get(line.table);
  if (line.declares && table && findColumn(table, line.column)) return;
  if (table && findColumn(table, line.column) && readKey(table, line.newKey ?? line.key)) return;
  throw new UsageError(
    `${path}:${number}: is about ${line.table}.${line.column} and key ${Object.keys(line.key).join(', ')}, which this database does not have; use the database of that run`,
  );
}

const findColumn = ({ columns }: Table, name: string) =>
  columns.find((column) => column.name === name);

/** Reads the changes of rows in batches, the last first. */
function* readBatches(
  path: string,
  start: number,
  end: number,
  tables: ReadonlyMap<string, Table>,
  batch: number,
): Generator<Unit[], void, undefined> {
  let units: Unit[] = [];
  let lines: UndoLogLine[] = [];
  let at = end;
  const close = (): void => {
    const [line] = lines;
    if (!line) return;
    const table = tables.get(line.table) as Table;
    const key = line.declares ? [] : (readKey(table, line.newKey ?? line.key) as Key);
    units.push({ table, key, lines, at });
    lines = [];
  };
  for (const { text, at: next } of readBackwards(path, start, end)) {
    const line = parseLine(text);
    if (!line) throw new InputError(`${path}: was changed while it was read`);
    const [other] = lines;
    // Separately, because the tables differ before and after.
    if (line.declares || other?.declares) {
      close();
      if (units.length > 0) yield units;
      units = [];
    } else if (
      other &&
      !(isSameRow(line, other) && lines.every(({ column }) => column !== line.column))
    ) {
      close();
      if (units.length >= batch) {
        yield units;
        units = [];
      }
    }
    lines.unshift(line);
    at = next;
  }
  close();
  if (units.length > 0) yield units;
}

const isSameRow = (a: UndoLogLine, b: UndoLogLine): boolean =>
  ['table', 'key', 'newKey', 'reference'].every(
    (name) =>
      JSON.stringify(a[name as keyof UndoLogLine]) === JSON.stringify(b[name as keyof UndoLogLine]),
  );

/**
 * Declares columns as they were before, and lists the tables again.
 *
 * @returns Those that the server refuses.
 */
async function undoDeclarations(
  server: Server,
  tables: Map<string, Table>,
  units: readonly Unit[],
): Promise<Refusal[]> {
  const refusals: Refusal[] = [];
  for (const { table, lines } of units) {
    const declaration = lines[0] && readDeclaration(lines[0]);
    if (!declaration) continue;
    const { from, to } = declaration;
    try {
      if (!server.redeclare)
        throw new OutputError(`${server.product} cannot change the declaration of columns`);
      await server.redeclare(table.name, { ...declaration, from: to, to: from });
    } catch (error) {
      if (!(error instanceof OutputError)) throw error;
      refusals.push({ table: table.name, key: {}, hazard: 'narrow-column', name: error.message });
    }
    for (const each of await server.listTables()) tables.set(each.name, each);
  }
  return refusals;
}

/** Thrown to roll back a transaction in which a row cannot change together with the rows that refer to it. */
class StuckError extends RollbackError {
  readonly unit: Unit;

  constructor(unit: Unit, cause: MoveError) {
    super(cause.message, { cause });
    this.unit = unit;
  }
}

interface Undone extends UndoCounts {
  readonly refusals: Refusal[];
}

const add = (a: UndoCounts, b: UndoCounts): UndoCounts => ({
  restored: a.restored + b.restored,
  kept: a.kept + b.kept,
  refused: a.refused + b.refused,
});

async function undoUnits(
  server: Server,
  transaction: Transaction,
  tables: ReadonlyMap<string, Table>,
  units: readonly Unit[],
  actions: HazardActions,
  stuck: ReadonlyMap<Unit, string>,
): Promise<Undone> {
  const done: Undone = { restored: 0, kept: 0, refused: 0, refusals: [] };
  const refuse = (unit: Unit, count: number, hazard: Refusal['hazard'], name: string): void => {
    done.refused += count;
    const { table, lines } = unit;
    const [line] = lines as [UndoLogLine];
    const key = line.newKey ?? line.key;
    if (done.refusals.length < SHOWN) {
      done.refusals.push({ table: table.name, key, hazard, name });
    }
  };
  const moved = new Map<string, Key>();
  const moves = units.some((unit) => hasChildren(unit));
  if (moves) await transaction.deferReferences();
  const undoLines = async (unit: Unit, key: Key, lines: readonly UndoLogLine[]) => {
    const { table } = unit;
    const changes = lines.map((line) => reverse(table, line));
    const task = {
      table,
      key,
      changes,
      moves: hasChildren({ ...unit, lines }),
      suffixes: undefined,
    };
    try {
      const written = await writeRow(task, { server, transaction, tables, moved });
      for (const { table, key, newKey } of written.rows) {
        moved.set(identifyRow(table, key), newKey);
      }
      return written;
    } catch (error) {
      throw error instanceof MoveError ? new StuckError(unit, error) : error;
    }
  };
  for (const unit of units) {
    const { table, key, lines } = unit;
    // It moves with its parent, as every row that refers to it by now.
    if (lines[0]?.reference && isReference(unit)) continue;
    const hazard = decide(judgeTable(table), actions);
    if (hazard.is !== 'write') {
      refuse(unit, lines.length, hazard.because.hazard, hazard.because.name);
      continue;
    }
    const reason = stuck.get(unit);
    if (reason !== undefined) {
      refuse(unit, lines.length, 'orphaned-row', reason);
      continue;
    }
    const settle = ({ outcome, rows }: Written, count: number): void => {
      for (const { changes } of rows) done.restored += changes.length;
      if (outcome.is === 'overtaken') done.kept += count;
      if (outcome.is === 'refused') refuse(unit, count, hazardOf[outcome.reason], outcome.message);
    };
    const all = await undoLines(unit, key, lines);
    if (all.outcome.is !== 'overtaken' || lines.length === 1) {
      settle(all, lines.length);
      continue;
    }
    // Another writer has changed some of the values. Those of the key come last, since it finds the row.
    const isKey = ({ column }: UndoLogLine): boolean => table.key?.names.includes(column) ?? false;
    let current = key;
    for (const line of [...lines.filter((each) => !isKey(each)), ...lines.filter(isKey)]) {
      const one = await undoLines(unit, current, [line]);
      if (one.outcome.is === 'changed') current = one.outcome.key;
      settle(one, 1);
    }
  }
  return done;
}

const hasChildren = ({ table, lines }: Pick<Unit, 'table' | 'lines'>): boolean =>
  lines.some(({ column }) => findChildren(table, column).length > 0);

/** Tells whether the foreign key by which a row moved still exists. */
const isReference = ({ table, lines }: Unit): boolean =>
  table.references.some(
    ({ name, child, childColumns }) =>
      child === table.name &&
      name === lines[0]?.reference &&
      childColumns.includes(lines[0].column),
  );

function reverse(table: Table, line: UndoLogLine): Change {
  const column = findColumn(table, line.column);
  if (!column) throw new InputError(`${line.table}.${line.column}: no longer exists`);
  return { column, old: Buffer.from(line.new, 'hex'), new: Buffer.from(line.old, 'hex') };
}
