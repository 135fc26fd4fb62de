/** Removals by a policy of text that separates two characters. The file is read as before without that text. */
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { seed, tier } from '../../../tooling/tiers/tier.js';
import { ConvertTransform, type ConvertTransformOptions } from '../src/convert/transform.js';
import type { Format } from '../src/format/format.js';
import { FormatError } from '../src/format/format-error.js';
import { findFormat } from '../src/format/registry.js';
import { RecordRepairer } from '../src/repair/record-repairer.js';
import { Rewriter } from '../src/rewrite/rewriter.js';
import { bytesOf } from './format-reading.js';

const base = { from: 'cesu-8+utf-8', nul: 'remove', errors: 'remove' } as const;

type Options = Omit<ConvertTransformOptions, 'from'>;

/** Converts a text in Latin-1, in which `@` is U+0000, and `#` a malformed byte. */
async function convert(text: string, options: Options): Promise<string> {
  const bytes = bytesOf(text.replaceAll('@', '\0').replaceAll('#', '\xff'));
  const transform = new ConvertTransform({ ...base, ...options });
  const output = await buffer(Readable.from([bytes]).pipe(transform));
  return output.toString('latin1').replaceAll('\xef\xbf\xbd', '�');
}

describe('a field without quotes', () => {
  it.each([
    ['that would begin with one', 'a\n@"b,c\n', 'a\n"""b",c\n'],
    ['of the header', '@"a\n1\n', '"""a"\n1\n'],
    ['that would be NULL', 'a,b\n@#,\n', 'a,b\n"",\n'],
    ['alone in its line', 'a\n@\n', 'a\n""\n'],
    ['that would lose its CR', 'a\nx\r@\n', 'a\n"x\r"\n'],
    ['that would be NULL to MySQL', 'a\nNU@LL\n', 'a\n"NULL"\n'],
    ['that would end a COPY', 'a\n\\@.\n', 'a\n"\\."\n'],
    ['that would lose U+FEFF', '@\xef\xbb\xbfa\n1\n', '"\xef\xbb\xbfa"\n1\n'],
    ['that is fine', 'a,b\nx@y#,z\n', 'a,b\nxy,z\n'],
  ])('%s', async (_, before, after) => {
    expect(await convert(before, { format: 'csv' })).toBe(after);
  });

  it('whose end would be a part of the delimiter', async () => {
    const options = { format: 'csv', formatOptions: { delimiter: '||', header: false } };
    expect(await convert('a|@||b\n|@|c||d\n', options)).toBe('"a|"||b\n"||c"||d\n');
  });

  it('gets quotes with the escapes that are used in them', async () => {
    const anywhere = { header: false, escape: '\\' };
    expect(await convert('@"a\\,b\n', { format: 'csv', formatOptions: anywhere })).toBe(
      '"\\"a,b"\n',
    );
    const quoted = { header: false, quotedEscape: '\\' };
    expect(await convert('@"a\\b\n', { format: 'csv', formatOptions: quoted })).toBe(
      '"\\"a\\\\b"\n',
    );
  });

  it('keeps U+FFFD if the format has no quotes', async () => {
    const options = {
      format: 'csv',
      formatOptions: { delimiter: '||', quote: '', header: false },
    };
    expect(await convert('a|@||b@\n', options)).toBe('a|�||b\n');
  });

  it('is refused if that does not help', async () => {
    const formatOptions = { delimiter: 'ç', quote: '', header: false };
    const options = { format: 'csv', formatOptions, errors: 'windows-1252' } as const;
    await expect(convert('a\xe7\n', options)).rejects.toThrow(
      '-:1: the repaired value of column 1 would contain a delimiter or a line end; choose another policy, or quote the field',
    );
  });
});

it.each([
  ['lines', {}],
  ['copy', {}],
  ['tab', { assume: 'text' }],
])('a last line of %s is not lost', async (format, formatOptions) => {
  expect(await convert('a\n@', { format, formatOptions })).toBe('a\n�');
  expect(await convert('a\n@\n', { format, formatOptions })).toBe('a\n\n');
});

describe('a backslash', () => {
  it.each([
    ['copy', '#\\N\ta\n', '�\\N\ta\n'],
    ['copy', '#\\.\n', '�\\.\n'],
    ['copy', '\\#.\n\\#N\n', '.\nN\n'],
    ['copy', 'a#\\.\n#\\.\ta\n', 'a\\.\n\\.\ta\n'],
    ['tab', '#\\N\ta\n', '�\\N\ta\n'],
  ])('in %s begins neither NULL nor the end: %j', async (format, before, after) => {
    const formatOptions = format === 'tab' ? { assume: 'text' } : {};
    expect(await convert(before, { format, formatOptions })).toBe(after);
    if (format === 'tab') return;
    const dump = (rows: string) =>
      `CREATE TABLE t (a text, b text);\nCOPY t FROM stdin;\n${rows}\\.\n`;
    expect(await convert(dump(before), { format: 'pg_dump' })).toBe(dump(after));
  });
});

describe('rows of a COPY in CSV', () => {
  it.each([
    ['that would begin with a quote', '@"b', '"""b"'],
    ['that would end the rows', '\\@.', '"\\."'],
    ['that would end them within quotes', '"a\n\\@.\nb"', '"a\n\\�.\nb"'],
  ])('%s', async (_, before, after) => {
    const copy = (row: string) =>
      `CREATE TABLE t (a text);\nCOPY t (a) FROM stdin (FORMAT csv);\n${row}\n\\.\n`;
    expect(await convert(copy(before), { format: 'pg_dump' })).toBe(copy(after));
  });
});

describe('text does not become code', () => {
  it.each([
    ['a comment', 'pg_dump', '/* a *@/ DROP TABLE t; */\n', '/* a *�/ DROP TABLE t; */\n'],
    [
      'one with a malformed byte',
      'pg_dump',
      '/* a *#/ DROP TABLE t; */',
      '/* a *�/ DROP TABLE t; */',
    ],
    [
      'a comment in a comment',
      'pg_dump',
      '/* /@* */ SELECT 1; -- */\n',
      '/* /�* */ SELECT 1; -- */\n',
    ],
    [
      'a function',
      'pg_dump',
      "DO $$ '$@$; DROP TABLE t; --' $$;\n",
      "DO $$ '$�$; DROP TABLE t; --' $$;\n",
    ],
    ['a tag', 'pg_dump', 'DO $a$ $a@$; DROP TABLE t; $a$;\n', 'DO $a$ $a�$; DROP TABLE t; $a$;\n'],
    [
      'code of MySQL',
      'mysqldump',
      "/*!50001 SELECT _utf8mb4'*@/' */;\n",
      "/*!50001 SELECT _utf8mb4'*/' */;\n",
    ],
    [
      'a comment of MySQL',
      'mysqldump',
      '/* a *@/ DROP TABLE t; */;\n',
      '/* a *�/ DROP TABLE t; */;\n',
    ],
    [
      'a comment that would be code',
      'mysqldump',
      '/*@! DROP TABLE t */;\n',
      '/*�! DROP TABLE t */;\n',
    ],
    [
      'a comment of SQLite',
      'sqlite',
      '/* a *@/ DROP TABLE t; */;\n',
      '/* a *�/ DROP TABLE t; */;\n',
    ],
    ['what is removed elsewhere', 'sqlite', "/* a@ */ SELECT 'b@' @;\n", "/* a */ SELECT 'b' ;\n"],
    [
      'a row',
      'pg_dump',
      'CREATE TABLE t (a text);\nINSERT INTO t VALUES ($$ $@$, ($$);\n',
      'CREATE TABLE t (a text);\nINSERT INTO t VALUES ($$ $�$, ($$);\n',
    ],
  ])('%s (%s)', async (_, format, before, after) => {
    expect(await convert(before, { format })).toBe(after);
  });

  it.each([
    "'a@b'",
    "'a\\@'",
    "'a\\@', 'b@'",
    "'a@'",
    "'@'",
    "'a' '@' 'b'",
    "'a@\\\\@'",
    "CONCAT('a\\@', 'b')",
    "/* 'a@' */ 'b@'",
    "/*!40101 'a@', */ 'b\\@'",
    "'a@-' -- b\n, 'c@'",
  ])('in a long row as in a short one: %s', async (value) => {
    const options = { format: 'mysqldump', formatOptions: { assume: 'text' } } as const;
    const row = (before: string, after: string): string =>
      `INSERT INTO t VALUES (1, ${before}, ${value}, ${after}, 2);\n`;
    const [short, long] = ['\'x@y\', "z"', Array(100).fill('\'x@y\', "z"').join()] as const;
    const expected = (await convert(row(short, short), options)).replaceAll(
      short.replace('@', ''),
      long.replaceAll('@', ''),
    );
    expect(await convert(row(long, long), options)).toBe(expected);
  });

  it('and U+FFFD makes no code of a comment', async () => {
    const dump = '--@; DROP TABLE t;\nSELECT 1;\n';
    const error = '-:1: the repaired text would change how the statement is read';
    for (const nul of ['remove', 'replace'] as const) {
      await expect(convert(dump, { format: 'mysqldump', nul })).rejects.toThrow(error);
    }
    expect(await convert(dump, { format: 'pg_dump' })).toBe('--; DROP TABLE t;\nSELECT 1;\n');
  });
});

/**
 * The values of the rows, without what may be removed, and `NULL` for what is read as that; undefined if the file
 * cannot be read.
 */
function readRows(format: Format, bytes: Uint8Array, hasQuotes: boolean): string[][] | undefined {
  try {
    format.createReader().skip(bytes, true);
    return Array.from(format.createReader().read(bytes), ({ fields }) =>
      fields.map((field) => {
        const { start, end, kind } = field;
        const isEmpty = hasQuotes && start === end && bytes[start - 1] !== 0x22;
        if (isEmpty || kind === 'opaque') return 'NULL';
        const value = Buffer.from(format.readValue(bytes, field)).toString('latin1');
        return value.replace(/\0|\xff|\xef\xbf\xbd/g, '');
      }),
    );
  } catch (error) {
    if (error instanceof FormatError) return undefined;
    throw error;
  }
}

/** Creates a function that converts whole files, without the cost of a stream for each. */
function createRewrite(format: Format): (bytes: Uint8Array) => Buffer {
  const policies = { ...base, to: 'utf-8', unpairedSurrogates: 'fail', mojibake: 'keep' } as const;
  const options = { rejects: false, undo: false, allow: [] };
  const rewriter = new Rewriter(new RecordRepairer(format, policies), options);
  return (bytes) => {
    const reader = format.createReader();
    const { state } = reader;
    reader.skip(bytes, true);
    const segment = { bytes, ahead: new Uint8Array(), offset: 0, state, next: reader.state };
    return Buffer.from(rewriter.rewrite(segment).output);
  };
}

/** So that there are some 10,000 of them. */
const lengthOf = (alphabet: string): number => (alphabet.length > 5 ? 5 : 6);

describe('every short text', () => {
  it.each([
    ['csv', { header: false }, 'a,"\n\r@'],
    ['csv', { header: false, delimiter: '||' }, 'a|"\n@'],
    ['csv', { header: false, delimiter: '||', quote: '' }, 'a|\n@'],
    ['csv', { header: false, escape: '\\' }, '\\,"\nN@'],
    ['csv', { header: false, quotedEscape: '\\' }, '\\,"\n#'],
    ['tab', { assume: 'text' }, '\\\tN\n#'],
    ['copy', {}, '\\\tN.\r\n#'],
  ])('of %s keeps its values: %o', (name, formatOptions, alphabet) => {
    const hasQuotes = name === 'csv' && !('quote' in formatOptions);
    const format = findFormat(name, formatOptions);
    const rewrite = createRewrite(format);
    const length = lengthOf(alphabet);
    // By day one in ten.
    const step = tier === 'test' ? 10 : 1;
    let count = 0;
    for (let number = alphabet.length ** length - 1 - (seed % step); number >= 0; number -= step) {
      let text = '';
      for (let rest = number; text.length < length; rest = Math.floor(rest / alphabet.length)) {
        text += alphabet[rest % alphabet.length];
      }
      if (!/[@#]/.test(text)) continue;
      const bytes = bytesOf(text.replaceAll('@', '\0').replaceAll('#', '\xff'));
      const rows = readRows(format, bytes, hasQuotes);
      if (!rows) continue;
      expect(readRows(format, rewrite(bytes), hasQuotes), JSON.stringify(text)).toEqual(rows);
      count++;
    }
    expect(count).toBeGreaterThan(1000 / step);
  });
});
