/** Values and keys in the SQL of SQLite, and what CREATE statements say. */
import { describe, expect, it } from 'vitest';
import { RowKeySql } from '../src/server/sqlite/sqlite-key.js';
import {
  blobLiteral,
  isText,
  quoteString,
  textLiteral,
  textOf,
  toKeyValue,
  toLiteral,
  toParameter,
  typedValue,
} from '../src/server/sqlite/sqlite-literal.js';
import {
  mentions,
  readCreateIndex,
  readCreateTable,
  readCreateVirtualTable,
  readUpdateTrigger,
} from '../src/server/sqlite/sqlite-schema.js';
import type { KeyValue } from '../src/server/table.js';

const hex = (digits: string): Buffer => Buffer.from(digits, 'hex');

describe('values', () => {
  it('are written', () => {
    expect(quoteString("a'b''")).toBe("'a''b'''''");
    expect(blobLiteral(hex('00ff'))).toBe("X'00ff'");
    expect(textLiteral(hex('eda0'))).toBe("CAST(X'eda0' AS TEXT)");
    expect(textOf('a')).toBe("CASE typeof(a) WHEN 'text' THEN CAST(a AS BLOB) END");
    expect(typedValue('a')).toBe(
      "typeof(a), CASE typeof(a) WHEN 'text' THEN CAST(a AS BLOB) ELSE a END",
    );
    expect(isText('a')).toBe("typeof(a) = 'text' AND CAST(a AS BLOB) = ?");
    expect(isText('a', "X'00'")).toBe("typeof(a) = 'text' AND CAST(a AS BLOB) = X'00'");
  });

  it.each<[string, null | bigint | number | string | Uint8Array, KeyValue]>([
    ['text', hex('eda0'), { hex: 'eda0', is: 'text' }],
    ['blob', hex('00'), { hex: '00', is: 'blob' }],
    ['integer', 5n, 5],
    ['integer', 9007199254740991n, 9007199254740991],
    ['integer', 9007199254740992n, '9007199254740992'],
    ['integer', -(2n ** 63n), '-9223372036854775808'],
    ['real', 1.5, 1.5],
    ['real', Number.POSITIVE_INFINITY, 'Infinity'],
    ['real', Number.NEGATIVE_INFINITY, '-Infinity'],
    ['null', null, 'null'],
  ])('%s %s is a value of a key', (type, value, expected) => {
    expect(toKeyValue(type, value)).toEqual(expected);
  });

  it.each<[KeyValue, string, unknown, string]>([
    [{ hex: 'eda0', is: 'text' }, '+CAST(? AS TEXT)', hex('eda0'), "+CAST(X'eda0' AS TEXT)"],
    [{ hex: '00', is: 'blob' }, '?', hex('00'), "X'00'"],
    [5, '?', 5n, '5'],
    [-0.5, '?', -0.5, '-0.5'],
    ['9223372036854775807', '?', 9223372036854775807n, '9223372036854775807'],
    ['Infinity', '?', Number.POSITIVE_INFINITY, '9e999'],
    ['-Infinity', '?', Number.NEGATIVE_INFINITY, '-9e999'],
    [123456789012345.5, '?', 123456789012345.5, '246913578024691.0 / 2.0'],
    [0.1, '?', 0.1, '0.1'],
    [1e300, '?', 1e300, '1e+300'],
    [1e20, '?', 1e20, '100000000000000000000'],
    [1e-7, '?', 1e-7, '1e-7'],
  ])('%j is written as a parameter and as a literal', (key, sql, value, literal) => {
    expect(toParameter(key)).toEqual({ sql, value });
    expect(toLiteral(key)).toBe(literal);
  });

  it('that are real are the same after they are read', () => {
    const numbers = [0.1234567890123456, 1 / 3, 2 ** -20 / 3, 1e15 + 0.5, 123456.78901234567];
    for (const number of [...numbers, ...numbers.map((each) => -each)]) {
      const [dividend, divisor = '1.0'] = toLiteral(number).split(' / ');
      expect(Number(dividend) / Number(divisor)).toBe(number);
      // An integer is another value to SQLite.
      for (const part of [dividend, divisor]) expect(part).toMatch(/[.e]/);
    }
    expect(toLiteral(2 ** 53)).toBe('9007199254740992');
    expect(toLiteral(0.0001220703125)).toBe('0.0001220703125');
    expect(toLiteral(0.25 + 2 ** -50)).toMatch(/^\d+\.0 \/ \d+\.0$/);
  });
});

describe('keys', () => {
  const column = (name: string, collation?: string, isDescending = false) => ({
    name,
    collation,
    isDescending,
  });
  const two = new RowKeySql([column('a', 'NOCASE'), column('b"', 'BINARY', true)]);
  const a = '"a" COLLATE "NOCASE"';
  const b = '"b""" COLLATE "BINARY"';

  it('may be a rowid, whose name is not quoted', () => {
    for (const name of ['rowid', 'oid', '_rowid_']) {
      const key = new RowKeySql([column(name)]);
      expect(key).toMatchObject({
        isRowid: true,
        selected: `'integer', ${name}`,
        width: 2,
        orderBy: name,
      });
      expect(key.equals([7], 't.')).toEqual({ sql: `t.${name} = ?`, values: [7n] });
      expect(key.after([7])).toEqual([{ sql: `${name} > ?`, values: [7n] }]);
      expect(key.equalsLiteral([7])).toBe(`${name} = 7`);
    }
    expect(new RowKeySql([column('id')]).selected).toBe(`'integer', "id"`);
  });

  it('may have several columns', () => {
    expect(two).toMatchObject({ isRowid: false, width: 4, orderBy: `${a}, ${b} DESC` });
    expect(two.selected).toBe(`${typedValue('"a"')}, ${typedValue('"b"""')}`);
    expect(two.readKey(['text', hex('61'), 'integer', 3n, 'more'])).toEqual([
      { hex: '61', is: 'text' },
      3,
    ]);
    expect(two.equals([1, 2], 't.')).toEqual({
      sql: `t.${a} = ? AND t.${b} = ?`,
      values: [1n, 2n],
    });
    expect(two.equals([1, 2])).toEqual({ sql: `${a} = ? AND ${b} = ?`, values: [1n, 2n] });
    expect(two.equalsLiteral([1, { hex: '00', is: 'blob' }])).toBe(`${a} = 1 AND ${b} = X'00'`);
  });

  it('are followed by one range after the other', () => {
    expect(two.after([1, 2])).toEqual([
      { sql: `${a} = ? AND ${b} < ?`, values: [1n, 2n] },
      { sql: `${a} > ?`, values: [1n] },
    ]);
  });

  it('of another table are refused', () => {
    for (const key of [[], [1], [1, 2, 3]]) {
      const message = `expected 2 values in a key, not ${key.length}`;
      expect(() => two.equals(key)).toThrow(message);
      expect(() => two.equalsLiteral(key)).toThrow(message);
      expect(() => two.after(key)).toThrow(RangeError);
    }
  });
});

describe('CREATE TABLE', () => {
  const read = (sql: string) => {
    const { collations, json } = readCreateTable(sql);
    return { collations: Object.fromEntries(collations), json: [...json] };
  };

  it('names collations', () => {
    expect(
      read(`CREATE TABLE t (
        A text COLLATE nocase NOT NULL, -- b text COLLATE x,
        "b""B" text DEFAULT (upper('x' COLLATE wrong)) COLLATE "My Own",
        [c] text collate [rtrim], /* d text COLLATE y, */
        \`d\` text CHECK (d <> ')' COLLATE wrong) COLLATE \`x\`,
        e text, "collate" text, größe text COLLATE 'q',
        CONSTRAINT f UNIQUE (e COLLATE wrong), e text COLLATE late)`),
    ).toEqual({
      collations: {
        a: 'nocase',
        'b"b': 'My Own',
        c: 'rtrim',
        d: 'x',
        größe: 'q',
      },
      json: [],
    });
    for (const word of ['constraint', 'PRIMARY', 'unique', 'check', 'foreign']) {
      expect(read(`CREATE TABLE t (a, ${word} b COLLATE x)`).collations).toEqual({});
      expect(read(`CREATE TABLE t ("${word}" b COLLATE x)`).collations).not.toEqual({});
    }
    expect(read('CREATE TABLE t (a COLLATE)').collations).toEqual({});
    expect(read('CREATE TABLE t').collations).toEqual({});
    expect(read('CREATE TABLE t (a COLLATE x').collations).toEqual({});
  });

  it('says which columns are JSON', () => {
    expect(
      read(`CREATE TABLE t (a CHECK (json_valid(a)), b CHECK (JSON_VALID ("B", 6)),
        c CHECK ('json_valid(c)'), d CHECK (json_valid(d || 'x')), json_valid text,
        e CHECK (json_valid[e]))`).json,
    ).toEqual(['a', 'b']);
    expect(
      read(`CREATE TABLE t (a CHECK ((json_valid(a) AND (a <> '' AND json_valid([b])))), c, d AS (json_valid(c)),
        e DEFAULT (json_valid(c)), f CHECK (json_valid(f) OR f = 1), g CHECK (g = 1 OR g = 2 AND json_valid(g)),
        h CHECK (h BETWEEN 0 AND json_valid(h)), i CHECK (CASE WHEN 1 THEN i AND json_valid(i) AND 1 END),
        j CHECK (NOT json_valid(j)), k CHECK (json_valid(k) = 0), "check" CHECK ("json_valid(c)" = 1),
        CHECK (json_valid(l)), CONSTRAINT x CHECK (((json_valid("m")))))`).json,
    ).toEqual(['a', 'b', 'l', 'm']);
  });
});

describe('CREATE INDEX', () => {
  it('has terms and a condition', () => {
    expect(
      readCreateIndex(
        `CREATE UNIQUE INDEX "on (x)" ON t (a COLLATE nocase DESC, lower(b, c) ASC, d /* , */ collate x, e desc, f)
         WHERE  a > '(' AND b `,
      ),
    ).toEqual({ terms: ['a', 'lower(b, c)', 'd', 'e', 'f'], where: "a > '(' AND b" });
    expect(readCreateIndex('CREATE INDEX i ON t(((a)), "asc")')).toEqual({
      terms: ['((a))', '"asc"'],
      where: undefined,
    });
  });
});

describe('CREATE TRIGGER', () => {
  it.each<[string, readonly string[] | 'all' | undefined]>([
    ['CREATE TRIGGER x AFTER UPDATE ON t BEGIN', 'all'],
    ['CREATE TEMP TRIGGER IF NOT EXISTS main.x BEFORE UPDATE OF a, "B" ON t BEGIN', ['a', 'b']],
    ['CREATE TRIGGER main.x INSTEAD OF UPDATE ON t BEGIN', 'all'],
    ['CREATE TRIGGER update AFTER INSERT ON t BEGIN UPDATE t', undefined],
    ['CREATE TRIGGER "x" DELETE ON t BEGIN UPDATE t', undefined],
    ['CREATE TRIGGER x UPDATE OF a ON t BEGIN', ['a']],
    ['CREATE TRIGGER if AFTER UPDATE ON t BEGIN', 'all'],
    ['CREATE TRIGGER x AFTER UPDATE OF a, b', ['a', 'b']],
    ['CREATE TRIGGER x AFTER "update" ON t', undefined],
  ])('%s', (sql, columns) => {
    expect(readUpdateTrigger(sql)).toEqual(columns);
  });
});

describe('a name', () => {
  it('is mentioned in any spelling', () => {
    for (const sql of ['SELECT a', 'x "A" y', '[a]', '`A`', "'a'", 'x.A(b)']) {
      expect(mentions(sql, 'A'), sql).toBe(true);
    }
    for (const sql of ['ab', '-- a\nb', '/* a */ b', "'a b'", '"a"""', '']) {
      expect(mentions(sql, 'A'), sql).toBe(false);
    }
  });
});

describe('CREATE VIRTUAL TABLE', () => {
  it.each([
    ['CREATE VIRTUAL TABLE "using" USING FTS5(a, b)', 'fts5', undefined],
    [`CREATE VIRTUAL TABLE x USING fts5(a, content='')`, 'fts5', ''],
    ['CREATE VIRTUAL TABLE x USING fts4(content=, a)', 'fts4', ''],
    [`CREATE VIRTUAL TABLE x USING fts5(a, content='Docs', content_rowid=id)`, 'fts5', 'docs'],
    ['CREATE VIRTUAL TABLE x USING fts5(content, title)', 'fts5', undefined],
    ['CREATE VIRTUAL TABLE x USING rtree', 'rtree', undefined],
    ['CREATE VIRTUAL TABLE x USING', '', undefined],
  ])('%s', (sql, module, content) => {
    expect(readCreateVirtualTable(sql)).toEqual({ module, content });
  });
});
