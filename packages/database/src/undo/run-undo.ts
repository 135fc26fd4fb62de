/** Puts old values back where the new ones still are, from the last change to the first. */
import { createHash } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import { InputError, UsageError } from '@utf8/dump';
import { checkJournal, type JournalSummary, readBackwards } from '../journal/journal-reader.js';
import { cutShort, JournalWriter, otherJournal } from '../journal/journal-writer.js';
import { type JournalLine, parseLine } from '../journal/line.js';
import { lockJournal } from '../journal/owner-lock.js';
import { decide, type HazardActions, resolveActions } from '../judge/hazard.js';
import { judgeTable } from '../judge/judge.js';
import { findChildren } from '../judge/references.js';
import { identifyRow, readKey } from '../key.js';
import { checkNumber, refuseShared } from '../options.js';
import { MoveError } from '../repair/move.js';
import { RollbackError, readInterrupted, Session, type Sleep, UNDO } from '../repair/session.js';
import { hazardOf, type Written, writeRow } from '../repair/write-row.js';
import type { Refusal, UndoReport } from '../report.js';
import type { Change, Progress, Server, Transaction } from '../server/server.js';
import type { Key, Table } from '../server/table.js';
import type { Target } from '../url.js';

/** Options of {@link undoRepair}. */
export interface UndoOptions {
  /** Such as `sqlite:app.db` or `postgres://user@host/shop`. */
  readonly url: string;
  /** Path of the journal of the repair. */
  readonly journal: string;
  /** What is done with rows of tables with triggers or a history; nothing is written of them by default. */
  readonly on?:
    | {
        /** For tables with triggers on UPDATE; `skip` by default. */
        readonly trigger?: 'skip' | 'fire' | undefined;
        /** For tables that are system-versioned; `skip` by default. */
        readonly history?: 'skip' | 'accept' | undefined;
      }
    | undefined;
  /** Number of rows in a transaction; 1,000 by default. */
  readonly batch?: number | undefined;
  /**
   * How long to wait for a lock, in milliseconds; by default 5,000 for SQLite, and as the server is set up
   * for others. MariaDB and MySQL wait for whole seconds.
   */
  readonly lockTimeout?: number | undefined;
  /**
   * Receives how far the undo has come.
   *
   * @param done - How many bytes of the journal are undone.
   * @param total - How many bytes of it there are to undo.
   */
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
  /**
   * Receives sentences about what happens.
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
  readonly lines: readonly JournalLine[];
  /** Where its first line starts, in bytes. */
  readonly at: number;
}

interface UndoCounts {
  restored: number;
  kept: number;
  refused: number;
}

/** What an undo saves besides how far it has come. */
interface SavedCounts extends UndoCounts {
  /** How much of the journal is undone, in bytes. */
  readonly size: number;
}

/** Checks the options before anything is opened. */
export function checkUndo(options: UndoOptions, target: Target): void {
  checkNumber('batch', options.batch ?? 1, 1, 100_000);
  for (const [hazard, action] of Object.entries<string | undefined>(options.on ?? {})) {
    if (action === 'stop') throw new UsageError(`an undo cannot stop because of ${hazard}`);
    if (hazard === 'trigger' || hazard === 'history') continue;
    throw new UsageError(`an undo has no action for ${hazard}; expected trigger or history`);
  }
  resolveOn(options);
  refuseShared(target, { '--journal': options.journal });
}

const resolveOn = ({ on }: UndoOptions): HazardActions =>
  resolveActions(on as Partial<HazardActions>);

export async function runUndo(
  server: Server,
  options: UndoOptions,
  target: Target,
  sleep?: Sleep,
): Promise<UndoReport> {
  const unlock = lockJournal(options.journal);
  try {
    return await undo(server, options, target, sleep);
  } finally {
    unlock();
  }
}

async function undo(
  server: Server,
  options: UndoOptions,
  target: Target,
  sleep: Sleep | undefined,
): Promise<UndoReport> {
  const { journal, onProgress, onNotice } = options;
  const tables = new Map((await server.listTables()).map((table) => [table.name, table]));
  const saved = await readInterrupted(server);
  const isUndo = saved?.identity.startsWith(UNDO) ?? false;
  // What a run that was killed has written besides was never committed.
  const most = saved && isUndo ? (saved.counts as SavedCounts).size : saved?.journal;
  const summary = checkJournal(journal, most, (line, number) =>
    requireKnown(journal, line, number, tables),
  );
  if (!summary) {
    if (saved) throw otherJournal(journal);
    throw new InputError(`${journal}: its run was interrupted before it changed anything`);
  }
  if (!saved && !summary.isComplete) throw cutShort(journal);
  const { identity, end } = findStart(journal, summary, saved);
  if (saved && !isUndo) endJournal(journal, summary);
  if (summary.header.database !== target.name) {
    onNotice?.(`${journal}: was written for ${summary.header.database}`);
  }
  if (isUndo) onNotice?.('resuming an interrupted undo');
  const session = new Session(server, saved, { sleep });
  const counts: UndoCounts = { restored: 0, kept: 0, refused: 0 };
  if (saved && isUndo) {
    const { restored, kept, refused } = saved.counts as SavedCounts;
    Object.assign(counts, { restored, kept, refused });
  }
  const refusals: Refusal[] = [];
  const actions = resolveOn(options);
  const total = summary.size - summary.start;
  for (const units of readBatches(journal, summary.start, end, tables, options.batch ?? 1000)) {
    const at = units.at(-1)?.at ?? summary.start;
    const stuck = new Map<Unit, string>();
    let done: Undone | undefined;
    while (!done) {
      try {
        done = await session.transact(async (transaction) => {
          const result = await undoUnits(server, transaction, tables, units, actions, stuck);
          const sums = add(counts, result);
          const progress: Progress = {
            identity,
            table: '',
            after: undefined,
            journal: at,
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
    // As between pages: signals are seen.
    await turn();
  }
  const problems = await server.checkIntegrity();
  await session.finish();
  return { product: server.product, database: target.name, ...counts, refusals, problems };
}

/** Ends the journal of an interrupted run, since the progress that says how much of it counts is about to go. */
function endJournal(path: string, { size, sum }: JournalSummary): void {
  const writer = JournalWriter.resume(path, { size, sum });
  try {
    writer.finish();
  } finally {
    writer.close();
  }
}

/** Where an undo starts: at the end of what was committed, or where an interrupted one was. */
function findStart(
  path: string,
  { size, sum, start }: JournalSummary,
  saved: Progress | undefined,
): { identity: string; end: number } {
  const hash = createHash('sha256')
    .update(JSON.stringify([size, sum]))
    .digest('hex');
  const identity = UNDO + hash;
  if (!saved) return { identity, end: size };
  if (saved.identity.startsWith(UNDO)) {
    if (saved.identity === identity && saved.journal >= start && saved.journal <= size) {
      return { identity, end: saved.journal };
    }
    throw otherJournal(path);
  }
  // A repair was interrupted: what follows was never committed.
  const isOurs = size === saved.journal && sum === (saved.counts as { sum?: unknown }).sum;
  if (!isOurs) throw otherJournal(path);
  return { identity, end: size };
}

/** Makes sure that a table still has the columns of a line. */
function requireKnown(
  path: string,
  line: JournalLine,
  number: number,
  tables: ReadonlyMap<string, Table>,
): void {
  const table = tables.get(line.table);
  if (table && findColumn(table, line.column) && readKey(table, line.newKey ?? line.key)) return;
  throw new UsageError(
    `${path}: line ${number} is about ${line.table}.${line.column} and key ${Object.keys(line.key).join(', ')}, which this database does not have; name the database of that run`,
  );
}

const findColumn = ({ columns }: Table, name: string) =>
  columns.find((column) => column.name === name);

/** Reads the changes of rows, the last first, so many at a time. */
function* readBatches(
  path: string,
  start: number,
  end: number,
  tables: ReadonlyMap<string, Table>,
  batch: number,
): Generator<Unit[], void, undefined> {
  let units: Unit[] = [];
  let lines: JournalLine[] = [];
  let at = end;
  const close = (): void => {
    const [line] = lines;
    if (!line) return;
    const table = tables.get(line.table) as Table;
    const key = readKey(table, line.newKey ?? line.key) as Key;
    units.push({ table, key, lines, at });
    lines = [];
  };
  for (const { text, at: next } of readBackwards(path, start, end)) {
    const line = parseLine(text);
    if (!line) throw new InputError(`${path}: was changed while it was read`);
    const [other] = lines;
    if (other && !(isSameRow(line, other) && lines.every(({ column }) => column !== line.column))) {
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

const isSameRow = (a: JournalLine, b: JournalLine): boolean =>
  ['table', 'key', 'newKey', 'reference'].every(
    (name) =>
      JSON.stringify(a[name as keyof JournalLine]) === JSON.stringify(b[name as keyof JournalLine]),
  );

/** Thrown to roll back a transaction of which a row cannot change together with what refers to it. */
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
    const [line] = lines as [JournalLine];
    const key = line.newKey ?? line.key;
    if (done.refusals.length < SHOWN) {
      done.refusals.push({ table: table.name, key, hazard, name });
    }
  };
  const moved = new Map<string, Key>();
  const moves = units.some((unit) => hasChildren(unit));
  if (moves) await transaction.deferReferences();
  const undoLines = async (unit: Unit, key: Key, lines: readonly JournalLine[]) => {
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
      refuse(unit, lines.length, 'reference', reason);
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
    const isKey = ({ column }: JournalLine): boolean => table.key?.names.includes(column) ?? false;
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

/** Whether the foreign key by which a row moved still exists. */
const isReference = ({ table, lines }: Unit): boolean =>
  table.references.some(
    ({ name, child, childColumns }) =>
      child === table.name &&
      name === lines[0]?.reference &&
      childColumns.includes(lines[0].column),
  );

function reverse(table: Table, line: JournalLine): Change {
  const column = findColumn(table, line.column);
  if (!column) throw new InputError(`${line.table}.${line.column}: no longer exists`);
  return { column, old: Buffer.from(line.new, 'hex'), new: Buffer.from(line.old, 'hex') };
}
