/** Options of scans and repairs, with their defaults filled in. */
import { createHash } from 'node:crypto';
import type { Codec } from '@utf8/core';
import { codecFor, type Label, labelFor } from '@utf8/detect';
import { type TextOptions, UsageError } from '@utf8/dump';
import { type RunPaths, refuseSharedPaths } from '@utf8/dump/internal';
import { createRepairer, type Repairer } from '@utf8/repair';
import { type HazardActions, type HazardChoice, resolveActions } from './judge/hazard.js';
import type { DatabaseFinding, LookReport } from './report.js';
import type { Table, TextColumn } from './server/table.js';
import type { Target } from './url.js';

/** Options that choose the text to read, and its repair. */
export interface LookOptions extends Omit<TextOptions, 'from'>, HazardChoice {
  /** Such as `sqlite:app.db` or `postgres://user@host/shop`. */
  readonly url: string;
  /** Label of the encoding of the text, which must accept repaired text as well; `cesu-8+utf-8` by default. */
  readonly from?: string | undefined;
  /** Names of tables to read; all by default. */
  readonly tables?: readonly string[] | undefined;
  /** Columns to read, such as `users.name`; all by default. */
  readonly columns?: readonly string[] | undefined;
  /**
   * Columns of text whose values are JSON, such as `events.payload`, in addition to those of a type for JSON. What
   * `jsonb` refuses is refused or replaced in them, too. None by default.
   */
  readonly jsonColumns?: readonly string[] | undefined;
  /** Number of rows in a page and in a transaction; 1,000 by default. */
  readonly batch?: number | undefined;
  /**
   * Time to wait for a lock, in milliseconds; by default 5,000 for SQLite, and the server's own setting for
   * others. MariaDB and MySQL wait for whole seconds.
   */
  readonly lockTimeout?: number | undefined;
  /**
   * Path of a file for all findings as JSON Lines, which is replaced as a whole or not at all; none by
   * default.
   */
  readonly report?: string | undefined;
  /**
   * Receives every value with findings, before anything is written.
   *
   * @param finding - The value, and the finding in it.
   * @returns Nothing, or a promise that the run waits for.
   */
  readonly onFinding?: ((finding: DatabaseFinding) => void | Promise<void>) | undefined;
  /**
   * Receives the progress of the run. Each row is read up to three times, and counts each time.
   *
   * @param done - Number of rows read.
   * @param total - An estimate of the number of rows that the run reads; undefined if the server has none.
   */
  readonly onProgress?: ((done: number, total: number | undefined) => void) | undefined;
  /**
   * Receives notices, one sentence each.
   *
   * @param sentence - A sentence, without a full stop.
   */
  readonly onNotice?: ((sentence: string) => void) | undefined;
}

/** Options of {@link scanDatabase}. */
export type ScanDatabaseOptions = LookOptions;

/** Options of {@link repairDatabase}. */
export interface RepairDatabaseOptions extends LookOptions {
  /** Path of a new file for the undo log, which {@link revertDatabase} reads. */
  readonly undo: string;
  /** True to continue an interrupted run of the same options; false by default. */
  readonly resume?: boolean | undefined;
  /** Time to wait between two transactions, in milliseconds; 0 by default. */
  readonly pause?: number | undefined;
  /**
   * Receives the findings before anything is written. If it throws, nothing is written.
   *
   * @param report - The findings.
   * @returns Nothing, or a promise that the run waits for.
   */
  readonly onLook?: ((report: LookReport) => void | Promise<void>) | undefined;
}

/** Options of a look, complete and checked. */
export interface LookPlan {
  readonly options: LookOptions;
  readonly from: Label;
  readonly to: Label;
  readonly codec: Codec;
  readonly repairer: Repairer;
  readonly actions: HazardActions;
  readonly batch: number;
  /** True if a repair keeps well-formed UTF-8, except U+0000. */
  readonly skipsWellFormed: boolean;
  /** Tells apart runs whose results differ. */
  readonly identity: string;
}

const BATCH = 1000;

/** Characters of each length: a repair must not change them again. */
const REPAIRED = 'a\u00e9\u20ac\u{1f600}';

/**
 * Completes and checks options.
 *
 * @throws UsageError, LabelError or RepairOptionError if they are invalid.
 */
export function createLookPlan(options: LookOptions, database: string): LookPlan {
  const { vendor, nul, errors, unpairedSurrogates, equalJsonKeys, mojibake, innerLengths } =
    options;
  const from = labelFor(options.from ?? 'cesu-8+utf-8', { vendor });
  const to = labelFor(options.to ?? 'utf-8', { vendor });
  const policies = { nul, errors, unpairedSurrogates, equalJsonKeys, mojibake, innerLengths };
  const codec = codecFor(to);
  const repairer = createRepairer({ from: codecFor(from), to: codec, ...policies });
  const sample = codec.encode(codec.grammar.domain === 'bmp' ? REPAIRED.slice(0, 3) : REPAIRED);
  if (repairer(sample).status !== 'unchanged') {
    throw new UsageError(
      `from: ${from} does not accept repaired text, which is ${to}, and a database that is being repaired contains both; use cesu-8+utf-8, or another encoding that accepts both`,
    );
  }
  const { tables, columns, jsonColumns } = options;
  const chosen = [tables ?? null, columns ?? null, ...(jsonColumns ? [jsonColumns] : [])];
  const parts = JSON.stringify([database, from, to, policies, ...chosen]);
  return {
    options,
    from,
    to,
    codec,
    repairer,
    actions: resolveActions(options),
    batch: checkNumber('batch', options.batch ?? BATCH, 1, 100_000),
    skipsWellFormed: to === 'utf-8' && mojibake !== 'repair',
    identity: createHash('sha256').update(parts).digest('hex'),
  };
}

/**
 * Checks a number.
 *
 * @throws UsageError unless it is a whole number of the range.
 */
export function checkNumber(name: string, value: number, least: number, most: number): number {
  if (Number.isInteger(value) && value >= least && value <= most) return value;
  throw new UsageError(`${name} must be a whole number from ${least} to ${most}, not ${value}`);
}

/** The longest time that a timer can wait, in milliseconds. */
export const LONGEST: number = 2 ** 31 - 1;

/**
 * Checks that the files of a run are not one another, nor the database.
 *
 * @throws UsageError if two are the same file.
 */
export function refuseShared(
  { kind, location }: Target,
  files: readonly (Omit<RunPaths['outputs'][number], 'path'> & {
    readonly path: string | undefined;
  })[],
): void {
  refuseSharedPaths({
    inputs: kind === 'sqlite' ? [location] : [],
    outputs: files.flatMap(({ path, ...names }) =>
      path === undefined ? [] : [{ ...names, path }],
    ),
  });
}

/** A table, and the columns of it that are read. */
export interface ChosenTable {
  readonly table: Table;
  readonly columns: readonly TextColumn[];
}

/**
 * Chooses the tables and columns to read.
 *
 * @throws UsageError if there is no such table or column.
 */
export function chooseTables(
  all: readonly Table[],
  { tables, columns, jsonColumns }: Pick<LookOptions, 'tables' | 'columns' | 'jsonColumns'>,
): ChosenTable[] {
  for (const name of tables ?? []) {
    if (all.some((table) => table.name === name)) continue;
    throw new UsageError(
      `no table ${JSON.stringify(name)} has text; expected ${all.map((table) => table.name).join(', ') || 'none: no table has text'}`,
    );
  }
  const unseen = new Set(columns);
  const jsons = new Set(jsonColumns);
  const chosen: ChosenTable[] = [];
  for (const table of all) {
    if (tables && !tables.includes(table.name)) continue;
    const read = table.columns.flatMap((column): TextColumn[] => {
      const path = `${table.name}.${column.name}`;
      if (column.isGenerated || (columns && !columns.includes(path))) return [];
      unseen.delete(path);
      return [jsons.delete(path) ? declareJson(path, column) : column];
    });
    if (read.length > 0) chosen.push({ table, columns: read });
  }
  const [missing] = [...unseen, ...jsons];
  if (missing === undefined) return chosen;
  throw new UsageError(
    `${JSON.stringify(missing)} is not a text column, or is generated; specify a column as TABLE.COLUMN`,
  );
}

/** @throws UsageError if the values of the column are written in another structure. */
function declareJson(path: string, column: TextColumn): TextColumn {
  const { structure, type } = column;
  if (!structure || structure.is === 'json') return { ...column, structure: { is: 'json' } };
  throw new UsageError(`${JSON.stringify(path)} is of type ${type}, which is not JSON`);
}
