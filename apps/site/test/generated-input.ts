/** Inputs that people bring to the playground: typed bytes, and files of many kinds, well-formed and damaged. */
import { gzipSync } from 'node:zlib';
import { vectors } from '@utf8/vectors';
import fc from 'fast-check';

/** An input, with a character for each byte. */
export interface GeneratedInput {
  readonly text: string;
  /** Undefined for bytes that are typed. */
  readonly name: string | undefined;
}

/** Returns a character for each byte of UTF-8. */
export const spell = (text: string): string => Buffer.from(text).toString('latin1');

export const PAIR = '\xed\xa0\xbd\xed\xb8\x80';
export const HIGH = '\xed\xa0\xbd';
export const SMILE: string = spell('😀');

/** Parts that are text in every variant, or in UTF-8. */
const clean = fc.oneof(
  fc.constantFrom('plain', spell('größer 漢字 '), SMILE, 'its', ' - ', '42'),
  fc.string({ unit: 'grapheme', maxLength: 12 }).map(spell),
);

/** Parts that are damaged, in another encoding, or suspicious. */
const damaged = fc.constantFrom(
  PAIR,
  HIGH,
  '\xed\xb8\x80',
  '\xc0\x80',
  '\0',
  '\xff',
  '\xc3',
  'gr\xfcn',
  'caf\xe9 \x80',
  '\x81',
  '\xc0\xaf',
  '\xf4\x90\x80\x80',
  '\xf8\x88\x80\x80\x80',
  spell('cafÃ© crÃ¨me'),
  spell('ðŸ˜€'),
  'lost ????',
  spell('a\ufffdb'),
  spell('\ufeff'),
  spell('\uffff'),
  spell('\u{40000}'),
  '\\ud83d',
  '\\u0000',
  '\x1b[31m',
  '"quoted"',
);

/** A value, in most cases with one kind of damage. */
const value = fc
  .array(fc.oneof({ arbitrary: clean, weight: 3 }, { arbitrary: damaged, weight: 2 }), {
    minLength: 1,
    maxLength: 3,
  })
  .map((parts) => parts.join(''));

const values = fc.oneof(
  fc.array(clean, { minLength: 1, maxLength: 3 }),
  fc.array(value, { minLength: 1, maxLength: 5 }),
);

const quoteSql = (some: string): string => some.replace(/[\\'\0\n\r]/g, '');

/** Writes a dump as mysqldump does. */
export const mysqldump = (
  some: readonly string[],
  { names = 'utf8mb4', charset = 'utf8mb4', column = 'text', key = '' } = {},
): string =>
  [
    '-- MySQL dump 10.13  Distrib 8.0.36\n',
    names && `/*!40101 SET NAMES ${names} */;\n`,
    `CREATE TABLE \`t\` (\`id\` int, \`a\` ${column}${key}) DEFAULT CHARSET=${charset};\n`,
    ...some.map((each, i) => `INSERT INTO \`t\` VALUES (${i},'${each}');\n`),
  ].join('');

const mysqlFile = fc
  .record({
    values,
    names: fc.constantFrom('utf8mb4', 'utf8mb4', 'utf8mb3', 'utf8', 'latin1', 'binary', ''),
    charset: fc.constantFrom('utf8mb4', 'utf8mb4', 'utf8mb3', 'latin1', 'ascii'),
    column: fc.constantFrom(
      'text',
      'varchar(20)',
      'varchar(9) CHARACTER SET utf8mb3',
      'nvarchar(20)',
      'blob',
    ),
    key: fc.constantFrom('', ', UNIQUE KEY `k` (`a`)'),
  })
  .map(({ values: some, key, ...declared }) => ({
    text: mysqldump(some.map(quoteSql), {
      ...declared,
      key: declared.column.includes('varchar') ? key : '',
    }),
    name: 'dump.sql',
  }));

const escapeCopy = (some: string): string =>
  some.replace(/[\\\t\n\r\0]/g, (each) => ({ '\\': '\\\\', '\t': '\\t' })[each] ?? ' ');

const postgresFile = fc
  .record({
    values,
    encoding: fc.constantFrom('UTF8', 'UTF8', 'LATIN1', 'SQL_ASCII', ''),
    column: fc.constantFrom('text', 'character varying(12)', 'bytea', 'jsonb'),
    isDeclared: fc.constantFrom(true, true, false),
    hasKey: fc.boolean(),
  })
  .map(({ values: some, encoding, column, isDeclared, hasKey }) => ({
    text: [
      '--\n-- PostgreSQL database dump\n--\n\n',
      encoding && `SET client_encoding = '${encoding}';\n`,
      isDeclared ? `CREATE TABLE public.t (id integer, name ${column});\n` : '',
      'COPY public.t (id, name) FROM stdin;\n',
      ...some.map((each, i) => `${i}\t${escapeCopy(each)}\n`),
      '\\.\n',
      isDeclared && hasKey ? 'ALTER TABLE ONLY public.t ADD CONSTRAINT k UNIQUE (name);\n' : '',
    ].join(''),
    name: 'dump.sql',
  }));

const sqliteFile = values.map((some) => ({
  text: [
    'PRAGMA foreign_keys=OFF;\nBEGIN TRANSACTION;\nCREATE TABLE t(a TEXT);\n',
    ...some.map((each) => `INSERT INTO t VALUES('${quoteSql(each)}');\n`),
    'COMMIT;\n',
  ].join(''),
  name: 'app.sql',
}));

/** SQL that no program's header announces. */
const otherSql = values.map((some) => ({
  text: some.map((each) => `INSERT INTO t VALUES ('${quoteSql(each)}');\n`).join(''),
  name: 'other.sql',
}));

const separated = fc
  .record({
    values,
    delimiter: fc.constantFrom(',', ',', ';', '|', '\t'),
    name: fc.constantFrom('dump.csv', 'dump.csv', 'dump.txt', 'dump.tsv'),
    isQuoted: fc.boolean(),
  })
  .map(({ values: some, delimiter, name, isQuoted }) => ({
    text: [
      `id${delimiter}name\n`,
      ...some.map((each, i) => {
        const field = each.replace(/[\r\n]/g, ' ').replaceAll(delimiter, ' ');
        const spelled = isQuoted ? `"${field.replaceAll('"', '""')}"` : field.replaceAll('"', '');
        return `${i}${delimiter}${spelled}\n`;
      }),
    ].join(''),
    name,
  }));

const writeJson = (some: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: JSON has none in strings.
  `{"id":1,"name":"${some.replace(/["\0-\x1f]|\\(?!u)/g, '')}"}`;

const jsonFile = fc
  .record({ values, isArray: fc.boolean() })
  .map(({ values: some, isArray }) =>
    isArray
      ? { text: `[${some.map(writeJson).join(',\n')}]\n`, name: 'dump.json' }
      : { text: some.map((each) => `${writeJson(each)}\n`).join(''), name: 'dump.jsonl' },
  );

const textFile = fc
  .tuple(values, fc.constantFrom('notes.txt', 'notes.log', 'notes', 'notes.md'))
  .map(([some, name]) => ({ text: `${some.join('\n')}\n`, name }));

/** A class with a string that UTF-8 encodes differently. */
const CLASS =
  '\xca\xfe\xba\xbe\0\0\0\x3d\0\x05\x01\0\x01A\x07\0\x01\x01\0\x07Hi\xc0\x80\xed\xa0\xbd\x08\0\x03\0\x20\0\x02\0\0\0\0\0\0\0\0\0\0';

const binaryFile = fc.oneof(
  fc
    .integer({ min: 4, max: CLASS.length })
    .map((length) => ({ text: CLASS.slice(0, length), name: 'A.class' })),
  fc.tuple(values, fc.boolean(), fc.boolean()).map(([some, isSwapped, isMarked]) => {
    const text = `${isMarked ? '\ufeff' : ''}${some.join(' ').repeat(9)}`;
    const bytes = Buffer.from(text, 'utf16le');
    return { text: (isSwapped ? bytes.swap16() : bytes).toString('latin1'), name: 'wide.txt' };
  }),
  value.map((some) => ({ text: `PK\x03\x04${some}`, name: 'a.zip' })),
  value.map((some) => ({ text: `SQLite format 3\0${some}`, name: 'app.db' })),
  fc
    .uint8Array({ minLength: 4, maxLength: 40 })
    .map((bytes) => ({ text: Buffer.from(bytes).toString('latin1'), name: 'data.bin' })),
);

const typed = fc.oneof(
  value,
  fc.constantFrom(...vectors.map(({ bytes }) => Buffer.from(bytes, 'hex').toString('latin1'))),
  fc.uint8Array({ maxLength: 12 }).map((bytes) => Buffer.from(bytes).toString('latin1')),
);

const file: fc.Arbitrary<GeneratedInput & { readonly name: string }> = fc.oneof(
  { arbitrary: mysqlFile, weight: 2 },
  postgresFile,
  sqliteFile,
  otherSql,
  { arbitrary: separated, weight: 2 },
  jsonFile,
  textFile,
  binaryFile,
);

const packed = file.map(({ text, name }) => ({
  text: gzipSync(Buffer.from(text, 'latin1')).toString('latin1'),
  name: `${name}.gz`,
}));

/** Any input. */
export const input: fc.Arbitrary<GeneratedInput> = fc.oneof(
  { arbitrary: typed.map((text) => ({ text, name: undefined })), weight: 4 },
  { arbitrary: file, weight: 10 },
  { arbitrary: packed, weight: 1 },
);
