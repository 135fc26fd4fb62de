/**
 * Writes the changes of a page of rows: in one transaction, and in another for rows that another program changed first.
 */
import type { DatabaseHazard } from '@utf8/dump/internal';
import { decide, type FoundHazard } from '../judge/hazard.js';
import { createJudge, type Judge, type Judgement } from '../judge/judge.js';
import { findChildren, findReferenceHazards, type Tables } from '../judge/references.js';
import { identifyRow, nameKey } from '../key.js';
import type { ChosenTable, LookPlan } from '../options.js';
import type { Refusal } from '../report.js';
import { readPages } from '../server/pages.js';
import type { Page, Progress, Server, Transaction } from '../server/server.js';
import type { Key, Table } from '../server/table.js';
import { formatChanges } from '../undo-log/line.js';
import type { UndoLogWriter } from '../undo-log/undo-log-writer.js';
import { addCount, addSkipped, type Count, createCount } from './count.js';
import { findCurrent, MoveError } from './move.js';
import { RollbackError, type Session } from './session.js';
import { hazardOf, type RowTask, type Written, writeRow } from './write-row.js';

/** Refusals that a report contains. */
const SHOWN = 10;

/** Clean pages after which progress is saved anyway. */
const CLEAN = 64;

/** Thrown if a hazard ends the run: nothing of its transaction was written. */
export class StopError extends RollbackError {
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    super(`stopped by ${refusal.hazard}: ${refusal.name}`);
    this.refusal = refusal;
  }
}

/** Thrown to roll back a transaction in which a row cannot be written with all rows that refer to it. */
class UnitError extends RollbackError {
  readonly index: number;

  constructor(index: number, cause: MoveError) {
    super(cause.message, { cause });
    this.index = index;
  }
}

/** Task of a writer of pages. */
export interface WriterTask {
  readonly server: Server;
  readonly session: Session;
  readonly undoLog: UndoLogWriter;
  readonly plan: LookPlan;
  readonly tables: Tables;
  /** Counts of the interrupted run. */
  readonly count: Count;
  /** Waits between transactions. */
  readonly pause: () => Promise<unknown>;
}

/** A row to write, and why it cannot be. */
interface Todo extends RowTask {
  refused?: string;
}

/** Result of a transaction, which may be rolled back. */
interface Attempt {
  /** Counts to add as soon as the transaction is committed. */
  readonly count: Count;
  /** Counts to add once the page is done, since a resumed run meets its rows again. */
  readonly rest: Count;
  readonly refusals: Refusal[];
  readonly overtaken: Set<string>;
  /** The new keys of rows by their old ones. */
  readonly moved: Map<string, Key>;
}

/** A page that is being written. */
interface Position {
  readonly table: Table;
  /** The keys after which it starts, and with which it ends. */
  readonly start: Key | undefined;
  readonly end: Key | undefined;
  /** Counts to add once the page is done. */
  readonly rest: Count;
  /** The new keys of its rows by their old ones. */
  readonly moved: Map<string, Key>;
}

/** Writes the pages of all tables, in order. */
export class PageWriter {
  /** All that was done. */
  readonly count: Count;
  readonly refusals: Refusal[] = [];
  readonly #task: WriterTask;
  #clean = 0;

  constructor(task: WriterTask) {
    this.#task = task;
    this.count = task.count;
  }

  /** @param start - The key after which the table is read. */
  async writeTable(
    chosen: ChosenTable,
    start: Key | undefined,
    onPage: (page: Page) => void,
  ): Promise<void> {
    const { server, plan } = this.#task;
    const judge = createJudge(plan.repairer, chosen.table, chosen.columns);
    let after = start;
    for await (const page of readPages(server, chosen, plan, start)) {
      await this.#writePage(chosen, judge, after, page);
      onPage(page);
      after = page.last ?? after;
    }
  }

  async #writePage(
    chosen: ChosenTable,
    judge: Judge,
    start: Key | undefined,
    page: Page,
  ): Promise<void> {
    const { table } = chosen;
    const end = page.last ?? start;
    const position = { table, start, end, rest: createCount(), moved: new Map<string, Key>() };
    const judged = page.rows.flatMap((row) => judge(row) ?? []);
    const first = await this.#decideAll(position, judged);
    let { overtaken, isDone } = await this.#writeRows(position, first, false);
    if (overtaken.size > 0) {
      const again = await this.#readAgain(chosen, judge, position, overtaken);
      const second = await this.#decideAll(position, again);
      ({ isDone } = await this.#writeRows(position, second, true));
    }
    if (!isDone) addCount(this.count, position.rest);
    if (first.length > 0) {
      this.#clean = 0;
      await this.#task.pause();
    } else if (++this.#clean === CLEAN) {
      this.#clean = 0;
      await this.#saveProgress(position);
    }
  }

  /** Saves progress so that an interrupted run does not read all clean pages again. */
  async #saveProgress({ table, end }: Position): Promise<void> {
    const { session } = this.#task;
    await session.transact(async () => {
      return { progress: this.#describeProgress(table, end, this.count), result: undefined };
    });
  }

  /** Chooses the rows to write. */
  async #decideAll({ table, rest }: Position, judged: readonly Judgement[]): Promise<Todo[]> {
    const { server, tables, plan } = this.#task;
    const { actions, codec } = plan;
    const moves = actions['orphaned-row'] === 'allow';
    const chosen: Todo[] = [];
    for (const judgement of judged) {
      const { key } = judgement;
      const hazards = judgement.hazards.map(standsNow);
      // A row that is skipped anyway needs no query.
      if (decide(hazards, actions).is === 'write') {
        const { changes } = judgement;
        const found = await findReferenceHazards(server, tables, table, changes, moves);
        hazards.push(...found.map(standsNow));
      }
      const decision = decide(hazards, actions);
      if (decision.is === 'stop') {
        const { hazard, name } = decision.because;
        throw new StopError({ table: table.name, key: nameKey(table, key), hazard, name });
      }
      if (decision.is === 'skip') {
        addSkipped(rest, decision.because.hazard);
        continue;
      }
      const following = hazards.filter(({ follows }) => follows).map(({ column }) => column);
      const changes = judgement.changes.filter(({ column }) => !following.includes(column.name));
      if (changes.length === 0) continue;
      chosen.push({
        table,
        key,
        changes,
        moves: moves && changes.some(({ column }) => findChildren(table, column.name).length > 0),
        suffixes: actions['equal-keys'] === 'allow' ? codec : undefined,
      });
    }
    return chosen;
  }

  /**
   * Writes rows in one transaction, or in several if one of them cannot be written with the rows that refer to it.
   *
   * @param isLast - True if overtaken rows are given up.
   * @returns The overtaken rows, and whether the progress says that the page is done.
   */
  async #writeRows(
    position: Position,
    rows: readonly Todo[],
    isLast: boolean,
  ): Promise<{ overtaken: Set<string>; isDone: boolean }> {
    const { table, start, end, rest } = position;
    const { session, undoLog } = this.#task;
    const overtaken = new Set<string>();
    let isDone = false;
    let to = rows.length;
    for (let from = 0; from < rows.length; ) {
      const part = rows.slice(from, to);
      let attempt: Attempt;
      try {
        attempt = await session.transact(async (transaction) => {
          const result = await this.#attempt(transaction, position, part);
          undoLog.sync();
          const total = overtaken.size + result.overtaken.size;
          isDone = to === rows.length && (isLast || total === 0);
          const count = createCount(this.count);
          addCount(count, result.count);
          if (isDone) {
            addCount(count, rest);
            addCount(count, result.rest);
          }
          return { progress: this.#describeProgress(table, isDone ? end : start, count), result };
        });
      } catch (error) {
        if (error instanceof StopError) undoLog.rollback();
        if (!(error instanceof UnitError)) throw error;
        undoLog.rollback();
        (part[error.index] as Todo).refused = error.message;
        to = from + error.index + 1;
        continue;
      }
      undoLog.commit();
      addCount(this.count, attempt.count);
      addCount(rest, attempt.rest);
      for (const [old, key] of attempt.moved) position.moved.set(old, key);
      for (const row of attempt.overtaken) overtaken.add(row);
      this.refusals.push(...attempt.refusals.slice(0, SHOWN - this.refusals.length));
      from = to;
      to = rows.length;
    }
    if (isDone) addCount(this.count, rest);
    return { overtaken, isDone };
  }

  async #attempt(
    transaction: Transaction,
    position: Position,
    rows: readonly Todo[],
  ): Promise<Attempt> {
    const { server, tables } = this.#task;
    const moved = new Map(position.moved);
    const attempt: Attempt = {
      count: createCount(),
      rest: createCount(),
      refusals: [],
      overtaken: new Set(),
      moved,
    };
    if (rows.some(({ moves, refused }) => moves && !refused)) await transaction.deferReferences();
    for (const [index, row] of rows.entries()) {
      if (row.refused !== undefined) {
        this.#refuse(attempt, row, 'orphaned-row', row.refused);
        continue;
      }
      // A parent earlier in this page may have moved it.
      const key = findCurrent(moved, row.table, row.key);
      let written: Written;
      try {
        written = await writeRow({ ...row, key }, { server, transaction, tables, moved });
      } catch (error) {
        throw error instanceof MoveError ? new UnitError(index, error) : error;
      }
      this.#add(attempt, { ...row, key }, written);
    }
    return attempt;
  }

  #add(attempt: Attempt, row: Todo, { outcome, rows, isSuffixed }: Written): void {
    const { count, moved, overtaken } = attempt;
    if (outcome.is === 'overtaken') {
      count.overtaken++;
      overtaken.add(identifyRow(row.table, row.key));
    } else if (outcome.is === 'refused') {
      this.#refuse(attempt, row, hazardOf[outcome.reason], outcome.message);
    }
    for (const { table, key, newKey, changes, reference } of rows) {
      if (reference) count.moved++;
      else count.rows++;
      count.values += changes.length;
      const [before, after] = [identifyRow(table, key), identifyRow(table, newKey)];
      if (before !== after) moved.set(before, newKey);
      this.#task.undoLog.add(formatChanges(table, key, newKey, changes, reference), changes.length);
    }
    if (isSuffixed) count.suffixed++;
  }

  #refuse(attempt: Attempt, { table, key }: Todo, hazard: DatabaseHazard, name: string): void {
    const refusal = { table: table.name, key: nameKey(table, key), hazard, name };
    if (this.#task.plan.actions[hazard] === 'stop') throw new StopError(refusal);
    addSkipped(attempt.rest, hazard);
    if (attempt.refusals.length < SHOWN) attempt.refusals.push(refusal);
  }

  /** Reads rows again that another writer has changed: as far as two pages, if it has not moved them. */
  async #readAgain(
    chosen: ChosenTable,
    judge: Judge,
    { table, start }: Position,
    overtaken: ReadonlySet<string>,
  ): Promise<Judgement[]> {
    const { server, plan } = this.#task;
    const found: Judgement[] = [];
    const missing = new Set(overtaken);
    let pages = 0;
    for await (const { rows } of readPages(server, chosen, plan, start)) {
      for (const row of rows) {
        if (!missing.delete(identifyRow(table, row.key))) continue;
        const judgement = judge(row);
        if (judgement) found.push(judgement);
      }
      if (missing.size === 0 || ++pages === 2) break;
    }
    return found;
  }

  #describeProgress(table: Table, after: Key | undefined, count: Count): Progress {
    const { plan, undoLog } = this.#task;
    const { size, sum } = undoLog.mark;
    return {
      identity: plan.identity,
      table: table.name,
      after,
      undoSize: size,
      counts: { ...count, sum },
    };
  }
}

/** Columns were altered before the first row; with a hazard that appears now, the server would store another text. */
const standsNow = (found: FoundHazard): FoundHazard =>
  found.hazard === 'narrow-column' ? { ...found, isFinal: true } : found;
