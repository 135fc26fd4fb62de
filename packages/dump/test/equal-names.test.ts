/** Names of columns and tables that a repair makes equal: no run passes them in silence. */
import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { convertDump } from '../src/convert/convert.js';
import { scanDump } from '../src/scan/scan.js';
import { useFolder } from './use-folder.js';

const at = useFolder();

const PAIR = '\xed\xa0\xbd\xed\xb8\x80';
const FOUR = '\xf0\x9f\x98\x80';

const run = (name: 'convert' | 'scan', text: string, format: string, more: object = {}) => {
  const [input, output] = [at('in'), at('out')];
  writeFileSync(input, Buffer.from(text, 'latin1'));
  writeFileSync(output, 'before');
  const options = { input, from: 'cesu-8+utf-8', format, ...more };
  return name === 'convert' ? convertDump({ ...options, output }) : scanDump(options);
};

const cases: readonly (readonly [what: string, format: string, text: string, why: RegExp])[] = [
  [
    'columns of CSV',
    'csv',
    `id,n${PAIR},n${FOUR}\n1,A,B\n`,
    /in:1: the repaired names of columns 2 and 3 are equal; rename one of them$/,
  ],
  [
    'columns of a table',
    'mysqldump',
    `CREATE TABLE t (\n\`n${PAIR}\` text,\n\`n${FOUR}\` blob);\n`,
    /in:3: the repaired names of two columns are "n😀"; rename one of them$/u,
  ],
  ...['CREATE TABLE', 'DROP TABLE IF EXISTS'].map(
    (verb) =>
      [
        `tables, at ${verb}`,
        'mysqldump',
        `CREATE TABLE \`t${PAIR}\` (id int);\n${verb} \`t${FOUR}\` (id int);\n`,
        /in:2: the repaired name of this table and that of line 1 are both "t😀"; rename one of them$/u,
      ] as const,
  ),
];

describe.each(['convert', 'scan'] as const)(
  '%s refuses names that a repair makes equal',
  (name) => {
    it.each(cases)('%s', async (_, format, text, why) => {
      await expect(run(name, text, format)).rejects.toThrow(why);
      expect(readFileSync(at('out'), 'utf8')).toBe('before');
    });
  },
);

it('names that are equal before a repair are not refused', async () => {
  const report = await run('convert', `id,n${PAIR},n${PAIR}\n1,A,B\n`, 'csv');
  expect(report).toMatchObject({ status: 'converted' });
  const tables = `CREATE TABLE \`t${PAIR}\` (id int);\n`.repeat(2);
  expect(await run('convert', tables, 'mysqldump')).toMatchObject({ status: 'converted' });
});

it('names of columns that become equal pass if equal keys are kept', async () => {
  const text = `id,n${PAIR},n${FOUR}\n1,A,B\n`;
  const report = await run('convert', text, 'csv', { equalJsonKeys: 'keep' });
  expect(report).toMatchObject({ status: 'converted' });
});

it('a schema may spell a table in another encoding than the dump', async () => {
  writeFileSync(at('schema.sql'), Buffer.from(`CREATE TABLE \`t${FOUR}\` (c text);\n`, 'latin1'));
  const formatOptions = { schema: at('schema.sql') };
  const text = `CREATE TABLE \`t${PAIR}\` (c text);\n`;
  expect(await run('convert', text, 'mysqldump', { formatOptions })).toMatchObject({
    status: 'converted',
  });
});
