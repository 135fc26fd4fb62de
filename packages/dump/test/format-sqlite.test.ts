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
  readAll,
  readRows,
  sizes,
} from './format-reading.js';

const format = findFormat('sqlite');

const valuesOf = (text: string): string[] => {
  const bytes = bytesOf(text);
  const values: string[] = [];
  for (const { kind, fields } of format.createReader().read(bytes)) {
    if (kind !== 'record') continue;
    for (const field of fields) {
      values.push(Buffer.from(format.readValue(bytes, field)).toString('latin1'));
    }
  }
  return values;
};

describe('sqlite', () => {
  it('has a record for each row, with the columns of its table', () => {
    const text = `PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE t(id INTEGER PRIMARY KEY, "na""me" TEXT, [b c] x y z, \`d\`, e DECIMAL(10,2), CHECK(id > 0));
INSERT INTO t VALUES(1,'it''s \\',X'eda0bd',NULL,-1.5e3);
INSERT INTO "t" VALUES(2,'${cesu.emoji}\n',x'','',9);
COMMIT;
`;
    const records = readAll(format, text).filter(({ kind }) => kind === 'record');
    expect(records.map(({ table, line }) => [table, line])).toEqual([
      ['t', 4],
      ['t', 5],
    ]);
    expect(records[0]?.fields).toEqual([
      { text: '1', kind: 'opaque', column: 'id', number: 1 },
      { text: "it''s \\", kind: 'text', column: 'na"me', number: 2 },
      { text: 'eda0bd', kind: 'opaque', column: 'b c', number: 3 },
      { text: 'NULL', kind: 'opaque', column: 'd', number: 4 },
      { text: '-1.5e3', kind: 'opaque', column: 'e', number: 5 },
    ]);
    expect(records[1]?.fields.map(({ kind }) => kind)).toEqual([
      ...['opaque', 'text', 'opaque', 'text', 'opaque'],
    ]);
  });

  it('has no escapes except in unistr', () => {
    expect(
      valuesOf(`INSERT INTO t VALUES('a\\n''',unistr('\\u000a\\\\u\\U0001F600\\+00004e'));`),
    ).toEqual(["a\\n'", '\n\\u\xf0\x9f\x98\x80N']);
    expect([format.quote('\\uD83D'), format.quote('\\uD83D', true)]).toEqual([
      '\\uD83D',
      '\\\\uD83D',
    ]);
  });

  it('reads line ends that .dump replaces', () => {
    const text =
      "INSERT INTO t VALUES(replace(replace('a\\nb\\r','\\r',char(13)),'\\n',char(10)),'b');";
    expect(readRows(format, text)).toEqual([['a\\nb\\r', '\\r', '\\n', 'b']]);
    expect(readAll(format, text)[1]?.fields.map(({ number }) => number)).toEqual([1, 1, 1, 2]);
  });

  it('keeps a trigger in one piece', () => {
    const trigger = `CREATE TRIGGER "end" AFTER INSERT ON t WHEN new.a > 0 BEGIN
  INSERT INTO u VALUES('; END;'); -- END;
  UPDATE u SET a = CASE WHEN 1 THEN 'x' END;
  SELECT CASE 1 WHEN 1 THEN [END;] END;
END;
`;
    const text = `${trigger}CREATE TEMP TRIGGER b DELETE ON t BEGIN SELECT 1; END;\nINSERT INTO t VALUES(1);\n`;
    expect(readAll(format, text).map(({ kind, line }) => [kind, line])).toEqual([
      ['other', 1],
      ['other', 6],
      ['head', 7],
      ['record', 7],
      ['tail', 7],
    ]);
    expectSameCut(format, text, [1]);
  });

  it('reads virtual tables', () => {
    const text = `PRAGMA writable_schema=ON;
INSERT INTO sqlite_schema(type,name,tbl_name,rootpage,sql)VALUES('table','f','f',0,'CREATE VIRTUAL TABLE f USING fts5("${cesu.emoji}")');
CREATE TABLE IF NOT EXISTS 'f_data'(id INTEGER PRIMARY KEY, block BLOB);
INSERT INTO f_data VALUES(1,X'0102');
PRAGMA writable_schema=OFF;
`;
    const records = readAll(format, text).filter(({ kind }) => kind === 'record');
    expect(records.map(({ table, fields }) => [table, fields.at(-1)?.column])).toEqual([
      ['sqlite_schema', 'sql'],
      ['f_data', undefined],
    ]);
  });

  it('refuses a dump that ends with ROLLBACK', () => {
    const text = 'BEGIN TRANSACTION;\nINSERT INTO t VALUES(1);\n/**** ERROR: (11) *****/\n';
    const bytes = bytesOf(`${text}ROLLBACK; -- due to errors\n`);
    expect(catchError(() => format.createReader().skip(bytes, true)).message).toBe(
      'line 4: the dump ends with ROLLBACK, since sqlite3 could not read the whole database; recover it first: sqlite3 FILE .recover',
    );
  });

  it('reports what does not end', () => {
    expect(errorOf(format, "\nINSERT INTO t VALUES('a;\n")).toBe(
      'FILE:2: unterminated string; is the dump complete, and in this format?',
    );
    expect(errorOf(format, 'CREATE TRIGGER t BEGIN SELECT 1;\n')).toBe(
      'FILE:1: unterminated statement; is the dump complete, and in this format?',
    );
  });

  it('reads the same however it is cut', () => {
    const value = fc.oneof(
      cell.map((text) => ({ sql: `'${text.replaceAll("'", "''")}'`, text })),
      fc.constantFrom('NULL', '-1.5', "X'00FF'").map((sql) => ({ sql, text: undefined })),
    );
    const row = fc.array(value, { minLength: 1, maxLength: 4 });
    const between = fc.constantFrom(
      '',
      '\n',
      '-- a comment;\n',
      '/* a;\n */\n',
      'CREATE TABLE \'a;\'([b;], "c;");\n',
      'CREATE TRIGGER x BEGIN SELECT 1; END;\n',
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(row, between), { maxLength: 8 }), sizes, (rows, cuts) => {
        const text = rows
          .map(
            ([row, rest]) =>
              `INSERT INTO t VALUES(${row.map(({ sql }) => sql).join(',')});\n${rest}`,
          )
          .join('');
        expectSameCut(format, text, cuts);
        const texts = readAll(format, text)
          .filter(({ kind }) => kind === 'record')
          .flatMap(({ fields }) => fields.filter(({ kind }) => kind === 'text'))
          .map(({ text }) => text.replaceAll("''", "'"));
        const expected = rows.flatMap(([row]) => row.flatMap(({ text }) => text ?? []));
        expect(texts).toEqual(expected);
      }),
      { numRuns: scale(200) },
    );
  });
});
