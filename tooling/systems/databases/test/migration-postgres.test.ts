/** Runs the commands of `apps/site/pages/databases/postgresql.md`, one after another. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { countPairs, decide, toBackslashes, toWindows1252 } from '../src/decision.js';
import { findDifference } from '../src/difference.js';
import { toCopy } from '../src/notation.js';
import { plant, type Row, spellPair } from '../src/planted.js';
import { Postgres } from '../src/postgres.js';
import { rowCount, seed } from '../src/seed.js';
import { Walkthrough } from '../src/walkthrough.js';

const postgres = await Postgres.start();
const folder = mkdtempSync(join(tmpdir(), 'utf8-migration-postgres-'));
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
    'U+0000 in two bytes',
    'an overlong form',
    'no lead at all',
    'a character cut short',
  ],
});

/** A row in Windows-1252. */
const legacy: Row = {
  id: planted.rows.length + 1,
  name: Buffer.from('Gr\xfcn', 'latin1'),
  note: null,
  data: null,
};
const rows: readonly Row[] = [...planted.rows, legacy];
const rejected: readonly Row[] = [...planted.rejected, legacy];
const isRejected = (line: string): boolean => ids.has(Number(line.split('|')[0]));
const ids = new Set(rejected.map(({ id }) => id));

/** Tags go to the partition that their bytes belong to. All but one refer to a row that is rejected. */
const tags = Array.from({ length: 20 }, (_, i) => String.fromCodePoint(0x1f600 + i));

const hex = (text: Uint8Array | string): string => Buffer.from(text).toString('hex');

const toHex = (row: readonly (number | Buffer | null)[]): string =>
  `${row.map((value) => (Buffer.isBuffer(value) ? hex(value) : String(value ?? 'NULL'))).join('|')}\n`;

describe('from SQL_ASCII to UTF8', () => {
  const walk = new Walkthrough('databases/postgresql.md', folder, postgres.env);

  const ask = (database: string, query: string): string =>
    postgres.demand(query, '-d', database).toString();

  const hexOf = (column: string): string =>
    `coalesce(encode(convert_to(${column}, getdatabaseencoding()), 'hex'), 'NULL')`;

  const read = (database: string): string =>
    ask(
      database,
      `SELECT id, ${hexOf('name')}, ${hexOf('note')}, coalesce(encode(data, 'hex'), 'NULL') FROM t ORDER BY id`,
    );

  const readTags = (database: string): string =>
    ask(database, `SELECT t, ${hexOf('tag')} FROM tags ORDER BY 2`);

  it('the old database contains whatever was sent', () => {
    walk.run('createdb --encoding=SQL_ASCII --locale=C --template=template0 old');
    const pairs = tags.map((tag) => `${rejected[0]?.id}\t${spellPair(tag).toString('latin1')}\n`);
    const pair = spellPair('😀').toString('latin1');
    const script = [
      `SET client_encoding = 'SQL_ASCII';
      CREATE TABLE t (id int PRIMARY KEY, name text NOT NULL, note text, data bytea);
      CREATE INDEX ON t (name);
      CREATE TABLE tags (t int REFERENCES t, tag varchar(6)) PARTITION BY HASH (tag);
      CREATE TABLE tags0 PARTITION OF tags FOR VALUES WITH (MODULUS 2, REMAINDER 0);
      CREATE TABLE tags1 PARTITION OF tags FOR VALUES WITH (MODULUS 2, REMAINDER 1);
      CREATE INDEX ON tags (tag);
      CREATE FUNCTION smile() RETURNS text LANGUAGE sql AS 'SELECT ''${pair}''::text';
      COPY t FROM stdin;\n`,
      ...rows.map((row) => toCopy(row).toString('latin1')),
      '\\.\nCOPY tags FROM stdin;\n',
      ...pairs,
      `\\.
      CREATE FUNCTION sign() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN NEW.note = ''${pair}''; RETURN NEW; END';
      CREATE TRIGGER sign BEFORE INSERT ON t FOR EACH ROW EXECUTE FUNCTION sign();`,
    ];
    postgres.demand(Buffer.from(script.join(''), 'latin1'), '-d', 'old');
    const cells = rows.map(({ id, name, note, data }) => toHex([id, name, note, data]));
    expect(findDifference(read('old'), cells.join(''))).toBeUndefined();
  });

  it('1. without --load-via-partition-root, convert says that the load would stop', () => {
    walk.run('pg_dump --section=pre-data --section=data old > leaves.sql');
    const convert =
      'utf8 convert --format pg_dump --from cesu-8+utf-8 --fix-header --rejects leaves.tmp -o leaves.new.sql';
    expect(walk.run(`${convert} leaves.sql`)).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('--load-via-partition-root'),
    });
    const { stderr } = walk.run(
      `${convert} --allow partition-key leaves.sql
      createdb --encoding=UTF8 --locale=C --template=template0 leaves
      psql -X -q -v ON_ERROR_STOP=1 -o /dev/null -f leaves.new.sql leaves`,
    );
    expect(stderr).toContain('violates partition constraint');
    expect(walk.demand('1. Dump')).toBe('');
  });

  it('2. scan finds all that is planted', () => {
    const { status, stdout } = walk.follow('2. List the findings');
    expect(status).toBe(1);
    expect(stdout.toString()).toContain(`, ${rejected.length} would be rejected`);
    const findings = walk.read('findings.jsonl').toString().trim().split('\n');
    const pairs = findings.map((line) => JSON.parse(line)).filter(({ kind }) => kind === 'pair');
    const texts = rows.flatMap(({ name, note }) => [name, note]);
    // Two functions have one each.
    expect(pairs).toHaveLength(countPairs(texts) + tags.length + 2);
  });

  it('3. convert accounts for every record', () => {
    walk.demand('3. Convert', 1);
    expect(JSON.parse(walk.read('stats.json').toString()).records).toMatchObject({
      in: rows.length + tags.length,
      out: planted.expected.length + tags.length,
      rejected: rejected.length,
    });
  });

  it('4 and 5. what was loaded is what came out, and what was planted', () => {
    expect(walk.demand('4. Load')).toBe('');
    expect(walk.demand('5. Compare')).toBe('');
    const cells = planted.expected.map(({ id, name, note, data }) =>
      toHex([id, Buffer.from(name), note === null ? null : Buffer.from(note), data]),
    );
    expect(findDifference(read('new'), cells.join(''))).toBeUndefined();
    expect(readTags('new')).toBe(tags.map((tag) => `${rejected[0]?.id}|${hex(tag)}\n`).join(''));
    expect(ask('new', 'SELECT smile()')).toBe('😀\n');
  });

  it('5. shows a row that is not what came out', () => {
    ask('new', "UPDATE tags SET tag = tag || 'x' WHERE tag = '😀'");
    expect(walk.demand('5. Compare')).toContain('😀x');
    ask('new', "UPDATE tags SET tag = '😀' WHERE tag = '😀x'");
    expect(walk.demand('5. Compare')).toBe('');
  });

  it('6. what went in can be had again', () => {
    expect(walk.demand('6. Prove that nothing was lost')).toBe('');
  });

  it('7 and 8. what was rejected goes in, and nothing else changes', () => {
    const before = read('new');
    walk.demand('7. Convert the rows in Windows-1252');
    expect(read('new')).toContain(`${legacy.id}|${hex('Grün')}|`);
    walk.demand('8. Convert the remaining rows');
    const after = read('new').split('\n');
    expect(after.filter((line) => !isRejected(line)).join('\n')).toBe(before);
    // Only @utf8/repair decides whether Windows-1252 explains some bytes: it is one or the other.
    const [legacyCells, otherCells] = [toWindows1252, toBackslashes].map((spell) =>
      rejected.map(({ id, name, note, data }) =>
        toHex([id, decide(name, spell), note && decide(note, spell), data]),
      ),
    ) as [string[], string[]];
    const found = after.filter(isRejected).map((line) => `${line}\n`);
    const wanted = legacyCells.map((cell, i) => (found[i] === cell ? cell : otherCells[i]));
    expect(findDifference(found.join(''), wanted.join(''))).toBeUndefined();
  });

  it('9. indexes, constraints and triggers are as they were', () => {
    expect(walk.demand('9. Add indexes, constraints and triggers')).toBe('');
    const count =
      "SELECT (SELECT count(*) FROM pg_index WHERE indrelid >= 16384 AND indrelid::regclass::text !~ 'toast'), (SELECT count(*) FROM pg_constraint WHERE contype IN ('p', 'f')), (SELECT count(*) FROM pg_trigger WHERE NOT tgisinternal)";
    expect(ask('new', count)).toBe(ask('old', count));
    const query = "SET enable_seqscan = off; SELECT count(*) FROM tags WHERE tag = '😀'";
    expect(ask('new', query)).toBe('1\n');
  });

  it('10. every row has arrived', () => {
    expect(walk.demand('10. Count')).toBe('');
    expect(walk.read('new.count').toString()).toContain(`t|${rows.length}\n`);
    expect(walk.read('new.count').toString()).toContain(`tags|${tags.length}\n`);
  });

  it('there are ten commands and no others', () => {
    expect(walk.headings).toHaveLength(10);
  });
});
