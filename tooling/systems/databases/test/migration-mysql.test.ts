/** Runs the commands of `apps/site/pages/databases/mysql.md`, one after another. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { countPairs, decide } from '../src/decision.js';
import { findDifference } from '../src/difference.js';
import { MariaDb } from '../src/mariadb.js';
import { toHexInsert } from '../src/notation.js';
import { plant, type Row, spellPair } from '../src/planted.js';
import { rowCount, seed } from '../src/seed.js';
import { Walkthrough } from '../src/walkthrough.js';

const mariadb = await MariaDb.start();
const folder = mkdtempSync(join(tmpdir(), 'utf8-migration-mysql-'));
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await mariadb.stop();
});

const planted = plant({ seed, rows: rowCount, faults: ['a lone high half', 'a lone low half'] });

/** A text in CESU-8: a column in utf8mb3 has no four-byte forms. */
const toPairs = (bytes: Buffer): Buffer =>
  Buffer.from(
    bytes
      .toString('latin1')
      .replace(/[\xf0-\xf4][\x80-\xbf]{3}/g, (form) =>
        spellPair(Buffer.from(form, 'latin1').toString()).toString('latin1'),
      ),
    'latin1',
  );

const rows: readonly Row[] = planted.rows.map((row) => ({ ...row, name: toPairs(row.name) }));
const rejected = new Set(planted.rejected.map(({ id }) => id));

const EMOJI = ['😀', '😁', '😂', '𠮷'];

/** One tag refers to a row that is rejected. */
const child = planted.rejected[0]?.id ?? 1;

const hex = (text: Uint8Array | string): string => Buffer.from(text).toString('hex').toUpperCase();

const toHex = (values: readonly (number | Buffer | null)[]): string =>
  `${values
    .map((value) => (Buffer.isBuffer(value) ? hex(value) : String(value ?? 'NULL')))
    .join('\t')}\n`;

describe('from utf8mb3 to utf8mb4', () => {
  const walk = new Walkthrough('databases/mysql.md', folder, mariadb.env);
  const query = 'SELECT id, HEX(name), HEX(note), HEX(data) FROM t ORDER BY id';
  const read = (database: string, what = query): string =>
    mariadb.demand(what, database).toString();
  const tags = 'SELECT HEX(tag), t FROM tags ORDER BY id';
  const expectedTags = [...EMOJI.map(hex), '610062'].map(
    (tag, i) => `${tag}\t${i === 0 ? child : 'NULL'}\n`,
  );

  it('the old database contains pairs and unpaired surrogates', () => {
    mariadb.demand('CREATE DATABASE old CHARACTER SET utf8mb3');
    mariadb.demand(
      `CREATE TABLE t (
        id INT PRIMARY KEY, name VARCHAR(255) NOT NULL, note TEXT CHARACTER SET utf8mb4, data BLOB, KEY (name)
      ) ROW_FORMAT=COMPACT;
      CREATE TABLE tags (
        id INT AUTO_INCREMENT PRIMARY KEY, tag VARCHAR(20), t INT, UNIQUE (tag), FOREIGN KEY (t) REFERENCES t (id)
      );
      CREATE VIEW names AS SELECT id, name FROM t`,
      'old',
    );
    mariadb.demand(toHexInsert(rows), 'old');
    for (const [i, emoji] of EMOJI.entries()) {
      const tag = `X'${hex(spellPair(emoji))}'`;
      mariadb.demand(`INSERT INTO tags VALUES (NULL, ${tag}, ${i === 0 ? child : 'NULL'})`, 'old');
    }
    mariadb.demand("INSERT INTO tags VALUES (NULL, X'610062', NULL)", 'old');
    const pair = spellPair('😀').toString('latin1');
    const programs = `SET NAMES utf8mb3; USE old;
      CREATE TRIGGER sign BEFORE INSERT ON t FOR EACH ROW SET NEW.note = CONCAT('${pair}', NEW.name);
      CREATE PROCEDURE smile() SELECT HEX('${pair}');`;
    mariadb.demand(Buffer.from(programs, 'latin1'));
    const all = rows.map(({ id, name, note, data }) => toHex([id, name, note, data])).join('');
    expect(findDifference(read('old'), all)).toBeUndefined();
  });

  it('ALTER TABLE … CONVERT would leave the pairs', () => {
    mariadb.demand(
      `CREATE DATABASE altered CHARACTER SET utf8mb3; CREATE TABLE altered.tags LIKE old.tags;
      INSERT INTO altered.tags SELECT * FROM old.tags; ALTER TABLE altered.tags CONVERT TO CHARACTER SET utf8mb4`,
    );
    expect(read('altered', tags)).toContain('EDA0BDEDB880');
  });

  it('1 and 2. without other collations and row formats, neither keys nor indexes would do', () => {
    walk.demand('1. Dump');
    const convert =
      'utf8 convert --format mysqldump --from cesu-8+utf-8 --nul keep --fix-header --reject-children --rejects rejects.tmp -o unready.sql';
    expect(walk.run(`${convert} old.sql`).stderr.toString()).toContain('equal-keys');
    // It has rejected records.
    expect(walk.run(`${convert} --allow equal-keys old.sql`).status).toBe(1);
    mariadb.demand('CREATE DATABASE unready CHARACTER SET utf8mb4');
    expect(mariadb.run(walk.read('unready.sql'), 'unready').stderr).toContain('ERROR 1709');
    expect(walk.demand('2. Choose collations and row formats')).toBe('');
    const changed = walk.run('diff --text old.sql ready.sql').stdout.toString();
    expect(changed.match(/^[<>] (?!\) ENGINE=| {2}`)/gm)).toBeNull();
  });

  it('3. scan finds all that is planted', () => {
    const { status, stdout } = walk.follow('3. List the findings');
    expect(status).toBe(1);
    expect(stdout.toString()).toContain('narrow-column');
    expect(stdout.toString()).not.toContain('equal-keys');
    const findings = walk.read('findings.jsonl').toString().trim().split('\n');
    const pairs = findings.map((line) => JSON.parse(line)).filter(({ kind }) => kind === 'pair');
    const texts = rows.flatMap(({ name, note }) => [name, note]);
    expect(pairs).toHaveLength(countPairs(texts) + EMOJI.length);
  });

  it('4. convert accounts for every record', () => {
    walk.demand('4. Convert', 1);
    expect(JSON.parse(walk.read('stats.json').toString()).records).toMatchObject({
      in: rows.length + EMOJI.length + 1,
      out: planted.expected.length + EMOJI.length,
      rejected: rejected.size + 1,
    });
  });

  it('5 and 6. what was loaded is what came out, and what was planted', () => {
    expect(walk.demand('5. Load')).toBe('');
    // Its table has become utf8mb4 as well.
    const clause = ' CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci';
    expect(walk.follow('6. Compare').stdout.toString()).toBe(
      `27c27\n<   \`note\` text DEFAULT NULL,\n---\n>   \`note\` text${clause} DEFAULT NULL,\n`,
    );
    const cells = planted.expected.map(({ id, name, note, data }) =>
      toHex([id, Buffer.from(name), note === null ? null : Buffer.from(note), data]),
    );
    expect(findDifference(read('new'), cells.join(''))).toBeUndefined();
    expect(read('new', tags)).toBe(expectedTags.slice(1).join(''));
    expect(read('new', "SELECT count(*) FROM tags WHERE tag = '😁'")).toBe('1\n');
  });

  it('6. shows what the server changes in definitions', () => {
    walk.run('mysql -e "ALTER TABLE tags DROP INDEX tag, ADD KEY tag (tag(7))" new');
    expect(walk.follow('6. Compare').stdout.toString()).toContain('tag`(7)');
    walk.run('mysql -e "ALTER TABLE tags DROP INDEX tag, ADD UNIQUE KEY tag (tag)" new');
    mariadb.demand(
      "SET sql_mode = ''; CREATE TABLE w (a VARCHAR(1000), KEY (a), b VARCHAR(20000))",
      'new',
    );
    expect(read('new', 'SHOW CREATE TABLE w')).toMatch(/`b` mediumtext.*`a`\(768\)/);
    mariadb.demand('DROP TABLE w', 'new');
  });

  it('7. what went in can be had again', () => {
    expect(walk.demand('7. Prove that nothing was lost')).toBe('');
  });

  it('8. what was rejected goes in, and nothing else changes', () => {
    const before = read('new');
    walk.demand('8. Convert the rejected rows');
    const after = read('new').split('\n');
    const isRejected = (line: string): boolean => rejected.has(Number(line.split('\t')[0]));
    expect(after.filter((line) => !isRejected(line)).join('\n')).toBe(before);
    const spell = (text: Buffer | null): Buffer | null => text && decide(text);
    const wanted = rows.filter(({ id }) => rejected.has(id));
    const cells = wanted.map((row) => toHex([row.id, spell(row.name), spell(row.note), row.data]));
    expect(
      findDifference(after.filter(isRejected).concat('').join('\n'), cells.join('')),
    ).toBeUndefined();
    expect(read('new', tags)).toBe(expectedTags.join(''));
  });

  it('9. stored programs keep their literals', () => {
    walk.demand('9. Move triggers, routines and events');
    expect(read('new', 'CALL smile()')).toBe('F09F9880\n');
    const insert =
      "INSERT INTO t VALUES (0, 'x', NULL, NULL); SELECT HEX(note) FROM t WHERE id = 0";
    expect(read('new', insert)).toBe('F09F988078\n');
  });

  it('there are nine commands and no others', () => {
    expect(walk.headings).toHaveLength(9);
  });
});
