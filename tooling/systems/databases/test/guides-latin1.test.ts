/** Runs the commands of `apps/site/pages/databases/latin1.md` and `already-right.md`, one after another. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { MariaDb } from '../src/mariadb.js';
import { Postgres } from '../src/postgres.js';
import { Walkthrough } from '../src/walkthrough.js';

const [mariadb, postgres] = await Promise.all([MariaDb.start(), Postgres.start()]);
const folder = mkdtempSync(join(tmpdir(), 'utf8-guides-latin1-'));
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await Promise.all([mariadb.stop(), postgres.stop()]);
});

const env = {
  ...postgres.env,
  ...mariadb.env,
  OLD: `mysql://root@localhost/old?socketPath=${mariadb.socket}`,
};

/** A folder in which a page is followed. */
const visit = (page: string): Walkthrough => {
  const place = join(folder, page);
  mkdirSync(place);
  return new Walkthrough(`databases/${page}.md`, place, env);
};

const hex = (bytes: Uint8Array | string): string =>
  Buffer.from(bytes).toString('hex').toUpperCase();

const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1');

/** Bytes, and the text that they mean. */
type Value = readonly [bytes: Uint8Array | string | null, text: string | null];

/** Text whose bytes are UTF-8. */
const utf8 = (text: string): Value => [text, text];

const QUERY = 'SELECT id, IFNULL(HEX(name), 0), IFNULL(HEX(note), 0) FROM t ORDER BY id';

/** Makes a database of MariaDB, as clients that convert nothing have filled it. */
function create(database: string, rows: readonly (readonly [Value, Value])[], key = ''): void {
  const spell = ([bytes]: Value): string => (bytes === null ? 'NULL' : `X'${hex(bytes)}'`);
  const values = rows.map(
    ([name, note], i) => `(${i + 1}, ${spell(name)}, ${spell(note)}, X'FFC3A4')`,
  );
  mariadb.demand(
    `DROP DATABASE IF EXISTS ${database}; CREATE DATABASE ${database} CHARSET latin1; USE ${database};
    CREATE TABLE t (id INT PRIMARY KEY, name VARCHAR(100), note TEXT, photo BLOB${key});
    INSERT INTO t VALUES ${values}`,
  );
}

/** Lists the expected result of a query for each value. */
const list = (rows: readonly (readonly [Value, Value])[]): string =>
  rows
    .map(
      (row, i) =>
        `${i + 1}\t${row.map(([, text]) => (text === null ? '0' : hex(text))).join('\t')}\n`,
    )
    .join('');

const ask = (sql: string, database: string): string => mariadb.demand(sql, database).toString();

const TEXTS = [
  ...['Käse für alle', 'Привет, мир', '日本語 😀', '“Straße” €5', 'İstanbul', 'Łódź', 'Ελλάδα'],
  ...[
    'français',
    'O’Neill — “it’s”',
    'שלום',
    'مرحبا',
    'São Paulo',
    'É',

    'ÿ',
    "it's \\ ok",
    'x',
  ],
];

describe('UTF-8 in latin1 tables', () => {
  const walk = visit('latin1');
  const rows = TEXTS.map((text, i): readonly [Value, Value] => [
    utf8(text),
    i % 3 ? utf8(`${text}\n${text}`) : [null, null],
  ]);

  it('new clients see mojibake, and old ones do not', () => {
    create('old', rows, ', UNIQUE KEY (name)');
    expect(ask('SELECT name FROM t WHERE id = 1', 'old')).toBe('KÃ¤se fÃ¼r alle\n');
    expect(ask('SET NAMES latin1; SELECT name FROM t WHERE id = 1', 'old')).toBe('Käse für alle\n');
    const page = readFileSync(
      new URL('../../../../apps/site/pages/databases/latin1.md', import.meta.url),
      'utf8',
    );
    expect(page).toContain(`\`KÃ¤se\` | \`${hex('Käse')}\``);
    expect(page).toContain(`\`Ð¿\` | \`${hex('п')}\``);
  });

  it('3. scan finds each value that is not ASCII', () => {
    walk.demand('1. Dump');
    walk.demand('2. Choose collations');
    const { status, stdout } = walk.follow('3. List the findings');
    expect(status).toBe(1);
    expect(stdout.toString()).toContain(
      'declares latin1, but its text is in UTF-8; add --fix-header to declare that',
    );
    const findings = walk.read('findings.jsonl').toString().trim().split('\n');
    const values = rows.flat().filter(([, text]) => text !== null && /[^\0-\x7f]/.test(text));
    expect(findings).toHaveLength(values.length);
    expect(findings.every((line) => JSON.parse(line).kind === 'declared-encoding')).toBe(true);
  });

  it('4 to 7. every value is what it means, and the dump can be had again', () => {
    walk.demand('4. Convert');
    expect(walk.demand('5. Load')).toBe('');
    expect(walk.demand('6. Compare')).toBe('');
    expect(ask(QUERY, 'new')).toBe(list(rows));
    expect(ask('SELECT name FROM t WHERE id = 1', 'new')).toBe('Käse für alle\n');
    expect(ask('SELECT DISTINCT HEX(photo) FROM t', 'new')).toBe('FFC3A4\n');
    expect(ask('SHOW CREATE TABLE t', 'new')).toContain(
      'CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_520_ci',
    );
    expect(walk.demand('7. Prove that nothing was lost')).toBe('');
  });

  it('a dump in utf8mb4 gives the same', () => {
    walk.demand('A dump in utf8mb4');
    expect(walk.read('repaired.sql')).toEqual(walk.read('new.sql'));
    const { status, stdout } = walk.run('utf8 scan --format mysqldump mojibake.sql');
    expect([status, stdout.toString()]).toEqual([
      0,
      expect.stringContaining('add --mojibake repair'),
    ]);
    expect(
      walk.run('utf8 revert repaired.sql --undo mojibake.undo | cmp - mojibake.sql').status,
    ).toBe(0);
    expect(
      walk.run(
        'utf8 convert --format mysqldump --from cesu-8+utf-8 --mojibake repair -o x.sql mojibake.sql',
      ),
    ).toMatchObject({ status: 1, stderr: expect.stringContaining('narrow-column') });
  });

  it('a repair in place declares the columns, and its undo restores them', () => {
    const before = ask(`SHOW CREATE TABLE t; ${QUERY}`, 'old');
    const look = walk.run('utf8 scan "$OLD"');
    expect(look.stdout.toString()).toMatch(/values in UTF-8, declared as latin1/);
    walk.demand('Repair in place');
    expect(ask(QUERY, 'old')).toBe(list(rows));
    expect(ask('SELECT name FROM t WHERE id = 1', 'old')).toBe('Käse für alle\n');
    walk.demand('Undo the repair');
    expect(ask(`SHOW CREATE TABLE t; ${QUERY}`, 'old')).toBe(before);
  });

  it('a dump in utf8mb4 keeps what may be meant as it is, and the bytes of it do not', () => {
    create('old', [[utf8('à'), utf8('déjà')]]);
    walk.demand('A dump in utf8mb4');
    expect(walk.read('repaired.sql').toString()).toContain("(1,'Ã\u00a0','déjà'");
    for (const step of ['1. Dump', '2. Choose collations', '4. Convert']) walk.demand(step);
    expect(walk.read('new.sql').toString()).toContain("(1,'à','déjà'");
  });

  it('keys that become equal stop the conversion', () => {
    const rows = [utf8('é'), utf8('e')].map((name) => [name, utf8('a')] as const);
    create('old', rows, ', UNIQUE KEY (name)');
    for (const step of ['1. Dump', '2. Choose collations']) walk.demand(step);
    expect(walk.follow('4. Convert')).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('equal-keys'),
    });
  });

  const read = (database: string): string =>
    postgres
      .demand(
        "SELECT id, encode(convert_to(name, getdatabaseencoding()), 'hex') FROM t ORDER BY id",
        '-d',
        database,
      )
      .toString();
  const wanted = TEXTS.map((text, i) => `${i + 1}|${hex(text).toLowerCase()}\n`).join('');

  it('PostgreSQL: a dump in LATIN1 becomes one in UTF8', () => {
    walk.run('createdb --encoding=LATIN1 --locale=C --template=template0 old');
    const values = TEXTS.map((text, i) => `(${i + 1}, '${text.replaceAll("'", "''")}')`);
    postgres.demand(
      `SET client_encoding = 'LATIN1'; CREATE TABLE t (id int PRIMARY KEY, name text); INSERT INTO t VALUES ${values}`,
      '-d',
      'old',
    );
    expect(walk.demand('PostgreSQL with client_encoding LATIN1')).toBe('');
    expect(read('new')).toBe(wanted);
    expect(walk.run('utf8 scan --format pg_dump old.pg.sql').stdout.toString()).toContain(
      'declares latin1, but its text is in UTF-8',
    );
    expect(walk.run('utf8 revert new.pg.sql --undo pg.undo | cmp - old.pg.sql').status).toBe(0);
    expect(walk.run('utf8 scan postgres:///old').stderr).toContain('the database is in LATIN1');
  });

  it('PostgreSQL: mojibake in UTF8 is repaired in place, and restored', () => {
    walk.run('createdb --encoding=UTF8 --locale=C --template=template0 garbled');
    walk.run('psql -X -q -o /dev/null -f old.pg.sql garbled');
    const before = read('garbled');
    expect(before).not.toBe(wanted);
    expect(walk.run('utf8 scan postgres:///garbled').status).toBe(0);
    walk.demand('Mojibake in a PostgreSQL database in UTF8');
    expect(read('garbled')).toBe(wanted);
    walk.run('utf8 revert postgres:///garbled --undo garbled.undo');
    expect(read('garbled')).toBe(before);
  });

  it('there are twelve commands and no others', () => {
    expect(walk.headings).toHaveLength(12);
  });
});

describe('which of my rows were already right', () => {
  const walk = visit('already-right');
  const decided: readonly (readonly [Value, Value])[] = [
    [utf8('Ärztekammer'), utf8('Köln')],
    [
      [latin1('Grün'), 'Grün'],
      [latin1('München \x80'), 'München €'],
    ],
    [utf8('plain'), utf8('Łódź')],
    [[latin1('ÄÃ'), 'ÄÃ'], utf8('Ã¤')],
    [utf8('Привет'), [latin1('\xfc'), 'ü']],
    [[null, null], utf8('')],
  ];
  const rejected: readonly (readonly [Value, Value])[] = [
    [[Buffer.concat([Buffer.from('ä'), latin1('ü')]), 'ä\\xfc'], utf8('a')],
    [utf8('Ä'), [latin1('\x81'), '\\x81']],
  ];
  const page = readFileSync(
    new URL('../../../../apps/site/pages/databases/already-right.md', import.meta.url),
    'utf8',
  );
  const scan = (): [number | null, string] => {
    walk.demand('1. Dump the stored bytes');
    const { status, stdout } = walk.follow('2. Ask whether the declaration is right');
    const [, answer = ''] = /^old\.sql:\d+: (declares .*)$/m.exec(stdout.toString()) ?? [];
    return [status, answer];
  };

  it('2. there are three answers', () => {
    const only = (index: number) => [decided[index]] as (readonly [Value, Value])[];
    const answers = [only(1), only(0), [...decided, ...rejected]].map((rows) => {
      create('old', rows);
      const [status, answer] = scan();
      return `| \`${answer}\` | ${status} |`;
    });
    for (const answer of answers) expect(page).toContain(answer);
    expect(new Set(answers).size).toBe(3);
  });

  it('2. what is right as declared is loaded as it is', () => {
    create('old', [decided[1] as readonly [Value, Value]]);
    scan();
    mariadb.demand('CREATE DATABASE asis CHARSET utf8mb4');
    expect(walk.run('mysql asis < old.sql').status).toBe(0);
    expect(ask('SELECT name, note FROM t', 'asis')).toBe('Grün\tMünchen €\n');
  });

  it('3. and 4. findings are counted, and what becomes of them is shown', () => {
    create('old', [...decided, ...rejected]);
    scan();
    expect(walk.demand('3. Count the findings of each column').replaceAll(/^ +/gm, '')).toBe(
      '1 t.name: declared-encoding\n3 t.name: legacy-byte\n1 t.name: other\n2 t.note: declared-encoding\n4 t.note: legacy-byte\n1 t.note: mojibake\n',
    );
    walk.follow('4. Review the decisions');
    const found = walk.run(`grep '"kind":"legacy-byte"' decisions.jsonl`).stdout.toString();
    expect(found).toContain('"bytes":"FC","becomes":"C3 BC"');
    expect(found).toContain('"bytes":"81","becomes":null');
  });

  it('5 to 7. each value is decided by its own bytes', () => {
    walk.demand('5. Convert', 1);
    expect(JSON.parse(walk.read('stats.json').toString()).records).toMatchObject({
      in: decided.length + rejected.length,
      out: decided.length,
      rejected: rejected.length,
    });
    mariadb.demand('DROP DATABASE IF EXISTS new');
    expect(walk.demand('6. Load')).toBe('');
    expect(ask(QUERY, 'new')).toBe(list(decided));
    const { stdout } = walk.follow('7. Read what changed');
    expect(stdout.toString()).toContain("> INSERT INTO `t` VALUES (2,'Grün','München €'");
    expect(stdout.toString()).not.toContain('Ärztekammer');
  });

  it('8. and 9. what is in doubt is kept, and all of it can be had again', () => {
    walk.demand('8. Decide about the rejected rows');
    expect(ask(QUERY, 'new')).toBe(list([...decided, ...rejected]));
    expect(walk.demand('9. Undo')).toBe('');
  });

  it('what stops writes no file', () => {
    const convert = (options: string) =>
      walk.run(
        `rm -f x.sql; utf8 convert --format mysqldump --from cesu-8+utf-8 ${options} -o x.sql old.sql; code=$?; test ! -e x.sql && exit $code`,
      );
    const stops = (options: string, kind: string) =>
      expect(convert(options)).toMatchObject({ status: 1, stderr: expect.stringContaining(kind) });
    stops('', 'declared-encoding');
    stops('--fix-header --errors koi8-r', 'declared-encoding');
    const old = walk.read('old.sql').toString('latin1');
    const path = join(folder, 'already-right', 'old.sql');
    writeFileSync(path, old.replace('SET NAMES latin1', 'SET NAMES utf8mb4'), 'latin1');
    stops('--rejects y.sql', 'narrow-column');
    writeFileSync(path, old.replace(/.*SET NAMES latin1.*\n/, ''), 'latin1');
    stops('--rejects y.sql', 'unstated-encoding');
  });

  it('there are nine commands and no others', () => {
    expect(walk.headings).toHaveLength(9);
  });
});
