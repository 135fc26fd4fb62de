/** Runs the commands of `apps/site/pages/databases/android.md`, one after another. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { countPairs, decide, toBackslashes } from '../src/decision.js';
import { findDifference } from '../src/difference.js';
import { findScripts } from '../src/markdown.js';
import { plant, type Row, spellPair } from '../src/planted.js';
import { demand } from '../src/program.js';
import { rowCount, seed } from '../src/seed.js';
import { Walkthrough } from '../src/walkthrough.js';

const folder = mkdtempSync(join(tmpdir(), 'utf8-migration-android-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

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
const rejected = new Set(planted.rejected.map(({ id }) => id));

/** A row with a byte 00, which neither is converted nor may be cut. */
const zero = { id: planted.rows.length + 1, text: Buffer.from('a\0b') };
const PAIR = spellPair('😀').toString('hex');

const hex = (value: Buffer): string => value.toString('hex').toUpperCase();

const literal = (value: Buffer | null): string => (value === null ? 'NULL' : `x'${hex(value)}'`);

const text = (value: Buffer | null): string => `CAST(${literal(value)} AS TEXT)`;

const toLine = ({ id, name, note, data }: Row): string =>
  `${[id, ...[name, note, data].map((value) => (value === null ? 'NULL' : hex(value)))].join('|')}\n`;

describe('a database from Android', () => {
  const walk = new Walkthrough('databases/android.md', folder);
  const ask = (database: string, script: string): string =>
    demand('sqlite3', ['-batch', '-bail', join(folder, database)], script).toString();
  const read = (database: string): string =>
    ask(
      database,
      `SELECT _id, hex(author), iif(body IS NULL, 'NULL', hex(body)), iif(data IS NULL, 'NULL', hex(data))
      FROM messages WHERE _id < ${zero.id} ORDER BY _id`,
    );
  const zeros = findScripts('databases/android.md', 'Texts with a byte 00', 'sh');

  it('contains what native code wrote', () => {
    const values = planted.rows.map(
      ({ id, name, note, data }) => `(${id},${text(name)},${text(note)},${literal(data)})`,
    );
    ask(
      'app.db',
      `PRAGMA journal_mode = WAL; PRAGMA user_version = 17; BEGIN;
      CREATE TABLE messages (_id INTEGER PRIMARY KEY AUTOINCREMENT, author TEXT NOT NULL, body TEXT, data BLOB);
      CREATE TABLE other (k PRIMARY KEY, "a ""b""" BLOB, message INTEGER REFERENCES messages (_id)) WITHOUT ROWID;
      INSERT INTO messages VALUES ${values.join(',')}, (${zero.id}, 'zero', ${text(zero.text)}, NULL);
      INSERT INTO other VALUES (x'${PAIR}', CAST(x'${PAIR}' AS TEXT), ${planted.rejected[0]?.id});
      CREATE INDEX bodies ON messages (body);
      CREATE TRIGGER sign AFTER INSERT ON messages BEGIN UPDATE messages SET body = 'signed' WHERE _id = NEW._id; END;
      CREATE VIRTUAL TABLE words USING fts4(body); INSERT INTO words VALUES (CAST(x'61${PAIR}62' AS TEXT));
      COMMIT;`,
    );
    expect(findDifference(read('app.db'), planted.rows.map(toLine).join(''))).toBeUndefined();
  });

  it('is read by SQLite as U+FFFD', () => {
    expect(ask('app.db', `SELECT hex(char(unicode(CAST(x'${PAIR}' AS TEXT))))`)).toBe('EFBFBD\n');
  });

  it('1 and 2. the copy shows what .dump would lose', () => {
    walk.demand('1. Copy');
    expect(walk.demand('2. Find the texts that .dump would cut')).toBe('messages.body|1\n');
    expect(walk.run('sqlite3 old.db .dump').stdout.toString()).toContain("'zero','a',NULL");
    expect(walk.run(zeros[0] as string).status).toBe(0);
    expect(walk.demand('2. Find the texts that .dump would cut')).toBe('');
  });

  it('3 and 4. scan finds all that is planted', () => {
    walk.demand('3. Dump');
    const { status, stdout } = walk.follow('4. List the findings');
    expect(status).toBe(1);
    expect(stdout.toString()).toContain(`, ${rejected.size} would be rejected`);
    const findings = walk.read('findings.jsonl').toString().trim().split('\n');
    const pairs = findings.map((line) => JSON.parse(line)).filter(({ kind }) => kind === 'pair');
    const texts = planted.rows.flatMap(({ name, note }) => [name, note]);
    // Two other tables have one each.
    expect(pairs).toHaveLength(countPairs(texts) + 2);
  });

  it('5. convert accounts for every record', () => {
    walk.demand('5. Convert', 1);
    const { records } = JSON.parse(walk.read('stats.json').toString());
    // One row of another table refers to the first of them.
    expect(records.rejected).toBe(rejected.size + 1);
    expect(records.in).toBe(records.out + rejected.size + 1);
    expect(records.in).toBeGreaterThan(planted.rows.length);
  });

  it('6 and 7. what was loaded is what came out, and what was planted', () => {
    walk.demand('6. Load');
    expect(walk.demand('7. Compare')).toBe('');
    const cells = planted.expected.map((row) =>
      toLine({
        ...row,
        name: Buffer.from(row.name),
        note: row.note === null ? null : Buffer.from(row.note),
      }),
    );
    expect(findDifference(read('new.db'), cells.join(''))).toBeUndefined();
    expect(ask('new.db', 'PRAGMA user_version')).toBe('17\n');
    expect(ask('new.db', 'SELECT count(*) FROM other')).toBe('0\n');
  });

  it('8. what went in can be had again', () => {
    expect(walk.demand('8. Prove that nothing was lost')).toBe('');
  });

  it('9. what was rejected goes in, and nothing else changes', () => {
    const before = read('new.db');
    expect(walk.demand('9. Convert the rejected rows')).toContain('enable_trigger off');
    const after = read('new.db').split('\n');
    const isRejected = (line: string): boolean => rejected.has(Number(line.split('|')[0]));
    expect(after.filter((line) => !isRejected(line)).join('\n')).toBe(before);
    const spell = (value: Buffer | null): Buffer | null => value && decide(value, toBackslashes);
    const cells = planted.rejected.map((row) =>
      toLine({ ...row, name: decide(row.name, toBackslashes), note: spell(row.note) }),
    );
    const found = after.filter(isRejected).concat('').join('\n');
    expect(findDifference(found, cells.join(''))).toBeUndefined();
    const other = 'SELECT hex(k), hex("a ""b"""), typeof(k) FROM other';
    expect(ask('new.db', other)).toBe(`${PAIR.toUpperCase()}|F09F9880|blob\n`);
  });

  it('10. the database is sound, and texts with a byte 00 are as they were', () => {
    expect(walk.demand('10. Check')).toBe('ok\n');
    expect(walk.run(zeros[1] as string).status).toBe(0);
    const query = `SELECT typeof(body), hex(body) FROM messages WHERE _id = ${zero.id}`;
    expect(ask('new.db', query)).toBe(`text|${hex(zero.text)}\n`);
  });

  it('a full-text index is old until it is rebuilt', () => {
    const count = "SELECT count(*) FROM words WHERE words MATCH 'a😀b';";
    expect(ask('new.db', `${count} INSERT INTO words(words) VALUES('rebuild'); ${count}`)).toBe(
      '0\n1\n',
    );
  });

  it('there are ten commands, and two more for a byte 00', () => {
    expect(walk.headings).toHaveLength(11);
    expect(zeros).toHaveLength(2);
  });
});
