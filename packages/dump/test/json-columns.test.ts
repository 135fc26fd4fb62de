/** JSON in columns of text: what jsonb would refuse is found at its own place, and an option repairs it. */
import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { findFormat } from '../src/format/registry.js';
import {
  convertDump,
  type FormatOptions,
  revertDump,
  type ScanFinding,
  scanDump,
} from '../src/index.js';
import { useFolder } from './use-folder.js';

const path = useFolder();

const scan = async (format: string, formatOptions: FormatOptions, text: string) => {
  writeFileSync(path('in'), text);
  const findings: ScanFinding[] = [];
  const onFinding = (finding: ScanFinding): void => void findings.push(finding);
  await scanDump({ input: path('in'), format, formatOptions, from: 'utf-8', onFinding });
  return findings;
};

/** Removes U+0000 from JSON, and undoes that. */
const remove = async (format: string, formatOptions: FormatOptions, text: string) => {
  writeFileSync(path('in'), text);
  const files = { input: path('in'), output: path('out'), undo: path('undo') };
  const { status } = await convertDump({
    ...files,
    format,
    formatOptions,
    from: 'utf-8',
    nul: 'remove',
  });
  expect(status).toBe('converted');
  await revertDump({ input: path('out'), undo: path('undo'), output: path('again') });
  expect(readFileSync(path('again'), 'utf8')).toBe(text);
  return readFileSync(path('out'), 'utf8');
};

// An innocent escape precedes each that is refused, as in filecoin-project/lily#741.
const cases: readonly (readonly [
  format: string,
  options: FormatOptions,
  text: string,
  escape: string,
  name: string,
])[] = [
  ['csv', { header: false }, '1,"{""a"": ""\\ufffdx\\u0000""}"\n', '\\u0000', '2'],
  ['tsv', {}, 'a\tb\n1\t[{"a\\ufffd": "\\ud83d"}]\n', '\\ud83d', 'b'],
  ['copy', { columns: 'a,b' }, '1\t{"a": "\\\\ufffd\\\\u0000"}\n', '\\\\u0000', 'b'],
  [
    'tab',
    { columns: 'a,b', assume: 'text' },
    '1\t{"a": "\\\\ufffdx\\\\u0000"}\n',
    '\\\\u0000',
    'b',
  ],
  ['lines', {}, '{"a": "\\ufffd\\u0000"}\n', '\\u0000', '1'],
  ['json', {}, '[{"p": ["{\\"a\\": \\"\\\\ufffd\\\\u0000\\"}"]}]\n', '\\\\u0000', 'p[]'],
  ['jsonl', {}, '{"p": ["{\\"a\\": \\"\\\\ufffd\\\\u0000\\"}"]}\n', '\\\\u0000', 'p[]'],
  [
    'mysqldump',
    {},
    'SET NAMES utf8mb4;\nCREATE TABLE t (a text);\nINSERT INTO t VALUES (\'{\\"a\'\'\\": \\"\\\\ufffd\\\\u0000\\"}\');\n',
    '\\\\u0000',
    't.a',
  ],
  [
    'pg_dump',
    {},
    'SET client_encoding = \'UTF8\';\nCREATE TABLE s.t (a text);\nCOPY s.t (a) FROM stdin;\n{"\\\\ufffd": "\\\\u0000"}\n\\.\n',
    '\\\\u0000',
    't.a',
  ],
  [
    'sqlite',
    {},
    'CREATE TABLE t(a TEXT);\nINSERT INTO t VALUES(\'{"a\'\'":"\\ufffd\\u0000"}\');\n',
    '\\u0000',
    't.a',
  ],
  [
    'sqlite',
    {},
    'CREATE TABLE t(a TEXT);\nINSERT INTO t VALUES(unistr(\'{"a":"\\u000a\\\\ufffd\\\\u0000"}\'));\n',
    '\\\\u0000',
    't.a',
  ],
];

describe.each(cases)('JSON in %s', (format, options, text, unit, name) => {
  it('is found at the escape', async () => {
    const [found, ...others] = await scan(format, options, text);
    expect(others).toEqual([]);
    expect(found).toMatchObject({
      kind: 'undeclared-json',
      offset: text.indexOf(unit),
      bytes: Buffer.from(unit)
        .toString('hex')
        .toUpperCase()
        .replace(/..(?!$)/g, '$& '),
    });
  });

  it('is repaired in a column that is named', async () => {
    const declared = { ...options, jsonColumns: name };
    const [found] = await scan(format, declared, text);
    const kind = unit.includes('0000') ? 'nul' : 'unpaired-surrogate';
    expect(found).toMatchObject({ kind, offset: text.indexOf(unit), becomes: null });
    if (kind === 'nul') {
      expect(await remove(format, declared, text)).toBe(text.replace(unit, ''));
    }
  });
});

describe('a file of --tab', () => {
  const text = '1\t{"a": "x\\\\u0000"}\n';
  const one = 'CREATE TABLE `t` (`id` int, `meta` json);\n';
  const two = `${one}CREATE TABLE \`u\` (\`id\` int, \`meta\` text);\n`;
  const convert = (input: string, formatOptions: FormatOptions) => {
    writeFileSync(path(input), text);
    return convertDump({
      input: path(input),
      output: path('out'),
      format: 'tab',
      formatOptions: { schema: path('schema.sql'), ...formatOptions },
      from: 'utf-8',
    });
  };
  const refuses = { column: 'meta', offset: 10, bytes: '5C 5C 75 30 30 30 30' };

  it('has JSON where its schema says so', async () => {
    writeFileSync(path('schema.sql'), one);
    expect((await convert('any.tsv', {})).refusal).toMatchObject(refuses);
    const options = { schema: path('schema.sql') };
    expect(await remove('tab', options, text)).toBe('1\t{"a": "x"}\n');
    expect(await scan('tab', options, text)).toMatchObject([{ kind: 'nul', offset: 10 }]);
  });

  it('is the table that it is named after', async () => {
    writeFileSync(path('schema.sql'), two);
    expect((await convert('t.txt', {})).refusal).toMatchObject(refuses);
    expect((await convert('u.txt', {})).status).toBe('converted');
    expect((await convert('x.txt', { schemaTable: 't' })).refusal).toMatchObject(refuses);
    expect((await convert('u.txt', { jsonColumns: 'meta' })).refusal).toMatchObject(refuses);
  });

  it('is refused if that is not clear', async () => {
    writeFileSync(path('schema.sql'), two);
    await expect(convert('x.txt', {})).rejects.toThrow(
      '`schema` describes 2 tables (t, u), but the file is not named after any of them; specify the table with `schemaTable`',
    );
    await expect(convert('t.txt', { schemaTable: 'x' })).rejects.toThrow(
      '`schemaTable` "x": `schema` describes 2 tables (t, u)',
    );
    await expect(convert('t.txt', { schema: undefined, schemaTable: 'x' })).rejects.toThrow(
      '`schemaTable` needs `schema`, which describes it',
    );
    const input = [path('t.txt'), path('u.txt')];
    const formatOptions = { schema: path('schema.sql') };
    await expect(scanDump({ input, format: 'tab', formatOptions, from: 'utf-8' })).rejects.toThrow(
      'and the files are named after several; read one at a time',
    );
    // The name of the file is not known yet.
    expect(findFormat('tab', formatOptions).isOpaqueAscii).toBe(false);
  });
});
