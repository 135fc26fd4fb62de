/** XML in columns: what no parser of XML accepts is found, and repaired where a column is declared as XML. */
import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  type ConvertOptions,
  convertDump,
  type FormatOptions,
  revertDump,
  type ScanFinding,
  scanDump,
} from '../src/index.js';
import { useFolder } from './use-folder.js';

const path = useFolder();

const convert = async (
  format: string,
  formatOptions: FormatOptions,
  text: string,
  more: Partial<ConvertOptions> = {},
) => {
  writeFileSync(path('in'), text);
  const files = { input: path('in'), output: path('out'), undo: path('undo') };
  const report = await convertDump({ ...files, format, formatOptions, from: 'utf-8', ...more });
  if (report.status !== 'converted') return report.refusal;
  await revertDump({ input: path('out'), undo: path('undo'), output: path('again') });
  expect(readFileSync(path('again'), 'utf8')).toBe(text);
  return readFileSync(path('out'), 'utf8');
};

const scan = async (format: string, formatOptions: FormatOptions, text: string) => {
  writeFileSync(path('in'), text);
  const findings: ScanFinding[] = [];
  const onFinding = (finding: ScanFinding): void => void findings.push(finding);
  await scanDump({ input: path('in'), format, formatOptions, from: 'utf-8', onFinding });
  return findings;
};

const XML = '<a>&#55357;&#56838;</a>';
const GOOD = '<a>&#128518;</a>';

const cases: readonly (readonly [
  format: string,
  options: FormatOptions,
  text: string,
  name: string,
])[] = [
  ['csv', {}, `id,x\n1,"${XML}"\n`, 'x'],
  ['tsv', { header: false }, `1\t${XML}\n`, '2'],
  ['copy', { columns: 'id,x' }, `1\t${XML}\n`, 'x'],
  ['tab', { columns: 'id,x', assume: 'text' }, `1\t${XML}\n`, 'x'],
  ['lines', {}, `${XML}\n`, '1'],
  ['json', {}, `[{"x":["${XML}"]}]`, 'x[]'],
  ['jsonl', {}, `{"x":["${XML}"]}\n`, 'x[]'],
  [
    'mysqldump',
    {},
    `SET NAMES utf8mb4;\nCREATE TABLE t (x text);\nINSERT INTO t VALUES ('${XML}');\n`,
    't.x',
  ],
  [
    'pg_dump',
    {},
    `SET client_encoding = 'UTF8';\nCREATE TABLE t (x text);\nCOPY t (x) FROM stdin;\n${XML}\n\\.\n`,
    't.x',
  ],
  ['sqlite', {}, `CREATE TABLE t(x TEXT);\nINSERT INTO t VALUES('${XML}');\n`, 't.x'],
];

describe.each(cases)('XML in %s', (format, options, text, name) => {
  const bytes = Buffer.from('&#55357;&#56838;')
    .toString('hex')
    .toUpperCase()
    .replace(/..(?!$)/g, '$& ');
  const place = { offset: text.indexOf('&'), bytes };

  it('is found in a column that nothing declares', async () => {
    expect(await scan(format, options, text)).toMatchObject([{ kind: 'undeclared-xml', ...place }]);
    expect(await convert(format, options, text)).toBe(text);
  });

  it('is repaired in a column that is named', async () => {
    const declared = { ...options, xmlColumns: name };
    expect(await scan(format, declared, text)).toMatchObject([{ kind: 'pair', ...place }]);
    expect(await convert(format, declared, text)).toBe(text.replace(XML, GOOD));
  });
});

describe('a column of xml in PostgreSQL', () => {
  const head = "SET client_encoding = 'UTF8';\nCREATE TABLE t (id int, x xml, y xml[]);\n";
  const copy = `${head}COPY t (id, x, y) FROM stdin;\n`;

  it('is declared by its type', async () => {
    const rows = `1\t${XML}\t{"${XML}"}\n2\t<a>\\x01</a>\t\\N\n`;
    const more = { controls: 'remove' } as const;
    expect(await convert('pg_dump', {}, `${copy}${rows}\\.\n`, more)).toBe(
      `${copy}1\t${GOOD}\t{"${GOOD}"}\n2\t<a></a>\t\\N\n\\.\n`,
    );
    const insert = `${head}INSERT INTO t VALUES (1, E'<a>\\u0001&#1;</a>', NULL);\n`;
    expect(await convert('pg_dump', {}, insert, more)).toBe(
      `${head}INSERT INTO t VALUES (1, E'<a></a>', NULL);\n`,
    );
    // Far from the statement that declares it.
    const clean = '1\t<a/>\t\\N\n'.repeat(30_000);
    expect(await convert('pg_dump', {}, `${copy}${clean}1\t${XML}\t\\N\n\\.\n`)).toBe(
      `${copy}${clean}1\t${GOOD}\t\\N\n\\.\n`,
    );
  });

  it('is refused if it contains what XML excludes', async () => {
    const text = `${copy}1\t<a>\x01</a>\t\\N\n\\.\n`;
    const refusal = { kind: 'control', column: 'x', offset: text.indexOf('\x01'), bytes: '01' };
    expect(await convert('pg_dump', {}, text)).toMatchObject(refusal);
    expect(await scan('pg_dump', {}, text)).toMatchObject([refusal]);
    expect(await convert('pg_dump', {}, text, { controls: 'keep' })).toBe(text);
    const lone = `${copy}1\t<a>&#55357;</a>\t\\N\n\\.\n`;
    expect(await convert('pg_dump', {}, lone)).toMatchObject({ kind: 'unpaired-surrogate' });
    const nul = `${copy}1\t<a>&#0;</a>\t\\N\n\\.\n`;
    expect(await convert('pg_dump', {}, nul)).toMatchObject({ kind: 'nul' });
  });
});

it('a control is found where XML declares itself', async () => {
  const text = 'a,b\n"<?xml version=""1.0""?><a>\x02</a>",<a>\x01</a>\n';
  const found = await scan('csv', {}, text);
  expect(found).toMatchObject([
    { kind: 'undeclared-xml', column: 'a', offset: text.indexOf('\x02'), bytes: '02' },
  ]);
  const declared = { xmlColumns: 'a,b' };
  expect(await convert('csv', declared, text, { controls: 'remove' })).toBe(
    text.replace('\x01', '').replace('\x02', ''),
  );
});

it('controls of other columns stay', async () => {
  const text = 'a,b\n\x01&#1;,&#55357;\n';
  expect(await convert('csv', { xmlColumns: 'x' }, text)).toBe(text);
  expect(await scan('csv', {}, text)).toEqual([]);
});

it('plain text has no policy for controls', async () => {
  const files = { input: path('in'), output: path('out') };
  await expect(convertDump({ ...files, from: 'utf-8', controls: 'keep' })).rejects.toThrow(
    'plain text has no policy for controls; specify a format',
  );
});
