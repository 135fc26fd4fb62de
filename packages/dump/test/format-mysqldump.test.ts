import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { scale } from '../../../tooling/tiers/tier.js';
import { findFormat } from '../src/format/registry.js';
import {
  cell,
  cesu,
  errorOf,
  expectSameCut,
  type PlainPiece,
  readAll,
  readRows,
  sizes,
} from './format-reading.js';

const format = findFormat('mysqldump', { assume: 'text' });

const records = (text: string): PlainPiece[] =>
  readAll(format, text).filter(({ kind }) => kind === 'record');

/** Kind, own bytes and line of every piece. */
const outline = (text: string): [string, string, number][] =>
  readAll(format, text).map(({ kind, own, line }) => [kind, own, line]);

/** A value as mysqldump writes it. */
function quote(text: string): string {
  const escapes: Record<string, string> = {
    '\0': '\\0',
    '\n': '\\n',
    '\r': '\\r',
    '\\': '\\\\',
    "'": "\\'",
    '"': '\\"',
  };
  return `'${[...text].map((c) => escapes[c] ?? c).join('')}'`;
}

describe('mysqldump', () => {
  it('leaves the strings of binary columns unchanged, which MariaDB does not mark', () => {
    const create = 'CREATE TABLE `t` (`id` int, `a` blob, `b` varbinary(9) NOT NULL, `c` text);\n';
    const other = 'CREATE TABLE `u` (`a` text, KEY `a` (`a`));\n';
    const rows =
      "INSERT INTO `t` VALUES (1,'x','y','z');\nINSERT INTO `t` (`c`,`a`) VALUES ('z','x');\n";
    const all = records(`${create}${other}${rows}INSERT INTO \`u\` VALUES ('x');\n`);
    const kinds = all.map(({ fields }) => fields.map(({ column, kind }) => [column, kind]));
    expect(kinds).toEqual([
      [
        ['id', 'opaque'],
        ['a', 'opaque'],
        ['b', 'opaque'],
        ['c', 'text'],
      ],
      [
        ['c', 'text'],
        ['a', 'opaque'],
      ],
      [['a', 'text']],
    ]);
  });

  it('knows binary columns from the state of another reader', () => {
    const create = 'CREATE TABLE `t` (`a` blob);\n';
    const first = format.createReader();
    first.skip(Buffer.from(create), false);
    const next = format.createReader(JSON.parse(JSON.stringify(first.state)));
    const pieces = next.read(Buffer.from("INSERT INTO `t` VALUES ('x');\n"));
    const kinds: string[] = [];
    for (const { kind, fields } of pieces) {
      if (kind === 'record') kinds.push(...fields.map((field) => field.kind));
    }
    expect(kinds).toEqual(['opaque']);
  });

  it('has a record for each tuple, and pieces around them', () => {
    const text = "INSERT INTO `t` VALUES (1,'a'),(2,'b;)'),\n (3,NULL);\nSELECT 1;";
    expect(outline(text)).toEqual([
      ['head', 'INSERT INTO `t` VALUES ', 1],
      ['record', "(1,'a')", 1],
      ['record', "(2,'b;)')", 1],
      ['record', '(3,NULL)', 2],
      ['tail', ';\n', 2],
      ['other', 'SELECT 1;', 3],
    ]);
    const [, first, second, third, tail] = readAll(format, text);
    expect([first?.text, second?.text, third?.text]).toEqual([
      "(1,'a')",
      ",(2,'b;)')",
      ',\n (3,NULL)',
    ]);
    expect(second).toMatchObject({
      number: 2,
      table: 't',
      before: 'INSERT INTO `t` VALUES ',
      after: ';\n',
    });
    expect([tail?.before, tail?.after, tail?.number]).toEqual([undefined, undefined, 0]);
  });

  it('reads what mariadb-dump writes today', () => {
    const text = [
      '/*M!999999\\- enable the sandbox mode */ ',
      '-- MariaDB dump 10.19',
      '',
      '/*!40101 SET NAMES utf8mb4 */;',
      'DROP TABLE IF EXISTS `t`;',
      'CREATE TABLE `t` (',
      '  `id` int(11) NOT NULL,',
      "  `na``me` varchar(9) DEFAULT 'a,(b' COMMENT 'it''s; `x`',",
      '  PRIMARY KEY (`id`),',
      '  KEY `k` (`id`,`na``me`)',
      ') ENGINE=InnoDB;',
      'LOCK TABLES `t` WRITE;',
      'INSERT INTO `t` VALUES',
      `(1,'${cesu.emoji}'),`,
      "(-2.5e3,'--');",
      'UNLOCK TABLES;',
      '-- Dump completed',
    ].join('\n');
    expect(outline(text).map(([kind, , line]) => [kind, line])).toEqual([
      ...[1, 2, 3, 4, 5, 6, 12].map((line) => ['other', line]),
      ['head', 13],
      ['record', 14],
      ['record', 15],
      ['tail', 15],
      ['other', 16],
      ['other', 17],
    ]);
    expect(
      records(text).map(({ fields }) => fields.map(({ column, text }) => [column, text])),
    ).toEqual([
      [
        ['id', '1'],
        ['na`me', cesu.emoji],
      ],
      [
        ['id', '-2.5e3'],
        ['na`me', '--'],
      ],
    ]);
  });

  it.each([
    'INSERT INTO `t` (`a`, `b`) VALUES (1,2);',
    'replace low_priority into t(a,b) value (1,2);',
    'INSERT  IGNORE INTO `db`.`t` PARTITION (p0, p1) (a, `b`) VALUES (1,2);',
    '/* all of it */ INSERT /*!50003 IGNORE */ INTO t -- comment\n (a,b) VALUES# more\n(1,2);',
    'INSERT t (a,b) VALUES (1,2) ON DUPLICATE KEY UPDATE a=VALUES(a);',
    'INSERT DELAYED INTO "t" ("a","b") VALUES (1,2);',
  ])('reads the columns of %s', (text) => {
    const [record] = records(text);
    expect(record?.own).toBe('(1,2)');
    expect(record?.table).toMatch(/^(db\.)?t$/);
    expect(record?.fields.map(({ column }) => column)).toEqual(['a', 'b']);
  });

  it.each([
    "INSERT INTO t SELECT 'a';",
    'INSERT;',
    'INSERTED INTO t VALUES (1);',
    'INSERT INTO t a b c d e f g h i j VALUES (1);',
    "INSERT INTO t ('a') VALUES (1);",
    'REPLACE;',
  ])('reads %s as another statement', (text) => {
    expect(outline(text)).toEqual([['other', text, 1]]);
  });

  it('keeps the columns of every table that was created', () => {
    const create =
      'CREATE TABLE a (x int, KEY (x));\ncreate temporary table if not exists `b` (y int);\n';
    const text = `${create}INSERT INTO b VALUES (1);INSERT INTO a VALUES (1);INSERT INTO c VALUES (1);`;
    expect(records(text).map(({ fields }) => fields[0]?.column)).toEqual(['y', 'x', undefined]);
    expect(records('CREATE TABLE b AS SELECT (1);INSERT INTO b VALUES (1);')[0]?.fields).toEqual([
      { text: '1', kind: 'opaque', column: undefined, number: 1 },
    ]);
  });

  it('tells text from opaque values', () => {
    const values: [string, string, string][] = [
      ["'a'", 'text', 'a'],
      ['"a\\"b"', 'text', 'a\\"b'],
      ["_utf8mb4'a'", 'text', 'a'],
      ["_utf8 'a'", 'text', 'a'],
      ["N'a'", 'text', 'a'],
      ["_binary 'a\\0\\'b'", 'opaque', "a\\0\\'b"],
      ['_BINARY"a"', 'opaque', 'a'],
      ["_latin1'\xfc'", 'opaque', '\xfc'],
      ["X'00ff'", 'opaque', '00ff'],
      ["b'01'", 'opaque', '01'],
      ['0x00FF', 'opaque', '0x00FF'],
      ['NULL', 'opaque', 'NULL'],
      [' -1.5 ', 'opaque', '-1.5'],
      ['now(1,2)', 'opaque', 'now(1,2)'],
      ["lower('A')", 'text', 'A'],
      [`'a''b\\\\'`, 'text', "a''b\\\\"],
      ["/* 'no' */ 'a' -- ,\n", 'text', 'a'],
      ['\xfc', 'text', '\xfc'],
    ];
    const text = `INSERT INTO t VALUES (${values.map(([value]) => value).join(',')});`;
    expect(records(text)[0]?.fields).toEqual(
      values.map(([, kind, text], i) => ({ text, kind, column: undefined, number: i + 1 })),
    );
  });

  it('has a field for each string of a value, and for other text that is not ASCII', () => {
    const text = "INSERT INTO t (a,b) VALUES (concat('a', _binary'b', \xfc, 'c'),1);";
    expect(records(text)[0]?.fields.map(({ number, kind, text }) => [number, kind, text])).toEqual([
      [1, 'text', 'a'],
      [1, 'opaque', 'b'],
      [1, 'text', ', \xfc,'],
      [1, 'text', 'c'],
      [2, 'opaque', '1'],
    ]);
    expect(records('INSERT INTO t () VALUES ( );')[0]?.fields).toEqual([]);
  });

  it('leaves columns that were created as blobs unchanged', () => {
    const types = 'varbinary(9) blob longblob bit(9) point varchar(9) text json'.split(' ');
    const create = `CREATE TABLE t (${types.map((type, i) => `\`c${i}\` ${type} COMMENT 'blob'`).join(',')});`;
    const insert = `INSERT INTO t VALUES (${types.map(() => "'a'").join(',')});`;
    const kinds = (text: string) => records(text)[0]?.fields.map(({ kind }) => kind);
    const [opaque, text] = ['opaque', 'text'];
    expect(kinds(create + insert)).toEqual([
      opaque,
      opaque,
      opaque,
      opaque,
      opaque,
      text,
      text,
      text,
    ]);
    expect(kinds(`${create}INSERT INTO t (c6,c1,x) VALUES ('a','b','c');`)).toEqual([
      text,
      opaque,
      text,
    ]);
    expect(kinds(`${create}INSERT INTO u VALUES ('a');`)).toEqual([text]);
  });

  it('keeps a backslash before a longer character', () => {
    expect(readRows(format, `INSERT INTO t VALUES ('\\${cesu.emoji}\\\xff');`)).toEqual([
      [`\\${cesu.emoji}\\\xff`],
    ]);
  });

  it('reads other statements as text, except their blobs', () => {
    const [piece] = readAll(
      format,
      `  DELETE FROM \`ü\` WHERE a='x' OR b=_binary'y' OR c="z"; -- '\n`,
    );
    expect(piece?.fields.map(({ kind, text }) => [kind, text])).toEqual([
      ['text', "DELETE FROM `ü` WHERE a='x' OR b=_binary'"],
      ['opaque', 'y'],
      ['text', `' OR c="z";`],
    ]);
    const comment = `-- it's ${cesu.emoji}\n`;
    expect(readAll(format, comment)[0]?.fields).toEqual([
      { text: comment, kind: 'text', column: undefined, number: 1 },
    ]);
    expect(readAll(format, ' \n')[0]?.fields).toEqual([]);
  });

  it('passes comments, and code in comments', () => {
    expect(
      outline(
        [
          "# it's",
          '--- a line',
          '/* a; b */',
          "/*!50003 CREATE*/ /*!50017 DEFINER='x*/'@'%' -- it's",
          " */; SELECT 5--1, '*/', 1/2;",
          '/* last */',
        ].join('\n'),
      ),
    ).toEqual([
      ['other', "# it's\n", 1],
      ['other', '--- a line\n', 2],
      ['other', '/* a; b */\n', 3],
      ['other', "/*!50003 CREATE*/ /*!50017 DEFINER='x*/'@'%' -- it's\n */;", 4],
      ['other', " SELECT 5--1, '*/', 1/2;\n", 5],
      ['other', '/* last */', 6],
    ]);
  });

  it('ends a statement at a delimiter within parentheses, as the client does', () => {
    const text = 'SELECT (1;\nINSERT INTO t VALUES (1) ON DUPLICATE KEY UPDATE a=(2;\n';
    expect(outline(text).map(([kind, own]) => [kind, own])).toEqual([
      ['other', 'SELECT (1;\n'],
      ['head', 'INSERT INTO t VALUES '],
      ['record', '(1)'],
      ['tail', ' ON DUPLICATE KEY UPDATE a=(2;\n'],
    ]);
  });

  it('changes the delimiter as the dump does', () => {
    const text = [
      'DELIMITER ;;',
      "CREATE TRIGGER x BEGIN INSERT INTO t VALUES ('a'); END;;",
      "INSERT INTO t VALUES ('a');;",
      'delimiter ;',
      "INSERT INTO t VALUES ('a');",
    ].join('\n');
    expect(outline(text).map(([kind, own]) => [kind, own])).toEqual([
      ['other', 'DELIMITER ;;\n'],
      ['other', "CREATE TRIGGER x BEGIN INSERT INTO t VALUES ('a'); END;;\n"],
      ['head', 'INSERT INTO t VALUES '],
      ['record', "('a')"],
      ['tail', ';;\n'],
      ['other', 'delimiter ;\n'],
      ['head', 'INSERT INTO t VALUES '],
      ['record', "('a')"],
      ['tail', ';'],
    ]);
    expect(records(text).map(({ after }) => after)).toEqual([';\n', ';\n']);
  });

  it('knows what a rejected tuple needs, however the statement ends', () => {
    const text = 'REPLACE INTO t VALUES (1) ON DUPLICATE KEY UPDATE a=1; SELECT 1;';
    expect(records(text)[0]).toMatchObject({
      before: 'REPLACE INTO t VALUES ',
      after: ' ON DUPLICATE KEY UPDATE a=1;\n',
    });
  });

  it('keeps U+FEFF at the start apart', () => {
    expect(outline('\xef\xbb\xbfSELECT 1;')).toEqual([
      ['other', '\xef\xbb\xbf', 1],
      ['other', 'SELECT 1;', 1],
    ]);
    expect(outline('\xef\xbb\xbf')).toEqual([['other', '\xef\xbb\xbf', 1]]);
  });

  it.each([
    ["SELECT 1;\nINSERT INTO t VALUES\n(1,'a);\n", 3, 'string'],
    ['SELECT "a\\";', 1, 'string'],
    ['\n\nSELECT `a;', 3, 'name'],
    ['/* a;\n', 1, 'comment'],
    ["SELECT /*! ';\n", 1, 'comment'],
    ['SELECT 1;\n\nINSERT INTO t VALUES (1,2', 3, 'statement'],
    ['INSERT INTO t VALUES (1)\n', 1, 'statement'],
    ['a,b\n1,2\n', 1, 'statement'],
    ['\f\nSELECT 1', 2, 'statement'],
  ])('reports where an unterminated part begins in %j', (text, line, what) => {
    expect(errorOf(format, text)).toBe(
      `FILE:${line}: unterminated ${what}; is the dump complete, and in this format?`,
    );
  });

  it('doubles backslashes, and spells U+0000', () => {
    expect([format.quote('\\xED'), format.isLineBased]).toEqual(['\\\\xED', false]);
    expect(format.nuls.map(String)).toEqual(['\\0']);
  });

  it('reads more tuples of an INSERT than are noted at once, in the mode of its start', () => {
    const count = 70_000;
    const rows = Array.from({ length: count }, (_, i) => `(${i},'\\'${i}')`).join(',');
    const text = `DELIMITER //\nCREATE TABLE t (a int, b text)//\nINSERT INTO t VALUES ${rows}; SET sql_mode = 'NO_BACKSLASH_ESCAPES'//\n`;
    const bytes = Buffer.from(text);
    let found = 0;
    for (const { kind, number, fields } of format.createReader().read(bytes)) {
      if (kind !== 'record') continue;
      const [, { start, end } = { start: 0, end: 0 }] = fields;
      const value = bytes.toString('latin1', start, end);
      if (value !== `\\'${found}` || number !== found + 1) break;
      found++;
    }
    expect(found).toBe(count);
  });

  it('reads what was written, however it is cut', () => {
    const value = fc.oneof(
      cell.map((text) => ({ text, sql: quote(text) })),
      cell.map((text) => ({ text, sql: `_binary ${quote(text)}` })),
      cell.map((text) => ({ text, sql: `'${text.replace(/['\\]/g, (c) => c + c)}'` })),
      fc.constantFrom('NULL', '-1', '0xFF').map((text) => ({ text, sql: text })),
    );
    const row = fc.array(value, { minLength: 1, maxLength: 4 });
    const insert = fc.record({
      rows: fc.array(row, { minLength: 1, maxLength: 4 }),
      head: fc.constantFrom(
        'INSERT INTO `t` VALUES ',
        "REPLACE `a;b` (`c'd`) VALUES\n",
        '  /*a*/INSERT t VALUES',
      ),
      comma: fc.constantFrom(',', ',\n', ' , '),
      end: fc.constantFrom(';', ';\n', ' ;\r\n', " ON DUPLICATE KEY UPDATE a=';';\n"),
    });
    const other = fc.constantFrom(
      ...[
        '\n',
        ' \r\n',
        "-- it's\n",
        '# "\n',
        "/*!40101 SET a=';*/' */;\n",
        '/* ` */\n',
        'SELECT 1;',
      ],
      ...['CREATE TABLE `t` (`a` int, b blob);\n', 'DELIMITER ;\n'],
    );
    const read = (text: string) =>
      text.replace(/''|\\(.)/gs, (pair, c) =>
        pair === "''" ? "'" : ({ n: '\n', r: '\r', 0: '\0' }[c as 'n'] ?? c),
      );
    fc.assert(
      fc.property(fc.array(fc.oneof(insert, other), { maxLength: 8 }), sizes, (parts, cuts) => {
        // A comment or command begins at the start of a line.
        const text = parts
          .map((part) =>
            typeof part === 'string'
              ? `\n${part}`
              : part.head +
                part.rows
                  .map((row) => `(${row.map(({ sql }) => sql).join(',')})`)
                  .join(part.comma) +
                part.end,
          )
          .join('');
        expectSameCut(format, text, cuts);
        const rows = parts.flatMap((part) => (typeof part === 'string' ? [] : part.rows));
        expect(records(text).map(({ fields }) => fields.map(({ text }) => read(text)))).toEqual(
          rows.map((row) => row.map(({ text }) => text)),
        );
      }),
      { numRuns: scale(200) },
    );
  });

  it('cuts any bytes the same', () => {
    const soup = fc.array(
      fc.constantFrom(
        "'",
        '"',
        '`',
        '\\',
        ';',
        '\n',
        '--',
        ' ',
        '#',
        '/*',
        '*/',
        '(',
        ')',
        ',',
        'INSERT t VALUES',
        '/*!',
        'a',
        'DELIMITER //\n',
        '//',
        '\nuse a\n',
        '\nwarnings\n',
        '/*!99999 ',
        '/*M! ',
        ';\nSET sql_mode=ANSI_QUOTES;\n',
        ';\nSET sql_mode=NO_BACKSLASH_ESCAPES;\n',
      ),
      { maxLength: 20 },
    );
    let count = 0;
    fc.assert(
      fc.property(soup, sizes, (parts, cuts) => {
        const text = parts.join('');
        try {
          format.createReader().skip(Buffer.from(text), true);
        } catch {
          return;
        }
        count++;
        expectSameCut(format, text, cuts);
      }),
      { numRuns: scale(2000) },
    );
    expect(count).toBeGreaterThan(scale(100));
  });
});
