import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { scale } from '../../../tooling/tiers/tier.js';
import { findFormat } from '../src/format/registry.js';
import {
  bytesOf,
  catchError,
  cell,
  cesu,
  errorOf,
  expectSameCut,
  type PlainPiece,
  readAll,
  sizes,
} from './format-reading.js';

const format = findFormat('pg_dump', { assume: 'text' });

const records = (text: string): PlainPiece[] =>
  readAll(format, text).filter(({ kind }) => kind === 'record');

/** Kind, own bytes and line of every piece. */
const outline = (text: string): [string, string, number][] =>
  readAll(format, text).map(({ kind, own, line }) => [kind, own, line]);

/** Returns the sentence of the error with which a dump is cut. */
const sentenceOf = (text: string): string =>
  catchError(() => format.createReader().skip(bytesOf(text), true)).in('FILE').message;

describe('pg_dump', () => {
  it('has a record for each row of a COPY', () => {
    const statement = 'COPY public."Pe""ople" (id, "na me") FROM stdin;\n';
    const text = `--\n-- it's data\n--\n\n${statement}1\t${cesu.emoji}\n2\t\\N\n\\.\n\nSELECT 1;\n`;
    expect(outline(text)).toEqual([
      ['other', '--\n', 1],
      ['other', "-- it's data\n", 2],
      ['other', '--\n', 3],
      ['other', '\n', 4],
      ['other', statement, 5],
      ['record', `1\t${cesu.emoji}\n`, 6],
      ['record', '2\t\\N\n', 7],
      ['other', '\\.\n', 8],
      ['other', '\n', 9],
      ['other', 'SELECT 1;\n', 10],
    ]);
    const [first, second] = records(text);
    expect(first).toMatchObject({
      number: 1,
      table: 'public.Pe"ople',
      before: statement,
      after: '\\.\n',
      fields: [
        { text: '1', kind: 'text', column: 'id', number: 1 },
        { text: cesu.emoji, kind: 'text', column: 'na me', number: 2 },
      ],
    });
    expect(second?.fields.map(({ kind }) => kind)).toEqual(['text', 'opaque']);
    expect(readAll(format, text).at(-1)).toMatchObject({ table: undefined, before: undefined });
  });

  it('reads the rest of a COPY as rows, whatever it looks like', () => {
    const text = "COPY t FROM stdin;\nSELECT 'a;\n\\.x\n\\\\.\n--\n\\.\r\nSELECT 1;";
    expect(outline(text).map(([kind, own]) => [kind, own])).toEqual([
      ['other', 'COPY t FROM stdin;\n'],
      ['record', "SELECT 'a;\n"],
      ['record', '\\.x\n'],
      ['record', '\\\\.\n'],
      ['record', '--\n'],
      ['other', '\\.\r\n'],
      ['other', 'SELECT 1;'],
    ]);
  });

  it('reads empty tables, and ends at the end of the data', () => {
    const text = 'COPY t (a) FROM stdin;\n\\.\nCOPY t (a) FROM stdin;\n\\.';
    expect(outline(text).map(([kind]) => kind)).toEqual(Array(4).fill('other'));
  });

  it('takes names from CREATE TABLE if a COPY has none', () => {
    const create =
      'CREATE TABLE public.T (\n A integer, "B b" text COLLATE "x" DEFAULT \'(,\',\n CONSTRAINT c CHECK ((a > 0)), "check" int);\n';
    expect(
      records(`${create}COPY public.t FROM stdin;\n1\t2\t3\t4\n\\.\n`)[0]?.fields.map(
        (f) => f.column,
      ),
    ).toEqual(['a', 'B b', 'check', undefined]);
    const insert = "INSERT INTO public.t VALUES (1, '2', 3);";
    expect(records(create + insert)[0]?.fields.map((f) => f.column)).toEqual(['a', 'B b', 'check']);
  });

  it.each([
    'INSERT INTO public.t (a, b) VALUES (1,2);',
    'INSERT INTO t (a, b) OVERRIDING SYSTEM VALUE VALUES (1,2) ON CONFLICT DO NOTHING;',
    'insert into "t" as x ("a", B) values (1,2);',
  ])('reads the columns of %s', (text) => {
    const [record] = records(text);
    expect(record?.own).toBe('(1,2)');
    expect(record?.fields.map(({ column }) => column)).toEqual(['a', 'b']);
  });

  it('reads several rows of an INSERT', () => {
    const text = "INSERT INTO public.t VALUES\n\t(1, 'a'),\n\t(2, 'b;');\n\n";
    expect(outline(text)).toEqual([
      ['head', 'INSERT INTO public.t VALUES\n\t', 1],
      ['record', "(1, 'a')", 2],
      ['record', "(2, 'b;')", 3],
      ['tail', ';\n', 3],
      ['other', '\n', 4],
    ]);
    expect(records(text)[1]).toMatchObject({
      text: ",\n\t(2, 'b;')",
      before: 'INSERT INTO public.t VALUES\n\t',
      after: ';\n',
    });
  });

  it('tells text from opaque values, and where a backslash escapes', () => {
    const values: [string, string, string, boolean][] = [
      ["'a\\'", 'text', 'a\\', false],
      ["'it''s'", 'text', "it''s", false],
      ["E'a\\'b\\\\'", 'text', "a\\'b\\\\", true],
      ["U&'\\00e9'", 'text', '\\00e9', false],
      ["'\\x00ff'", 'opaque', '\\x00ff', false],
      ["'\\x00fg'", 'text', '\\x00fg', false],
      ["'\\x'::bytea", 'opaque', '\\x', false],
      ["B'01'", 'opaque', '01', false],
      ["x'0f'", 'opaque', '0f', false],
      ['NULL', 'opaque', 'NULL', false],
      ["true AND date'2020-01-01'", 'text', '2020-01-01', false],
      ["$$it's$$", 'text', "it's", false],
      ['$_ü1$ $$ , $_ü1$', 'text', ' $$ , ', false],
      ["/* a /* b */ ' */ 1", 'opaque', "/* a /* b */ ' */ 1", false],
      ['-1.5', 'opaque', '-1.5', false],
    ];
    const text = `INSERT INTO t VALUES (${values.map(([value]) => value).join(',')});`;
    expect(records(text)[0]?.fields).toEqual(
      values.map(([, kind, text], i) => ({ text, kind, column: undefined, number: i + 1 })),
    );
    for (const each of format.createReader().read(bytesOf(text))) {
      if (each.kind !== 'record') continue;
      expect(each.fields.map(({ escapes }) => escapes)).toEqual(values.map(([, , , is]) => is));
      expect(format.quote('\\xED', each.fields[0]?.escapes)).toBe('\\xED');
      expect(format.quote('\\xED', each.fields[2]?.escapes)).toBe('\\\\xED');
    }
  });

  it('escapes in COPY, and by default', () => {
    for (const piece of format.createReader().read(bytesOf('COPY t FROM stdin;\na\n'))) {
      if (piece.kind !== 'record') continue;
      expect(format.quote('\\xED', piece.fields[0]?.escapes)).toBe('\\\\xED');
    }
    expect([format.quote('\\xED'), format.isLineBased, format.nuls]).toEqual([
      '\\\\xED',
      false,
      [],
    ]);
  });

  it('reads backslashes as escapes if the dump says so', () => {
    const off = 'SET standard_conforming_strings = off;\n';
    const row = "INSERT INTO t VALUES ('a\\'b');\n";
    const on = "SET standard_conforming_strings TO 'on';\n";
    expect(
      records(`${off}${row}${on}INSERT INTO t VALUES ('\\');`).map((r) => r.fields[0]?.text),
    ).toEqual(["a\\'b", '\\']);
    expect(records("SET client_encoding = 'UTF8';\nINSERT INTO t VALUES ('\\');")).toHaveLength(1);
  });

  it('reads the commands of psql as lines', () => {
    const text = "\\restrict it's\n\\connect a\nSELECT 1;\n  \\unrestrict x";
    expect(outline(text).map(([kind, own]) => [kind, own])).toEqual([
      ['other', "\\restrict it's\n"],
      ['other', '\\connect a\n'],
      ['other', 'SELECT 1;\n'],
      ['other', '  \\unrestrict x'],
    ]);
  });

  it('keeps statements together', () => {
    const statements = [
      "CREATE FUNCTION f() RETURNS int AS $$ BEGIN; INSERT INTO t VALUES ('a'); END; $$;\n",
      "DO $a$ $b$; $a$ LANGUAGE 'x';\n",
      'CREATE RULE r AS ON INSERT TO t DO ALSO (SELECT 1; SELECT 2;);\n',
      'CREATE OR REPLACE FUNCTION f() RETURNS int\n BEGIN ATOMIC\n SELECT CASE WHEN a THEN 1 END; SELECT 2;\nEND;\n',
      "CREATE PROCEDURE p() AS 'a;';\n",
      'CREATE FUNCTION "begin"() RETURNS int RETURN 1;\n',
      'SELECT a$b, $1, 1/2, 2-1, ")";\n',
      'COPY t TO stdout;\n',
      "COPY t FROM '/a';\n",
      '/* a /* ; */ */\n',
    ];
    expect(outline(statements.join('')).map(([, own]) => own)).toEqual(statements);
  });

  it('accepts options of a COPY that change nothing', () => {
    const text = "COPY t (a) FROM stdin WITH (FORMAT text, FREEZE, ENCODING 'UTF8');\n1\n\\.\n";
    expect(records(text)).toHaveLength(1);
  });

  it('refuses an escaped line feed', () => {
    expect(errorOf(format, 'COPY t FROM stdin;\na\nb\\\nc\n\\.\n')).toBe(
      'FILE:3: a backslash escapes the line feed; write it as \\n, as COPY TO does',
    );
  });

  it('reports where an unterminated COPY begins', () => {
    const sentence = 'FILE:2: COPY without a final line \\.; is the dump complete?';
    expect(sentenceOf('\nCOPY t FROM stdin;\n1\n')).toBe(sentence);
    expect(sentenceOf('\nCOPY t FROM stdin;\n1\n\\.x')).toBe(sentence);
    expect(sentenceOf('\nCOPY t FROM stdin;')).toBe(sentence);
  });

  it.each([
    ["SELECT 1;\nINSERT INTO t VALUES\n(1,'a);\n", 3, 'string'],
    ["SELECT E'\\';", 1, 'string'],
    ['\n\nSELECT "a;', 3, 'name'],
    ['DO $x$ a; $$;\n', 1, 'dollar-quoted string'],
    ['/* a; /* */\n', 1, 'comment'],
    ['SELECT (1;\n', 1, 'statement'],
    ['SELECT 1', 1, 'statement'],
  ])('reports where an unterminated part begins in %j', (text, line, what) => {
    expect(errorOf(format, text)).toBe(
      `FILE:${line}: unterminated ${what}; is the dump complete, and in this format?`,
    );
  });

  it('reads what was written, however it is cut', () => {
    const copied = (text: string) =>
      text.replace(
        /[\n\r\t\\]/g,
        (c) => ({ '\n': '\\n', '\r': '\\r', '\t': '\\t' })[c] ?? `\\${c}`,
      );
    const values = fc.array(cell, { minLength: 2, maxLength: 3 });
    const rows = fc.array(values, { minLength: 1, maxLength: 4 });
    const copy = rows.map((rows) => {
      const lines = rows.map((row) => `${row.map(copied).join('\t')}\n`);
      return {
        sql: `COPY t (a) FROM stdin;\n${lines.join('')}\\.\n`,
        texts: rows.map((row) => row.map(copied)),
      };
    });
    const insert = fc
      .tuple(
        rows,
        fc.constantFrom('plain', 'E', 'dollar'),
        fc.constantFrom(',', ',\n\t'),
        fc.constantFrom(';', ';\n'),
      )
      .map(([rows, kind, comma, end]) => {
        const spell = (text: string): [string, string] => {
          if (kind === 'dollar') return [`$q$${text}$q$`, text];
          const double = text.replace(kind === 'E' ? /['\\]/g : /'/g, (c) => c + c);
          return [kind === 'E' ? `E'${double}'` : `'${double}'`, double];
        };
        const tuples = rows.map((row) => `(${row.map((text) => spell(text)[0]).join(', ')})`);
        return {
          sql: `INSERT INTO t VALUES ${tuples.join(comma)}${end}`,
          texts: rows.map((row) => row.map((text) => spell(text)[1])),
        };
      });
    const other = fc
      .constantFrom(
        ...[
          '\n',
          "-- it's\n",
          '\\connect x\n',
          'SELECT $$;$$, (1;2);\n',
          '/* /* */ ; */ SELECT 1;',
        ],
        ...['CREATE TABLE t (a int, b text);\n', 'SET standard_conforming_strings = on;\n'],
      )
      .map((sql) => ({ sql: `\n${sql}`, texts: [] as string[][] }));
    fc.assert(
      fc.property(
        fc.array(fc.oneof(copy, insert, other), { maxLength: 8 }),
        sizes,
        (parts, cuts) => {
          const text = parts.map(({ sql }) => sql).join('');
          expectSameCut(format, text, cuts);
          expect(records(text).map(({ fields }) => fields.map(({ text }) => text))).toEqual(
            parts.flatMap(({ texts }) => texts),
          );
        },
      ),
      { numRuns: scale(200) },
    );
  });

  it('cuts any bytes the same', () => {
    const soup = fc.array(
      fc.constantFrom(
        "'",
        '"',
        '$$',
        '$a$',
        '\\',
        ';',
        '\n',
        '--',
        ' ',
        '/*',
        '*/',
        '(',
        ')',
        ',',
        'E',
        'INSERT INTO t VALUES',
        'COPY t FROM stdin;\n',
        ';\nBEGIN;\n',
        ';\nSET standard_conforming_strings = off;\n',
        ';\nROLLBACK;\n',
        '\n\\connect a\n',
        '\n\\.\n',
        '\\.',
        'a',
      ),
      { maxLength: 20 },
    );
    let count = 0;
    fc.assert(
      fc.property(soup, sizes, (parts, cuts) => {
        const text = parts.join('');
        try {
          format.createReader().skip(Buffer.from(text), true);
        } catch {
          return;
        }
        count++;
        expectSameCut(format, text, cuts);
      }),
      { numRuns: scale(2000) },
    );
    expect(count).toBeGreaterThan(scale(50));
  });
});
