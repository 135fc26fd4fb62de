/** Declarations of encodings in dumps, compared with the text and the columns of the dump. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { findLacking, reachOf, sizeIn } from '../src/charset/repertoire.js';
import { mysqlCharsets, postgresCharsets } from '../src/charset/server.js';
import { convertDump } from '../src/convert/convert.js';
import type { ConvertOptions } from '../src/plan.js';
import { revertDump } from '../src/revert/revert.js';
import { scanDump } from '../src/scan/scan.js';
import { useFolder } from './use-folder.js';

const path = useFolder();
const fix = { formatOptions: { fixHeader: true } };

/** Writes text in UTF-8, in which `<E4>` stands for a byte. */
const bytesOf = (text: string): Buffer =>
  Buffer.concat(
    text
      .split(/<([\dA-F ]+)>/)
      .map((part, i) =>
        Buffer.from(i % 2 === 0 ? part : part.replaceAll(' ', ''), i % 2 === 0 ? 'utf8' : 'hex'),
      ),
  );

/** Converts a dump and reverts the result, which has to restore it. */
async function convert(dump: string, options: Partial<ConvertOptions> = {}) {
  const input = path('in.sql');
  rmSync(path('out.sql'), { force: true });
  writeFileSync(input, bytesOf(dump));
  const { refusal } = await convertDump({
    ...{ input, output: path('out.sql'), undo: path('undo'), from: 'cesu-8+utf-8' },
    ...{ format: 'mysqldump', ...options },
  });
  if (refusal) return { refusal };
  await revertDump({ input: path('out.sql'), undo: path('undo'), output: path('back.sql') });
  expect(readFileSync(path('back.sql'))).toEqual(bytesOf(dump));
  return { output: readFileSync(path('out.sql'), 'utf8') };
}

async function scan(dump: string, format = 'mysqldump') {
  const input = path('in.sql');
  writeFileSync(input, bytesOf(dump));
  return scanDump({ input, from: 'cesu-8+utf-8', format });
}

/** A dump of MySQL with one column. */
const mysql = (names: string, charset: string, ...values: readonly string[]): string =>
  `${names}CREATE TABLE t (id int, c varchar(80)) DEFAULT CHARSET=${charset};\nINSERT INTO t VALUES ${values.map((value, i) => `(${i},'${value}')`).join()};\n`;

const names = (charset: string): string => `/*!40101 SET NAMES ${charset} */;\n`;

describe('mojibake of UTF-8 in a table in latin1', () => {
  const dump = mysql(names('utf8mb4'), 'latin1', 'ÐŸÑ€Ð¸Ð²ÐµÑ‚ Ð¼Ð¸Ñ€');

  it('is no hazard as it is', async () => {
    expect((await convert(dump)).output).toBe(dump);
  });

  it('cannot be repaired in latin1', async () => {
    const { refusal } = await convert(dump, { mojibake: 'repair' });
    expect(refusal).toMatchObject({ kind: 'narrow-column', charset: 'latin1', declared: 2 });
  });

  it('is repaired if the table becomes utf8mb4', async () => {
    const { output } = await convert(dump, { mojibake: 'repair', ...fix });
    expect(output).toBe(mysql(names('utf8mb4'), 'utf8mb4', 'Привет мир'));
  });
});

describe('a connection in latin1', () => {
  const mixed = mysql(names('latin1'), 'latin1', '<C4>rztekammer', 'Ärzte Straße', 'Fu<DF>ball');

  it('of which only some text is in it needs a decision, and `fixHeader`', async () => {
    const errors = 'windows-1252';
    expect((await convert(mixed)).refusal).toMatchObject({ charset: 'latin1', declared: 1 });
    expect((await convert(mixed, { errors })).refusal).toMatchObject({
      kind: 'declared-encoding',
      charset: 'latin1',
      declared: 1,
    });
    const texts = ['Ärztekammer', 'Ärzte Straße', 'Fußball'];
    // By default, `fixHeader` decodes what is not UTF-8 as it is declared.
    for (const options of [{ errors }, {}] as const) {
      const { output } = await convert(mixed, { ...options, ...fix });
      expect(output).toBe(mysql(names('utf8mb4'), 'utf8mb4', ...texts));
    }
    const { files } = await scan(mixed);
    expect(files).toMatchObject([{ declared: { charset: 'latin1', line: 1, fits: 'some' } }]);
  });

  it('in which all text is in UTF-8 is found, though its bytes reach a column in latin1 unchanged', async () => {
    const dump = mysql(names('latin1'), 'latin1', 'Party 😀');
    const { findings, files } = await scan(dump);
    expect(findings).toEqual({ 'declared-encoding': 1 });
    expect(files).toMatchObject([{ flaws: 0, misdeclared: 1, declared: { fits: 'none' } }]);
    expect((await convert(dump)).refusal).toMatchObject({ kind: 'declared-encoding' });
    expect((await convert(dump, { allow: ['declared-encoding'] })).output).toBe(dump);
    const { output } = await convert(dump, fix);
    expect(output).toBe(mysql(names('utf8mb4'), 'utf8mb4', 'Party 😀'));
  });

  it('in which all text is in latin1 is right', async () => {
    const { files } = await scan(mysql(names('latin1'), 'latin1', '<C4>rzte', 'plain', 'Fu<DF>'));
    expect(files).toMatchObject([{ declared: { charset: 'latin1', line: 1, fits: 'all' } }]);
  });

  it('refuses no rejected record', async () => {
    const dump = mysql(names('latin1'), 'latin1', 'Ä <C4>', 'plain');
    const { output } = await convert(dump, { rejects: path('rejects.sql') });
    expect(output).toContain("VALUES (1,'plain')");
  });

  it.each([
    ['mysqldump', mysql(names('latin1'), 'latin1', 'a\\0<E4>', 'plain'), 'SET NAMES latin1;'],
    [
      'pg_dump',
      "SET client_encoding = 'SJIS';\nCREATE TABLE t (a text);\nCOPY t FROM stdin;\n<E4>\nplain\n\\.\n",
      "SET client_encoding = 'sjis';",
    ],
  ])('stands above what is rejected: %s', async (format, dump, settings) => {
    await convert(dump, { format, rejects: path('rejects.sql'), ...fix });
    const rejects = readFileSync(path('rejects.sql'), 'latin1');
    expect(rejects).toContain(settings);
    expect(rejects).toContain('\xe4');
  });
});

describe('text that is right in the declared encoding', () => {
  // «з·И» in Windows-1251.
  const declared = mysql(names('cp1251'), 'cp1251', '<E7 B7 C8>');
  const raw = mysql(names('binary'), 'cp1251', '<E7 B7 C8>');
  const postgres =
    "SET client_encoding = 'WIN1251';\nCREATE TABLE t (a text);\nCOPY t FROM stdin;\n<E7 B7 C8>\n\\.\n";

  it.each(['windows-1252', 'replace', 'remove', 'escape'] as const)(
    'is not decoded otherwise: %s',
    async (errors) => {
      for (const options of [{}, fix]) {
        for (const dump of [declared, raw]) {
          const { refusal } = await convert(dump, { errors, ...options });
          expect(refusal).toMatchObject({ kind: 'declared-encoding', charset: 'cp1251' });
        }
        const { refusal } = await convert(postgres, { errors, format: 'pg_dump', ...options });
        expect(refusal).toMatchObject({ kind: 'declared-encoding', charset: 'win1251' });
      }
    },
  );

  it('is refused where the server reads a byte otherwise than the Encoding Standard', async () => {
    const dump = mysql(names('hebrew'), 'hebrew', '<AF E0>');
    const { refusal } = await convert(dump, { errors: 'iso-8859-8', ...fix });
    expect(refusal).toMatchObject({ kind: 'declared-encoding', charset: 'hebrew' });
  });

  it('is refused if its column could not have had it', async () => {
    const dump = mysql(names('koi8r'), 'latin2', 'na<EF>ve');
    expect((await convert(dump, fix)).refusal).toMatchObject({ kind: 'legacy-byte', bytes: 'EF' });
    const { output } = await convert(mysql(names('koi8r'), 'koi8r', 'na<EF>ve'), fix);
    expect(output).toContain("'naОve'");
  });

  it('is decoded as it is declared', async () => {
    const errors = 'windows-1251';
    const { output } = await convert(declared, { errors, ...fix });
    expect(output).toBe(mysql(names('utf8mb4'), 'utf8mb4', 'з·И'));
    const { output: second } = await convert(raw, { errors, ...fix });
    expect(second).toBe(mysql(names('binary'), 'utf8mb4', 'з·И'));
    const { output: third } = await convert(postgres, { errors, format: 'pg_dump', ...fix });
    expect(third).toContain("'UTF8';\nCREATE TABLE t (a text);\nCOPY t FROM stdin;\nз·И\n");
  });
});

describe('a connection in binary', () => {
  it('has text in the character set of its column', async () => {
    for (const charset of ['latin1', 'utf8mb4', 'gbk', 'ucs2']) {
      const { refusal } = await convert(mysql(names('binary'), charset, 'Ärzte'));
      expect(refusal).toEqual(
        charset === 'utf8mb4'
          ? undefined
          : expect.objectContaining({ kind: 'declared-encoding', charset, declared: 2 }),
      );
    }
  });

  it('stays, while the columns change, except those whose bytes cannot be UTF-8', async () => {
    const dump = (first: string): string =>
      `${names('binary')}CREATE TABLE t (a text CHARSET ${first}, b text CHARSET ucs2);\nINSERT INTO t VALUES ('Ä','N-');\n`;
    expect((await convert(dump('latin1'), fix)).output).toBe(dump('utf8mb4'));
  });
});

describe('text in hexadecimal digits, without any byte that is not ASCII', () => {
  const dump = (connection: string, charset: string, hex: string): string =>
    `${names(connection)}CREATE TABLE t (c text, d blob) DEFAULT CHARSET=${charset};\nINSERT INTO t VALUES (${hex},0xFC);\n`;

  it.each(['binary', 'utf8mb4', 'latin1'])('is decoded under %s by `fixHeader`', async (name) => {
    for (const [before, after] of [
      ['0xFC', '0xC3BC'],
      ["X'FC'", "X'C3BC'"],
      ['0xC3BC', '0xC3BC'],
    ] as const) {
      const { output } = await convert(dump(name, 'latin1', before), fix);
      expect(output).toBe(dump(name === 'binary' ? name : 'utf8mb4', 'utf8mb4', after));
    }
  });

  it('is found in the stretch that makes the connection binary', async () => {
    const { refusal } = await convert(dump('binary', 'latin1', '0xC3BC'));
    expect(refusal).toMatchObject({ kind: 'declared-encoding', charset: 'latin1' });
    const { findings } = await scan(dump('binary', 'latin1', '0xFC'));
    expect(findings).toEqual({ 'legacy-byte': 1 });
    for (const [more, fits] of [
      ['0xC3BC', 'none'],
      ['0xC3BC,0x00),(0xFC', 'some'],
    ] as const) {
      const { files } = await scan(dump('binary', 'latin1', more));
      expect(files).toMatchObject([{ declared: { charset: 'latin1', line: 2, fits } }]);
    }
  });
});

describe('a dump without SET NAMES', () => {
  const dump = mysql('', 'utf8mb4', 'Hello 😎');

  it('is found though nothing else is wrong, unless its text is ASCII', async () => {
    expect((await scan(dump)).findings).toEqual({ 'unstated-encoding': 1 });
    expect((await scan(mysql('', 'utf8mb4', 'Hello'))).findings).toEqual({});
  });

  it('is not converted without `fixHeader`', async () => {
    expect((await convert(dump)).refusal).toMatchObject({ kind: 'unstated-encoding' });
    const { output } = await convert(dump, fix);
    expect(output).toBe(dump.replace('INSERT', `SET NAMES utf8mb4;\nINSERT`));
  });
});

describe('PostgreSQL', () => {
  const dump = (encoding: string, ...rows: readonly string[]): string =>
    `SET client_encoding = '${encoding}';\nCREATE TABLE t (a text);\nCOPY t (a) FROM stdin;\n${rows.join('\n')}\n\\.\n`;
  const format = 'pg_dump';

  it.each(['LATIN1', 'iso-8859-1', 'WIN1252', 'sjis', 'KOI8R'])('%s is no UTF-8', async (name) => {
    const { refusal } = await convert(dump(name, 'Motörhead'), { format });
    expect(refusal).toMatchObject({ kind: 'declared-encoding', charset: name.toLowerCase() });
    const { output } = await convert(dump(name, 'Motörhead'), { format, ...fix });
    expect(output).toBe(dump('UTF8', 'Motörhead'));
  });

  it('a dump in LATIN1 is right, or becomes one in UTF8', async () => {
    const latin1 = dump('LATIN1', 'Ant<F4>nio', 'Mot<F6>rhead');
    const { files } = await scan(latin1, format);
    expect(files).toMatchObject([{ declared: { charset: 'latin1', line: 1, fits: 'all' } }]);
    const errors = 'windows-1252';
    expect((await convert(latin1, { format, errors })).refusal).toBeDefined();
    const { output } = await convert(latin1, { format, errors, ...fix });
    expect(output).toBe(dump('UTF8', 'Antônio', 'Motörhead'));
  });

  it('SQL_ASCII is found though nothing else is wrong, and passes', async () => {
    const ascii = dump('SQL_ASCII', 'Motörhead');
    expect((await scan(ascii, format)).findings).toEqual({ 'unstated-encoding': 1 });
    expect((await convert(ascii, { format })).output).toBe(ascii);
  });
});

describe('`fixHeader`', () => {
  it('refuses text that fits into TEXT in latin1 alone', async () => {
    const dump = (charset: string): string =>
      `${names('utf8mb4')}CREATE TABLE t (a text) DEFAULT CHARSET=${charset};\nINSERT INTO t VALUES ('${'é'.repeat(40_000)}');\n`;
    expect((await convert(dump('latin1'))).output).toBe(dump('latin1'));
    expect((await convert(dump('latin1'), fix)).refusal).toMatchObject({ kind: 'too-long' });
    const { examples } = await scanDump({
      ...{ input: path('in.sql'), format: 'mysqldump', from: 'utf-8', ...fix },
    });
    expect(examples['too-long']).toMatchObject([{ limit: '65535b', after: 80_000 }]);
  });

  it('refuses keys that differ as they are declared, and are equal as UTF-8', async () => {
    const dump = (second: string): string =>
      `${names('latin1')}CREATE TABLE t (a int, c varchar(9), UNIQUE (c)) DEFAULT CHARSET=latin1;\nINSERT INTO t VALUES (1,'é'),(2,'x'),(3,'${second}');\n`;
    expect((await convert(dump('e'), fix)).refusal).toMatchObject({ kind: 'equal-keys' });
    expect((await convert(dump('o'), fix)).output).toContain("(1,'é'),(2,'x'),(3,'o')");
    const allowed = await convert(dump('e'), { ...fix, allow: ['equal-keys'] });
    expect(allowed.output).toContain("(3,'e')");
  });

  it.each([
    ['latin1_swedish_ci', 'utf8mb4_swedish_ci'],
    ['latin1_bin', 'utf8mb4_bin'],
    ['latin1_general_cs', 'utf8mb4_bin'],
    ['cp1251_ukrainian_ci', 'utf8mb4_unicode_ci'],
    ['latin1_swedish_nopad_ci', 'utf8mb4_unicode_nopad_ci'],
    ['utf8_unicode_520_ci', 'utf8mb4_unicode_520_ci'],
    ['uca1400_ai_ci', 'uca1400_ai_ci'],
    ['utf8mb4_bin', 'utf8mb4_bin'],
    ['binary', 'binary'],
  ])('replaces the collation %s by %s', async (from, to) => {
    const dump = (collation: string): string =>
      `${names('utf8mb4')}CREATE TABLE t (a text COLLATE ${collation});\n`;
    expect((await convert(dump(from), fix)).output).toBe(dump(to));
  });

  it('leaves what sets no character set', async () => {
    const dump = `${names('utf8mb4')}SET @old = @@character_set_client;\nSET character_set_client = @old;\nSET character_set_results = NULL;\nSET NAMES DEFAULT;\n`;
    expect((await convert(dump, fix)).output).toBe(dump);
  });
});

describe('character sets', () => {
  it.each([
    ['latin1', 'Straße €', 'я'],
    ['cp1251', 'Привет', 'ß'],
    ['gbk', '模板', '😀'],
    ['sjis', '日本語テスト', 'é'],
    ['ascii', 'plain', 'é'],
    ['utf8mb3', '日本語 é', '😀'],
    ['ucs2', '日本語 é', '😀'],
    ['klingon', 'plain', 'é'],
  ])('%s has %j, and not %j', (charset, text, other) => {
    expect(findLacking(Buffer.from(text), charset)).toBeUndefined();
    expect(findLacking(Buffer.from(`ab${other}`), charset)).toEqual({
      index: 2,
      length: Buffer.byteLength(other),
    });
  });

  it('of all Unicode lack nothing', () => {
    for (const charset of ['utf8mb4', 'utf16', 'utf16le', 'utf32', 'gb18030', undefined]) {
      expect(reachOf(charset)).toBe('all');
      expect(findLacking(Buffer.from('😀'), charset)).toBeUndefined();
    }
  });

  it.each([
    ['utf8mb4', 10],
    ['latin1', 4],
    ['gbk', 7],
    ['ucs2', 10],
    ['utf32', 16],
  ])('measure in %s', (charset, size) => {
    expect(sizeIn(charset, Buffer.from('aé漢😀'))).toBe(size);
  });

  it('are those of the column for hexadecimal digits, whatever the connection', () => {
    const session = { charset: 'latin1' };
    const find = (column: string) =>
      mysqlCharsets.findLoss(Buffer.from('é'), session, column, true);
    expect(find('utf8mb4')).toBeUndefined();
    expect(find('latin1')).toMatchObject({ kind: 'declared-encoding', charset: 'latin1' });
  });

  it('of a connection lack characters, too', () => {
    const session = { charset: 'utf8mb4', connection: 'cp1251' };
    const text = Buffer.from('Fuß');
    expect(mysqlCharsets.findLoss(text, session, 'utf8mb4', false)).toEqual({
      ...{ index: 2, length: 2, kind: 'narrow-connection', charset: 'cp1251' },
    });
    expect(postgresCharsets.findLoss(text, {}, undefined, false)).toBeUndefined();
  });
});
