/** Options that are checked before anything is opened, and what is chosen by them. */
import { UsageError } from '@utf8/dump';
import { describe, expect, it } from 'vitest';
import { createEmitPlan } from '../src/emit/run-emit.js';
import {
  checkNumber,
  chooseTables,
  createLookPlan,
  type LookOptions,
  refuseShared,
} from '../src/options.js';
import { createRepairPlan } from '../src/repair/run-repair.js';
import { checkUndo } from '../src/undo/run-undo.js';
import { target } from './toy-run.js';
import { ToyServer } from './toy-server.js';

describe('numbers', () => {
  it('are whole, and in their range', () => {
    for (const value of [2, 3, 5]) expect(checkNumber('batch', value, 2, 5)).toBe(value);
    for (const value of [1, 6, 2.5, Number.NaN, Number.POSITIVE_INFINITY, '3' as never]) {
      const check = () => checkNumber('batch', value, 2, 5);
      expect(check).toThrow(UsageError);
      expect(check).toThrow(`batch must be a whole number from 2 to 5, not ${value}`);
    }
  });

  it('of rows are limited', () => {
    for (const batch of [0, 100_001]) {
      const message = `batch must be a whole number from 1 to 100000, not ${batch}`;
      expect(() => createLookPlan({ url: '', batch }, '')).toThrow(message);
      expect(() => checkUndo({ url: '', undo: 'j', batch }, target)).toThrow(message);
    }
    for (const batch of [1, 100_000]) {
      expect(createLookPlan({ url: '', batch }, '').batch).toBe(batch);
      expect(() => checkUndo({ url: '', undo: 'j', batch }, target)).not.toThrow();
    }
  });

  it('of milliseconds are limited', () => {
    for (const pause of [-1, 0.5, 2 ** 31]) {
      const options = { url: '', undo: 'j', pause };
      expect(() => createRepairPlan(options, target)).toThrow(
        `pause must be a whole number from 0 to 2147483647, not ${pause}`,
      );
    }
    for (const pause of [0, 2 ** 31 - 1]) {
      const options = { url: '', undo: 'j', pause };
      expect(() => createRepairPlan(options, target)).not.toThrow();
    }
  });
});

describe('a plan', () => {
  const plan = (options: Partial<LookOptions> = {}, database = 'db') =>
    createLookPlan({ url: '', ...options }, database);

  it('has defaults', () => {
    expect(plan()).toMatchObject({
      from: 'cesu-8+utf-8',
      to: 'utf-8',
      batch: 1000,
      skipsWellFormed: true,
    });
    expect(plan({ mojibake: 'repair' }).skipsWellFormed).toBe(false);
    expect(plan({ to: 'cesu-8', from: 'cesu-8' }).skipsWellFormed).toBe(false);
  });

  it('tells apart runs whose results differ, and no others', () => {
    const { identity } = plan();
    expect(identity).toMatch(/^[\da-f]{64}$/);
    expect(plan({ from: 'cesu-8+utf-8', to: 'utf-8', batch: 7, allow: [] }).identity).toBe(
      identity,
    );
    const others = [
      plan({}, 'other'),
      plan({ from: 'utf-8' }),
      plan({ nul: 'remove' }),
      plan({ errors: 'replace' }),
      plan({ unpairedSurrogates: 'replace' }),
      plan({ mojibake: 'repair' }),
      plan({ tables: [] }),
      plan({ tables: ['t'] }),
      plan({ columns: [] }),
      plan({ columns: ['t'] }),
    ].map((each) => each.identity);
    expect(new Set([identity, ...others]).size).toBe(others.length + 1);
  });

  it.each([[{ from: 'cesu-8', to: 'utf-8' }], [{ from: 'utf-8', to: 'cesu-8' }]] as const)(
    '%j: repaired text has to be accepted',
    (options) => {
      expect(() => plan(options)).toThrow(UsageError);
      expect(() => plan(options)).toThrow(
        `from: ${options.from} does not accept repaired text, which is ${options.to}, and a database that is being repaired contains both; use cesu-8+utf-8, or another encoding that accepts both`,
      );
    },
  );
});

describe('tables', () => {
  const all = async () => {
    const server = new ToyServer([
      { name: 'a', columns: [{ name: 'x' }, { name: 'y', isGenerated: true }], rows: [] },
      { name: 'b', columns: [{ name: 'x' }, { name: 'z' }], rows: [] },
      { name: 'c', columns: [{ name: 'g', isGenerated: true }], rows: [] },
    ]);
    return server.listTables();
  };

  it.each<[Pick<LookOptions, 'tables' | 'columns'>, readonly string[]]>([
    [{}, ['a.x', 'b.x', 'b.z']],
    [{ tables: ['b', 'c'] }, ['b.x', 'b.z']],
    [{ tables: [] }, []],
    [{ columns: ['b.z', 'a.x'] }, ['a.x', 'b.z']],
    [{ columns: [] }, []],
    [{ tables: ['b'], columns: ['b.x'] }, ['b.x']],
  ])('%j are chosen', async (options, expected) => {
    const chosen = chooseTables(await all(), options);
    const names = chosen.flatMap(({ table, columns }) =>
      columns.map(({ name }) => `${table.name}.${name}`),
    );
    expect(names).toEqual(expected);
    expect(chosen.every(({ columns }) => columns.length > 0)).toBe(true);
  });

  it.each<[Pick<LookOptions, 'tables' | 'columns' | 'jsonColumns'>, string]>([
    [{ tables: ['a', 'd'] }, 'no table "d" has text; expected a, b, c'],
    [{ columns: ['a.y'] }, '"a.y" is not a text column, or is generated; specify a column'],
    [{ columns: ['a.x', 'x'] }, '"x" is not a text column'],
    [{ tables: ['b'], columns: ['a.x'] }, '"a.x" is not a text column'],
    [{ jsonColumns: ['a.x', 'a.y'] }, '"a.y" is not a text column'],
    [{ tables: ['b'], jsonColumns: ['a.x'] }, '"a.x" is not a text column'],
  ])('%j are refused', async (options, message) => {
    const tables = await all();
    expect(() => chooseTables(tables, options)).toThrow(UsageError);
    expect(() => chooseTables(tables, options)).toThrow(message);
  });

  it('of JSON are not hstore', async () => {
    const columns = [{ name: 'h', type: 'hstore', structure: { is: 'hstore' } }] as const;
    const tables = await new ToyServer([{ name: 'a', columns, rows: [] }]).listTables();
    expect(() => chooseTables(tables, { jsonColumns: ['a.h'] })).toThrow(
      '"a.h" is of type hstore, which is not JSON',
    );
  });

  it('may be none', () => {
    expect(chooseTables([], {})).toEqual([]);
    expect(() => chooseTables([], { tables: ['a'] })).toThrow(
      'no table "a" has text; expected none: no table has text',
    );
  });
});

describe('files', () => {
  const sqlite = { kind: 'sqlite', name: 'sqlite:app.db', location: 'app.db' } as const;
  const same = /same file/;

  it('are not one another, nor the database', () => {
    expect(() => refuseShared(sqlite, [{ option: 'output', path: 'app.db' }])).toThrow(same);
    expect(() =>
      refuseShared(sqlite, [
        { option: 'output', path: 'a' },
        { option: 'report', path: 'a' },
      ]),
    ).toThrow(same);
    expect(() =>
      refuseShared(sqlite, [
        { option: 'output', path: 'a' },
        { option: 'report', path: undefined },
      ]),
    ).not.toThrow();
    // The name of a database on a server is not a file.
    expect(() =>
      refuseShared({ ...sqlite, kind: 'mysql' }, [{ option: 'output', path: 'app.db' }]),
    ).not.toThrow();
    expect(() => checkUndo({ url: '', undo: 'app.db' }, sqlite)).toThrow(same);
    const options = { url: '', undo: 'j', report: 'j' };
    expect(() => createRepairPlan(options, sqlite)).toThrow(same);
    expect(() => createRepairPlan({ ...options, report: 'app.db' }, sqlite)).toThrow(same);
    const emit = { url: '', output: 'a', inverse: 'b' };
    expect(() => createEmitPlan(emit, sqlite)).not.toThrow();
    for (const extra of [{ report: 'a' }, { report: 'b' }, { inverse: 'app.db' }]) {
      expect(() => createEmitPlan({ ...emit, ...extra }, sqlite)).toThrow(same);
    }
    for (const extra of [{ output: '-' }, { inverse: '-' }]) {
      expect(() => createEmitPlan({ ...emit, ...extra }, sqlite)).toThrow(
        'statements cannot be written to stdout; specify a file',
      );
    }
  });

  it('of an undo come with actions of its own', () => {
    const check = (choice: object) => () => checkUndo({ url: '', undo: 'j', ...choice }, target);
    expect(check({ allow: ['trigger', 'history'] })).not.toThrow();
    expect(check({ allow: undefined })).not.toThrow();
    expect(check({ allow: ['equal-keys'] })).toThrow(
      'equal-keys cannot be allowed here; expected trigger or history',
    );
    expect(check({ allow: ['length'] })).toThrow('unknown hazard "length"');
  });
});
