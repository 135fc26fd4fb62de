/** Losses by a server that loads a converted dump whose bytes are all correct. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { choose } from '../../../tiers/tier.js';
import { MariaDb } from '../src/mariadb.js';
import { Postgres } from '../src/postgres.js';
import { demandUtf8, utf8 } from '../src/utf8.js';

const server = await MariaDb.start();
const postgres = await Postgres.start();
const folder = mkdtempSync(join(tmpdir(), 'utf8-loading-'));
const path = (name: string): string => join(folder, name);
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await server.stop();
  await postgres.stop();
});

const MIXED = ['--from', 'cesu-8+utf-8', '--format', 'mysqldump'];
const PAIR = 'EDA0BDEDB880';
const EMOJI = 'F09F9880';

/** Returns the findings of a scan, without places that only readers need. */
const scan = (...args: readonly string[]) => {
  const { status, stdout } = utf8(['scan', '--json', ...args]);
  const findings = stdout.toString().trim().split('\n').filter(Boolean);
  return { status, found: findings.slice(0, -1).map((line) => JSON.parse(line)) };
};

describe('MariaDB', () => {
  const mariadb = server as MariaDb;

  /** Loads a script into a new database, as a user does, and returns cells in hex. */
  const load = (script: Uint8Array, query: string): string => {
    mariadb.demand('CREATE OR REPLACE DATABASE new CHARACTER SET utf8mb4');
    mariadb.demand(script, 'new');
    return mariadb.demand(query, 'new').toString();
  };

  describe('a column in utf8mb3, under the header of its own dump', () => {
    const dump = path('utf8mb3.sql');
    const query = 'SELECT HEX(name) FROM t ORDER BY id';
    const convert = ['convert', ...MIXED, dump];

    it('contains pairs', () => {
      mariadb.demand('CREATE OR REPLACE DATABASE old');
      mariadb.demand(
        `CREATE TABLE t (id INT PRIMARY KEY, name VARCHAR(20) CHARACTER SET utf8mb3, data BLOB);
        INSERT INTO t VALUES (1, X'61${PAIR}62', X'${PAIR}'), (2, 'plain', NULL)`,
        'old',
      );
      writeFileSync(dump, mariadb.dump('--skip-dump-date', 'old'));
      expect(readFileSync(dump, 'latin1')).toContain('SQL_MODE');
    });

    it('would store ?', () => {
      const result = demandUtf8([...convert, '--allow', 'narrow-column']);
      expect(load(result, query)).toBe('613F62\n706C61696E\n');
    });

    it('scan says so, with the line of the row and that of the column', () => {
      const { status, found } = scan('--format', 'mysqldump', dump);
      const lines = readFileSync(dump, 'latin1').split('\n');
      const find = (what: RegExp): number => lines.findIndex((line) => what.test(line)) + 1;
      expect(status).toBe(1);
      expect(found.find(({ kind }) => kind === 'narrow-column')).toMatchObject({
        file: dump,
        line: find(/^\(1,/),
        table: 't',
        column: 'name',
        bytes: 'F0 9F 98 80',
        charset: 'utf8mb3',
        declared: find(/`name`/),
      });
    });

    it('the command that scan names next has --fix-header', () => {
      const next = /^Next: utf8 (convert .*) -o /m.exec(
        utf8(['scan', '--format', 'mysqldump', dump]).stdout.toString(),
      )?.[1];
      const args = next?.replace(/ --undo \S+/, '').split(' ') ?? [];
      expect(load(demandUtf8(args), query)).toBe(`61${EMOJI}62\n706C61696E\n`);
    });

    it('convert stops there, writes nothing, and says what to do', () => {
      const { status, stderr } = utf8([...convert, '-o', path('out')]);
      expect([status, existsSync(path('out'))]).toEqual([1, false]);
      expect(stderr).toContain('column name (record 1)');
      expect(stderr).toContain('--fix-header');
    });

    it('--fix-header makes it utf8mb4, and nothing is lost', () => {
      const files = ['--undo', path('undo'), '-o', path('out')];
      demandUtf8([...convert, '--fix-header', ...files]);
      const out = readFileSync(path('out'));
      expect(demandUtf8([...convert, '--fix-header', '--jobs', '2']).equals(out)).toBe(true);
      expect(load(out, query)).toBe(`61${EMOJI}62\n706C61696E\n`);
      expect(mariadb.demand('SELECT HEX(data) FROM t WHERE id = 1', 'new').toString()).toBe(
        `${PAIR}\n`,
      );
      demandUtf8(['revert', path('out'), '--undo', path('undo'), '-o', path('back')]);
      expect(readFileSync(path('back')).equals(readFileSync(dump))).toBe(true);
      expect(demandUtf8(['convert', ...MIXED, '--fix-header', path('out')]).equals(out)).toBe(true);
      expect(scan('--format', 'mysqldump', path('out')).status).toBe(0);
    });
  });

  describe('SET NAMES utf8', () => {
    const dump = path('names.sql');
    const query = 'SELECT HEX(name) FROM t ORDER BY id';
    const script = `SET NAMES utf8;\nSET SQL_MODE='';\nCREATE TABLE t (id INT, name VARCHAR(20) CHARACTER SET utf8mb4);\nINSERT INTO t VALUES (1, 'a<>b');\n`;
    const [before = '', after = ''] = script.split('<>');
    const write = (hex: string): Buffer =>
      Buffer.concat([Buffer.from(before), Buffer.from(hex, 'hex'), Buffer.from(after)]);

    it.each([
      ['a pair', PAIR],
      ['four bytes', EMOJI],
    ])('loses %s, which scan and convert say', (_, hex) => {
      writeFileSync(dump, write(hex));
      expect(load(write(EMOJI), query)).toContain('3F');
      const { status, found } = scan('--format', 'mysqldump', dump);
      expect(status).toBe(1);
      expect(found.find(({ kind }) => kind === 'narrow-connection')).toMatchObject({
        line: 4,
        declared: 1,
        charset: 'utf8',
      });
      const { status: refused, stderr } = utf8([
        'convert',
        ...MIXED,
        dump,
        '-o',
        path('out-names'),
      ]);
      expect([refused, existsSync(path('out-names'))]).toEqual([1, false]);
      expect(stderr).toContain('SET NAMES');
      expect(load(demandUtf8(['convert', ...MIXED, '--fix-header', dump]), query)).toBe(
        `61${EMOJI}62\n`,
      );
    });

    it('that is missing is added by --fix-header', () => {
      const lines = write(PAIR).toString('latin1').split('\n').slice(1).join('\n');
      writeFileSync(dump, lines, 'latin1');
      const fixed = demandUtf8(['convert', ...MIXED, '--fix-header', dump]);
      expect(fixed.toString().match(/^SET NAMES utf8mb4;$/gm)).toHaveLength(1);
      // A client in Latin-1 would misread the text.
      const refused = utf8(['convert', ...MIXED, dump]);
      expect([refused.status, refused.stderr]).toEqual([
        1,
        expect.stringContaining('unstated-encoding'),
      ]);
      const stdout = demandUtf8(['convert', ...MIXED, '--allow', 'unstated-encoding', dump]);
      const { found } = scan('--format', 'mysqldump', dump);
      const missing = { kind: 'unstated-encoding', charset: null, line: 1, offset: 0 };
      expect(found).toContainEqual(expect.objectContaining(missing));
      const names = Buffer.from('SET NAMES latin1;\n');
      expect(load(Buffer.concat([names, stdout]), query)).toBe('61C3B0C5B8CB9CE282AC62\n');
      expect(load(fixed, query)).toBe(`61${EMOJI}62\n`);
    });
  });

  it('--fix-header keeps what literals of stored programs contain', () => {
    const pair = Buffer.from(PAIR, 'hex').toString('latin1');
    const script = `
      SET NAMES utf8mb3;
      CREATE OR REPLACE DATABASE old CHARACTER SET utf8mb3;
      USE old;
      CREATE TABLE t (id INT, name VARCHAR(20));
      CREATE TRIGGER sign BEFORE INSERT ON t FOR EACH ROW SET NEW.name = '${pair}';
      CREATE PROCEDURE p() SELECT HEX('${pair}');
      CREATE VIEW v AS SELECT HEX('${pair}') AS name;`;
    mariadb.demand(Buffer.from(script, 'latin1'));
    writeFileSync(path('programs.sql'), mariadb.dump('--routines', 'old'));
    const query =
      'INSERT INTO t VALUES (1, NULL); SELECT HEX(name) FROM t; CALL p(); SELECT * FROM v';
    const convert = ['convert', ...MIXED, '--fix-header', path('programs.sql')];
    expect(utf8(convert).stderr).toContain('--allow text-or-binary');
    const fixed = demandUtf8([...convert, '--assume', 'text']);
    expect(load(fixed, query)).toBe(`${EMOJI}\n`.repeat(3));
    writeFileSync(path('programs.out'), fixed);
    expect(scan('--format', 'mysqldump', path('programs.out')).status).toBe(0);
  });

  describe('blobs stay as they are', () => {
    const cell = (hex: string): string => `CREATE TABLE t (id INT, v ${hex})`;

    it.each([
      ['of two databases with a table of one name', [], ['--databases', 'one', 'two']],
      ['of all databases, blobs in hex', ['--hex-blob'], ['--databases', 'one', 'two']],
    ])('%s', (_, flags, what) => {
      for (const [name, type] of [
        ['one', 'BLOB'],
        ['two', 'TEXT CHARACTER SET utf8mb4'],
      ]) {
        mariadb.demand(`CREATE OR REPLACE DATABASE ${name}`);
        mariadb.demand(
          `${cell(type as string)}; INSERT INTO t VALUES (1, X'${PAIR}')`,
          name as string,
        );
      }
      writeFileSync(path('two.sql'), mariadb.dump(...flags, ...what));
      demandUtf8(['convert', ...MIXED, path('two.sql'), '-o', path('two.out')]);
      for (const name of ['one', 'two']) mariadb.demand(`DROP DATABASE ${name}`);
      mariadb.demand(readFileSync(path('two.out')));
      const read = (name: string): string =>
        mariadb.demand('SELECT HEX(v) FROM t', name).toString();
      expect([read('one'), read('two')]).toEqual([`${PAIR}\n`, `${EMOJI}\n`]);
    });

    it('in INSERT … SET and UPDATE, after ALTER, and where the database is named', () => {
      const pair = Buffer.from(PAIR, 'hex').toString('latin1');
      const script = [
        '/*!40101 SET NAMES utf8mb4 */;',
        'CREATE TABLE `T` (id INT, v TEXT) CHARSET utf8mb4;',
        'ALTER TABLE `T` ADD b BLOB AFTER id;',
        `INSERT INTO new.T SET id = 1, b = '${pair}', v = '${pair}';`,
        `INSERT INTO \`T\` VALUES (2, '${pair}', '${pair}');`,
        `UPDATE T SET b = '${pair}x', v = '${pair}y' WHERE id = 2;`,
        '',
      ].join('\n');
      writeFileSync(path('statements.sql'), script, 'latin1');
      const out = demandUtf8(['convert', ...MIXED, path('statements.sql')]);
      expect(load(out, 'SELECT HEX(b), HEX(v) FROM T ORDER BY id')).toBe(
        `${PAIR}\t${EMOJI}\n${PAIR}78\t${EMOJI}79\n`,
      );
    });
  });

  it.each(
    choose(
      [
        ['utf8mb4_general_ci', true],
        ['utf8mb4_unicode_ci', true],
        ['utf8mb4_unicode_520_ci', false],
        ['utf8mb4_bin', false],
      ],
      2,
    ),
  )('unique values that a repair makes equal under %s: %s', (collation, areEqual) => {
    mariadb.demand('CREATE OR REPLACE DATABASE old');
    mariadb.demand(
      `CREATE TABLE t (id INT PRIMARY KEY, name VARCHAR(9) COLLATE ${collation}, UNIQUE KEY n (name));
      INSERT INTO t VALUES (1, X'61EDA0BDEDB880'), (2, X'41EDA0BDEDB881'), (3, 'a'), (4, X'62EDA0BD')`,
      'old',
    );
    const dump = path('unique.sql');
    writeFileSync(dump, mariadb.dump('--insert-ignore', '--order-by-primary', 'old'));
    const { found } = scan('--format', 'mysqldump', '--unpaired-surrogates', 'replace', dump);
    const equal = found.filter(({ kind }) => kind === 'equal-keys');
    expect(equal.map(({ record, table, other }) => [record, table, other.record])).toEqual(
      areEqual ? [[2, 't', 1]] : [],
    );
    const convert = ['convert', ...MIXED, '--unpaired-surrogates', 'replace', dump];
    const { status, stderr } = utf8([...convert, '-o', path('unique.out')]);
    expect([status, existsSync(path('unique.out'))]).toEqual([areEqual ? 1 : 0, !areEqual]);
    if (areEqual) expect(stderr).toContain('equal-keys');
    // Under the header of the dump and INSERT IGNORE, the server keeps no row of such a table, and says nothing.
    const out = demandUtf8([...convert, '--allow', 'equal-keys']);
    const ids = load(out, 'SELECT id FROM t ORDER BY id');
    expect(ids).toBe(areEqual ? '' : '1\n2\n3\n4\n');
    rmSync(path('unique.out'), { force: true });
  });

  it.each([
    ['after their prefix', 'utf8mb4_bin', 'name(3)', '6162EDA0BD', '6162EDA0BE'],
    ['in case', 'utf8mb4_unicode_520_ci', 'name', `61${PAIR}`, `41${EMOJI}`],
  ])('unique values that a repair makes differ only %s', (_, collation, part, one, two) => {
    mariadb.demand('CREATE OR REPLACE DATABASE old');
    mariadb.demand(
      `CREATE TABLE t (id INT PRIMARY KEY, name VARCHAR(9) COLLATE ${collation}, UNIQUE KEY n (${part}));
      INSERT INTO t VALUES (1, X'${one}'), (2, X'${two}'), (3, 'a')`,
      'old',
    );
    const dump = path('almost.sql');
    writeFileSync(dump, mariadb.dump('--insert-ignore', '--order-by-primary', 'old'));
    const policy = ['--unpaired-surrogates', 'escape'];
    const { found } = scan('--format', 'mysqldump', ...policy, dump);
    expect(found.map(({ kind }) => kind)).toContain('equal-keys');
    const convert = ['convert', ...MIXED, ...policy, dump];
    expect(utf8(convert).status).toBe(1);
    const out = demandUtf8([...convert, '--allow', 'equal-keys']);
    expect(load(out, 'SELECT id FROM t')).toBe('');
  });

  it('rejected rows of several databases are loaded by themselves, as the dump would load them', () => {
    const rows = `CREATE TABLE t (id INT PRIMARY KEY AUTO_INCREMENT, name TEXT CHARACTER SET utf8mb4, at TIMESTAMP NULL);
      SET SQL_MODE='NO_AUTO_VALUE_ON_ZERO';
      INSERT INTO t VALUES (0, X'F09F9880EDA0BD', '2026-01-01 00:00:00'), (1, 'fine', NULL)`;
    for (const name of ['one', 'two']) {
      mariadb.demand(`CREATE OR REPLACE DATABASE ${name}`);
      mariadb.demand(rows, name);
    }
    writeFileSync(path('both.sql'), mariadb.dump('--databases', 'one', 'two'));
    const files = ['--rejects', path('both.rejects'), '-o', path('both.out')];
    demandUtf8(['convert', ...MIXED, path('both.sql'), ...files]);
    const read = (name: string): string =>
      mariadb
        .demand('SELECT id, HEX(name), UNIX_TIMESTAMP(at) FROM t ORDER BY id', name)
        .toString();
    const before = read('one');
    for (const name of ['one', 'two']) mariadb.demand(`DROP DATABASE ${name}`);
    mariadb.demand(readFileSync(path('both.out')));
    expect(read('one')).toBe('1\t66696E65\tNULL\n');
    // Not even the character set of the client is right, nor its time zone.
    mariadb.demand(
      Buffer.concat([
        Buffer.from("SET time_zone = '+05:00';\n"),
        readFileSync(path('both.rejects')),
      ]),
      '--default-character-set=latin1',
    );
    expect([read('one'), read('two')]).toEqual([before, before]);
  });

  describe('rows that refer to rejected rows', () => {
    const dump = path('orphans.sql');
    // Without this, no table goes to which another refers.
    const unchecked = 'SET foreign_key_checks = 0;';
    const create = (name: string): void =>
      void mariadb.demand(`${unchecked} CREATE OR REPLACE DATABASE ${name} CHARACTER SET utf8mb4`);
    afterAll(() => void mariadb.demand(`${unchecked} DROP DATABASE old; DROP DATABASE new`));
    const convert = [
      'convert',
      ...MIXED,
      dump,
      '--rejects',
      path('orphans.rejects'),
      '-o',
      path('orphans.out'),
    ];
    const read = (database: string): string[] =>
      ['child', 'grandchild', 'parent', 'self'].map((table) =>
        mariadb
          .demand(`SELECT id FROM ${table} ORDER BY id`, database)
          .toString()
          .trim()
          .replaceAll('\n', ' '),
      );

    it('are loaded by the server, and convert says so', () => {
      create('old');
      mariadb.demand(
        `CREATE TABLE parent (id INT PRIMARY KEY, name VARCHAR(9) UNIQUE);
        CREATE TABLE child (id INT PRIMARY KEY, p INT, FOREIGN KEY (p) REFERENCES parent (id));
        CREATE TABLE grandchild (id INT PRIMARY KEY, c INT, name VARCHAR(9),
          FOREIGN KEY (c) REFERENCES child (id), FOREIGN KEY (name) REFERENCES parent (name));
        CREATE TABLE self (id INT PRIMARY KEY, up INT, name TEXT, FOREIGN KEY (up) REFERENCES self (id));
        INSERT INTO parent VALUES (1, 'a'), (2, X'62EDA0BD'), (3, 'c');
        INSERT INTO child VALUES (10, 1), (20, 2), (30, NULL), (40, 3);
        INSERT INTO grandchild VALUES (100, 10, 'A'), (200, 20, NULL), (300, 40, X'42EDA0BD'), (400, NULL, NULL);
        INSERT INTO self VALUES (1, NULL, X'EDA0BD'), (2, 1, ''), (3, 2, ''), (4, NULL, '')`,
        'old',
      );
      writeFileSync(dump, mariadb.dump('--order-by-primary', 'old'));
      const { status, stderr } = utf8(convert);
      expect([status, existsSync(path('orphans.out'))]).toEqual([1, false]);
      expect(stderr).toMatch(/column p \(record 2\): offset \d+: orphaned-row\n/);
      demandUtf8([...convert, '--allow', 'orphaned-row']);
      create('new');
      mariadb.demand(readFileSync(path('orphans.out')), 'new');
      expect(read('new')).toEqual(['10 20 30 40', '100 200 400', '1 3', '2 3 4']);
    });

    it('are listed by scan', () => {
      const { found } = scan('--format', 'mysqldump', dump);
      const orphans = found.filter(({ kind }) => kind === 'orphaned-row');
      expect(orphans.map(({ table, column, record }) => [table, column, record])).toEqual([
        ['child', 'p', 2],
        ['grandchild', 'c', 6],
        ['self', 'up', 13],
        ['self', 'up', 14],
      ]);
    });

    it.each(['1', '2'])('are rejected with them by --reject-children (--jobs %s)', (jobs) => {
      demandUtf8([...convert, '--reject-children', '--undo', path('orphans.undo'), '--jobs', jobs]);
      create('new');
      mariadb.demand(readFileSync(path('orphans.out')), 'new');
      expect(read('new')).toEqual(['10 30 40', '100 400', '1 3', '4']);
      mariadb.demand(
        Buffer.concat([Buffer.from(unchecked), readFileSync(path('orphans.rejects'))]),
        'new',
      );
      expect(read('new')).toEqual(read('old'));
      demandUtf8([
        'revert',
        path('orphans.out'),
        '--undo',
        path('orphans.undo'),
        '-o',
        path('orphans.back'),
      ]);
      expect(readFileSync(path('orphans.back')).equals(readFileSync(dump))).toBe(true);
    });
  });

  it('a text that an escape makes too long for its column ends the run', () => {
    mariadb.demand('CREATE OR REPLACE DATABASE old');
    mariadb.demand(
      `CREATE TABLE t (id INT PRIMARY KEY, name VARCHAR(5) CHARACTER SET utf8mb4); INSERT INTO t VALUES (1, X'6162EDA0BD63')`,
      'old',
    );
    writeFileSync(path('limit.sql'), mariadb.dump('old'));
    const escaping = [...MIXED, '--unpaired-surrogates', 'escape', path('limit.sql')];
    const lost = demandUtf8(['convert', '--allow', 'too-long', ...escaping]);
    expect(load(lost, 'SELECT name FROM t')).toBe('ab\\\\ud\n');
    expect(utf8(['convert', ...escaping]).status).toBe(1);
    const { found } = scan(
      '--format',
      'mysqldump',
      '--unpaired-surrogates',
      'escape',
      path('limit.sql'),
    );
    expect(found.find(({ kind }) => kind === 'too-long')).toMatchObject({
      limit: '5c',
      before: 4,
      after: 9,
      column: 'name',
    });
  });
});

describe('PostgreSQL', () => {
  it('--fix-header sets the client encoding of a dump in SQL_ASCII', () => {
    postgres.demand(
      "CREATE DATABASE ascii ENCODING 'SQL_ASCII' TEMPLATE template0 LC_COLLATE 'C' LC_CTYPE 'C'",
    );
    postgres.demand(
      `CREATE TABLE t (id int, name text); INSERT INTO t VALUES (1, convert_from('\\x61${PAIR}62', 'SQL_ASCII'))`,
      'ascii',
    );
    writeFileSync(path('ascii.sql'), postgres.dump('ascii') as Buffer);
    const out = demandUtf8([
      'convert',
      '--from',
      'cesu-8+utf-8',
      '--format',
      'pg_dump',
      '--fix-header',
      path('ascii.sql'),
    ]);
    expect(out.toString()).toContain("SET client_encoding = 'UTF8';");
    const set = readFileSync(path('ascii.sql'), 'latin1').split('SET client_encoding');
    const { found } = scan('--format', 'pg_dump', path('ascii.sql'));
    expect(found.find(({ kind }) => kind === 'unstated-encoding')).toMatchObject({
      charset: 'SQL_ASCII',
      line: set[0]?.split('\n').length,
      offset: set[0]?.length,
    });
    // In a database in another encoding, the bytes would stay unchanged, and mean something else.
    const asIs = ['convert', '--from', 'cesu-8+utf-8', '--format', 'pg_dump', path('ascii.sql')];
    const { status, stdout, stderr } = utf8(asIs);
    expect([status, stderr]).toEqual([0, expect.stringContaining('with SQL_ASCII')]);
    postgres.demand(
      "CREATE DATABASE latin ENCODING 'LATIN1' TEMPLATE template0 LC_COLLATE 'C' LC_CTYPE 'C'",
    );
    postgres.demand(stdout, 'latin');
    const meant = "SELECT encode(convert_to(name, 'UTF8'), 'hex') FROM public.t";
    expect(postgres.demand(meant, 'latin').toString()).toBe('61c3b0c29fc298c28062\n');
    postgres.demand("CREATE DATABASE fixed ENCODING 'UTF8' TEMPLATE template0");
    postgres.demand(out, 'fixed');
    const read = "SELECT encode(convert_to(name, 'UTF8'), 'hex') FROM public.t";
    expect(postgres.demand(read, 'fixed').toString()).toBe(`61${EMOJI.toLowerCase()}62\n`);
  });

  it('a row whose partition changes with its key ends the run', () => {
    postgres.demand(
      "CREATE DATABASE parts ENCODING 'SQL_ASCII' TEMPLATE template0 LC_COLLATE 'C' LC_CTYPE 'C'",
    );
    postgres.demand(
      `CREATE TABLE t (name text, note text) PARTITION BY HASH (name);
      CREATE TABLE t0 PARTITION OF t FOR VALUES WITH (modulus 2, remainder 0);
      CREATE TABLE t1 PARTITION OF t FOR VALUES WITH (modulus 2, remainder 1);
      INSERT INTO t SELECT n || convert_from('\\x${PAIR}', 'SQL_ASCII'), n FROM generate_series(1, 9) n`,
      'parts',
    );
    const convert = ['convert', '--from', 'cesu-8+utf-8', '--format', 'pg_dump', '--fix-header'];
    const load = (script: Buffer): number | null => {
      postgres.demand('DROP DATABASE IF EXISTS loaded');
      postgres.demand("CREATE DATABASE loaded ENCODING 'UTF8' TEMPLATE template0");
      return postgres.run(script, 'loaded').status ?? null;
    };
    for (const flags of [[], ['--inserts']]) {
      writeFileSync(path('parts.sql'), postgres.dump(...flags, 'parts') as Buffer);
      const { status, stderr } = utf8([...convert, path('parts.sql')]);
      expect([status, stderr]).toEqual([1, expect.stringContaining('--load-via-partition-root')]);
      const { found } = scan('--format', 'pg_dump', path('parts.sql'));
      expect(found.filter(({ kind }) => kind === 'partition-key')).toHaveLength(9);
      expect(
        load(demandUtf8([...convert, '--allow', 'partition-key', path('parts.sql')])),
      ).not.toBe(0);
    }
    writeFileSync(path('root.sql'), postgres.dump('--load-via-partition-root', 'parts') as Buffer);
    expect(load(demandUtf8([...convert, path('root.sql')]))).toBe(0);
    expect(postgres.demand('SELECT count(*) FROM t', 'loaded').toString()).toBe('9\n');
  });
});
