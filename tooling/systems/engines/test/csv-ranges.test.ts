/** The script of `apps/site/pages/engines.md` for ranges of quoted CSV, run by GNU parallel. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findDifference } from '@utf8/systems/databases/difference';
import { findScripts } from '@utf8/systems/databases/markdown';
import { toCsv } from '@utf8/systems/databases/notation';
import { plant } from '@utf8/systems/databases/planted';
import { demandProgram, type Outcome, run } from '@utf8/systems/databases/program';
import { rowCount, seed } from '@utf8/systems/databases/seed';
import { createEnvironment, demandUtf8 } from '@utf8/systems/databases/utf8';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';

const root = mkdtempSync(join(tmpdir(), 'utf8-csv-ranges-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const bin = join(root, 'bin');
mkdirSync(bin);
// So that a small file has many cuts.
const env: NodeJS.ProcessEnv = {
  ...createEnvironment(bin),
  PARALLEL_HOME: join(root, 'parallel'),
  UTF8_TEST_STEP: '5000',
};
const work = join(root, 'work');
const path = (name: string): string => join(work, name);

const planted = plant({
  seed,
  rows: rowCount,
  faults: ['a lone high half', 'U+0000', 'U+0000 in two bytes', 'no lead at all'],
});
const dump = Buffer.concat([Buffer.from('id,name,note,data\n'), ...planted.rows.map(toCsv)]);

/** Bytes of a range. */
const STEP = Math.ceil(dump.length / 3.5);

beforeEach(() => {
  rmSync(work, { recursive: true, force: true });
  mkdirSync(work);
  writeFileSync(path('orders.csv'), dump);
  // This host alone, which needs no ssh.
  writeFileSync(path('hosts'), '2/:\n');
});

demandProgram('parallel');
const sh = (script: string): Outcome => run('sh', ['-c', script], '', { cwd: work, env });

describe('ranges of CSV', () => {
  const [script = ''] = findScripts('engines.md', 'Ranges of CSV', 'sh').map((script) =>
    script.replace('268435456', `${STEP}`),
  );
  const [, gather = ''] = findScripts('engines.md', 'GNU parallel, on one machine', 'sh').map(
    (script) => script.replaceAll('.copy', '.csv'),
  );

  const list = (name: string): string[] =>
    readdirSync(work).filter((each) => each.startsWith(`orders.${name}.`));

  const expectWhole = (): void => {
    const words = ['convert', '--format', 'csv', '--from', 'cesu-8+utf-8', path('orders.csv')];
    const files = ['--rejects', path('serial.rejects'), '--stats', path('serial.stats')];
    const serial = demandUtf8([...words, ...files]);
    expect(sh(gather).status).toBe(0);
    expect(findDifference(readFileSync(path('orders.utf8.csv')), serial)).toBeUndefined();
    const rejects = readFileSync(path('orders.rejects.csv'));
    expect(findDifference(rejects, readFileSync(path('serial.rejects')))).toBeUndefined();
    const { records } = JSON.parse(readFileSync(path('serial.stats'), 'utf8'));
    expect(records.in).toBe(planted.rows.length);
    expect(records.rejected).toBeGreaterThan(0);
    const sum = { in: 0, out: 0, rejected: 0, changed: 0 };
    for (const name of list('stats')) {
      const part = JSON.parse(readFileSync(path(name), 'utf8')).records;
      for (const key of ['in', 'out', 'rejected', 'changed'] as const) sum[key] += part[key];
    }
    expect(sum).toEqual(records);
  };

  it('make up what one process makes, and are found by an index', () => {
    const { status, stderr } = sh(script);
    expect([status, stderr.includes('parallel:')]).toEqual([0, false]);
    expect(list('part')).toHaveLength(Math.ceil(dump.length / STEP));
    const index = readFileSync(path('orders.index'), 'utf8').trim().split('\n');
    expect(index.length).toBeGreaterThan(dump.length / 3 / 5000);
    expectWhole();
  });

  it('are not converted if the file has changed since', () => {
    const [first = '', ...jobs] = script.split(/^(?=step=)/m);
    expect(sh(first)).toMatchObject({ status: 0, stdout: Buffer.alloc(0) });
    writeFileSync(path('orders.csv'), dump.subarray(0, -1));
    const { status, stderr } = sh(jobs.join(''));
    expect(status).toBeGreaterThan(0);
    expect(stderr).toContain('utf8: orders.index: belongs to another file, or orders.csv has');
    const log = readFileSync(path('orders.log'), 'utf8').trim().split('\n').slice(1);
    // The job's last command tells rejected records (1) from a failure, and fails with 1.
    expect(log.map((line) => line.split('\t')[6])).toEqual(log.map(() => '1'));
    expect(list('part')).toEqual([]);
    // As the message says, the same jobs go well once the index is removed.
    rmSync(path('orders.index'));
    expect(sh(script).status).toBe(0);
    expectWhole();
  });
});
