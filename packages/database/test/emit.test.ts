/** Statements instead of changes: what is written, in which order, and when nothing is. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createEmitPlan, type EmitOptions, runEmit } from '../src/emit/run-emit.js';
import { createTables, dump, row, target, text, useFolder } from './toy-run.js';
import { CTID, ToyServer, type ToyTable } from './toy-server.js';

const path = useFolder();

function emit(server: ToyServer, extra: Partial<EmitOptions> = {}) {
  const options = {
    url: '',
    output: path('up.sql'),
    inverse: path('down.sql'),
    batch: 2,
    ...extra,
  };
  return runEmit(server, createEmitPlan(options, target), options, target);
}

const read = (name: string): string[] => readFileSync(path(name), 'utf8').trim().split('\n');

const hex = (characters: string): string => Buffer.from(text(characters)).toString('hex');

describe('statements', () => {
  it('are written for rows without hazards, and their inverse the last first', async () => {
    const server = new ToyServer(createTables());
    const before = dump(server);
    const report = await emit(server);
    expect(dump(server)).toBe(before);
    const [head, ...up] = read('up.sql');
    const [, ...down] = read('down.sql');
    expect(head).toBe('-- mysql://host/toy (Toy 1), cesu-8+utf-8 to utf-8');
    expect(up).toContain(`UPDATE users [7] note:${hex('☠')}>${hex('😀')};`);
    expect(up).toContain(`UPDATE cities [3] name:${hex('z☠')}>${hex('z😀')};`);
    const { rows = 0, candidates = 0, skipped = 0 } = report.found ?? {};
    expect(rows).toBeGreaterThan(candidates);
    expect(up).toHaveLength(candidates - skipped);
    const turned = up.map((line) => line.replace(/:(\w*)>(\w*)/g, ':$2>$1')).reverse();
    expect(down).toEqual(turned);
    expect(readdirSync(path('.')).sort()).toEqual(['down.sql', 'up.sql']);
  });

  it('find a row by its new key in the inverse', async () => {
    const rows = [row(1, { code: 'a☠' })];
    await emit(new ToyServer([{ name: 't', key: ['code'], columns: [{ name: 'code' }], rows }]));
    const key = (characters: string) => JSON.stringify([{ hex: hex(characters), is: 'text' }]);
    expect(read('up.sql')[1]).toBe(`UPDATE t ${key('a☠')} code:${hex('a☠')}>${hex('a😀')};`);
    expect(read('down.sql')[1]).toBe(`UPDATE t ${key('a😀')} code:${hex('a😀')}>${hex('a☠')};`);
  });

  it('that alter a column come first, once', async () => {
    const narrowness = { why: 'utf8mb3', statement: 'ALTER TABLE t;' };
    const table: ToyTable = {
      name: 't',
      columns: [{ name: 'a', narrowness }],
      rows: [row(1, { a: '☠' }), row(2, { a: '☠' })],
    };
    const report = await emit(new ToyServer([table]), { allow: ['narrow-column'] });
    expect(read('up.sql').slice(1, 3)).toEqual([
      'ALTER TABLE t;',
      expect.stringContaining('UPDATE'),
    ]);
    expect(read('up.sql')).toHaveLength(4);
    expect(report.statements).toEqual(['ALTER TABLE t;']);
    await emit(new ToyServer([table]));
    expect(read('up.sql')).toHaveLength(1);
  });

  it('are not written for rows of which the key changes with each update', async () => {
    const rows = [{ [CTID]: 1, a: text('☠') }];
    const table = { name: 't', key: [CTID], isStable: false, columns: [{ name: 'a' }], rows };
    const report = await emit(new ToyServer([table]));
    expect(report.found?.tables[0]?.hazards).toMatchObject([
      { hazard: 'no-key', rows: 1, action: 'skip' },
    ]);
    expect(read('up.sql')).toHaveLength(1);
  });

  it('are not written if a hazard stops them, and files that exist stay', async () => {
    await emit(new ToyServer(createTables()));
    const before = [read('up.sql'), read('down.sql')];
    const report = await emit(new ToyServer(createTables()), { stopAt: ['refused'] });
    expect(report.stopped).toMatchObject({ table: 'cities', hazard: 'refused', key: { id: 4 } });
    expect([read('up.sql'), read('down.sql')]).toEqual(before);
    await emit(new ToyServer(createTables()), {
      output: path('none.sql'),
      onFinding: () => {
        throw new Error('no');
      },
    }).catch(() => {});
    expect(existsSync(path('none.sql'))).toBe(false);
    expect(readdirSync(path('.')).sort()).toEqual(['down.sql', 'up.sql']);
  });

  it.each([
    [{ allow: ['orphaned-row'] }, 'statements cannot change rows that refer to each other'],
    [{ allow: ['equal-keys'] }, 'only the server can tell which suffix'],
    [{ output: '-' }, 'statements cannot be written to stdout'],
    [{ output: 'same', inverse: 'same' }, 'are the same file'],
  ])('options are refused: %j', (options, message) => {
    expect(() => emit(new ToyServer([]), options as Partial<EmitOptions>)).toThrow(message);
  });
});
