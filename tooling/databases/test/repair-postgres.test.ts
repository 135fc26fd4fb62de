/** The commands of `docs/repair-postgres.md`, one after the other; those of `utf8 repair` through its library. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRepairer, type RepairOptions } from '@utf8/repair';
import { afterAll, describe, expect, it } from 'vitest';
import { open } from '../../../packages/database/src/server/postgres/postgres.js';
import { decide } from '../src/decision.js';
import { findDifference } from '../src/difference.js';
import { findScripts } from '../src/markdown.js';
import { toCopy } from '../src/notation.js';
import { plant, spellPair } from '../src/planted.js';
import { Postgres } from '../src/postgres.js';
import { rowCount, seed } from '../src/seed.js';
import { Walkthrough } from '../src/walkthrough.js';

if (Postgres.missing) console.log(`skipped: PostgreSQL: ${Postgres.missing}`);
const started = Postgres.missing ? undefined : await Postgres.start();
const folder = mkdtempSync(join(tmpdir(), 'utf8-repair-postgres-'));
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await started?.stop();
});

const PAGE = 'repair-postgres.md';

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

describe.skipIf(!started)('from SQL_ASCII to UTF8, in place', () => {
  const postgres = started as Postgres;
  const walk = new Walkthrough(PAGE, folder, postgres?.env);

  const read = (database: string): string =>
    postgres
      .demand(
        `SELECT id, ${['name', 'note'].map((c) => `coalesce(encode(textsend(${c}), 'hex'), 'NULL')`)}, coalesce(encode(data, 'hex'), 'NULL') FROM t ORDER BY id`,
        '-d',
        database,
      )
      .toString();

  /** Does what a step's `utf8 repair` does; returns how many values it would change and has changed. */
  const repair = async (heading: string): Promise<{ found: number; changed: number }> => {
    const [script = ''] = findScripts(PAGE, heading, 'sh');
    const [, target, ...words] = /^utf8 repair (\S+)(.*)$/s.exec(script) ?? [];
    expect(target).toBe('postgres:///old');
    const options: Record<string, string> = { from: 'cesu-8+utf-8' };
    let writes = false;
    for (const [, name = '', value = ''] of words.join('').matchAll(/--(\S+) (\S+)/g)) {
      if (name === 'journal') writes = true;
      else options[name.replace(/-(.)/g, (_, letter) => letter.toUpperCase())] = value;
    }
    const judge = createRepairer(options as unknown as RepairOptions);
    const server = await open(postgres.url('old'));
    const counts = { found: 0, changed: 0 };
    for (const table of await server.listTables()) {
      for (let after: Parameters<typeof server.readPage>[2], isLast = false; !isLast; ) {
        const page = await server.readPage(table, table.columns, after, 1000);
        ({ last: after, isLast } = page);
        const rows = page.rows.map(({ key, values }) => {
          const found = table.columns.flatMap((column, i) => {
            const old = values[i];
            const result = old && judge(old);
            if (!result || result.status === 'unchanged') return [];
            return { column, old, new: result.bytes, isRejected: result.status === 'rejected' };
          });
          counts.found += found.length;
          return { key, changes: found.filter(({ isRejected }) => !isRejected) };
        });
        if (!writes) continue;
        await server.transact(async (transaction) => {
          for (const { key, changes } of rows.filter(({ changes }) => changes.length > 0)) {
            const { is } = await transaction.change(table, key, changes);
            expect(is).toBe('changed');
            counts.changed += changes.length;
          }
        });
      }
    }
    expect(await server.checkIntegrity()).toEqual([]);
    await server.close();
    return counts;
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

  it('1 and 2. pairs become four bytes, and every other cell stays', async () => {
    const before = read('old');
    expect((await repair('1. See what there is')).found).toBeGreaterThan(tags.length);
    expect(read('old')).toBe(before);
    const { found, changed } = await repair('2. Repair');
    expect(changed).toBeGreaterThan(tags.length);
    expect(changed).toBeLessThan(found);
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

  it('3 and 4. the rest becomes what was decided', async () => {
    expect((await repair('3. Decide about bytes of Windows-1252')).changed).toBeGreaterThanOrEqual(
      legacy.length,
    );
    const { found, changed } = await repair('4. Decide about the rest');
    expect(changed).toBe(found);
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
    walk.demand('5. Keep it so');
    const insert = Buffer.from("INSERT INTO t VALUES (0, '\xff', NULL, NULL)", 'latin1');
    const { status, stderr } = postgres.run(insert, '-d', 'old');
    expect(status).not.toBe(0);
    expect(stderr).toContain('invalid byte sequence for encoding "UTF8"');
  });

  it('6. nothing is left', async () => {
    expect(await repair('6. Prove that nothing is left')).toEqual({ found: 0, changed: 0 });
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
