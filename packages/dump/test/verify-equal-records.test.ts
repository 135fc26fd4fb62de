/** Pairs of equal records that are left out of the sort: the same findings as with all records sorted. */
import { writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { choose, seed } from '../../../tooling/tiers/tier.js';
import { type VerifyOptions, verifyDump } from '../src/verify/verify.js';
import type { VerifyFinding } from '../src/verify/verify-finding.js';
import { createRandom } from './random-dump.js';
import { chooseByDay, useFolder } from './use-folder.js';
import { createRows, formats, shuffle, type TableRow, writeTable } from './verify-tables.js';

const path = useFolder();

function write(name: string, bytes: Uint8Array | string): string {
  writeFileSync(path(name), bytes);
  return path(name);
}

/** Verifies, and returns all that is found, in an order that does not depend on how. */
async function verifyAll(options: VerifyOptions) {
  const lines: string[] = [];
  const report = await verifyDump({
    ...options,
    onFinding: (finding) => {
      lines.push(JSON.stringify(finding));
    },
  });
  const set = new Set(lines);
  const examples = Object.entries(report.examples).map(([name, list]) => {
    for (const each of list) expect(set).toContain(JSON.stringify(each));
    return [name, list.map(({ isExplained }) => isExplained)];
  });
  const findings = lines.sort().map((line): VerifyFinding => JSON.parse(line));
  return { report: report.toJSON(), examples, findings };
}

type Random = (below: number) => number;

/** Compares with a run that has rejects, though there are none: it sorts all records. */
async function expectSorted(
  name: string,
  rows: readonly TableRow[],
  others: readonly TableRow[],
  random: Random,
): Promise<void> {
  const { format, formatOptions } = formats[name] as (typeof formats)[string];
  const side = { format, formatOptions };
  const source = { input: write('source', writeTable(name, rows, true)), ...side };
  const target = { input: write('target', writeTable(name, others, false)), ...side };
  const rejects = write('rejects', format === 'csv' ? 'ID,TEXT,NOTE,DATA\r\n' : '');
  const [key, text, note] = format === 'copy' ? ['1', '2', '3'] : ['id', 'text', 'note'];
  const keys = [[], [key], [key, note]][random(3)] as string[];
  const ignored = random(4) === 0 ? [text as string] : [];
  const options = { source, target, from: 'cesu-8+utf-8', keys, ignored, max: random(4) };
  expect(await verifyAll(options)).toEqual(await verifyAll({ ...options, rejects }));
}

/** Ways in which a target differs from its source. */
const changes: Readonly<Record<string, (rows: TableRow[], random: Random) => readonly TableRow[]>> =
  {
    nothing: (rows) => rows,
    'a missing record': (rows, random) => rows.toSpliced(random(rows.length), 1),
    'an extra record': (rows, random) =>
      rows.toSpliced(random(rows.length), 0, { id: 1000, text: 'new', note: null, data: null }),
    'a changed record': (rows, random) => {
      const at = random(rows.length);
      return rows.with(at, { ...(rows[at] as TableRow), note: 'changed' });
    },
    'an equal record elsewhere': (rows, random) =>
      rows.toSpliced(random(rows.length), 0, rows[random(rows.length)] as TableRow),
    'a record of another key': (rows, random) => {
      const at = random(rows.length);
      return rows.with(at, { ...(rows[at] as TableRow), id: 1 + random(rows.length) });
    },
    'an equal record instead of another': (rows, random) =>
      rows.with(random(rows.length), rows[random(rows.length)] as TableRow),
    'an equal record with another text': (rows, random) => {
      const row = rows[random(rows.length)] as TableRow;
      return rows.with(random(rows.length), { ...row, text: 'other' });
    },
    'another order': (rows, random) => shuffle(rows, random(100)),
  };

describe('the findings are those of a sort of all records', () => {
  it.each(chooseByDay(Object.keys(formats), 3))('in %s', async (name) => {
    const random = createRandom(seed);
    for (const change of choose(Object.values(changes), 3)) {
      const rows = createRows(random(1000), 12);
      await expectSorted(name, rows, change([...rows], random), random);
      // Equal records on both sides, as without a key.
      const twice = rows.flatMap((row) => (row.id % 5 === 0 ? [row, { ...row }] : [row]));
      await expectSorted(name, twice, change([...twice], random), random);
    }
  });

  /** Compares two texts with and without rejects that are empty. */
  async function expectSame(format: string, one: string, other: string, keys: string[], more = {}) {
    const source = { input: write('one', one), format };
    const target = { input: write('other', other), format };
    const options = { source, target, from: 'utf-8', keys, ...more };
    const found = await verifyAll(options);
    const rejects = write('none', format === 'csv' ? 'id,a\n' : '');
    expect(found).toEqual(await verifyAll({ ...options, rejects }));
    return found.findings.map((finding) => [finding.class, finding.target?.record]);
  }

  it('of equal records before and after one that is left out', async () => {
    const source = 'id,a\n1,x\n2,y\n3,z\n4,w\n';
    const before = 'id,a\n3,z\n2,y\n3,z\n4,w\n';
    const after = 'id,a\n1,x\n2,y\n3,z\n1,x\n';
    const extra = (record: number) => [
      ['missing', undefined],
      ['extra', record],
    ];
    expect((await expectSame('csv', source, before, [])).sort().reverse()).toEqual(extra(3));
    expect((await expectSame('csv', source, after, [])).sort().reverse()).toEqual(extra(4));
    expect(await expectSame('csv', source, after, ['id'])).toHaveLength(3);
    const ignored = ['a'];
    const other = 'id,a\n3,other\n2,y\n3,z\n4,w\n';
    expect((await expectSame('csv', source, other, [], { ignored })).sort().reverse()).toEqual(
      extra(3),
    );
  });

  it('of values that are written in bytes', async () => {
    for (const value of ['\\xff', '\\355\\240\\275']) {
      const rows = `1\ta\n2\t${value}\n`;
      expect(await expectSame('copy', rows, rows, ['1'])).toEqual([['invalid', 2]]);
    }
  });

  const create = 'CREATE TABLE `t` (`id` int, `a` text, `b` text);\n';
  const tuples = Array.from({ length: 12 }, (_, id) => `(${id},'x\\\\','y')`);
  const half = tuples.length / 2;
  const insert = (columns: string, some: readonly string[], mode = ''): string =>
    `${mode}INSERT INTO \`t\` (${columns}) VALUES ${some.join(',')};\n`;
  const writeBoth = (columns: string, mode?: string): string =>
    create +
    insert('`id`,`a`,`b`', tuples.slice(0, half)) +
    insert(columns, tuples.slice(half), mode);

  it.each([
    ['columns in another order', writeBoth('`id`,`b`,`a`')],
    ['another syntax', writeBoth('`id`,`a`,`b`', "SET sql_mode='NO_BACKSLASH_ESCAPES';\n")],
  ])('of equal bytes in %s', async (_, other) => {
    const found = await expectSame('mysqldump', writeBoth('`id`,`a`,`b`'), other, ['id']);
    const records = new Set(found.map(([, record]) => record));
    expect(records).toEqual(new Set(tuples.slice(half).map((_, i) => half + 1 + i)));
  });
});
