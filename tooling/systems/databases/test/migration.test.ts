/** Runs the commands of `apps/site/pages/databases/oracle.md`, one after another. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { findScripts } from '../src/markdown.js';
import { toTextCsv } from '../src/notation.js';
import { plant } from '../src/planted.js';
import { Postgres } from '../src/postgres.js';
import { run } from '../src/program.js';
import { rowCount, seed } from '../src/seed.js';
import { createEnvironment } from '../src/utf8.js';

const postgres = await Postgres.start();

const folder = mkdtempSync(join(tmpdir(), 'utf8-migration-'));
const path = (name: string): string => join(folder, name);
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await postgres.stop();
});

const planted = plant({
  seed,
  rows: rowCount,
  faults: [
    'a lone high half',
    'a lone low half',
    'U+0000',
    'U+0000 in two bytes',
    'no lead at all',
  ],
});
const rejected = planted.rejected.map(({ id }) => String(id));

describe('from orders.csv to a table', () => {
  writeFileSync(
    path('orders.csv'),
    Buffer.concat([Buffer.from('ID,NAME,NOTE\n'), ...planted.rows.map(toTextCsv)]),
  );
  const env = createEnvironment(folder, postgres.env);

  /** Runs the one command below a heading. */
  const follow = (heading: string): [number | null, string] => {
    const scripts = findScripts('databases/oracle.md', heading, 'sh');
    expect(scripts).toHaveLength(1);
    const { status, stdout, stderr } = run('sh', ['-c', scripts[0] as string], '', {
      cwd: folder,
      env,
    });
    return [status, `${stdout}${stderr}`];
  };

  const count = (): number => Number(postgres.demand('SELECT count(*) FROM orders').toString());

  it('1. scan finds all that is planted, and names its rows', () => {
    const [status, summary] = follow('1. List the findings');
    expect(status).toBe(1);
    expect(summary).toContain('unpaired-surrogate');
    const findings = readFileSync(path('findings.jsonl'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(findings.filter(({ kind }) => kind === 'pair')).toHaveLength(planted.pairs);
    const refused = findings.filter(({ kind, becomes }) => kind !== undefined && becomes === null);
    expect([...new Set(refused.map(({ key }) => key.ID))]).toEqual(rejected);
  });

  it('2. convert accounts for every record', () => {
    expect(follow('2. Convert')[0]).toBe(1);
    const { records, findings } = JSON.parse(readFileSync(path('orders.stats.json'), 'utf8'));
    expect(records).toMatchObject({
      in: planted.rows.length,
      out: planted.expected.length,
      rejected: rejected.length,
    });
    expect(findings.pair).toBe(planted.pairs);
  });

  it('3. psql loads what came out', () => {
    expect(follow('3. Load')).toEqual([0, '']);
    expect(count()).toBe(planted.expected.length);
  });

  it('4. what was loaded is what came out', () => {
    expect(follow('4. Compare')).toEqual([0, '']);
  });

  it('5. what went in can be had again', () => {
    expect(follow('5. Prove that nothing was lost')).toEqual([0, '']);
  });

  it('6. what was rejected goes in as somebody decided', () => {
    expect(follow('6. Convert the rejected rows')[0]).toBe(0);
    expect(count()).toBe(planted.rows.length);
    const marks = postgres.demand(
      `SELECT id FROM orders WHERE concat(name, note) ~ '\\\\u[Dd][89A-Fa-f]|\\\\x[0-9A-Fa-f]{2}|\\uFFFD' ORDER BY id`,
    );
    expect(marks?.toString().trim().split('\n')).toEqual(rejected);
  });

  it('there are six commands and no others', () => {
    const page = readFileSync(
      new URL('../../../../apps/site/pages/databases/oracle.md', import.meta.url),
      'utf8',
    );
    expect(page.match(/^```sh$/gm)).toHaveLength(6);
  });
});
