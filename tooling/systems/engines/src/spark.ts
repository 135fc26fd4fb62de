/** Jobs of `utf8_spark.py`, many in one Spark session, since a start takes 8 s. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '@utf8/systems/databases/program';
import { demandSpark, pythonEnvironment } from './pyspark.js';
import { pathOf } from './python.js';

/** A job, in the words of `convert_files`. */
export interface Case {
  readonly name: string;
  readonly inputs: readonly string[];
  readonly out: string;
  readonly options: string;
  readonly utf8?: string;
  readonly strict?: boolean;
  readonly findings?: boolean;
  /** Most bytes of a split. */
  readonly split?: number;
  /** True if an attempt writes to the folder of attempts after the commit. */
  readonly late?: boolean;
}

/** Result of a job. */
export interface Result {
  readonly name: string;
  /** Undefined if it failed. */
  readonly totals?: Totals;
  readonly error?: string;
  readonly message?: string;
  /** Number of failed attempts of tasks. */
  readonly failures: number;
}

/** The counts of a split, in `kind=stats`. */
export interface SplitCounts {
  readonly file: string;
  readonly split: number;
  readonly part: number;
  readonly bytes: number;
  readonly lines: number;
  readonly stats: Record<string, unknown>;
}

/** `_utf8.json`. */
export interface Totals {
  readonly utf8: string;
  readonly options: string;
  readonly splits: number;
  readonly sums: Record<string, unknown>;
  readonly files: readonly (Record<string, unknown> & {
    readonly file: string;
    readonly splits: number;
    readonly bytes: number;
    readonly stats: Record<string, unknown>;
  })[];
  readonly notices: readonly string[];
}

/** A Spark that jobs run in. */
export interface Cluster {
  readonly master?: string;
  /** Addresses of workers; a cluster is started for them. */
  readonly hosts?: readonly string[];
  readonly settings?: Readonly<Record<string, string>>;
}

/** Runs jobs one after the other, and returns their results by name. */
export function runCases(
  folder: string,
  { settings = {}, ...cluster }: Cluster,
  cases: readonly Case[],
): ReadonlyMap<string, Result> {
  const file = join(folder, 'cases.json');
  const results = join(folder, 'results.jsonl');
  writeFileSync(file, JSON.stringify({ ...cluster, settings, cases }));
  demandSpark();
  const words = [pathOf('spark_cases.py'), file, results];
  const { status, stderr } = run('python3', words, '', { cwd: folder, env: pythonEnvironment });
  if (status !== 0) throw new Error(`spark_cases.py ended with ${status}: ${stderr.slice(-4000)}`);
  const lines = readFileSync(results, 'utf8').trim().split('\n');
  const all = lines.map((line) => JSON.parse(line) as Result);
  return new Map(all.map((result) => [result.name, result]));
}

/** All parts of a kind, in the order of their names. */
export function readKind(out: string, kind: string): Buffer {
  const folder = join(out, `kind=${kind}`);
  if (!existsSync(folder)) return Buffer.alloc(0);
  const names = readdirSync(folder).filter((name) => name.startsWith('part-'));
  return Buffer.concat(names.sort().map((name) => readFileSync(join(folder, name))));
}

/** The counts of all splits, in the order of files and splits. */
export function readSplits(out: string): SplitCounts[] {
  const lines = readKind(out, 'stats').toString().trim().split('\n');
  return lines
    .map((line) => JSON.parse(line) as SplitCounts)
    .sort((a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : a.split - b.split));
}

/** Counts without what names a file. */
export function withoutNames(stats: object): object {
  return Object.fromEntries(
    Object.entries(stats).filter(([name]) => name !== 'file' && name !== 'files'),
  );
}
