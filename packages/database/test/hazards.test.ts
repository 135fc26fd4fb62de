/** Hazards are reported before anything is written, and handled as asked; with nothing asked, nothing is. */
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { HashSet } from '../src/judge/collisions.js';
import type { HazardChoice } from '../src/judge/hazard.js';
import { createRepairPlan } from '../src/repair/run-repair.js';
import type { TextReference } from '../src/server/table.js';
import type { RevertDatabaseOptions } from '../src/undo/run-undo.js';
import {
  dump,
  type Extra,
  reference,
  repair,
  row,
  target,
  text,
  undo,
  useFolder,
} from './toy-run.js';
import { type Cells, CTID, ToyServer, type ToyTable } from './toy-server.js';

const path = useFolder();
let undoLogs = 0;

const hex = (cell: unknown): string => Buffer.from(cell as Uint8Array).toString('utf8');

/** Repairs with an undo log of its own; returns the database and the report, and checks the undo. */
async function run(
  tables: readonly ToyTable[],
  choice: HazardChoice = {},
  extra: Extra = {},
  undoOptions: Pick<RevertDatabaseOptions, 'allow'> = {},
) {
  const server = new ToyServer(tables);
  const undoLog = path(`undo-log${undoLogs++}`);
  const before = dump(server);
  const report = await repair(server, { undo: undoLog, ...choice, ...extra });
  const after = structuredClone(server.state.tables);
  const changed = dump(server) !== before;
  if (existsSync(undoLog)) {
    const undone = await undo(server, undoLog, undoOptions);
    if (undone.refused === 0) expect(dump(server)).toBe(before);
  }
  return { server, report, after, changed, undoLog };
}

const names = (cells: readonly Cells[] | undefined, column = 'name'): string[] =>
  (cells ?? []).map((each) => hex(each[column]));

const people = (rows: readonly string[], more: Partial<ToyTable> = {}): ToyTable => ({
  name: 'people',
  columns: [{ name: 'name' }],
  rows: rows.map((name, i) => row(i + 1, { name })),
  ...more,
});

const hazardsOf = (report: Awaited<ReturnType<typeof run>>['report']) =>
  report.found?.tables.flatMap(({ table, hazards }) =>
    hazards.map(({ hazard, name, column, action, rows }) => [
      table,
      hazard,
      name,
      column,
      action,
      rows,
    ]),
  );

describe('equal keys', () => {
  const unique = { unique: [['name']], columns: [{ name: 'name', collation: 'NOCASE' }] };
  const tables = [people(['a☠', 'A😀', 'b☠', 'c'], unique)];

  it('is skipped by default', async () => {
    const { report, after } = await run(tables);
    expect(hazardsOf(report)).toEqual([
      ['people', 'equal-keys', 'unique key people_name', 'name', 'skip', 1],
    ]);
    expect(report.repaired).toMatchObject({ rows: 1, values: 1, skipped: { 'equal-keys': 1 } });
    expect(report.refusals).toMatchObject([
      { table: 'people', key: { id: 1 }, hazard: 'equal-keys' },
    ]);
    expect(after.people?.[0]?.name).toEqual(text('a☠'));
    expect(names(after.people)[2]).toBe('b😀');
    expect(report.left).toMatchObject({ candidates: 1 });
  });

  it('gets the first suffix that is free', async () => {
    const { report, after } = await run([people(['a☠', 'A😀', 'a😀~2', 'a☠!'], unique)], {
      allow: ['equal-keys'],
    });
    expect(names(after.people)).toEqual(['a😀~3', 'A😀', 'a😀~2', 'a😀!']);
    expect(report.repaired).toMatchObject({ rows: 2, suffixed: 1, skipped: {} });
    expect(report.left?.candidates).toBe(0);
  });

  it('is skipped if a suffix exceeds the column, or is no JSON', async () => {
    const narrow = [{ name: 'name', characters: 3 }];
    const { after } = await run([people(['ab☠', 'ab😀'], { ...unique, columns: narrow })], {
      allow: ['equal-keys'],
    });
    expect(after.people?.[0]?.name).toEqual(text('ab☠'));
    const json = [{ name: 'name', structure: { is: 'json' } as const }];
    const { report } = await run([people(['"☠"', '"😀"'], { ...unique, columns: json })], {
      allow: ['equal-keys'],
    });
    expect(report.repaired).toMatchObject({ rows: 0, skipped: { 'equal-keys': 1 } });
  });

  it('stops before anything is written', async () => {
    const { report, changed, undoLog } = await run(tables, { stopAt: ['equal-keys'] });
    expect(report.stopped).toMatchObject({ table: 'people', key: { id: 1 }, hazard: 'equal-keys' });
    expect(report).toMatchObject({ repaired: null, left: null });
    expect(changed).toBe(false);
    expect(existsSync(undoLog)).toBe(false);
  });

  it('is found between two rows that both change', async () => {
    const { report } = await run([people(['☠', 'x', 'y', 'z', '\u{1f600}x'], unique)]);
    expect(hazardsOf(report)).toEqual([]);
    const both = [people(['x☠', 'y', 'X☠'], { ...unique, columns: [{ name: 'name' }] })];
    expect(hazardsOf((await run(both)).report)).toEqual([]);
    // C1 81 is an overlong A.
    const spelled = people([], {
      ...unique,
      columns: [{ name: 'name', collation: 'utf8mb4_general_ci' }],
    });
    const rows = [row(1, { name: 'é☠' }), row(2, { name: 'E☠' })];
    const { report: folded } = await run([{ ...spelled, rows }]);
    expect(folded.found?.tables[0]?.hazards).toMatchObject([
      { hazard: 'equal-keys', rows: 1, examples: [{ key: { id: 2 } }] },
    ]);
  });

  it('is found by the server alone if the set of new keys is full', async () => {
    const server = new ToyServer([
      people(['a☠', 'b☠', 'A☠', 'B☠'], { ...unique, columns: [{ name: 'name', collation: 'ci' }] }),
    ]);
    const found = async (most: number) => {
      const report = await repair(server, {}, { newKeys: new HashSet(most) });
      return [report.found?.tables[0]?.hazards[0]?.rows, report.found?.notes.length];
    };
    expect(await found(4)).toEqual([2, 0]);
    expect(await found(1)).toEqual([1, 1]);
  });
});

describe('a text that is too long', () => {
  const policies: Extra = { errors: 'escape' };
  const tables = (limit: object) => [
    people(['a✗', 'b✗', 'c☠'], { columns: [{ name: 'name', type: 'varchar(4)', ...limit }] }),
  ];

  it('is measured in characters and in bytes', async () => {
    const { report } = await run(tables({ characters: 4 }), {}, policies);
    expect(hazardsOf(report)).toEqual([['people', 'too-long', 'varchar(4)', 'name', 'skip', 2]]);
    expect(report.repaired).toMatchObject({ rows: 1, skipped: { 'too-long': 2 } });
    const { report: fits } = await run(tables({ characters: 5 }), {}, policies);
    expect(fits.repaired).toMatchObject({ rows: 3 });
    const { report: bytes } = await run(tables({ bytes: 4 }), {}, policies);
    // F0 9F 98 80 is shorter than what it replaces, but this server has its own opinion.
    expect(bytes.repaired).toMatchObject({ rows: 0, skipped: { 'too-long': 3 } });
    expect(bytes.refusals).toMatchObject([{ key: { id: 3 }, hazard: 'too-long' }]);
  });

  it('stops', async () => {
    const { report, changed } = await run(
      tables({ characters: 4 }),
      { stopAt: ['too-long'] },
      policies,
    );
    expect(report.stopped).toMatchObject({ hazard: 'too-long', name: 'varchar(4)' });
    expect(changed).toBe(false);
  });
});

describe('an orphaned row', () => {
  const parents = (more: Partial<ToyTable> = {}): ToyTable => ({
    name: 'parents',
    columns: [{ name: 'code' }],
    rows: [row(1, { code: 'a☠' }), row(2, { code: 'b☠' }), row(3, { code: 'c' })],
    ...more,
  });
  const children = (
    references: readonly TextReference[],
    more: Partial<ToyTable> = {},
  ): ToyTable => ({
    name: 'children',
    columns: [{ name: 'of' }, { name: 'name' }],
    references,
    rows: [
      row(1, { of: 'a☠', name: 'x☠' }),
      row(2, { of: 'c', name: 'y☠' }),
      row(3, { of: 'a☠', name: 'z' }),
    ],
    ...more,
  });
  const plain = reference('r', 'children', 'of', 'parents', 'code');
  const cascading = { ...plain, cascades: true };

  it.each([
    ['plain', plain],
    ['cascading', cascading],
  ])('%s: rows on both sides are skipped by default', async (_, each) => {
    const { report, after } = await run([children([each]), parents()]);
    expect(hazardsOf(report)).toEqual([
      ['children', 'orphaned-row', 'foreign key r', 'of', 'skip', 2],
      ['parents', 'orphaned-row', 'foreign key r', 'code', 'skip', 1],
    ]);
    expect(report.repaired).toMatchObject({ rows: 2, skipped: { 'orphaned-row': 3 } });
    expect(after.children?.[0]).toEqual(row(1, { of: 'a☠', name: 'x☠' }));
    expect(names(after.children)[1]).toBe('y😀');
    expect(names(after.parents, 'code')[1]).toBe('b😀');
  });

  it.each([
    ['plain', plain],
    ['cascading', cascading],
  ])('%s: parents move with their children, which are in the undo log', async (_, each) => {
    const { report, after, undoLog } = await run([children([each]), parents()], {
      allow: ['orphaned-row'],
    });
    expect(report.repaired).toMatchObject({ rows: 4, values: 6, moved: 2, skipped: {} });
    expect(names(after.children, 'of')).toEqual(['a😀', 'c', 'a😀']);
    expect(report.left?.candidates).toBe(0);
    const lines = readFileSync(undoLog, 'utf8')
      .trim()
      .split('\n')
      .slice(1, -1)
      .map((line) => JSON.parse(line));
    expect(lines.map(({ table, key, reference }) => [table, key.id, reference])).toEqual([
      ['children', 1, undefined],
      ['children', 2, undefined],
      ['parents', 1, undefined],
      ['children', 1, 'r'],
      ['children', 3, 'r'],
      ['parents', 2, undefined],
    ]);
  });

  it('stops', async () => {
    const { report, changed } = await run([children([plain]), parents()], {
      stopAt: ['orphaned-row'],
    });
    expect(report.stopped).toMatchObject({ table: 'children', hazard: 'orphaned-row' });
    expect(changed).toBe(false);
  });

  it('moves chains of tables, and tables that refer to themselves', async () => {
    const tables: ToyTable[] = [
      parents({
        columns: [{ name: 'code' }, { name: 'next' }],
        rows: [row(1, { code: '☠', next: '☠' }), row(2, { code: 'b', next: '☠' })],
        references: [reference('self', 'parents', 'next', 'parents', 'code')],
      }),
      children([plain], { rows: [row(1, { of: '☠', name: 'n' })], key: ['of'] }),
      {
        name: 'leaves',
        columns: [{ name: 'of' }],
        references: [reference('leaf', 'leaves', 'of', 'children', 'of', true)],
        rows: [row(1, { of: '☠' })],
      },
    ];
    const { report, after } = await run(tables, { allow: ['orphaned-row'] });
    expect(report.repaired).toMatchObject({ rows: 1, moved: 4 });
    expect(report.left?.candidates).toBe(0);
    expect(names(after.parents, 'next')).toEqual(['😀', '😀']);
    expect(names(after.leaves, 'of')).toEqual(['😀']);
  });

  it.each([false, true])(
    'moves a child whose own key has changed in the transaction; reads apart from it: %s',
    async (readsCommitted) => {
      const rows = [row(1, { code: 'a☠', near: 'z☠' }), row(2, { code: 'z☠', near: 'a☠' })];
      const references = [reference('near', 'parents', 'near', 'parents', 'code')];
      const columns = [{ name: 'code' }, { name: 'near' }];
      const server = new ToyServer([{ name: 'parents', key: ['code'], columns, references, rows }]);
      server.readsCommitted = readsCommitted;
      const undoLog = path(`apart${readsCommitted}`);
      const report = await repair(server, { undo: undoLog, allow: ['orphaned-row'] });
      expect(report.repaired).toMatchObject({ rows: 2, moved: 2, skipped: {} });
      expect(report.left?.candidates).toBe(0);
      expect(await undo(server, undoLog)).toMatchObject({ restored: 4, kept: 0, refused: 0 });
      expect(server.state.tables.parents).toEqual(rows);
    },
  );

  it('does not move what has several columns, another parent, a narrow child or a trigger', async () => {
    const wide = { ...plain, childColumns: ['of', 'name'], parentColumns: ['code', 'name'] };
    const two = parents({ columns: [{ name: 'code' }, { name: 'name' }] });
    const others = { ...parents(), name: 'others' };
    const also = reference('s', 'children', 'of', 'others', 'code');
    const narrow = children([plain], {
      columns: [{ name: 'of', type: 'varchar(4)', bytes: 4 }, { name: 'name' }],
      rows: [row(1, { of: 'a✗', name: 'x' })],
    });
    const audited = children([plain], { effects: [{ kind: 'trigger', name: 'audit' }] });
    const cases: [ToyTable[], [string, string]][] = [
      [
        [children([wide]), two],
        ['orphaned-row', 'foreign key r'],
      ],
      [
        [children([plain, also]), others, parents()],
        ['orphaned-row', 'foreign key s'],
      ],
      [
        [narrow, parents({ rows: [row(1, { code: 'a✗' })] })],
        ['too-long', 'children: varchar(4)'],
      ],
      [
        [audited, parents()],
        ['trigger', 'children: audit'],
      ],
      [
        [children([plain], { key: [] }), parents()],
        ['no-key', 'children: children'],
      ],
    ];
    for (const [tables, [hazard, name]] of cases) {
      const extra: Extra = { errors: 'escape', batch: 10 };
      const { report, after } = await run(tables, { allow: ['orphaned-row'] }, extra);
      const parent = report.found?.tables.find(({ table }) => table === 'parents');
      const expected = expect.objectContaining({ hazard, name });
      expect(parent?.hazards, name).toEqual(expect.arrayContaining([expected]));
      expect(after.parents?.[0]).toEqual(tables.at(-1)?.rows[0]);
      expect(after.children?.map(({ of }) => of)).toEqual(tables[0]?.rows.map(({ of }) => of));
    }
  });

  it('leaves a parent alone of which a child cannot change, and writes the rest of the batch', async () => {
    const unique = children([plain], {
      columns: [{ name: 'of' }, { name: 'name' }],
      unique: [['name', 'of']],
      rows: [
        row(1, { of: 'a☠', name: 'x' }),
        row(2, { of: null, name: 'x' }),
        row(3, { of: 'b☠', name: 'y' }),
      ],
    });
    const rows = ['0☠', 'a☠', 'b☠', 'd☠'].map((code, i) => row(i, { code }));
    const server = new ToyServer([unique, parents({ rows })]);
    const undoLog = path('unit');
    // The child's new value is taken, though by a row that refers to nothing.
    server.state.tables.children?.push({ id: 4, of: text('a😀'), name: text('x') });
    server.state.tables.parents?.push({ id: 9, code: text('a😀') });
    const report = await repair(server, { undo: undoLog, batch: 10, allow: ['orphaned-row'] });
    expect(names(server.state.tables.parents, 'code')).toEqual([
      '0😀',
      hex(text('a☠')),
      'b😀',
      'd😀',
      'a😀',
    ]);
    expect(report.repaired).toMatchObject({ rows: 3, moved: 1, skipped: { 'orphaned-row': 1 } });
    expect(report.refusals).toMatchObject([
      { table: 'parents', key: { id: 1 }, hazard: 'orphaned-row' },
    ]);
  });
});

describe('trigger and history', () => {
  const audit = (onUpdate?: (cells: Cells) => void): ToyTable[] => [
    people(['a☠', 'b'], {
      otherColumns: ['version'],
      effects: [{ kind: 'trigger', name: 'trigger audit' }],
      ...(onUpdate && { onUpdate }),
    }),
  ];
  const count = (cells: Cells) => {
    cells.version = Number(cells.version ?? 0) + 1;
  };

  it('rows are skipped by default', async () => {
    const { report, changed } = await run(audit());
    expect(hazardsOf(report)).toEqual([['people', 'trigger', 'trigger audit', null, 'skip', 1]]);
    expect(report.repaired).toMatchObject({ rows: 0, skipped: { trigger: 1 } });
    expect(changed).toBe(false);
  });

  it('triggers fire on request, and may change other columns', async () => {
    const server = new ToyServer(audit(count));
    const undoLog = path('trigger');
    const report = await repair(server, { undo: undoLog, allow: ['trigger'] });
    expect(report.repaired).toMatchObject({ rows: 1 });
    expect(server.state.tables.people?.[0]).toMatchObject({ version: 1, name: text('a😀') });
    expect(await undo(server, undoLog)).toMatchObject({
      restored: 0,
      refused: 1,
      refusals: [{ hazard: 'trigger', name: 'trigger audit' }],
    });
    expect(await undo(server, undoLog, { allow: ['trigger'] })).toMatchObject({ restored: 1 });
    expect(server.state.tables.people?.[0]).toMatchObject({ version: 2, name: text('a☠') });
  });

  it('a trigger that no catalogue tells of changes nothing', async () => {
    const { report, changed } = await run([people(['a☠'], { onUpdate: count })]);
    expect(report.repaired).toMatchObject({ rows: 0, skipped: { trigger: 1 } });
    expect(report.refusals).toMatchObject([
      { hazard: 'trigger', name: 'a trigger changed another column' },
    ]);
    expect(changed).toBe(false);
  });

  it('a history is accepted on request', async () => {
    const tables = [people(['a☠'], { effects: [{ kind: 'history', name: 'system versioning' }] })];
    expect((await run(tables)).report.repaired).toMatchObject({ skipped: { history: 1 } });
    const choice = { allow: ['history'] } as const;
    expect((await run(tables, choice, {}, choice)).report.repaired).toMatchObject({ rows: 1 });
    expect((await run(tables, { stopAt: ['history'] })).report.stopped).toMatchObject({
      hazard: 'history',
    });
  });
});

describe('a narrow column', () => {
  const narrowness = {
    why: 'utf8mb3 has no characters above U+FFFF',
    statement: 'ALTER name',
    characterBytes: 3,
  };
  const tables = [people(['a☠', 'b\u00e9', 'c✗'], { columns: [{ name: 'name', narrowness }] })];

  it('only what the column cannot store is skipped', async () => {
    const { report, server } = await run(tables, {}, { errors: 'windows-1252' });
    expect(hazardsOf(report)).toEqual([
      ['people', 'narrow-column', `${narrowness.why}: ${narrowness.statement}`, 'name', 'skip', 1],
    ]);
    expect(report.repaired).toMatchObject({ rows: 1, skipped: { 'narrow-column': 1 } });
    expect(server.statements).toEqual([]);
  });

  it('the statement is run on request, once and before all rows', async () => {
    const notices: string[] = [];
    const { report, server } = await run(
      tables,
      { allow: ['narrow-column'] },
      { onNotice: (each) => notices.push(each) },
    );
    expect(server.statements).toEqual(['ALTER name']);
    expect(report.statements).toEqual(['ALTER name']);
    expect(notices).toEqual(['running ALTER name']);
    expect(report.repaired).toMatchObject({ rows: 1 });
  });

  it('nothing is written if it does not help, and none is run without need', async () => {
    const server = new ToyServer(tables);
    server.changeSchema = async () => {};
    const report = await repair(server, { undo: path('narrowness'), allow: ['narrow-column'] });
    expect(report.repaired).toMatchObject({ rows: 0, skipped: { 'narrow-column': 1, refused: 1 } });
    const skipped = [
      people(['a☠'], {
        columns: [{ name: 'name', narrowness }],
        effects: [{ kind: 'trigger', name: 't' }],
      }),
    ];
    expect((await run(skipped, { allow: ['narrow-column'] })).server.statements).toEqual([]);
  });
});

describe('no key, and keys that change', () => {
  it('rows without a key are looked at only', async () => {
    const { report, changed } = await run([people(['a☠', 'b'], { key: [] })], {}, { batch: 100 });
    expect(hazardsOf(report)).toEqual([['people', 'no-key', 'people', null, 'skip', 1]]);
    expect(report.found?.tables[0]?.columns).toMatchObject([{ column: 'name', changed: 1 }]);
    expect(changed).toBe(false);
    const { report: stopped } = await run([people(['a☠'], { key: [] })], { stopAt: ['no-key'] });
    expect(stopped.stopped).toMatchObject({ hazard: 'no-key' });
  });

  it('rows are found by what changes with each update, and undone', async () => {
    const rows = ['a☠', 'b', 'c☠', 'd☠', 'e'].map((name, i) => ({ [CTID]: i, name: text(name) }));
    const tables = [people([], { key: [CTID], isStable: false, rows })];
    const server = new ToyServer(tables);
    const undoLog = path('ctid');
    const report = await repair(server, { undo: undoLog, batch: 2 });
    expect(report.repaired).toMatchObject({ rows: 3 });
    expect(report.left?.candidates).toBe(0);
    expect(report.found?.notes).toHaveLength(1);
    expect(await undo(server, undoLog)).toMatchObject({ restored: 3, kept: 0 });
    expect(names(server.state.tables.people)).toEqual(rows.map(({ name }) => hex(name)));
  });
});

describe('refused', () => {
  const tables = [
    people(['a☠'], {
      columns: [{ name: 'name' }, { name: 'note' }],
      rows: [row(1, { name: '☠', note: '✗' }), row(2, { name: '☠', note: '' })],
    }),
  ];

  it('nothing of the row is written by default', async () => {
    const { report, after } = await run(tables);
    expect(hazardsOf(report)).toEqual([['people', 'refused', 'legacy-byte', 'note', 'skip', 1]]);
    expect(after.people?.[0]).toEqual(tables[0]?.rows[0]);
    expect(report.repaired).toMatchObject({ rows: 1, skipped: { refused: 1 } });
  });

  it('stops', async () => {
    const { report, changed } = await run(tables, { stopAt: ['refused'] });
    expect(report.stopped).toMatchObject({ hazard: 'refused', key: { id: 1 } });
    expect(changed).toBe(false);
  });
});

it.each([
  [{ allow: ['equal-key'] }, 'unknown hazard "equal-key"; expected equal-keys, orphaned-row'],
  [
    { allow: ['trigger'], stopAt: ['trigger'] },
    'trigger cannot be allowed and end the run; choose one',
  ],
  [{ from: 'cesu-8' }, 'does not accept repaired text'],
  [{ batch: 0 }, 'batch must be a whole number from 1 to 100000, not 0'],
  [{ pause: -1 }, 'pause must be'],
  [{ errors: 'nonsense' }, 'unknown errors'],
  [{ undo: 'same', report: 'same' }, 'are the same file'],
])('options that make no sense are refused: %j', (options, message) => {
  const create = () => createRepairPlan({ url: '', ...(options as Extra) }, target);
  expect(create).toThrow(message);
});
