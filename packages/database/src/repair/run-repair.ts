/** A repair from its first look to its proof. */
import { existsSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { InputError, OutputError, UsageError } from '@utf8/dump';
import { attempt, opt, phrase } from '@utf8/dump/internal';
import { lock, toPath } from '@utf8/files';
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
import type {
  DeclarationReport,
  LookReport,
  Refusal,
  RepairCounts,
  RepairReport,
} from '../report.js';
import type { Misdeclaration } from '../server/declaration.js';
import type { Progress, Server } from '../server/server.js';
import type { Table } from '../server/table.js';
import { completeDeclarations } from '../undo-log/complete-declarations.js';
import { formatDeclaration, type UndoLogHeader } from '../undo-log/line.js';
import { checkUndoLog } from '../undo-log/undo-log-reader.js';
import { cutShort, otherUndoLog, UndoLogWriter } from '../undo-log/undo-log-writer.js';
import type { Target } from '../url.js';
import { createCount } from './count.js';
import { PageWriter, StopError } from './page-writer.js';
import { readInterrupted, Session, type Sleep, UNDO } from './session.js';

/** Parts that tests replace. */
export interface Surroundings {
  readonly sleep?: Sleep | undefined;
  readonly newKeys?: HashSet | undefined;
}

/** Options of a repair, or of a scan, which has no undo log. */
export type PlannedOptions = Omit<RepairDatabaseOptions, 'undo'> & {
  readonly undo?: string | undefined;
};

/** Options of a repair, complete and checked. */
export interface RepairPlan {
  readonly look: LookPlan;
  readonly options: PlannedOptions;
  readonly target: Target;
}

/**
 * Completes and checks options, before anything is opened.
 *
 * @throws UsageError, LabelError or RepairOptionError if they are invalid.
 */
export function createRepairPlan(options: PlannedOptions, target: Target): RepairPlan {
  const { report, undo, pause } = options;
  if (pause !== undefined) checkNumber('pause', pause, 0, LONGEST);
  refuseShared(target, [
    { option: 'undo', path: undo },
    { option: 'report', path: report },
  ]);
  return { look: createLookPlan(options, target.name), options, target };
}

export async function runRepair(
  server: Server,
  plan: RepairPlan,
  surroundings: Surroundings = {},
): Promise<RepairReport> {
  const run = new RepairRun(server, plan, surroundings);
  await run.listTables();
  const { undo } = plan.options;
  if (undo === undefined) return run.lookOnly();
  const unlock = attempt(undo, () => lock(undo));
  try {
    return await run.repair(undo);
  } finally {
    unlock();
  }
}

/** The tables of a run, and its report so far. */
class RepairRun {
  readonly #server: Server;
  readonly #plan: RepairPlan;
  readonly #surroundings: Surroundings;
  #tables = new Map<string, Table>();
  #chosen: ChosenTable[] = [];
  #meter = new Meter([], 1, undefined);
  #stopped: Refusal | null = null;
  readonly #statements: string[] = [];
  /** By table: columns that contain UTF-8, and are declared in another character set. */
  readonly #declarations = new Map<string, DeclarationReport[]>();

  constructor(server: Server, plan: RepairPlan, surroundings: Surroundings) {
    this.#server = server;
    this.#plan = plan;
    this.#surroundings = surroundings;
  }

  async listTables(): Promise<void> {
    const { options } = this.#plan;
    const all = await this.#server.listTables();
    this.#tables = new Map(all.map((table) => [table.name, table]));
    this.#chosen = chooseTables(all, options);
    await this.#findMisdeclared();
    const tables = this.#chosen.map(({ table }) => table);
    this.#meter = new Meter(tables, options.undo === undefined ? 1 : 3, options.onProgress);
  }

  /** Finds columns that contain UTF-8, and decides how the other values in them change. */
  async #findMisdeclared(): Promise<void> {
    const { look } = this.#plan;
    this.#declarations.clear();
    for (const [i, { table, columns }] of this.#chosen.entries()) {
      const all = (await this.#server.findMisdeclared?.(table)) ?? [];
      const found = all.filter(({ column }) => columns.some(({ name }) => name === column));
      if (found.length === 0) continue;
      const reports = found.map((each) => reportDeclaration(each, look));
      this.#declarations.set(table.name, reports);
      const legacy = new Map(
        found.flatMap(({ column, characters }, i) =>
          reports[i]?.action === 'allow' ? [[column, characters] as const] : [],
        ),
      );
      const read = columns.map((column) => ({ ...column, legacy: legacy.get(column.name) }));
      this.#chosen[i] = { table, columns: read };
    }
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
      options.onNotice?.(`${path}: its run has finished; nothing to resume`);
      return this.#report({ found: null, repaired: null, ...(await this.#prove()) });
    }
    const isOld = options.resume && existsSync(toPath(path));
    const undoLog = isOld
      ? UndoLogWriter.restart(path, this.#header)
      : UndoLogWriter.create(path, this.#header);
    try {
      let session: Session | undefined;
      let found: LookReport;
      try {
        found = await this.#look();
        await options.onLook?.(found);
        if (!this.#stopped) {
          await this.#alter();
          session = this.#createSession(undoLog, undefined);
          await this.#claim(session, undoLog, look.identity);
        }
      } catch (error) {
        // A claim that failed may have been committed.
        if (!session) undoLog.remove();
        throw error;
      }
      if (!session) {
        undoLog.remove();
        return this.#report({ found, repaired: null });
      }
      return await this.#write(undoLog, session, undefined, found);
    } finally {
      undoLog.close();
    }
  }

  async #resume(path: string, progress: Progress): Promise<RepairReport> {
    const { sum } = progress.counts as { sum: number };
    const undoLog = UndoLogWriter.resume(path, { size: progress.undoSize, sum });
    try {
      await completeDeclarations(this.#server, path, progress.undoSize);
      await this.listTables();
      const session = this.#createSession(undoLog, progress);
      // Another process that still writes ends when it sees that.
      await session.transact(async () => ({ progress, result: undefined }));
      this.#plan.options.onNotice?.(
        progress.table === ''
          ? 'resuming before the first row'
          : `resuming in ${progress.table}; the changes of the interrupted run are kept`,
      );
      return await this.#write(undoLog, session, progress, null);
    } finally {
      undoLog.close();
    }
  }

  /** Saves that a run has begun, before its undo log has the first line. */
  async #claim(session: Session, undoLog: UndoLogWriter, identity: string): Promise<void> {
    const { size, sum } = undoLog.mark;
    const counts = { ...createCount(), sum };
    await session.transact(async () => ({
      progress: { identity, table: '', after: undefined, undoSize: size, counts },
      result: undefined,
    }));
  }

  async #write(
    undoLog: UndoLogWriter,
    session: Session,
    progress: Progress | undefined,
    found: LookReport | null,
  ): Promise<RepairReport> {
    const { look, options } = this.#plan;
    const writer = new PageWriter({
      server: this.#server,
      session,
      undoLog,
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
    await this.#declare(undoLog, session, writer);
    const proof = await this.#prove();
    // In this order, so that a run that is killed in between can still be resumed and undone.
    if (!undoLog.isEmpty) undoLog.finish();
    await session.finish();
    if (undoLog.isEmpty) undoLog.remove();
    return this.#report({ found, repaired: writer.count, refusals, ...proof });
  }

  /** Declares columns as UTF-8 once all their values are. */
  async #declare(undoLog: UndoLogWriter, session: Session, writer: PageWriter): Promise<void> {
    const { look, options } = this.#plan;
    const server = this.#server;
    let isChanged = false;
    for (const [name, declarations] of this.#declarations) {
      for (const { column, type, declaration, action } of declarations) {
        if (action !== 'allow') continue;
        const change = { column, type, from: declaration.old, to: declaration.new };
        // On the disk before the server changes anything; an undo sees whether it did.
        undoLog.add(formatDeclaration(name, change), 1);
        await session.transact(async () => {
          undoLog.sync();
          const { size, sum } = undoLog.mark;
          const counts = { ...writer.count, sum };
          const progress = {
            identity: look.identity,
            table: '',
            after: undefined,
            undoSize: size,
            counts,
          };
          return { progress, result: undefined };
        });
        undoLog.commit();
        options.onNotice?.(`declaring ${name}.${column} as ${declaration.new}`);
        try {
          if (await server.redeclare?.(name, change)) writer.count.declared++;
          isChanged = true;
        } catch (error) {
          if (!(error instanceof OutputError)) throw error;
          writer.refusals.push({
            table: name,
            key: {},
            hazard: 'narrow-column',
            name: error.message,
          });
        }
      }
    }
    if (isChanged) await this.listTables();
  }

  /** The tables that an interrupted run has left, and where to begin in the first of them. */
  #rest(progress: Progress | undefined): { chosen: ChosenTable; start: Progress['after'] }[] {
    const { table: name = '', after } = progress ?? {};
    const index = this.#chosen.findIndex(({ table }) => table.name === name);
    if (name !== '' && index === -1) {
      throw new InputError(
        `${name}: the interrupted run was in this table, which no longer exists; revert that run with its undo log`,
      );
    }
    return this.#chosen
      .slice(Math.max(index, 0))
      .map((chosen, i) => ({ chosen, start: i === 0 ? after : undefined }));
  }

  async #look(): Promise<LookReport> {
    const { look, options } = this.#plan;
    this.#stopAtDeclarations();
    return lookAndReport(
      { ...this.#reading, weighs: true, newKeys: this.#surroundings.newKeys, onRow: this.#note },
      { report: look.options.report, onFinding: options.onFinding },
    );
  }

  /** Columns that have to be altered before they accept a row that is to be written. */
  readonly #narrowColumns = new Set<string>();

  readonly #stopAtDeclarations = (): void => {
    for (const [table, declarations] of this.#declarations) {
      const first = declarations.find(({ action }) => action === 'stop');
      if (first)
        this.#stopped ??= { table, key: {}, hazard: 'narrow-column', name: nameDeclaration(first) };
    }
  };

  readonly #note = ({ table, judgement, hazards, decision }: LookedRow): void => {
    if (decision.is === 'stop' && !this.#stopped) {
      const { hazard, name } = decision.because;
      this.#stopped = { table: table.name, key: nameKey(table, judgement.key), hazard, name };
    }
    if (decision.is !== 'write') return;
    for (const { hazard, column, table: other = table.name } of hazards) {
      if (hazard === 'narrow-column') this.#narrowColumns.add(JSON.stringify([other, column]));
    }
  };

  /** Runs the statements that columns need, once each. */
  async #alter(): Promise<void> {
    const statements = new Set<string>();
    for (const id of this.#narrowColumns) {
      const [name, column] = JSON.parse(id);
      const columns = this.#tables.get(name)?.columns ?? [];
      const { narrowness } = columns.find((each) => each.name === column) ?? {};
      if (narrowness) statements.add(narrowness.statement);
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
      declarations: this.#declarations,
    };
  }

  get #header(): UndoLogHeader {
    const { from, to } = this.#plan.look;
    const { product } = this.#server;
    return { undoLog: 2, product, database: this.#plan.target.name, from, to };
  }

  #createSession(undoLog: UndoLogWriter, saved: Progress | undefined): Session {
    const onRollback = () => undoLog.rollback();
    return new Session(this.#server, saved, { sleep: this.#surroundings.sleep, onRollback });
  }

  #checkProgress(progress: Progress | undefined): void {
    if (!progress) return;
    const { options, look } = this.#plan;
    if (progress.identity.startsWith(UNDO)) {
      throw new UsageError('a revert was interrupted in this database; run it again first');
    }
    if (!options.resume) {
      throw new UsageError(
        phrase`an interrupted run has left its progress in this database; resume it with its undo log, or revert it; without its undo log, drop the table utf8_repair to begin again (${opt('resume')})`,
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

/** Decides about a column, which clients see as mojibake: repair it if mojibake may be repaired and columns altered. */
function reportDeclaration(
  { characters: _, ...found }: Misdeclaration,
  { actions, options }: LookPlan,
): DeclarationReport {
  const isAsked = options.mojibake === 'repair' && found.refusal === undefined;
  return { ...found, action: isAsked ? actions['narrow-column'] : 'skip' };
}

const nameDeclaration = ({ column, charset }: DeclarationReport): string =>
  `${column} contains UTF-8, and is declared as ${charset}`;

/**
 * Tells whether an undo log without progress in its database belongs to a run that has ended, and not to
 * one that was killed before it changed anything.
 *
 * @throws InputError if it is neither: it was cut short.
 */
function hasEnded(path: string, header: UndoLogHeader): boolean {
  const found = checkUndoLog(path);
  if (!found) return false;
  const { database, from, to } = found.header;
  if (database !== header.database || from !== header.from || to !== header.to) {
    throw otherUndoLog(path);
  }
  if (found.lines > 0 && !found.isComplete) throw cutShort(path);
  return found.isComplete;
}
