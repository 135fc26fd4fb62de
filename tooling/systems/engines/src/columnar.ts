/** Shared tests of DuckDB, Polars and Arrow: the page's statements about their readers, and its scripts. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findDifference } from '@utf8/systems/databases/difference';
import { findScripts } from '@utf8/systems/databases/markdown';
import { toTextCsv } from '@utf8/systems/databases/notation';
import {
  type FaultName,
  faults,
  type Planted,
  plant,
  type Row,
} from '@utf8/systems/databases/planted';
import { run } from '@utf8/systems/databases/program';
import { rowCount, seed } from '@utf8/systems/databases/seed';
import { createEnvironment } from '@utf8/systems/databases/utf8';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { demandModules, demandPeer, runScript } from './python.js';

const HEADING = 'DuckDB, Polars and Arrow';

/** The scripts of the section, which begins with the conversion. */
const [convert = ''] = findScripts('engines.md', HEADING, 'sh');
const scripts = findScripts('engines.md', HEADING, 'python');

/** The only script of the section that contains a text. */
export function findScript(text: string): string {
  const found = scripts.filter((script) => script.includes(text));
  if (found.length !== 1) throw new Error(`${found.length} scripts contain ${text}`);
  return found[0] as string;
}

/** An engine, and the mark that distinguishes its scripts from those of others. */
export interface Engine {
  /** As the page has it. */
  readonly name: string;
  readonly modules: readonly string[];
  /** Imports of its script. */
  readonly script: string;
  /** A program that reads `orders.utf8.jsonl` and writes `orders.parquet`. */
  readonly readJson: string;
}

const header = Buffer.from('id,name,note\n');

/** A folder in which scripts run, and find `utf8`. */
export class Place {
  readonly folder: string = mkdtempSync(join(tmpdir(), 'utf8-columnar-'));
  readonly env: NodeJS.ProcessEnv;

  constructor() {
    const bin = join(this.folder, 'bin');
    mkdirSync(bin);
    this.env = createEnvironment(bin);
    afterAll(() => rmSync(this.folder, { recursive: true, force: true }));
  }

  path(name: string): string {
    return join(this.folder, name);
  }
}

/** A table with everything that may be planted in it. */
export const plantAll = (): Planted =>
  plant({ seed, rows: rowCount, faults: Object.keys(faults) as FaultName[] });

const hexOf = (text: Buffer | string | null): string | null =>
  text === null ? null : Buffer.from(text as string).toString('hex');

/** Rows as `peers/tables.py` reads and writes them. */
export const toLines = (
  rows: readonly { id: number; name: Buffer | string; note: Buffer | string | null }[],
): string =>
  rows
    .map(
      ({ id, name, note }) => `${JSON.stringify({ id, name: hexOf(name), note: hexOf(note) })}\n`,
    )
    .join('');

/** JSON whose strings have the bytes of the source. */
function toJson({ id, name, note }: Row): Buffer {
  const text = { id, name: name.toString('latin1'), note: note?.toString('latin1') ?? null };
  return Buffer.from(`${JSON.stringify(text)}\n`, 'latin1');
}

/** Reads the page's table of an engine's readers, by their names. */
function readTable(engine: string): Record<string, string[]> {
  const page = readFileSync(
    new URL('../../../../apps/site/pages/engines.md', import.meta.url),
    'utf8',
  );
  const rows = page.matchAll(new RegExp(`^\\| ${engine}: (.*) \\|$`, 'gm'));
  return Object.fromEntries(
    Array.from(rows, ([, row = '']) => {
      const [reader = '', ...outcomes] = row.split('|').map((cell) => cell.trim());
      return [reader, outcomes];
    }),
  );
}

/** Describes the tests of one engine. */
export function describeEngine({ name, modules, script, readJson }: Engine): void {
  describe(name, () => {
    const place = new Place();
    const planted = plantAll();
    const expected = toLines(planted.expected);

    beforeAll(() => {
      demandModules('pyarrow', ...modules);
      const { rows } = planted;
      writeFileSync(place.path('orders.csv'), Buffer.concat([header, ...rows.map(toTextCsv)]));
      writeFileSync(place.path('orders.jsonl'), Buffer.concat(rows.map(toJson)));
      const options = { cwd: place.folder, env: place.env };
      const { status, stderr } = run('sh', ['-c', convert], '', options);
      // Records were rejected.
      if (status !== 1) throw new Error(stderr);
    });

    it('treats malformed text as the page says', () => {
      const [engine = ''] = modules;
      const found = JSON.parse(demandPeer('readers.py', [engine]).toString());
      expect(found).toEqual(readTable(name));
    });

    const expectTable = (program: string): void => {
      rmSync(place.path('orders.parquet'), { force: true });
      const { status, stderr } = runScript(program, [], place.folder, place.env);
      expect([status, stderr]).toEqual([0, '']);
      const rows = demandPeer('tables.py', ['read', place.path('orders.parquet')]);
      expect(findDifference(rows, expected)).toBeUndefined();
    };

    it('reads converted CSV: every character, the empty string and NULL', () => {
      expectTable(findScript(script));
      const rejects = readFileSync(place.path('orders.rejects.csv'));
      const wanted = Buffer.concat([header, ...planted.rejected.map(toTextCsv)]);
      expect(findDifference(rejects, wanted)).toBeUndefined();
    });

    it('reads converted JSON', () => expectTable(readJson));
  });
}
