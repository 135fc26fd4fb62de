/** Noncharacters, which Redshift refuses and UTF-8 does not. */
import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type ConvertOptions, convertDump, revertDump, scanDump } from '../src/index.js';
import { useFolder } from './use-folder.js';

const path = useFolder();

type Options = Omit<ConvertOptions, 'input' | 'output'>;

/** Converts, undoes that, and returns the result. */
const convert = async (text: string, options: Options): Promise<string> => {
  writeFileSync(path('in'), text);
  const files = { input: path('in'), output: path('out'), undo: path('undo') };
  expect((await convertDump({ ...files, ...options })).status).toBe('converted');
  await revertDump({ input: path('out'), undo: path('undo'), output: path('again') });
  expect(readFileSync(path('again'), 'utf8')).toBe(text);
  const result = readFileSync(path('out'), 'utf8');
  writeFileSync(path('in'), result);
  const again = { ...files, input: path('in'), output: path('twice'), ...options, from: 'utf-8' };
  expect((await convertDump({ ...again, undo: undefined })).status).toBe('converted');
  expect(readFileSync(path('twice'), 'utf8')).toBe(result);
  return result;
};

// After databricks/spark-redshift#217.
const csv = 'id,description\n1,a\ufdefb\n2,x\uffffy\n3,ok\n';

describe('a noncharacter in a record', () => {
  const options = { format: 'csv', from: 'utf-8' } as const;

  it('becomes what the policy says', async () => {
    expect(await convert(csv, options)).toBe(csv);
    expect(await convert(csv, { ...options, noncharacters: 'replace' })).toBe(
      csv.replace(/\ufdef|\uffff/g, '\ufffd'),
    );
    expect(await convert(csv, { ...options, noncharacters: 'remove' })).toBe(
      csv.replace(/\ufdef|\uffff/g, ''),
    );
    writeFileSync(path('in'), csv);
    const files = { input: path('in'), output: path('out'), rejects: path('rejects') };
    await convertDump({ ...files, ...options, noncharacters: 'fail' });
    expect(readFileSync(path('out'), 'utf8')).toBe('id,description\n3,ok\n');
    expect(readFileSync(path('rejects'), 'utf8')).toBe('id,description\n1,a\ufdefb\n2,x\uffffy\n');
  });

  it('is found, and does not affect a conversion unless a policy says so', async () => {
    writeFileSync(path('in'), `${csv}4,\u{50000}\n`);
    const kept = await scanDump({ input: path('in'), ...options });
    expect(kept.findings).toEqual({ noncharacter: 2, unassigned: 1 });
    expect(kept.suggested).toEqual(['noncharacter', 'unassigned']);
    expect(kept.examples.noncharacter?.[0]).toMatchObject({ character: 'U+FDEF', offset: 18 });
    const changed = await scanDump({ input: path('in'), ...options, noncharacters: 'remove' });
    expect(changed.findings).toEqual({ noncharacter: 2, unassigned: 1 });
    expect([changed.changed, changed.suggested]).toEqual([2, ['unassigned']]);
    expect(changed.examples.noncharacter?.[0]).toMatchObject({ becomes: '', offset: 18 });
  });

  it('leaves a field that is read as before', async () => {
    const remove = { ...options, noncharacters: 'remove' } as const;
    expect(await convert('a\n\uffff"b,c\n', remove)).toBe('a\n"""b",c\n');
    expect(await convert('a,b\n\uffff,\n', remove)).toBe('a,b\n"",\n');
  });

  const long = 'x'.repeat(20_000);

  it.each([
    ['jsonl', {}, `{"a":"\\ufffe\\uD83F\\uDFFE ${long}"}\n`, `{"a":" ${long}"}\n`],
    ['jsonl', {}, '{"a":"\\\\ufffe"}\n', '{"a":"\\\\ufffe"}\n'],
    ['copy', {}, `${long}\\357\\277\\277\t\\xef\\xbf\\xbe\n`, `${long}\t\n`],
    ['copy', { jsonColumns: '1' }, '{"a":"\\\\ufdd0"}\n', '{"a":""}\n'],
    [
      'mysqldump',
      {},
      "SET NAMES utf8mb4;\nCREATE TABLE t (a text CHARACTER SET utf8mb4, b blob);\nINSERT INTO t VALUES (0x61EFBFBF,0x61EFBFBF),('\uffff',_binary '\uffff');\n",
      "SET NAMES utf8mb4;\nCREATE TABLE t (a text CHARACTER SET utf8mb4, b blob);\nINSERT INTO t VALUES (0x61,0x61EFBFBF),('',_binary '\uffff');\n",
    ],
    [
      'pg_dump',
      {},
      "SET client_encoding = 'UTF8';\nCREATE TABLE t (a text);\nINSERT INTO t VALUES (U&'a\\FFFE\\+01FFFF'), (E'\\uFFFE\\U0001FFFF');\n",
      "SET client_encoding = 'UTF8';\nCREATE TABLE t (a text);\nINSERT INTO t VALUES (U&'a'), (E'');\n",
    ],
  ])('is found in every spelling of %s %j', async (format, formatOptions, before, after) => {
    const policies = { format, formatOptions, from: 'utf-8', noncharacters: 'remove' } as const;
    expect(await convert(before, policies)).toBe(after);
  });

  it('is a pair in CESU-8', async () => {
    writeFileSync(
      path('in'),
      Buffer.from('a\ned a0 bf ed bf be ed a0 bd ed b8 80'.slice(2).replaceAll(' ', ''), 'hex'),
    );
    const files = { input: path('in'), output: path('out') };
    const policies = { format: 'lines', from: 'cesu-8', noncharacters: 'replace' } as const;
    await convertDump({ ...files, ...policies });
    expect(readFileSync(path('out'), 'utf8')).toBe('\ufffd😀');
  });
});

it('plain text has no policy', async () => {
  const files = { input: path('in'), output: path('out') };
  await expect(convertDump({ ...files, from: 'utf-8', noncharacters: 'remove' })).rejects.toThrow(
    'plain text has no policy for noncharacters; specify a format, such as lines',
  );
});
