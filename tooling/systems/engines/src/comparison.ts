/** Jobs of Spark, and the result of one run of the command for the same input. */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { findDifference } from '@utf8/systems/databases/difference';
import {
  type FaultName as Planted,
  plant,
  type Planted as Table,
} from '@utf8/systems/databases/planted';
import { rowCount, seed } from '@utf8/systems/databases/seed';
import { utf8 } from '@utf8/systems/databases/utf8';
import { afterAll, expect } from 'vitest';
import { writeLauncher } from './launcher.js';
import { type Case, type Result, readKind, type Totals, withoutNames } from './spark.js';

/** A folder of this run. */
export const root: string = mkdtempSync(join(tmpdir(), 'utf8-spark-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

export const COPY = '--format copy --from cesu-8+utf-8';

/** Bytes of a split, by default: a few of them for each dump here. */
export const SPLIT: number = rowCount * 25;

const command = writeLauncher(join(root, 'works'));

const planted: readonly Planted[] = [
  'a lone high half',
  'U+0000',
  'U+0000 in two bytes',
  'no lead at all',
];

/** A table; other numbers have other ones. */
export const plantTable = (number = 0): Table =>
  plant({ seed: seed + number, rows: rowCount, faults: planted });

/** Writes an input, in a folder of its own. */
export function write(name: string, bytes: Uint8Array): string {
  const path = join(root, 'in', name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, bytes);
  return path;
}

/** As Spark's metadata spell a path. */
export const uriOf = (path: string): string => pathToFileURL(path).href;

export interface Serial {
  readonly output: Buffer;
  readonly rejects: Buffer;
  readonly stats: Record<string, unknown>;
}

/** Converts a file with a single run of the command. */
export function convertSerially(bytes: Uint8Array, options: string): Serial {
  const folder = mkdtempSync(join(root, 'serial-'));
  const [file = '', rejects = '', stats = ''] = ['in', 'rejects', 'stats'].map((name) =>
    join(folder, name),
  );
  writeFileSync(file, bytes);
  const words = options.split(' ').map((word) => word.replaceAll("'", ''));
  const set = words.includes('--format') ? ['--rejects', rejects] : [];
  const { status, stdout, stderr } = utf8(['convert', ...words, ...set, '--stats', stats, file]);
  if (status !== 0 && !existsSync(stats)) throw new Error(stderr);
  return {
    output: stdout,
    rejects: existsSync(rejects) ? readFileSync(rejects) : Buffer.alloc(0),
    stats: JSON.parse(readFileSync(stats, 'utf8')),
  };
}

/** A job whose result has to equal that of one run of the command. */
export interface Comparison extends Case {
  /** Input of the job; a function, so that it stays out of the description of the job. */
  readonly content: () => Uint8Array;
}

/** The folder that a job writes. */
export const out = (name: string): string => join(root, 'out', name);

let number = 0;

/** Deviations from the usual case. */
export interface More extends Partial<Case> {
  readonly file?: string;
  /** Bytes of the file, if they differ from its content. */
  readonly bytes?: Uint8Array;
}

/** Describes a job over one input. */
export function compare(name: string, content: Uint8Array, more: More = {}): Comparison {
  const { file = 'orders.copy', bytes = content, ...rest } = more;
  const folder = `${++number}`;
  const input = write(join(folder, file), bytes);
  return {
    name,
    content: () => content,
    inputs: [input],
    out: out(folder),
    options: COPY,
    utf8: command,
    split: SPLIT,
    ...rest,
  };
}

/** Compares bytes, rejects and counts with those of one run. */
export function expectEqual(
  { content, out, options }: Comparison,
  result: Result | undefined,
): Totals {
  if (!result?.totals) throw new Error(result?.message ?? 'the job did not run');
  const serial = convertSerially(content(), options);
  expect(findDifference(readKind(out, 'out'), serial.output)).toBeUndefined();
  expect(findDifference(readKind(out, 'rejects'), serial.rejects)).toBeUndefined();
  expect(withoutNames(result.totals.sums)).toEqual(withoutNames(serial.stats));
  expect(readdirSync(out)).toContain('_SUCCESS');
  expect(JSON.parse(readFileSync(join(out, '_utf8.json'), 'utf8'))).toEqual(result.totals);
  expect(readdirSync(out).filter((name) => /temporary|claim/.test(name))).toEqual([]);
  return result.totals;
}
