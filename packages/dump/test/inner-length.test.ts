/** Lengths inside values, in every format that may contain PHP's serialized values. */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type ConvertOptions, convertDump } from '../src/index.js';
import { revertDump } from '../src/revert/revert.js';
import { scanDump } from '../src/scan/scan.js';
import { verifyDump } from '../src/verify/verify.js';
import { useFolder } from './use-folder.js';

const path = useFolder();
const SIX = '\xed\xa0\xbd\xed\xb8\x80';
const FOUR = '\xf0\x9f\x98\x80';

type Options = Partial<ConvertOptions>;

/** Converts a dump, and undoes that again. */
async function convert(dump: string, { format = 'csv', ...options }: Options) {
  for (const name of ['out', 'rejects']) rmSync(path(name), { force: true });
  writeFileSync(path('in'), dump, 'latin1');
  const { refusal, stats } = await convertDump({
    input: path('in'),
    output: path('out'),
    undo: path('undo'),
    stats: path('stats'),
    from: 'cesu-8+utf-8',
    format,
    ...options,
  });
  const read = (name: string): string | undefined =>
    existsSync(path(name)) ? readFileSync(path(name), 'latin1') : undefined;
  if (!refusal) {
    await revertDump({ input: path('out'), undo: path('undo'), output: path('back') });
    if (!options.rejects) expect(read('back')).toBe(dump);
  }
  return { output: read('out'), rejects: read('rejects'), refusal, stats };
}

async function scan(dump: string, format: string, options: object = {}) {
  writeFileSync(path('in'), dump, 'latin1');
  return scanDump({ input: path('in'), format, from: 'cesu-8+utf-8', ...options });
}

const asText = { formatOptions: { assume: 'text' } };

/** A value with a quote, a backslash and a line feed, within another one. */
function wrap(text: string): string {
  const inner = `a:1:{s:7:"content";s:${8 + text.length}:"it's "\\\n${text}";}`;
  return `a:2:{i:2;s:${inner.length}:"${inner}";s:12:"_multiwidget";i:1;}`;
}

const slash = (text: string): string => text.replace(/["'\\]/g, '\\$&').replaceAll('\n', '\\n');
const copy = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');
const json = (text: string): string => JSON.stringify(text).slice(1, -1);
const digits = (text: string): string => Buffer.from(text, 'latin1').toString('hex').toUpperCase();

/** A file of each format, by the value in it. */
const files: readonly (readonly [string, Options, (value: string) => string])[] = [
  [
    'mysqldump',
    asText,
    (t) => `SET NAMES utf8mb4;\nINSERT INTO t VALUES (1,'${slash(t)}'),(2,'x');\n`,
  ],
  [
    'mysqldump',
    {},
    (t) =>
      `SET NAMES utf8mb4;\nCREATE TABLE t (a int, b text) CHARSET=utf8mb4;\nINSERT INTO t VALUES (1,0x${digits(t)});\n`,
  ],
  ['pg_dump', asText, (t) => `INSERT INTO t VALUES (1, '${t.replaceAll("'", "''")}');\n`],
  ['pg_dump', asText, (t) => `INSERT INTO t VALUES (1, E'${slash(t)}');\n`],
  [
    'pg_dump',
    {},
    (t) => `CREATE TABLE t (a int, b text);\nCOPY t (a, b) FROM stdin;\n1\t${copy(t)}\n\\.\n`,
  ],
  [
    'pg_dump',
    {},
    (t) =>
      `CREATE TABLE t (a int, b json);\nCOPY t (a, b) FROM stdin;\n1\t${copy(`{"a": "${json(t)}"}`)}\n\\.\n`,
  ],
  [
    'pg_dump',
    {},
    (t) =>
      `CREATE TABLE t (a int, b text);\nCOPY t (a, b) FROM stdin;\n1\t${copy(`{"a": "${json(t)}"}`)}\n\\.\n`,
  ],
  ['sqlite', {}, (t) => `INSERT INTO t VALUES(1,'${t.replaceAll("'", "''")}');\n`],
  [
    'sqlite',
    {},
    (t) =>
      `INSERT INTO t VALUES(1,unistr('${t.replaceAll('\\', '\\\\').replaceAll("'", "''").replaceAll('\n', '\\u000a')}'));\n`,
  ],
  ['copy', {}, (t) => `1\t${copy(t)}\n`],
  ['tab', asText, (t) => `1\t${copy(t)}\n`],
  ['csv', {}, (t) => `a,b\n1,"${t.replaceAll('"', '""')}"\n`],
  [
    'csv',
    { formatOptions: { escape: '\\' } },
    (t) => `a,b\n1,"${t.replace(/["\\\n]/g, '\\$&')}"\n`,
  ],
  ['jsonl', {}, (t) => `{"a":1,"b":"${json(t)}"}\n`],
  ['json', {}, (t) => `[{"a":1,"b":["${json(t)}"]}]\n`],
  ['lines', {}, (t) => `${t.replaceAll('\n', ' ')}\n`],
];

describe('PHP counts', () => {
  it.each(files.map(([format, options, write]) => [format, write('…'), options, write] as const))(
    'the bytes of a text in %s: %s',
    async (format, _, options, write) => {
      const [before, after] = [write(wrap(SIX)), write(wrap(FOUR))];
      const { output, refusal, stats } = await convert(before, { format, ...options });
      expect({ output, refusal }).toEqual({ output: after, refusal: undefined });
      expect(stats).toMatchObject({ findings: { pair: 1, 'inner-length': 2 } });
      const report = await scan(before, format, options);
      expect(report.findings).toMatchObject({ pair: 1, 'inner-length': 2 });
      expect(report).toMatchObject({ changed: 1, rejected: 0 });
    },
  );

  it('the bytes of rows among others that are transcoded together', async () => {
    const rows = (text: string, value: string): string =>
      Array.from({ length: 1000 }, (_, i) =>
        i % 200 === 7 ? `${value}\n` : `${text} ${i}\n`,
      ).join('');
    const value = (text: string): string => `s:${text.length}:"${text}";`;
    for (const format of ['lines', 'copy']) {
      const { output, stats } = await convert(rows(SIX, value(SIX)), { format });
      expect(output).toBe(rows(FOUR, value(FOUR)));
      expect(stats).toMatchObject({ findings: { pair: 1000, 'inner-length': 5 } });
      const kept = await convert(rows(SIX, value(SIX)), { format, innerLengths: 'keep' });
      expect(kept.output).toBe(rows(FOUR, `s:6:"${FOUR}";`));
    }
  });
});

const cut = `a:2:{i:0;s:6:"${SIX}";i:1`;

describe('a value that cannot be parsed as a whole', () => {
  const dump = `fine ${SIX}\n${cut}\nmore\n`;

  it('ends the run, with its place', async () => {
    const { output, refusal } = await convert(dump, { format: 'lines' });
    expect(output).toBeUndefined();
    expect(refusal).toMatchObject({ kind: 'inner-length', record: 2, line: 2, offset: 21 });
  });

  it('is rejected if there is a file for that', async () => {
    const { output, rejects } = await convert(dump, { format: 'lines', rejects: path('rejects') });
    expect([output, rejects]).toEqual([`fine ${FOUR}\nmore\n`, `${cut}\n`]);
  });

  it('is converted if its lengths may be wrong', async () => {
    const allow = ['inner-length'] as const;
    const { output, stats } = await convert(dump, { format: 'lines', allow });
    expect(output).toBe(dump.replaceAll(SIX, FOUR));
    expect(stats).toMatchObject({ findings: { 'inner-length': 1 } });
    const other = await convert(`${cut}\xff\n`, { format: 'lines', allow });
    expect(other.refusal).toMatchObject({ kind: 'legacy-byte' });
  });

  it('is found by a scan, and so is a length that was wrong before', async () => {
    const report = await scan(`${dump}a:1:{i:0;s:5:"${SIX}";}\n`, 'lines');
    expect(report).toMatchObject({ changed: 1, rejected: 2, findings: { 'inner-length': 2 } });
    const [one, other] = report.examples['inner-length'] ?? [];
    expect(one).toMatchObject({ bytes: '73 3A 36 3A', becomes: null });
    expect(other).toMatchObject({ bytes: '73 3A 35 3A', becomes: null, isAlreadyWrong: true });
  });
});

it.each([
  [
    'MySQL',
    'mysqldump',
    `SET NAMES utf8mb4;\nINSERT INTO t VALUES ('a:1:{i:0;s:6:\\"' '${SIX}\\";}');\n`,
  ],
  ['PostgreSQL', 'pg_dump', `INSERT INTO t VALUES ('s:7:"' || chr(10) || '${SIX}";');\n`],
])('a value of several strings with lengths ends the run: %s', async (_, format, dump) => {
  const { refusal } = await convert(dump, { format, ...asText });
  expect(refusal).toMatchObject({ kind: 'inner-length' });
  expect(await scan(dump, format, asText)).toMatchObject({ rejected: 1, changed: 0 });
  const allowed = await convert(dump, { format, ...asText, allow: ['inner-length'] });
  expect(allowed.output).toBe(dump.replace(SIX, FOUR));
});

it('strings of other values do not matter', async () => {
  const dump = `INSERT INTO t VALUES ('s:6:"abcdef";', '${SIX}' || 'b');\n`;
  const { output } = await convert(dump, { format: 'pg_dump', ...asText });
  expect(output).toBe(dump.replace(SIX, FOUR));
});

it('the policy fail refuses what could be counted again', async () => {
  const { refusal } = await convert(`s:6:"${SIX}";\n`, { format: 'lines', innerLengths: 'fail' });
  expect(refusal).toMatchObject({ kind: 'inner-length', bytes: '73 3A 36 3A' });
});

it('plain text has no policy', async () => {
  await expect(convert('', { format: 'none', innerLengths: 'repair' })).rejects.toThrow(
    'plain text has no policy for inner lengths; specify a format',
  );
});

it('a comparison expects lengths that are counted again, and names those that are not', async () => {
  const write = (name: string, value: string) => {
    writeFileSync(path(name), `a,b\n1,"${value.replaceAll('"', '""')}"\n`, 'latin1');
    return { input: path(name), format: 'csv' };
  };
  const source = write('source', wrap(SIX));
  const from = { from: 'cesu-8+utf-8', keys: ['a'] };
  const good = await verifyDump({ ...from, source, target: write('good', wrap(FOUR)) });
  expect(good).toMatchObject({ isProved: true });
  const target = write('bad', wrap(SIX).replace(SIX, FOUR));
  const bad = await verifyDump({ ...from, source, target });
  expect(bad.isProved).toBe(false);
  expect(JSON.stringify(bad.examples)).toContain('"options":{"innerLengths":"keep"}');
  const kept = await verifyDump({ ...from, source, target, innerLengths: 'keep' });
  expect(kept).toMatchObject({ isProved: true });
});
