/** Writes the statements of a repair, and those that undo it, instead of running them. */
import * as fs from 'node:fs';
import { createToken, nameTemporary, toPath, UsageError, writeAll } from '@utf8/dump';
import { readBackwards } from '../journal/journal-reader.js';
import { nameKey } from '../key.js';
import type { LookedRow } from '../look/look.js';
import { lookAndReport } from '../look/report-findings.js';
import { Meter } from '../meter.js';
import { attempt, NewFile, removeLater } from '../new-file.js';
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
 * @throws UsageError, LabelError or RepairOptionError if they make no sense.
 */
export function createEmitPlan(options: EmitOptions, target: Target): LookPlan {
  const { output, inverse, report } = options;
  for (const path of [output, inverse]) {
    if (path === '-') throw new UsageError('statements cannot be written to stdout; name a file');
  }
  refuseShared(target, { '-o': output, 'the inverse': inverse, '--report': report });
  const plan = createLookPlan(options, target.name);
  const { reference, collision } = plan.actions;
  if (reference === 'move') {
    throw new UsageError(
      'reference: statements cannot move children with their parents; leave out reference=move',
    );
  }
  if (collision === 'suffix') {
    throw new UsageError(
      'collision: only the server can tell which suffix is free; leave out collision=suffix',
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
    output.write(head + header);
    inverse.write(formatComment(`undoes the repair of ${target.name} (${product})`) + header);
    const onRow = ({ table, judgement, hazards, decision }: LookedRow): void => {
      const { key, changes } = judgement;
      if (decision.is === 'stop') {
        const { hazard, name } = decision.because;
        stopped ??= { table: table.name, key: nameKey(table, key), hazard, name };
      }
      if (decision.is !== 'write') return;
      for (const { hazard, column } of hazards) {
        const { obstacle } = table.columns.find(({ name }) => name === column) ?? {};
        if (hazard !== 'obstacle' || !obstacle || statements.has(obstacle.statement)) continue;
        statements.add(obstacle.statement);
        output.write(terminate(obstacle.statement));
      }
      output.write(terminate(server.formatUpdate(table, key, changes)));
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
      for (const statement of spool.readBackwards()) inverse.write(statement);
      // Whoever has the statements has to have those that undo them.
      inverse.commit();
      output.commit();
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
  readonly #fd: number;
  readonly #remove: () => void;
  #size = 0;

  constructor(path: string) {
    this.#path = path;
    this.#fd = attempt(path, () => fs.openSync(toPath(path), 'wx', 0o600));
    this.#remove = removeLater(path);
  }

  add(statement: string): void {
    // One line each, whatever is in a name.
    const bytes = Buffer.from(`${JSON.stringify(statement)}\n`);
    writeAll(this.#path, this.#fd, bytes, this.#size);
    this.#size += bytes.length;
  }

  *readBackwards(): Generator<string, void, undefined> {
    for (const { text } of readBackwards(this.#path, 0, this.#size)) yield JSON.parse(text);
  }

  discard(): void {
    fs.closeSync(this.#fd);
    this.#remove();
  }
}
