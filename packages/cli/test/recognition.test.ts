/** The format that a file is read in if none is named. */
import { readFileSync, writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { hex, useFolder, utf8 } from './command.js';

const path = useFolder();

const PAIR = hex('ED A0 BD ED B8 80');
const join = (...parts: (string | Uint8Array)[]): Buffer<ArrayBuffer> =>
  Buffer.concat(parts.map((part) => Buffer.from(part as string)));

const mysql = join(
  '-- MySQL dump 10.13  Distrib 8.0.36\n/*!40101 SET NAMES utf8mb4 */;\nCREATE TABLE `t` (`n` text, `b` blob);\n',
  "INSERT INTO `t` VALUES ('",
  PAIR,
  "','",
  PAIR,
  "');\n",
);

const kept = Buffer.from(
  mysql.toString('latin1').replace(PAIR.toString('latin1'), 'ð\x9f\x98\x80'),
  'latin1',
);

const notice = (name: string, format: string): string =>
  `utf8: ${name}: read with --format ${format}, as its beginning says; --format none reads it as plain text`;

const from = ['-f', 'cesu-8+utf-8'];

describe('a dump of mysqldump', () => {
  it('keeps its blobs if no format is named', async () => {
    writeFileSync(path('m.sql'), mysql);
    const args = ['convert', ...from, path('m.sql'), '-o', path('out.sql')];
    const { status, stderr } = await utf8(args);
    expect([status, stderr.split('\n')[0]]).toEqual([0, notice(path('m.sql'), 'mysqldump')]);
    expect(readFileSync(path('out.sql'))).toEqual(kept);
  });

  it.each([
    ['stdin', mysql, []],
    [
      'stdin in small parts',
      Array.from(mysql.subarray(0, 60), (byte) => Buffer.of(byte)).concat(mysql.subarray(60)),
      [],
    ],
    ['gzip', gzipSync(mysql), []],
  ] as const)('from %s', async (_, input, args) => {
    const { status, stdout, stderr } = await utf8(['convert', ...from, ...args], input as never);
    expect([status, stderr.split('\n')[0]]).toEqual([0, notice('-', 'mysqldump')]);
    expect(stdout).toEqual(kept);
  });

  it.each(['csv', 'lines', 'pg_dump', 'copy'])('is refused as %s', async (format) => {
    writeFileSync(path('m.sql'), mysql);
    for (const command of ['convert', 'scan']) {
      const { status, stdout, stderr } = await utf8([
        command,
        ...from,
        '--format',
        format,
        path('m.sql'),
      ]);
      expect([status, stdout.toString(), stderr]).toEqual([
        2,
        '',
        `utf8: ${path('m.sql')}: begins as a dump in the format mysqldump, and would be damaged as ${format}; use --format mysqldump\n`,
      ]);
    }
  });

  it('is plain text if someone says so', async () => {
    const { status, stdout, stderr } = await utf8(['convert', ...from, '--format', 'none'], mysql);
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout.includes(PAIR)).toBe(false);
  });

  it('is refused among other files', async () => {
    writeFileSync(path('m.sql'), mysql);
    writeFileSync(path('a.txt'), 'a\n');
    for (const files of [
      ['m.sql', 'a.txt'],
      ['a.txt', 'm.sql'],
    ]) {
      const { status, stdout, stderr } = await utf8(['convert', ...from, ...files.map(path)]);
      expect([status, stdout.toString(), stderr]).toEqual([
        2,
        '',
        `utf8: ${path('m.sql')}: is a dump in the format mysqldump, whose records are converted from one input at a time; run utf8 once per file\n`,
      ]);
    }
    const { status, stderr } = await utf8(['convert', ...from, path('a.txt'), '-'], mysql);
    expect([status, stderr]).toEqual([2, expect.stringContaining('-: is a dump')]);
  });

  it('works with options for records, and a range', async () => {
    writeFileSync(path('m.sql'), mysql);
    const args = [
      '--rejects',
      path('bad'),
      '--range',
      `0-${mysql.length}`,
      '--resume',
      '-o',
      path('out'),
    ];
    const { status } = await utf8(['convert', ...from, path('m.sql'), ...args]);
    expect([status, readFileSync(path('out'))]).toEqual([0, kept]);
  });
});

describe('SQL of no program that is known', () => {
  const convert = (...parts: (string | Uint8Array)[]) => utf8(['convert', ...from], join(...parts));

  it.each([
    ['mysqldump', 'CREATE TABLE `page` (`id` int, `body` text) DEFAULT CHARSET=utf8mb4;\n'],
    ['mysqldump', 'DROP TABLE IF EXISTS t;\nCREATE TABLE t (a int) ENGINE=InnoDB;\n'],
    [
      'mysqldump',
      '/*!40014 SET FOREIGN_KEY_CHECKS=0*/;\nCREATE TABLE t (a text);\nINSERT INTO t VALUES (1);\n',
    ],
    ['mysqldump', 'USE `d`;\n'],
    [
      'mysqldump',
      'mysqldump: [Warning] Using a password on the command line interface can be insecure.\n-- MySQL dump 10.13\n/*!40101 SET NAMES utf8mb4 */;\nCREATE TABLE `t` (a text);\n',
    ],
    ['pg_dump', "SET client_encoding = 'LATIN1';\nSET standard_conforming_strings = on;\n"],
    ['pg_dump', 'CREATE TABLE t (a text);\nCOPY t (a) FROM stdin;\nx\n\\.\n'],
    ['pg_dump', 'ALTER TABLE ONLY t ADD a text;\n'],
    ['sqlite', 'BEGIN TRANSACTION;\nCREATE TABLE t (a INTEGER PRIMARY KEY AUTOINCREMENT);\n'],
  ])('is read as %s: %s', async (format, sql) => {
    const { status, stdout, stderr } = await convert(sql);
    expect([status, stdout.toString(), stderr.split('\n')[0]]).toEqual([
      0,
      sql,
      notice('-', format),
    ]);
  });

  it.each([
    ['a blob', "CREATE TABLE t (a text, b blob);\nINSERT INTO t VALUES ('x', '"],
    ['a table of which nothing is known', "INSERT INTO t VALUES ('"],
    ['hexadecimal digits', "CREATE TABLE t (a text);\nINSERT INTO t VALUES (0x41, '"],
    [
      'marks of two dialects',
      "CREATE TABLE `t` (a INTEGER AUTOINCREMENT, b blob);\nINSERT INTO `t` VALUES ('",
    ],
  ])('has to be named if it has %s', async (_, sql) => {
    const { status, stdout, stderr } = await convert(sql, PAIR, "');\n");
    expect([status, stdout.toString(), stderr]).toEqual([
      2,
      '',
      'utf8: -: is SQL of an unknown program, and binary values in it may look like text; specify it with --format mysqldump, --format pg_dump or --format sqlite, or with --format none if it has no binary values\n',
    ]);
  });

  it('is plain text if nothing but text can change', async () => {
    const text = "CREATE TABLE t (id int, a text);\nINSERT INTO t VALUES (1, '";
    const { status, stdout, stderr } = await convert(text, PAIR, "');\n");
    expect([status, stdout.toString(), stderr]).toEqual([0, `${text}😀');\n`, '']);
    const ascii = "INSERT INTO t VALUES (X'41', 'x');\n";
    expect(await convert(ascii)).toMatchObject({ status: 0, stderr: '' });
  });

  it.each([
    'Set the table.\n',
    'Insert the card, please.\n',
    'use it\n',
    '-- \n',
    '/* */\n',
    '# x\n',
    '\n',
    '',
  ])('is not %j', async (text) => {
    const { status, stdout, stderr } = await convert(text, PAIR);
    expect([status, stdout.toString(), stderr]).toEqual([0, `${text}😀`, '']);
  });
});

describe('a guess', () => {
  const scan = async (name: string, content: string | Uint8Array, ...args: string[]) => {
    writeFileSync(path(name), content);
    const { status, stdout, stderr } = await utf8(['scan', path(name), ...args]);
    return [
      status,
      stderr.replaceAll(path(name), name),
      stdout.toString().replaceAll(path(name), name),
    ] as const;
  };

  it.each([
    ['a.csv', 'id,name\n1,a\n', '--format csv'],
    ['a.csv', 'id;name\n1;"a,b\n"\n2;c\n', "--format csv --delimiter ';'"],
    ['a.csv', 'id\tname\n1\ta\n', "--format csv --delimiter '\\t'"],
    ['a.csv', 'id|name\n1|a\n', "--format csv --delimiter '|'"],
    ['a.csv', 'name\na\n', '--format csv'],
    ['a.csv', 'name\na,b\n', '--format csv'],
    ['a.tsv', 'id\tname\n1\ta\n', '--format tsv'],
    ['noname', 'id,name\n1,a\n', '--format csv'],
    ['noname', 'id\tname\n1\ta\n', '--format tsv'],
    ['a.json', '[{"a":1},\n{"a":2}]\n', '--format json'],
    ['a.txt', '{"a":1}\n{"a":2}\n', '--format jsonl'],
    ['a.ndjson', '\n{"a":1}\n', '--format jsonl'],
    ['a.txt', 'one, two\nthree\n', '--format lines'],
  ])('%s with %j', async (name, content, format) => {
    const [status, stderr] = await scan(name, content);
    expect([status, stderr]).toEqual([
      0,
      `utf8: ${name}: read with ${format}, a guess by its name and content; another --format overrides it\n`,
    ]);
  });

  it.each([
    [
      'a.csv',
      '1,5;2,5\n3,5;4,5\n',
      "may be read as --format csv --delimiter ',' or --format csv --delimiter ';'; specify one of them",
    ],
    [
      'a.tsv',
      'a\tb\\nc\n',
      'may be read as --format tsv or --format tab or --format copy; specify one of them',
    ],
    ['noname', 'prose\n', 'its format is not recognised; specify it with --format'],
  ])('of several, or none: %s with %j', async (name, content, question) => {
    expect(await scan(name, content)).toEqual([2, `utf8: ${name}: ${question}\n`, '']);
  });

  it('is part of the next command, which works', async () => {
    const [status, , stdout] = await scan('a.csv', join('id;name\n1;', PAIR, '\n'));
    const next = stdout.split('\n').find((line) => line.startsWith('Next: '));
    expect([status, next]).toEqual([
      1,
      expect.stringContaining("convert a.csv --format csv --delimiter ';' --from"),
    ]);
  });

  it('of one format holds for all files', async () => {
    writeFileSync(path('b.csv'), 'a,b\n');
    writeFileSync(path('b.json'), '[{"a":1}]');
    const { status, stderr } = await utf8(['scan', path('b.csv'), path('b.json')]);
    expect([status, stderr]).toEqual([2, expect.stringContaining('scan them one by one')]);
  });

  it('is for records alone: clean text is converted as it was', async () => {
    const broken = 'a,b\n1,"x" y\n2,\0\n';
    writeFileSync(path('c.csv'), join(broken, PAIR));
    const plain = await utf8(['convert', ...from, path('c.csv')]);
    expect([plain.status, plain.stdout.toString(), plain.stderr]).toEqual([0, `${broken}😀`, '']);
    const records = await utf8(['convert', ...from, path('c.csv'), '--rejects', path('r')]);
    expect([records.status, records.stdout.toString()]).toEqual([3, '']);
    expect(records.stderr).toContain(
      'its format csv was a guess; specify the right one with --format, or read it as plain text with --format none',
    );
  });

  it('lets options for records work', async () => {
    writeFileSync(path('d.csv'), join('id;name\n1;', PAIR, '\n2;', hex('FF'), '\n'));
    const args = [
      'convert',
      ...from,
      path('d.csv'),
      '--rejects',
      path('r.csv'),
      '-o',
      path('d.out'),
    ];
    const { status, stderr } = await utf8(args);
    expect([status, readFileSync(path('d.out'), 'utf8')]).toEqual([1, 'id;name\n1;😀\n']);
    expect(stderr).toContain("read with --format csv --delimiter ';', a guess");
    expect(readFileSync(path('r.csv'))).toEqual(join('id;name\n2;', hex('FF'), '\n'));
  });
});
