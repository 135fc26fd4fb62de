/** Writes the statements of a repair, and those that undo it, instead of running them. */
import * as fs from 'node:fs';
import { UsageError } from '@utf8/dump';
import { attempt, opt, phrase } from '@utf8/dump/internal';
import { createToken, nameTemporary, toPath, whenInterrupted, writeAll } from '@utf8/files';
import { nameKey } from '../key.js';
import type { LookedRow } from '../look/look.js';
import { lookAndReport } from '../look/report-findings.js';
import { Meter } from '../meter.js';
import { NewFile } from '../new-file.js';
import {
  chooseTables,
  createLookPlan,
  type LookOptions,
  type LookPlan,
  refuseShared,
} from '../options.js';
import { replaceInKey } from '../repair/move.js';
import type { Refusal, RepairReport } from '../report.js';
import type { Change, Server } from '../server/server.js';
import type { Table } from '../server/table.js';
import { readBackwards } from '../undo-log/undo-log-reader.js';
import type { Target } from '../url.js';

/** Options of {@link emitRepair}. */
export interface EmitOptions extends LookOptions {
  /** Path of a file for the statements, which is replaced as a whole or not at all. */
  readonly output: string;
  /** Path of a file for the statements that undo them, the last first. */
  readonly inverse: string;
}

/**
 * Completes and checks options, before anything is opened.
 *
 * @throws UsageError, LabelError or RepairOptionError if they are invalid.
 */
export function createEmitPlan(options: EmitOptions, target: Target): LookPlan {
  const { output, inverse, report } = options;
  for (const path of [output, inverse]) {
    if (path === '-')
      throw new UsageError('statements cannot be written to stdout; specify a file');
  }
  refuseShared(target, [
    { option: 'output', path: output },
    { label: 'the inverse', path: inverse },
    { option: 'report', path: report },
  ]);
  const plan = createLookPlan(options, target.name);
  if (plan.actions['orphaned-row'] === 'allow') {
    throw new UsageError(
      phrase`statements cannot change rows that refer to each other together (${opt('allow')})`,
    );
  }
  if (plan.actions['equal-keys'] === 'allow') {
    throw new UsageError(
      phrase`only the server can tell which suffix makes a key unique (${opt('allow')})`,
    );
  }
  return plan;
}

export async function runEmit(
  server: Server,
  plan: LookPlan,
  options: EmitOptions,
  target: Target,
): Promise<RepairReport> {
  const all = await server.listTables();
  const chosen = chooseTables(all, options);
  const tables = new Map(all.map((table) => [table.name, table]));
  const meter = new Meter(
    chosen.map(({ table }) => table),
    1,
    options.onProgress,
  );
  const { product } = server;
  const { from, to } = plan;
  let stopped: Refusal | null = null;
  const statements = new Set<string>();
  const files: { discard(): void }[] = [];
  try {
    const output = new NewFile(options.output);
    files.push(output);
    const inverse = new NewFile(options.inverse);
    files.push(inverse);
    const spool = new Spool(nameTemporary(options.inverse, createToken()));
    files.push(spool);
    const head = formatComment(`${target.name} (${product}), ${from} to ${to}`);
    const header = server.formatHeader ? `${server.formatHeader()}\n` : '';
    await output.write(head + header);
    await inverse.write(formatComment(`undoes the repair of ${target.name} (${product})`) + header);
    const onRow = async ({ table, judgement, hazards, decision }: LookedRow): Promise<void> => {
      const { key, changes } = judgement;
      if (decision.is === 'stop') {
        const { hazard, name } = decision.because;
        stopped ??= { table: table.name, key: nameKey(table, key), hazard, name };
      }
      if (decision.is !== 'write') return;
      for (const { hazard, column } of hazards) {
        const { narrowness } = table.columns.find(({ name }) => name === column) ?? {};
        if (hazard !== 'narrow-column' || !narrowness || statements.has(narrowness.statement))
          continue;
        statements.add(narrowness.statement);
        await output.write(terminate(narrowness.statement));
      }
      await output.write(terminate(server.formatUpdate(table, key, changes)));
      spool.add(terminate(formatInverse(server, table, key, changes)));
    };
    const look = {
      server,
      plan,
      tables,
      chosen,
      meter,
      weighs: true,
      needsStableKeys: true,
      onRow,
    };
    const found = await lookAndReport(look, options);
    if (!stopped) {
      for (const statement of spool.readBackwards()) await inverse.write(statement);
      // The undo statements are written first, so that a failure never leaves only the others.
      await inverse.commit();
      await output.commit();
    }
    return {
      product,
      database: target.name,
      from,
      to,
      found,
      stopped,
      repaired: null,
      refusals: [],
      statements: [...statements],
      left: null,
      problems: [],
    };
  } finally {
    for (const file of files) file.discard();
  }
}

function formatInverse(
  server: Server,
  table: Table,
  key: LookedRow['judgement']['key'],
  changes: readonly Change[],
): string {
  const newKey = changes.reduce((known, change) => replaceInKey(table, known, change), key);
  const inverse = changes.map(({ column, old, new: bytes }) => ({ column, old: bytes, new: old }));
  return server.formatUpdate(table, newKey, inverse);
}

const terminate = (statement: string): string => `${statement.trimEnd().replace(/;$/, '')};\n`;

const formatComment = (text: string): string => `-- ${text.replace(/\p{Cc}+/gu, ' ')}\n`;

/** Statements in a temporary file, which come out in reverse order. */
class Spool {
  readonly #path: string;
  #fd: number | undefined;
  readonly #settle: () => void;
  #size = 0;

  constructor(path: string) {
    this.#path = path;
    this.#fd = attempt(path, () => fs.openSync(toPath(path), 'wx', 0o600));
    this.#settle = whenInterrupted(() => this.discard());
  }

  add(statement: string): void {
    // One line each, even if a name contains line feeds.
    const bytes = Buffer.from(`${JSON.stringify(statement)}\n`);
    attempt(this.#path, () => writeAll(this.#fd as number, bytes, this.#size));
    this.#size += bytes.length;
  }

  *readBackwards(): Generator<string, void, undefined> {
    for (const { text } of readBackwards(this.#path, 0, this.#size)) yield JSON.parse(text);
  }

  discard(): void {
    if (this.#fd === undefined) return;
    fs.closeSync(this.#fd);
    this.#fd = undefined;
    fs.rmSync(toPath(this.#path), { force: true });
    this.#settle();
  }
}
