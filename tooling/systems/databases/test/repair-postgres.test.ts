/** Runs the commands of `apps/site/pages/databases/repair-postgresql.md`, one after another. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { decide } from '../src/decision.js';
import { findDifference } from '../src/difference.js';
import { toCopy } from '../src/notation.js';
import { plant, spellPair } from '../src/planted.js';
import { Postgres } from '../src/postgres.js';
import { rowCount, seed } from '../src/seed.js';
import { Walkthrough } from '../src/walkthrough.js';

const postgres = await Postgres.start();
const folder = mkdtempSync(join(tmpdir(), 'utf8-repair-postgres-'));
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await postgres.stop();
});

// As after npm install pg.
mkdirSync(join(folder, 'node_modules'));
const driver = new URL('../../../../packages/database/node_modules/pg', import.meta.url);
symlinkSync(fileURLToPath(driver), join(folder, 'node_modules', 'pg'));

const PAGE = 'databases/repair-postgresql.md';

const planted = plant({
  seed,
  rows: rowCount,
  faults: ['a lone high half', 'a lone low half', 'U+0000 in two bytes', 'an overlong form'],
});
const legacy = Array.from({ length: 30 }, (_, i) => ({
  id: planted.rows.length + 1 + i,
  name: Buffer.from(`Gr\xfcn ${i}`, 'latin1'),
  note: null,
  data: null,
}));
const tags = Array.from({ length: 20 }, (_, i) => String.fromCodePoint(0x1f600 + i));

const hex = (bytes: Uint8Array | null): string =>
  bytes ? Buffer.from(bytes).toString('hex') : 'NULL';

describe('from SQL_ASCII to UTF8, in place', () => {
  const walk = new Walkthrough(PAGE, folder, postgres.env);

  const read = (database: string): string =>
    postgres
      .demand(
        `SELECT id, ${['name', 'note'].map((c) => `coalesce(encode(textsend(${c}), 'hex'), 'NULL')`)}, coalesce(encode(data, 'hex'), 'NULL') FROM t ORDER BY id`,
        '-d',
        database,
      )
      .toString();

  /** Runs the `utf8 repair` of a step; returns its exit code, and how many values it has changed. */
  const repair = (heading: string): { status: number | null; changed: number } => {
    const { status, stdout, stderr } = walk.follow(heading);
    expect(stderr).toBe('');
    const [, changed = 0] = /^repaired: (\d+) values? in /m.exec(stdout.toString()) ?? [];
    return { status, changed: Number(changed) };
  };

  it('the old database contains whatever was sent', () => {
    walk.run('createdb --encoding=SQL_ASCII --locale=C --template=template0 old');
    const script = [
      `SET client_encoding = 'SQL_ASCII';
      CREATE TABLE t (id int PRIMARY KEY, name text NOT NULL, note text, data bytea);
      CREATE INDEX ON t (name);
      CREATE TABLE tags (tag varchar(6) PRIMARY KEY) PARTITION BY HASH (tag);
      CREATE TABLE tags0 PARTITION OF tags FOR VALUES WITH (MODULUS 2, REMAINDER 0);
      CREATE TABLE tags1 PARTITION OF tags FOR VALUES WITH (MODULUS 2, REMAINDER 1);
      COPY t FROM stdin;\n`,
      ...[...planted.rows, ...legacy].map((row) => toCopy(row).toString('latin1')),
      '\\.\nCOPY tags FROM stdin;\n',
      ...tags.map((tag) => `${spellPair(tag).toString('latin1')}\n`),
      '\\.\n',
    ];
    postgres.demand(Buffer.from(script.join(''), 'latin1'), '-d', 'old');
  });

  it('1 and 2. pairs become four bytes, and every other cell stays', () => {
    const before = read('old');
    expect(repair('1. List the findings')).toEqual({ status: 1, changed: 0 });
    expect(read('old')).toBe(before);
    const { status, changed } = repair('2. Repair surrogate pairs');
    expect(status).toBe(1);
    expect(changed).toBeGreaterThan(tags.length);
    const after = new Map(
      read('old')
        .split('\n')
        .map((line) => [Number(line.split('|')[0]), line]),
    );
    const wanted = planted.expected.map(({ id, name, note, data }) =>
      [id, hex(Buffer.from(name)), hex(note === null ? null : Buffer.from(note)), hex(data)].join(
        '|',
      ),
    );
    const found2 = planted.expected.map(({ id }) => after.get(id));
    expect(findDifference(found2.join('\n'), wanted.join('\n'))).toBeUndefined();
  });

  it('7. the dump stops at what is malformed', () => {
    expect(walk.follow('7. Dump').stderr).toContain('invalid byte sequence for encoding "UTF8"');
  });

  it('3 and 4. the rest becomes what was decided', () => {
    const third = repair('3. Repair bytes of Windows-1252');
    expect(third.status).toBe(1);
    expect(third.changed).toBeGreaterThanOrEqual(legacy.length);
    const fourth = repair('4. Repair the remaining values');
    expect(fourth.status).toBe(0);
    expect(fourth.changed).toBeGreaterThan(0);
    const lines = read('old').split('\n');
    const [first] = legacy;
    expect(lines).toContain(`${first?.id}|${hex(Buffer.from('Grün 0'))}|NULL|NULL`);
    const lone = planted.rejected.filter(({ name }) =>
      /\xed[\xa0-\xbf]|\xc0\x80/.test(name.toString('latin1')),
    );
    expect(lone.length).toBeGreaterThan(10);
    for (const { id, name } of lone) {
      const line = lines.find((each) => each.startsWith(`${id}|`)) as string;
      // An overlong form beside it is in other words.
      if (!name.includes(0xc1)) expect(line.split('|')[1]).toBe(hex(decide(name)));
    }
  });

  it('5. nothing malformed comes in any more', () => {
    walk.demand('5. Refuse malformed text from now on');
    const insert = Buffer.from("INSERT INTO t VALUES (0, '\xff', NULL, NULL)", 'latin1');
    const { status, stderr } = postgres.run(insert, '-d', 'old');
    expect(status).not.toBe(0);
    expect(stderr).toContain('invalid byte sequence for encoding "UTF8"');
  });

  it('6. nothing is left', () => {
    expect(repair('6. Prove that nothing malformed is left')).toEqual({ status: 0, changed: 0 });
  });

  it('7, 8 and 9. the copy is in UTF8 and has the same rows', () => {
    expect(walk.demand('7. Dump')).toBe('');
    expect(walk.demand('8. Load')).toBe('');
    expect(walk.demand('9. Compare')).toBe('');
    expect(walk.read('new.rows').length).toBeGreaterThan(10_000);
    expect(read('new')).toBe(read('old'));
    const count = 'SELECT getdatabaseencoding(), count(*) FROM tags WHERE char_length(tag) = 1';
    expect(postgres.demand(count, '-d', 'new').toString()).toBe(`UTF8|${tags.length}\n`);
  });

  it('9. shows a row that differs', () => {
    postgres.demand("UPDATE t SET name = name || 'x' WHERE id = 1", '-d', 'new');
    expect(walk.follow('9. Compare').status).toBe(1);
  });

  it('there are nine commands and no others', () => {
    expect(walk.headings).toHaveLength(9);
  });
});
