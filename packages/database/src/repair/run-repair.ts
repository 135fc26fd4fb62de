/** A repair from its first look to its proof. */
import { existsSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { InputError, nameLock, toPath, UsageError } from '@utf8/dump';
import { checkJournal } from '../journal/journal-reader.js';
import { cutShort, JournalWriter, otherJournal } from '../journal/journal-writer.js';
import type { JournalHeader } from '../journal/line.js';
import { lockJournal } from '../journal/owner-lock.js';
import type { HashSet } from '../judge/collisions.js';
import { nameKey } from '../key.js';
import type { LookedRow } from '../look/look.js';
import { lookAndReport } from '../look/report-findings.js';
import { Meter } from '../meter.js';
import {
  type ChosenTable,
  checkNumber,
  chooseTables,
  createLookPlan,
  LONGEST,
  type LookPlan,
  type RepairDatabaseOptions,
  refuseShared,
} from '../options.js';
import { type Proof, prove } from '../prove/prove.js';
import type { LookReport, Refusal, RepairCounts, RepairReport } from '../report.js';
import type { Progress, Server } from '../server/server.js';
import type { Table } from '../server/table.js';
import type { Target } from '../url.js';
import { createCount } from './count.js';
import { PageWriter, StopError } from './page-writer.js';
import { readInterrupted, Session, type Sleep, UNDO } from './session.js';

/** What tests replace. */
export interface Surroundings {
  readonly sleep?: Sleep | undefined;
  readonly newKeys?: HashSet | undefined;
}

/** Options of a repair, complete and checked. */
export interface RepairPlan {
  readonly look: LookPlan;
  readonly options: RepairDatabaseOptions;
  readonly target: Target;
  /** Undefined for a dry run. */
  readonly journal: string | undefined;
}

/**
 * Completes and checks options, before anything is opened.
 *
 * @throws UsageError, LabelError or RepairOptionError if they make no sense.
 */
export function createRepairPlan(options: RepairDatabaseOptions, target: Target): RepairPlan {
  const { report, dryRun, resume, pause } = options;
  const journal = dryRun ? undefined : options.journal;
  if (resume && options.journal === undefined) {
    throw new UsageError('resume requires the journal of the interrupted run');
  }
  if (resume && dryRun) throw new UsageError('a dry run writes nothing, and cannot be resumed');
  if (pause !== undefined) checkNumber('pause', pause, 0, LONGEST);
  refuseShared(target, {
    '--journal': options.journal,
    "the journal's lock": options.journal && nameLock(options.journal),
    '--report': report,
  });
  return { look: createLookPlan(options, target.name), options, target, journal };
}

export async function runRepair(
  server: Server,
  plan: RepairPlan,
  surroundings: Surroundings = {},
): Promise<RepairReport> {
  const run = new RepairRun(server, plan, surroundings);
  await run.listTables();
  if (plan.journal === undefined) return run.lookOnly();
  const unlock = lockJournal(plan.journal);
  try {
    return await run.repair(plan.journal);
  } finally {
    unlock();
  }
}

/** The tables of a run, and what it has to report so far. */
class RepairRun {
  readonly #server: Server;
  readonly #plan: RepairPlan;
  readonly #surroundings: Surroundings;
  #tables = new Map<string, Table>();
  #chosen: ChosenTable[] = [];
  #meter = new Meter([], 1, undefined);
  #stopped: Refusal | null = null;
  readonly #statements: string[] = [];

  constructor(server: Server, plan: RepairPlan, surroundings: Surroundings) {
    this.#server = server;
    this.#plan = plan;
    this.#surroundings = surroundings;
  }

  async listTables(): Promise<void> {
    const { options, journal } = this.#plan;
    const all = await this.#server.listTables();
    this.#tables = new Map(all.map((table) => [table.name, table]));
    this.#chosen = chooseTables(all, options);
    const tables = this.#chosen.map(({ table }) => table);
    this.#meter = new Meter(tables, journal === undefined ? 1 : 3, options.onProgress);
  }

  async lookOnly(): Promise<RepairReport> {
    return this.#report({ found: await this.#look(), repaired: null });
  }

  async repair(path: string): Promise<RepairReport> {
    const { options, look } = this.#plan;
    const progress = await readInterrupted(this.#server);
    this.#checkProgress(progress);
    if (progress) return this.#resume(path, progress);
    if (options.resume && existsSync(toPath(path)) && hasEnded(path, this.#header)) {
      options.onNotice?.(`${path}: its run has ended; there is nothing to resume`);
      return this.#report({ found: null, repaired: null, ...(await this.#prove()) });
    }
    const isOld = options.resume && existsSync(toPath(path));
    const journal = isOld
      ? JournalWriter.restart(path, this.#header)
      : JournalWriter.create(path, this.#header);
    try {
      let session: Session | undefined;
      let found: LookReport;
      try {
        found = await this.#look();
        await options.onLook?.(found);
        if (!this.#stopped) {
          await this.#alter();
          session = this.#createSession(journal, undefined);
          await this.#claim(session, journal, look.identity);
        }
      } catch (error) {
        // A claim that failed may have been committed.
        if (!session) journal.remove();
        throw error;
      }
      if (!session) {
        journal.remove();
        return this.#report({ found, repaired: null });
      }
      return await this.#write(journal, session, undefined, found);
    } finally {
      journal.close();
    }
  }

  async #resume(path: string, progress: Progress): Promise<RepairReport> {
    const { sum } = progress.counts as { sum: number };
    const journal = JournalWriter.resume(path, { size: progress.journal, sum });
    try {
      const session = this.#createSession(journal, progress);
      // Another process that still writes ends when it sees that.
      await session.transact(async () => ({ progress, result: undefined }));
      this.#plan.options.onNotice?.(
        progress.table === ''
          ? 'resuming before the first row'
          : `resuming in ${progress.table}; the changes of the interrupted run are kept`,
      );
      return await this.#write(journal, session, progress, null);
    } finally {
      journal.close();
    }
  }

  /** Saves that a run has begun, before its journal has the first line. */
  async #claim(session: Session, journal: JournalWriter, identity: string): Promise<void> {
    const { size, sum } = journal.mark;
    const counts = { ...createCount(), sum };
    await session.transact(async () => ({
      progress: { identity, table: '', after: undefined, journal: size, counts },
      result: undefined,
    }));
  }

  async #write(
    journal: JournalWriter,
    session: Session,
    progress: Progress | undefined,
    found: LookReport | null,
  ): Promise<RepairReport> {
    const { look, options } = this.#plan;
    const writer = new PageWriter({
      server: this.#server,
      session,
      journal,
      plan: look,
      tables: this.#tables,
      count: createCount(progress?.counts as Partial<RepairCounts>),
      pause: async () => {
        if (options.pause) await (this.#surroundings.sleep ?? wait)(options.pause);
      },
    });
    const { refusals } = writer;
    try {
      for (const { chosen, start } of this.#rest(progress)) {
        await writer.writeTable(chosen, start, ({ count }) => this.#meter.add(count));
      }
    } catch (error) {
      if (!(error instanceof StopError)) throw error;
      this.#stopped = error.refusal;
      return this.#report({ found, repaired: writer.count, refusals });
    }
    const proof = await this.#prove();
    // In this order, so that a run that is killed in between can still be resumed and undone.
    if (!journal.isEmpty) journal.finish();
    await session.finish();
    if (journal.isEmpty) journal.remove();
    return this.#report({ found, repaired: writer.count, refusals, ...proof });
  }

  /** The tables that an interrupted run has left, and where to begin in the first of them. */
  #rest(progress: Progress | undefined): { chosen: ChosenTable; start: Progress['after'] }[] {
    const { table: name = '', after } = progress ?? {};
    const index = this.#chosen.findIndex(({ table }) => table.name === name);
    if (name !== '' && index === -1) {
      throw new InputError(
        `${name}: the interrupted run was in this table, which no longer exists; undo that run with its journal`,
      );
    }
    return this.#chosen
      .slice(Math.max(index, 0))
      .map((chosen, i) => ({ chosen, start: i === 0 ? after : undefined }));
  }

  async #look(): Promise<LookReport> {
    const { look, options } = this.#plan;
    return lookAndReport(
      { ...this.#reading, weighs: true, newKeys: this.#surroundings.newKeys, onRow: this.#note },
      { report: look.options.report, onFinding: options.onFinding },
    );
  }

  /** Columns that have to be altered before they accept a row that is to be written. */
  readonly #obstructed = new Set<string>();

  readonly #note = ({ table, judgement, hazards, decision }: LookedRow): void => {
    if (decision.is === 'stop' && !this.#stopped) {
      const { hazard, name } = decision.because;
      this.#stopped = { table: table.name, key: nameKey(table, judgement.key), hazard, name };
    }
    if (decision.is !== 'write') return;
    for (const { hazard, column, table: other = table.name } of hazards) {
      if (hazard === 'obstacle') this.#obstructed.add(JSON.stringify([other, column]));
    }
  };

  /** Runs the statements that columns need, once each. */
  async #alter(): Promise<void> {
    const statements = new Set<string>();
    for (const id of this.#obstructed) {
      const [name, column] = JSON.parse(id);
      const columns = this.#tables.get(name)?.columns ?? [];
      const { obstacle } = columns.find((each) => each.name === column) ?? {};
      if (obstacle) statements.add(obstacle.statement);
    }
    for (const statement of statements) {
      if (!this.#server.changeSchema) {
        throw new InputError(`${this.#server.product} needs this statement first: ${statement}`);
      }
      this.#plan.options.onNotice?.(`running ${statement}`);
      await this.#server.changeSchema(statement);
      this.#statements.push(statement);
    }
    // The columns are others now.
    if (statements.size > 0) await this.listTables();
  }

  #prove(): Promise<Proof> {
    return prove(this.#reading);
  }

  get #reading() {
    return {
      server: this.#server,
      plan: this.#plan.look,
      tables: this.#tables,
      chosen: this.#chosen,
      meter: this.#meter,
    };
  }

  get #header(): JournalHeader {
    const { from, to } = this.#plan.look;
    const { product } = this.#server;
    return { journal: 2, product, database: this.#plan.target.name, from, to };
  }

  #createSession(journal: JournalWriter, saved: Progress | undefined): Session {
    const onRollback = () => journal.rollback();
    return new Session(this.#server, saved, { sleep: this.#surroundings.sleep, onRollback });
  }

  #checkProgress(progress: Progress | undefined): void {
    if (!progress) return;
    const { options, look } = this.#plan;
    if (progress.identity.startsWith(UNDO)) {
      throw new UsageError(
        'an undo was interrupted in this database; finish it first, with --undo',
      );
    }
    if (!options.resume) {
      throw new UsageError(
        'an interrupted run has left its progress in this database; add --resume with its journal to continue it, or undo it; without its journal, drop the table utf8_repair to begin again',
      );
    }
    if (progress.identity === look.identity) return;
    throw new UsageError(
      'the interrupted run had different tables, columns, encodings or policies; use the same ones to resume it',
    );
  }

  #report(parts: Pick<RepairReport, 'found' | 'repaired'> & Partial<RepairReport>): RepairReport {
    const { product, database, from, to } = this.#header;
    return {
      product,
      database,
      from,
      to,
      stopped: this.#stopped,
      refusals: [],
      statements: this.#statements,
      left: null,
      problems: [],
      ...parts,
    };
  }
}

/**
 * Tells whether a journal without progress in its database belongs to a run that has ended, and not to
 * one that was killed before it changed anything.
 *
 * @throws InputError if it is neither: it was cut short.
 */
function hasEnded(path: string, header: JournalHeader): boolean {
  const found = checkJournal(path);
  if (!found) return false;
  const { database, from, to } = found.header;
  if (database !== header.database || from !== header.from || to !== header.to) {
    throw otherJournal(path);
  }
  if (found.lines > 0 && !found.isComplete) throw cutShort(path);
  return found.isComplete;
}
