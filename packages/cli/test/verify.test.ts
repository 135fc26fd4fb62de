import { readFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { runBuilt } from './built.js';
import { plainEnv, useFolder, utf8 } from './command.js';

const path = useFolder();

/** Replaces `<…>` by bytes in hex. */
const toBytes = (text: string): Buffer =>
  Buffer.concat(
    text
      .split(/<([^>]*)>/)
      .map((part, i) =>
        Buffer.from(i % 2 ? part.replaceAll(' ', '') : part, i % 2 ? 'hex' : 'utf8'),
      ),
  );

function write(name: string, text: string): string {
  writeFileSync(path(name), toBytes(text));
  return path(name);
}

const source = `CREATE TABLE \`users\` (\`id\` int, \`name\` text, \`data\` blob);
INSERT INTO \`users\` VALUES (1,'a<ED A0 BD ED B8 80>b',0x4142),(2,'Ada',NULL),
(3,'gone','x'),(4,'half <ED A0 BD>',NULL);
`;
const sides = ['--source', 'format=mysqldump', '--target', 'format=csv'];
const PAIR = 'ED A0 BD ED B8 80';

describe('a dump beside a table', () => {
  const old = () => write('old.sql', source);

  it('is summed up by class, with the place, the key and the bytes', async () => {
    const target = write(
      'new.csv',
      'id,name,data\n4,half \\ud83d,\n2,Ad,\n1,a?b,\\x4142\n9,new,\n',
    );
    const args = ['verify', ...sides, '--key', 'id', old(), target];
    const { status, stdout, stderr } = await utf8(args);
    expect([status, stderr]).toEqual([1, '']);
    const text = stdout.toString().replaceAll(path(''), '').replaceAll('/', '');
    expect(text.split('\n').sort()).toEqual(
      `4 records in the source, 4 in the target: 0 equal, 0 explained by the policies

missing 1: users 1
  old.sql:3: record 3, table users, id "3"

extra 1: users 1
  new.csv:5: record 4, table users, id "9"

escape 1: users.name 1
  old.sql:3: column name (record 4, table users, id "4"): "half \\\\xed\\\\xa0\\\\xbd" [68 61 6C 66 20 ED A0 BD] is "half \\\\ud83d" [68 61 6C 66 20 5C 75 64 38 33 64] in new.csv:2 (as with --unpaired-surrogates escape)

replacement 1: users.name 1
  old.sql:2: column name (record 1, table users, id "1"): "a😀b" [61 ${PAIR} 62], expected "a😀b" [61 F0 9F 98 80 62], is "a?b" [61 3F 62] in new.csv:4

truncation 1: users.name 1
  old.sql:2: column name (record 2, table users, id "2"): "Ada" [41 64 61] is "Ad" [41 64] in new.csv:3 (after 2 characters, 2 bytes)
`
        .split('\n')
        .sort(),
    );
  });

  it('ends with 0 if the policies and the rejects explain everything', async () => {
    const target = write('good.csv', 'id,name,data\n2,Ada,\n4,half \\ud83d,\n1,a😀b,\\x4142\n');
    const rejects = write('rejects.sql', "INSERT INTO `users` VALUES (3,'gone','x');\n");
    const args = ['verify', ...sides, '--key', 'id', '--rejects', rejects, old(), target];
    expect((await utf8(args)).status).toBe(1);
    const { status, stdout } = await utf8([...args, '--unpaired-surrogates', 'escape']);
    expect(status).toBe(0);
    expect(stdout.toString()).toMatch(/: 1 equal, 2 explained by the policies\n/);
    expect(stdout.toString()).toMatch(/\nrejected 1, explained: users 1\n/);
  });

  it('is reported as JSON, and in a file', async () => {
    const target = write('new2.csv', 'id,name,data\n1,a😀b,\\x4142\n2,Ada,\n');
    const report = path('report.jsonl');
    const args = ['verify', '--json', '--report', report, ...sides, '--key', 'id', old(), target];
    const { status, stdout, stderr } = await utf8(args);
    expect(status).toBe(1);
    const lines = stdout
      .toString()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const summary = lines.pop();
    expect(lines.map((each) => each.class).sort()).toEqual(['missing', 'missing', 'repair']);
    expect(stderr).toBe('');
    expect(summary).toMatchObject({
      type: 'summary',
      isProved: false,
      records: { source: 4, target: 2, equal: 1, explained: 1 },
      findings: { missing: 2, repair: 1 },
      tables: [{ source: 'users', target: null, key: ['id'] }],
    });
    const saved = readFileSync(report, 'utf8').trim().split('\n');
    expect(saved.map((line) => JSON.parse(line))).toEqual(lines);
  });

  it('escapes what a terminal would obey', async () => {
    const one = write('evil.csv', 'id,na\u001b[2Jme\n1,a\u001b]0;x\u0007\u202eb\n');
    const other = write('evil2.csv', 'id,na\u001b[2Jme\n1,\u009bm\n');
    const { stdout } = await utf8(['verify', '--format', 'csv', '--key', 'id', one, other]);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these must not be there.
    expect(stdout.toString()).not.toMatch(/[\0-\x09\x0b-\x1f\x7f-\x9f\u202e]/);
    expect(stdout.toString()).toContain('\\u001b');
  });

  it('tells that no key was given, and that nothing was compared', async () => {
    const file = write('a.csv', 'id\n1\n');
    const { status, stdout } = await utf8(['verify', '--format', 'csv', file, file]);
    expect([status, stdout.toString().split('\n')[1]]).toEqual([
      0,
      'whole records were compared; --key compares values',
    ]);
    const empty = write('empty.csv', 'id\n');
    const result = await utf8(['verify', '--format', 'csv', empty, empty]);
    expect([result.status, result.stdout.toString()]).toEqual([
      1,
      'no records in either file, so nothing was compared\n',
    ]);
  });

  it('reads stdin, with dialects of each side and of both', async () => {
    const target = write('semicolon.csv', '2;b\n1;<E2 82 AC>\n');
    const args = [
      'verify',
      '--format',
      'csv',
      '--key',
      '1',
      '--no-header',
      '--target',
      'delimiter=;',
    ];
    const { status, stderr } = await utf8([...args, '-', target], '1,€\n2,b\n');
    expect([status, stderr]).toEqual([0, '']);
  });
});

describe('usage errors of verify end with 2 and one sentence', () => {
  it.each([
    [['--format', 'csv', 'a'], 'expected two files, SOURCE and TARGET; see utf8 verify --help'],
    [['--format', 'csv', 'a', 'b', 'c'], 'unexpected argument "c"; see utf8 verify --help'],
    [['--format', 'csv', '-', '-'], 'stdin can be read only once; specify - once'],
    [
      ['--format', 'csv', '--json', '--max', '1', 'a', 'b'],
      '--max limits the summary, which --json replaces; use one of them; see utf8 verify --help',
    ],
    [
      ['--format', 'csv', '--report', '-', 'a', 'b'],
      '--report needs a file; --json prints the same; see utf8 verify --help',
    ],
    [
      ['--format', 'csv', '--report', './a', 'a', 'b'],
      '--report and the input are the same file, ./a; choose another file',
    ],
    [
      ['--format', 'mysqldump', '--delimiter', ';', 'a', 'b'],
      '--delimiter applies to copy, csv, tsv, tab; remove it for --format mysqldump; see utf8 verify --help',
    ],
    [
      ['--format', 'mysqldump', '--null', 'x', 'a', 'b'],
      '--null applies to copy, csv, tsv, tab; remove it for --format mysqldump',
    ],
    [
      ['--format', 'csv', '--source', 'delimeter=;', 'a', 'b'],
      '--source "delimeter=;": unknown key (did you mean delimiter?); expected format, null, json-columns, xml-columns, delimiter, columns, binary, quote, escape, quoted-escape, no-header, schema, schema-table, assume, group, fix-header; see utf8 verify --help',
    ],
    [
      ['--target', 'format=csvs', 'a', 'b'],
      '--target format "csvs": expected lines, copy, csv, tsv, tab, json, jsonl, mysqldump, pg_dump, sqlite (did you mean csv?); see utf8 verify --help',
    ],
    [
      ['--target', 'quote', 'a', 'b'],
      '--target "quote": quote needs a value: --target quote=CHARACTER; see utf8 verify --help',
    ],
    [
      ['--target', 'no-header=yes', 'a', 'b'],
      '--target "no-header=yes": no-header accepts no value; see utf8 verify --help',
    ],
    [
      ['--source', 'null=', '--source', 'null=NA', 'a', 'b'],
      '--source null is given twice; remove one of them; see utf8 verify --help',
    ],
    [
      ['--format', 'csv', '--table', '=', 'a', 'b'],
      '--table "=": expected the name of a table, or SOURCE=TARGET if the names differ',
    ],
  ])('%j', async (args, sentence) => {
    const { status, stdout, stderr } = await utf8(['verify', ...args]);
    expect([status, stdout.toString(), stderr]).toEqual([2, '', `utf8: ${sentence}\n`]);
  });

  it('an input that cannot be read ends with 3', async () => {
    const { status, stderr } = await utf8([
      'verify',
      '--format',
      'csv',
      path('none'),
      path('none'),
    ]);
    expect([status, stderr]).toEqual([3, `utf8: ${path('none')}: no such file; check the name\n`]);
  });
});

it('memory stays constant, at 64 MiB of records on each side in opposite orders', {
  tags: ['slow'],
}, async () => {
  const MIB = 1 << 20;
  const text = 'Grün, 한국, plain text '.repeat(15);
  const count = 150_000;
  const lines = Array.from({ length: count }, (_, i) => `${i},"${text}",${i % 2 ? '😀' : 'x'}\n`);
  writeFileSync(path('large.csv'), `id,name,x\n${lines.join('')}`);
  writeFileSync(path('large2.csv'), `id,name,x\n${lines.reverse().join('')}`);
  writeFileSync(
    path('report.mjs'),
    `process.on('exit', () => process.stderr.write(String(process.resourceUsage().maxRSS * 1024)));`,
  );
  const args = ['verify', '--format', 'csv', '--key', 'id', path('large.csv'), path('large2.csv')];
  const env = plainEnv({ NODE_OPTIONS: `--import ${pathToFileURL(path('report.mjs'))}` });
  const { status, stdout, stderr } = await runBuilt(args, '', { env });
  expect([status, stdout.toString()]).toEqual([
    0,
    `${count} records in the source, ${count} in the target: ${count} equal, 0 explained by the policies\n`,
  ]);
  expect(Number(stderr)).toBeGreaterThan(MIB);
  expect(Number(stderr)).toBeLessThan(256 * MIB);
});
