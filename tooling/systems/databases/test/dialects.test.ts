/** Files that other programs write, converted by the command and read by the program that wrote them. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { choose } from '../../../tiers/tier.js';
import { Postgres } from '../src/postgres.js';
import { demand } from '../src/program.js';
import { createFolder } from '../src/server.js';
import { demandUtf8, utf8 } from '../src/utf8.js';

const folder = createFolder();
const path = (name: string): string => join(folder, name);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const PAIR = '\xed\xa0\xbd\xed\xb8\x80';
const EMOJI = '\xf0\x9f\x98\x80';

/** Fragments that might confuse a dialect; a character is a byte. */
const PARTS = [
  ...['a', ' ', '', '\t', '\n', '\r', '\r\n', '\\', '\\n', '\\\\', '"', '""', "'", "''", ','],
  ...[';', '|', '||', ':', '#', '\xc2\xa7', '\\.', 'NULL', '\\N', 'x', '{', '[]', 'u0041'],
  ...[PAIR, PAIR, PAIR, '\xed\x95\x9c', EMOJI],
];

/** Rows of two texts: each part alone, and sequences of parts, the same on every run. */
function createRows(count: number): string[][] {
  let state = 20261122;
  const draw = (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  const text = (): string =>
    Array.from({ length: draw(8) }, () => PARTS[draw(PARTS.length)]).join('');
  return [
    ...PARTS.map((part) => [part, `${part}b`]),
    ...Array.from({ length: count }, () => [text(), text()]),
  ];
}

const rows = createRows(1500);

const convertText = (text: string): string => text.replaceAll(PAIR, EMOJI);

const wanted = rows.map((row) => row.map(convertText));

/** Converts by the command, and requires that something changed and that it can be reverted. */
function convert(input: Uint8Array, ...args: string[]): Buffer {
  writeFileSync(path('in'), input);
  const words = ['convert', '--from', 'cesu-8+utf-8', ...args, path('in')];
  demandUtf8([...words, '-o', path('out'), '--undo', path('undo')]);
  const output = readFileSync(path('out'));
  expect(output.equals(input)).toBe(false);
  expect(demandUtf8(['revert', path('out'), '--undo', path('undo')]).equals(input)).toBe(true);
  return output;
}

describe("Python's csv", () => {
  const python = (code: string, input: string): Buffer =>
    demand('python3', ['-c', `import csv, json, sys, io\n${code}`], Buffer.from(input, 'latin1'));
  const write = (dialect: string): Buffer =>
    python(
      `out = io.TextIOWrapper(sys.stdout.buffer, 'latin-1', newline='')
csv.writer(out, ${dialect}).writerows(json.loads(sys.stdin.buffer.read().decode('utf-8')))
out.flush()`,
      Buffer.from(JSON.stringify(rows)).toString('latin1'),
    );
  const read = (dialect: string, file: Uint8Array): string[][] => {
    writeFileSync(path('read'), file);
    const text = python(
      `f = open(${JSON.stringify(path('read'))}, encoding='latin-1', newline='')
print(json.dumps(list(csv.reader(f, ${dialect}))))`,
      '',
    );
    return JSON.parse(text.toString());
  };

  it.each(
    choose(
      [
        ['', ['csv']],
        ["delimiter='|', quotechar=\"'\"", ['csv', '--delimiter', '|', '--quote', "'"]],
        ["escapechar='\\\\', doublequote=False, quoting=csv.QUOTE_ALL", ['csv', '--escape', '\\']],
        [
          "escapechar='\\\\', quoting=csv.QUOTE_NONE, delimiter='\\t', quotechar=None",
          ['tsv', '--escape', '\\', '--quote', ''],
        ],
        ["delimiter='#', lineterminator='\\n'", ['csv', '--delimiter', '#']],
        ["delimiter='\xa7', quoting=csv.QUOTE_ALL", ['csv', '--delimiter', '\xa7']],
      ],
      3,
    ),
  )('with %s', (dialect, [format, ...options]) => {
    let written = write(dialect);
    let read = (file: Uint8Array) => readRows(dialect, file);
    if (dialect.includes('\xa7')) {
      // In UTF-8: to Python, a character that is none of the data's bytes.
      const toUtf8 = (bytes: Uint8Array): Buffer =>
        Buffer.from(
          Buffer.from(bytes).toString('latin1').replaceAll('"\xa7"', '"\xc2\xa7"'),
          'latin1',
        );
      written = toUtf8(written);
      read = (file) =>
        readRows(
          dialect,
          Buffer.from(
            Buffer.from(file).toString('latin1').replaceAll('"\xc2\xa7"', '"\xa7"'),
            'latin1',
          ),
        );
    }
    // Python's reading is the reference, since it does not read back all that it writes.
    const before = read(written);
    const after = read(convert(written, '--format', format as string, '--no-header', ...options));
    expect(after).toEqual(before.map((row) => row.map(convertText)));
    expect(before.length).toBeGreaterThanOrEqual(rows.length);
  });

  function readRows(dialect: string, file: Uint8Array): string[][] {
    return read(dialect, file);
  }

  it('as JSON, from json.dump, which spells text as it is', () => {
    const records = rows.map(([a, b], i) => ({ id: i, a, [`k${PAIR}`]: [b] }));
    const latin = JSON.stringify(records);
    for (const indent of choose(['None', '2', "'\\t'"], 1)) {
      const file = python(
        `out = io.TextIOWrapper(sys.stdout.buffer, 'latin-1', newline='')
json.dump(json.loads(sys.stdin.buffer.read().decode('utf-8')), out, indent=${indent}, ensure_ascii=False)
out.flush()`,
        Buffer.from(latin).toString('latin1'),
      );
      const output = convert(file, '--format', 'json');
      const expected = records.map(({ id, a }, i) => ({
        id,
        a: convertText(a as string),
        [`k${EMOJI}`]: [convertText(rows[i]?.[1] as string)],
      }));
      expect(JSON.parse(output.toString('latin1'))).toEqual(expected);
      const loaded = python(
        `print(len(json.load(open(${JSON.stringify(path('out'))}, encoding='utf-8'))))`,
        '',
      );
      expect(Number(loaded.toString())).toBe(rows.length);
    }
  });
});

describe("SQLite's shell", () => {
  const hex = (text: string): string => Buffer.from(text, 'latin1').toString('hex');
  const sqlite = (name: string, script: string | Uint8Array, ...args: string[]): Buffer =>
    demand('sqlite3', ['-batch', '-bail', ...args, path(name)], script);
  const texts = "'x' || hex(a), 'x' || hex(b)";
  const read = (name: string, table = 't'): string =>
    sqlite(
      name,
      `SELECT typeof(a), ${texts}, typeof(d), hex(d) FROM ${table} ORDER BY id;`,
    ).toString();

  it('has a database of every kind of value', () => {
    rmSync(path('old.db'), { force: true });
    const inserts = rows.map(
      ([a = '', b = ''], i) =>
        `INSERT INTO t VALUES(${i},CAST(X'${hex(a)}' AS TEXT),CAST(X'${hex(b)}' AS TEXT),${
          ["X'EDA0BDEDB880'", 'NULL', '1e999', '-9223372036854775808', '0.1', `'${"d''"}'`][i % 6]
        });`,
    );
    sqlite(
      'old.db',
      `CREATE TABLE t(id INTEGER PRIMARY KEY, a, b TEXT, [d ]]x" BLOB);
       ALTER TABLE t RENAME COLUMN [d ] TO d;`.replace('[d ]]x"', '[d ]') +
        `BEGIN; ${inserts.join('\n')} COMMIT;
       CREATE TABLE log(t);
       CREATE TRIGGER g AFTER DELETE ON t BEGIN INSERT INTO log VALUES('; END;'); DELETE FROM log; END;
       CREATE VIEW v AS SELECT CASE a WHEN 'x;' THEN 1 END FROM t;
       CREATE TABLE [we;ird "name](id INTEGER PRIMARY KEY, "a;" AS (id * 2), b);
       INSERT INTO [we;ird "name](id, b) VALUES(1, CAST(X'${hex(PAIR)}' AS TEXT));
       CREATE VIRTUAL TABLE f USING fts5(body);
       INSERT INTO f VALUES(CAST(X'${hex(`word ${PAIR}`)}' AS TEXT));`,
    );
  });

  it.each(choose([['.dump'], ['.dump --newlines'], ['.dump --preserve-rowids']], 1))(
    '%s',
    (command) => {
      const dump = demand('sqlite3', ['-batch', path('old.db'), command]);
      const output = convert(dump, '--format', 'sqlite');
      rmSync(path('new.db'), { force: true });
      sqlite('new.db', output);
      // The shell itself reads CR LF in a string as LF, so that --newlines loses it.
      rmSync(path('same.db'), { force: true });
      sqlite('same.db', dump);
      const expected = read(command === '.dump --newlines' ? 'same.db' : 'old.db').replace(
        /x([0-9A-F]*)/g,
        (_, text: string) =>
          `x${hex(convertText(Buffer.from(text, 'hex').toString('latin1'))).toUpperCase()}`,
      );
      expect(read('new.db')).toBe(expected);
      expect(expected).toContain('blob|EDA0BDEDB880');
      expect(
        sqlite(
          'new.db',
          `SELECT hex(b) FROM [we;ird "name]; SELECT hex(body) FROM f; PRAGMA integrity_check;`,
        ).toString(),
      ).toBe(`F09F9880\n${hex(`word ${EMOJI}`).toUpperCase()}\nok\n`);
      expect(sqlite('new.db', 'SELECT sql FROM sqlite_schema ORDER BY sql;')).toEqual(
        sqlite('old.db', 'SELECT sql FROM sqlite_schema ORDER BY sql;'),
      );
    },
  );

  it.each(
    choose(
      [
        ['insert t', ['sqlite']],
        ['csv', ['csv', '--no-header']],
        ['tabs', ['tsv', '--no-header', '--quote', '']],
        ['quote', ['csv', '--no-header', '--quote', "'"]],
        ['json', ['json']],
      ],
      3,
    ),
  )('.mode %s', (mode, [format, ...options]) => {
    // Only .mode insert and quote keep blobs apart from text.
    const select =
      mode === 'tabs'
        ? "SELECT id, replace(replace(replace(a, char(10), ''), char(9), ''), char(13), '') a"
        : 'SELECT id, a, b';
    const file = demand('sqlite3', [
      '-batch',
      path('old.db'),
      `.mode ${mode}`,
      `${select} FROM t;`,
    ]);
    const output = convert(file, '--format', format as string, ...options);
    expect(output.toString('latin1')).toBe(convertText(file.toString('latin1')));
    if (mode !== 'json') return;
    expect(
      JSON.parse(output.toString('latin1')).map(({ a, b }: Record<string, string>) => [a, b]),
    ).toEqual(wanted);
  });

  it('loses what follows U+0000 in a text before the file is written', () => {
    rmSync(path('nul.db'), { force: true });
    sqlite('nul.db', "CREATE TABLE t(a); INSERT INTO t VALUES(CAST(X'610062' AS TEXT));");
    const dump = demand('sqlite3', ['-batch', path('nul.db'), '.dump']).toString();
    // If this fails, the shell has learned to write U+0000, and the README must say so.
    expect(dump).toContain("INSERT INTO t VALUES('a');");
  });
});

const postgres = await Postgres.start();
afterAll(() => postgres.stop());

describe("PostgreSQL's COPY … csv and json_agg", () => {
  const literal = (text: string): string =>
    `convert_from('\\x${Buffer.from(text, 'latin1').toString('hex')}', 'SQL_ASCII')`;

  it('has a database that accepts any bytes', () => {
    postgres.demand("CREATE DATABASE old ENCODING 'SQL_ASCII' TEMPLATE template0 LOCALE 'C'");
    postgres.demand("CREATE DATABASE new ENCODING 'UTF8' TEMPLATE template0 LOCALE 'C'");
    const values = rows.map(
      ([a = '', b = ''], i) => `(${i},${literal(a)},${i % 5 ? literal(b) : 'NULL'},'\\xeda0bd')`,
    );
    postgres.demand(
      `CREATE TABLE t (id int PRIMARY KEY, a text, b text, c bytea); INSERT INTO t VALUES ${values.join(',\n')}`,
      'old',
    );
    postgres.demand('CREATE TABLE t (id int PRIMARY KEY, a text, b text, c bytea)', 'new');
  });

  const cells = (database: string): string[] =>
    postgres
      .demand(
        "SELECT id, encode(convert_to(a, 'UTF8'), 'hex'), coalesce(encode(convert_to(b, 'UTF8'), 'hex'), 'NULL'), c FROM t ORDER BY id",
        database,
      )
      .toString()
      .trimEnd()
      .split('\n');

  it.each(
    choose(
      [
        ['FORMAT csv', ['--no-header']],
        [
          "FORMAT csv, HEADER, DELIMITER ';', QUOTE '''', ESCAPE '\\', NULL 'none'",
          ['--delimiter', ';', '--quote', "'", '--quoted-escape', '\\'],
        ],
        ["FORMAT csv, ESCAPE '\\', FORCE_QUOTE *", ['--no-header', '--quoted-escape', '\\']],
        [
          "FORMAT csv, DELIMITER '|', QUOTE '#', ESCAPE '^'",
          ['--no-header', '--delimiter', '|', '--quote', '#', '--quoted-escape', '^'],
        ],
      ],
      2,
    ),
  )('%s', (options, args) => {
    const file = postgres.demand(`COPY t TO STDOUT (${options})`, 'old');
    const output = convert(file, '--format', 'csv', ...args);
    writeFileSync(path('load'), output, { mode: 0o644 });
    const loading = options.replace(/, FORCE_QUOTE.*/, '');
    postgres.demand(`TRUNCATE t; COPY t FROM '${path('load')}' (${loading})`, 'new');
    const hex = (text: string): string => Buffer.from(text, 'latin1').toString('hex');
    expect(cells('new')).toEqual(
      wanted.map(([a = '', b = ''], i) =>
        [i, hex(a), i % 5 ? hex(b) : 'NULL', '\\xeda0bd'].join('|'),
      ),
    );
  });

  it.each(
    choose(
      [
        ['FORMAT csv'],
        ["FORMAT csv, HEADER, DELIMITER ';', QUOTE '''', ESCAPE '\\', NULL 'none'"],
        ["DELIMITER '|', NULL 'none'"],
      ],
      1,
    ),
  )('in a script, with %s', (options) => {
    const file = postgres.demand(`COPY t TO STDOUT (${options})`, 'old');
    const script = Buffer.concat([
      Buffer.from(`TRUNCATE t;\nCOPY t FROM stdin (${options});\n`),
      file,
      Buffer.from('\\.\nSELECT count(*) FROM t;\n'),
    ]);
    const output = convert(script, '--format', 'pg_dump', '--assume', 'text');
    expect(postgres.demand(output, 'new').toString()).toBe(`${rows.length}\n`);
    const hex = (text: string): string => Buffer.from(text, 'latin1').toString('hex');
    expect(cells('new')).toEqual(
      wanted.map(([a = '', b = ''], i) =>
        [i, hex(a), i % 5 ? hex(b) : 'NULL', '\\xeda0bd'].join('|'),
      ),
    );
  });

  it('loads rejected rows with the header that their COPY has', () => {
    const broken = [...wanted.keys()].filter((i) => i % 7 === 3);
    const lines = wanted.map((_, i) => `${i};"${i % 7 === 3 ? '\xed\xa0\xbd' : PAIR}"\n`);
    const script = `COPY t (id, a) FROM stdin CSV HEADER DELIMITER ';';\nid;a\n${lines.join('')}\\.\n`;
    writeFileSync(path('in'), Buffer.from(script, 'latin1'));
    const words = [
      'convert',
      '--from',
      'cesu-8+utf-8',
      '--format',
      'pg_dump',
      '--assume',
      'text',
      path('in'),
    ];
    demandUtf8([...words, '-o', path('out'), '--rejects', path('rejects'), '--jobs', '2']);
    const escaped = demandUtf8([
      ...[
        'convert',
        '--from',
        'cesu-8+utf-8',
        '--format',
        'pg_dump',
        '--assume',
        'text',
        path('rejects'),
      ],
      ...['--unpaired-surrogates', 'escape'],
    ]);
    const load = Buffer.concat([Buffer.from('TRUNCATE t;\n'), readFileSync(path('out')), escaped]);
    postgres.demand(load, 'new');
    const read = postgres.demand("SELECT id, a FROM t WHERE a <> '\u{1f600}' ORDER BY id", 'new');
    expect(read.toString()).toBe(broken.map((i) => `${i}|\\ud83d\n`).join(''));
    expect(postgres.demand('SELECT count(*) FROM t', 'new').toString()).toBe(`${rows.length}\n`);
  });

  it('json_agg', () => {
    const file = postgres.demand(
      'SELECT json_agg(t) FROM (SELECT id, a, b FROM t ORDER BY id) t',
      'old',
    );
    const output = convert(file, '--format', 'json');
    const read = JSON.parse(output.toString('latin1')) as { a: string; b: string | null }[];
    expect(read.map(({ a, b }) => [a, b])).toEqual(
      wanted.map(([a, b], i) => [a, i % 5 ? b : null]),
    );
  });
});

it('pretty-printed JSON is no file of JSON Lines', () => {
  const { status, stderr } = utf8(
    ['convert', '--from', 'cesu-8+utf-8', '--format', 'jsonl'],
    Buffer.from(`[\n  {"a": "${PAIR}"}\n]\n`, 'latin1'),
  );
  expect([status, stderr]).toEqual([
    3,
    'utf8: -:1: the first value continues on the next line; use --format json for an array, or --format lines\n',
  ]);
});
