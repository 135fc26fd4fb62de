/** Repairs and undoes of a toy database. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import type { RepairDatabaseOptions } from '../src/options.js';
import { createRepairPlan, runRepair, type Surroundings } from '../src/repair/run-repair.js';
import type { RepairReport, RevertReport } from '../src/report.js';
import type { TextReference } from '../src/server/table.js';
import { type RevertDatabaseOptions, runUndo } from '../src/undo/run-undo.js';
import type { Target } from '../src/url.js';
import type { Cells, ToyServer, ToyTable } from './toy-server.js';

export const target: Target = { kind: 'mysql', name: 'mysql://host/toy', location: '' };

/** Creates a temporary folder for the tests of a file. Returns a function that makes a path in it. */
export function useFolder(): (name: string) => string {
  let folder = '';
  beforeAll(() => {
    // To synchronize costs nothing in memory, and every transaction does.
    const memory = '/dev/shm';
    folder = mkdtempSync(join(existsSync(memory) ? memory : tmpdir(), 'utf8-database-'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return (name) => join(folder, name);
}

export type Extra = Partial<RepairDatabaseOptions>;

export const repair = (
  server: ToyServer,
  extra: Extra,
  surroundings: Surroundings = {},
): Promise<RepairReport> =>
  runRepair(server, createRepairPlan({ url: 'mysql://host/toy', batch: 3, ...extra }, target), {
    sleep: async () => {},
    ...surroundings,
  });

export const undo = (
  server: ToyServer,
  undoLog: string,
  extra: Partial<RevertDatabaseOptions> = {},
): Promise<RevertReport> =>
  runUndo(server, { url: '', undo: undoLog, batch: 2, ...extra }, target, async () => {});

/** All rows as text, without the order of a heap. */
export const dump = (server: ToyServer): string =>
  JSON.stringify(server.state.tables, (_, cell) =>
    cell instanceof Uint8Array ? Buffer.from(cell).toString('hex') : cell,
  );

export const readIf = (path: string): Buffer | undefined =>
  existsSync(path) ? readFileSync(path) : undefined;

/** Text in UTF-8, in which ☠ is a pair of CESU-8, and ✗ is a byte that is refused. */
export function text(characters: string): Uint8Array {
  const parts = Array.from(characters, (character) => {
    if (character === '☠') return Buffer.from('eda0bdedb880', 'hex');
    return character === '✗' ? Buffer.from('ff', 'hex') : Buffer.from(character);
  });
  // JSON.stringify writes a buffer in a form of its own.
  return new Uint8Array(Buffer.concat(parts));
}

/** A row with a number, and texts. */
export const row = (
  id: number,
  cells: Readonly<Record<string, string | number | null>>,
): Cells => ({
  id,
  ...Object.fromEntries(
    Object.entries(cells).map(([name, cell]) => [
      name,
      typeof cell === 'string' ? text(cell) : cell,
    ]),
  ),
});

/** Tables of every kind of row: texts as keys, references of all kinds, collisions, refusals. */
export function createTables(): ToyTable[] {
  const codes = ['a☠', 'b', 'c☠', '☠', 'd☠✗', 'e'];
  return [
    {
      name: 'cities',
      columns: [{ name: 'name' }, { name: 'country' }],
      references: [reference('country', 'cities', 'country', 'countries', 'code')],
      rows: [
        row(1, { name: 'x☠', country: 'a☠' }),
        row(2, { name: 'y', country: 'a☠' }),
        row(3, { name: 'z☠', country: 'b' }),
        row(4, { name: 'z', country: 'd☠✗' }),
        row(5, { name: '☠☠', country: null }),
        row(6, { name: '', country: 'c☠' }),
      ],
      // No catalogue tells of it, so that this country cannot move with its cities.
      onUpdate: (cells) => {
        if (`${cells.country}` === `${text('c😀')}`) cells.extra = 1;
      },
    },
    {
      name: 'countries',
      key: ['code'],
      columns: [{ name: 'code' }, { name: 'label' }, { name: 'near' }],
      unique: [['code']],
      references: [
        reference('near', 'countries', 'near', 'countries', 'code'),
        reference('flag', 'flags', 'of', 'countries', 'code', true),
      ],
      rows: codes.map((code, i) =>
        // The first refers to the last by its key, the others to themselves or to the one before.
        row(i, {
          code,
          label: `${code}!`,
          near: i === 0 ? '☠' : i % 2 === 0 ? code : (codes[i - 1] as string),
        }),
      ),
    },
    {
      name: 'flags',
      columns: [{ name: 'of' }, { name: 'name' }],
      rows: codes.flatMap((of, i) => [
        row(2 * i, { of, name: 'plain' }),
        row(2 * i + 1, { of, name: 'f☠' }),
      ]),
    },
    {
      name: 'users',
      columns: [{ name: 'name', collation: 'NOCASE' }, { name: 'note' }],
      unique: [['name']],
      rows: [
        row(1, { name: 'Ann☠', note: '☠' }),
        row(2, { name: 'ann😀', note: '☠' }),
        row(3, { name: 'ANN😀~2', note: 'plain' }),
        row(4, { name: 'bob', note: 'a☠b☠' }),
        row(5, { name: 'cy☠', note: '✗' }),
        row(6, { name: '☠1', note: '' }),
        row(7, { name: 'd', note: '☠' }),
      ],
    },
  ];
}

export const reference = (
  name: string,
  child: string,
  childColumn: string,
  parent: string,
  parentColumn: string,
  cascades = false,
): TextReference => ({
  name,
  child,
  childColumns: [childColumn],
  parent,
  parentColumns: [parentColumn],
  cascades,
});
