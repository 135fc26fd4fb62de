/** Reports of a scan, and the callbacks that receive them. */
import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { DatabaseFinding } from '../src/report.js';
import { dump, repair, row, text, useFolder } from './toy-run.js';
import { ToyServer, type ToyTable } from './toy-server.js';

const path = useFolder();

const tables: ToyTable[] = [
  {
    name: 'clean',
    columns: [{ name: 'text' }],
    rows: [row(1, { text: 'Grün 😀' }), row(2, { text: null })],
  },
  {
    name: 'shop.users',
    columns: [
      { name: 'name', type: 'varchar(40)' },
      { name: 'doc', type: 'json', structure: { is: 'json' } },
      { name: 'upper', isGenerated: true },
    ],
    otherColumns: ['age'],
    rows: [
      row(1, {
        name: 'a long text before ☠☠ and a long text after it',
        doc: '{}',
        upper: '☠',
        age: 1,
      }),
      row(2, { name: '☠✗', doc: '"☠"' }),
      row(3, { name: '☠', doc: '"\\u0000"' }),
      row(4, { name: '☠', doc: '1' }),
      { id: 5, name: 5, doc: null },
    ],
  },
];

describe('a dry run', () => {
  it('reports columns with kinds, examples and hazards, and writes nothing', async () => {
    const server = new ToyServer(tables);
    const before = dump(server);
    const report = await repair(server, {});
    expect(dump(server)).toBe(before);
    expect(server.state.progress).toBeUndefined();
    expect(report).toMatchObject({
      product: 'Toy 1',
      database: 'mysql://host/toy',
      from: 'cesu-8+utf-8',
      to: 'utf-8',
      stopped: null,
      repaired: null,
      left: null,
    });
    const { found } = report;
    expect(found).toMatchObject({ rows: 7, candidates: 4, skipped: 2, notes: [] });
    expect(found?.tables[0]).toEqual({
      table: 'clean',
      rows: 2,
      candidates: 0,
      skipped: 0,
      columns: [],
      hazards: [],
      suggestions: [],
      declarations: [],
    });
    const [name, doc] = found?.tables[1]?.columns ?? [];
    expect(name).toMatchObject({
      column: 'name',
      type: 'varchar(40)',
      changed: 3,
      refused: 1,
      findings: { pair: 4, 'legacy-byte': 1 },
    });
    expect(name?.examples.pair).toHaveLength(3);
    expect(name?.examples.pair?.[0]).toEqual({
      key: { id: 1 },
      offset: 19,
      bytes: 'ED A0 BD ED B8 80',
      becomes: 'F0 9F 98 80',
      before: spaced('ong text before ☠☠ and a lon'),
      after: spaced('ong text before 😀😀 and a long '),
    });
    expect(name?.examples['legacy-byte']).toEqual([
      {
        key: { id: 2 },
        offset: 6,
        bytes: 'FF',
        becomes: null,
        before: 'ED A0 BD ED B8 80 FF',
        after: 'F0 9F 98 80 FF',
      },
    ]);
    expect(doc).toMatchObject({
      column: 'doc',
      changed: 1,
      refused: 1,
      findings: { pair: 1, nul: 1 },
    });
    expect(found?.tables[1]?.hazards).toEqual([
      {
        hazard: 'refused',
        name: 'legacy-byte',
        column: 'name',
        action: 'skip',
        rows: 1,
        examples: [{ key: { id: 2 }, before: 'ED A0 BD ED B8 80 FF', after: 'F0 9F 98 80 FF' }],
      },
      expect.objectContaining({ hazard: 'refused', name: 'nul', column: 'doc', rows: 1 }),
    ]);
  });

  it('suggests columns of text with JSON that jsonb would refuse', async () => {
    const values = [
      '{"a":"607\\u0000"}',
      '["\\ud83d"]',
      '{"a":"\\ud83d\\ude00 \\\\u0000"}',
      'C:\\u0000',
      '{}',
    ];
    const payload = (name: string): ToyTable => ({
      name,
      columns: [{ name: 'payload', type: 'text' }],
      rows: values.map((value, i) => row(i, { payload: value })),
    });
    const { found } = await repair(new ToyServer([payload('events')]), {});
    expect(found).toMatchObject({ candidates: 0 });
    expect(found?.tables[0]?.suggestions).toMatchObject([
      { kind: 'undeclared-json', column: 'payload', type: 'text', values: 2 },
    ]);
    expect(
      found?.tables[0]?.suggestions[0]?.examples.map(({ key, offset, bytes }) => [
        key.id,
        offset,
        bytes,
      ]),
    ).toEqual([
      [0, 9, '5C 75 30 30 30 30'],
      [1, 2, '5C 75 64 38 33 64'],
    ]);
    const server = new ToyServer([payload('events')]);
    const policies = { nul: 'remove', unpairedSurrogates: 'replace' } as const;
    const report = await repair(server, {
      ...policies,
      jsonColumns: ['events.payload'],
      undo: path('json.jsonl'),
    });
    expect(report).toMatchObject({ repaired: { values: 2 }, left: { candidates: 0 } });
    expect(report.found?.tables[0]?.suggestions).toEqual([]);
    expect(`${Buffer.from(server.state.tables.events?.[0]?.payload as Uint8Array)}`).toBe(
      '{"a":"607"}',
    );
  });

  it('has a JSON form, which is itself', async () => {
    const report = await repair(new ToyServer(tables), {});
    expect(JSON.parse(JSON.stringify(report))).toEqual(report);
  });

  it('passes every value with findings to a function and a file, which is replaced as a whole', async () => {
    const report = path('report.jsonl');
    writeFileSync(report, 'old');
    const findings: DatabaseFinding[] = [];
    await repair(new ToyServer(tables), {
      report,
      onFinding: async (each) => void findings.push(each),
    });
    expect(findings.map(({ key, column, status }) => [key.id, column, status])).toEqual([
      [1, 'name', 'changed'],
      [2, 'name', 'rejected'],
      [2, 'doc', 'changed'],
      [3, 'name', 'changed'],
      [3, 'doc', 'rejected'],
      [4, 'name', 'changed'],
    ]);
    expect(findings[1]).toEqual({
      table: 'shop.users',
      key: { id: 2 },
      column: 'name',
      status: 'rejected',
      findings: [
        { kind: 'pair', offset: 0, bytes: 'ED A0 BD ED B8 80', becomes: 'F0 9F 98 80' },
        { kind: 'legacy-byte', offset: 6, bytes: 'FF', becomes: null, reason: 'invalid-lead' },
      ],
      hazards: [{ hazard: 'refused', name: 'legacy-byte' }],
    });
    const lines = readFileSync(report, 'utf8').trim().split('\n');
    const typed = findings.map((finding) => ({ type: 'finding', ...finding }));
    expect(lines.map((line) => JSON.parse(line))).toEqual(JSON.parse(JSON.stringify(typed)));
    writeFileSync(report, 'old');
    const fail = () => {
      throw new Error('no');
    };
    await expect(repair(new ToyServer(tables), { report, onFinding: fail })).rejects.toThrow('no');
    expect(readFileSync(report, 'utf8')).toBe('old');
  });

  it('reads some tables and columns only', async () => {
    const look = async (options: object) => {
      const { found } = await repair(new ToyServer(tables), options);
      return found?.tables.map(({ table, columns }) => [
        table,
        ...columns.map(({ column }) => column),
      ]);
    };
    expect(await look({ tables: ['clean'] })).toEqual([['clean']]);
    expect(await look({ columns: ['shop.users.doc'] })).toEqual([['shop.users', 'doc']]);
    await expect(look({ tables: ['user'] })).rejects.toThrow(
      'no table "user" has text; expected clean, shop.users',
    );
    for (const column of ['shop.users.upper', 'users.name', 'shop.users.age']) {
      await expect(look({ columns: [column] })).rejects.toThrow(
        `${JSON.stringify(column)} is not a text column`,
      );
    }
  });
});

it('policies decide as in a dump, and what the server says of its integrity is reported', async () => {
  const server = new ToyServer(tables);
  server.problems = ['row 7 missing from index'];
  const looks: number[] = [];
  const report = await repair(server, {
    undo: path('undo-log'),
    errors: 'replace',
    nul: 'remove',
    onLook: ({ candidates }) => void looks.push(candidates),
  });
  expect(looks).toEqual([4]);
  expect(report.repaired).toMatchObject({ rows: 4, values: 6 });
  expect(report).toMatchObject({ left: { candidates: 0 }, problems: ['row 7 missing from index'] });
  expect(server.state.tables['shop.users']?.[1]).toMatchObject({
    name: text('😀\ufffd'),
    doc: text('"😀"'),
  });
});

function spaced(characters: string): string {
  return Array.from(text(characters), (byte) =>
    byte.toString(16).toUpperCase().padStart(2, '0'),
  ).join(' ');
}

it('a server learns which rows it may leave out', async () => {
  const learn = async (options: object) => {
    const server = new ToyServer(tables);
    const read = server.readPage.bind(server);
    const learnt: unknown[] = [];
    server.readPage = (table, columns, after, limit, pages) => {
      const isClean = (characters: string) => pages?.isClean?.(text(characters));
      learnt.push(pages?.skipsWellFormed, isClean('Grün 😀\nx'), isClean('☠'), isClean('\\u00'));
      return read(table, columns, after, limit, pages);
    };
    await repair(server, { batch: 10, ...options });
    return learnt;
  };
  // A backslash may begin an escape of JSON, which any column may contain.
  expect(await learn({})).toEqual([true, true, false, false, true, true, false, false]);
  const mojibake = await learn({ mojibake: 'repair' });
  expect(mojibake[0]).toBe(false);
  expect((await learn({ to: 'cesu-8', from: 'cesu-8+utf-8' }))[0]).toBe(false);
});
