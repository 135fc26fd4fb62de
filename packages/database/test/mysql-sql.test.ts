/** Statements for MySQL and MariaDB, in which a value of a user or of an undo log never becomes SQL. */
import { createHash } from 'node:crypto';
import { InputError, UsageError } from '@utf8/dump';
import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  assign,
  findNarrowness,
  isLimited,
  isPlain,
  isUtf8,
  lengthOf,
  matchBytes,
  mayContainUtf8,
  narrow,
  readBytes,
  readOther,
} from '../src/server/mysql/mysql-columns.js';
import {
  type Definition,
  describeWithout,
  findJsonColumns,
  parseDefinition,
} from '../src/server/mysql/mysql-definition.js';
import {
  type Grant,
  hasPrivilege,
  parseGrant,
  showsAllColumns,
} from '../src/server/mysql/mysql-grants.js';
import {
  findKeyKind,
  followKey,
  formatKeyValue,
  type KeyColumn,
  matchKey,
  parseKeyValue,
  readKeyColumn,
} from '../src/server/mysql/mysql-literal.js';
import { readTarget } from '../src/server/mysql/mysql-target.js';
import { hasShapeOfUtf8 } from '../src/server/shape.js';
import type { KeyValue, TextColumn } from '../src/server/table.js';

const column = (properties: Partial<TextColumn> = {}): TextColumn => ({
  name: 'c',
  sql: '`c`',
  type: 'text',
  structure: undefined,
  charset: 'utf8mb4',
  collation: 'utf8mb4_bin',
  characters: undefined,
  bytes: undefined,
  isGenerated: false,
  narrowness: undefined,
  ...properties,
});

const hex = (digits: string): Buffer => Buffer.from(digits, 'hex');

describe('keys', () => {
  const kinds = {
    integer: ['tinyint', 'smallint', 'mediumint', 'int', 'bigint', 'year'],
    decimal: ['decimal'],
    index: ['bit', 'enum', 'set'],
    words: ['date', 'datetime', 'timestamp', 'time', 'uuid', 'inet4', 'inet6'],
    blob: ['binary', 'varbinary', 'tinyblob', 'blob', 'mediumblob', 'longblob'],
  } as const;

  it.each(Object.entries(kinds))('of %s: %o', (is, types) => {
    for (const type of types) {
      expect(findKeyKind(type, undefined)).toEqual({ is });
      // ENUM and SET have a character set.
      expect(findKeyKind(type, 'latin1')).toEqual({ is });
    }
  });

  it('of text', () => {
    for (const type of ['char', 'varchar', 'tinytext', 'text', 'mediumtext', 'longtext']) {
      expect(findKeyKind(type, 'latin1')).toEqual({ is: 'text', charset: 'latin1' });
      expect(findKeyKind(type, undefined)).toBeUndefined();
    }
    for (const type of ['float', 'double', 'json', 'charx', 'textual', 'geometry']) {
      expect(findKeyKind(type, 'latin1')).toBeUndefined();
    }
  });

  const key = (is: keyof typeof kinds | 'text', name = 'k'): KeyColumn => ({
    name,
    kind: is === 'text' ? { is, charset: 'latin1' } : { is },
  });

  it('are read', () => {
    expect(readKeyColumn(key('integer'))).toBe('`k`');
    expect(readKeyColumn(key('integer'), 't.')).toBe('t.`k`');
    expect(readKeyColumn(key('index'), 't.')).toBe('t.`k` + 0');
    expect(readKeyColumn(key('text'), 't.')).toBe('CAST(t.`k` AS BINARY)');
    for (const is of ['blob', 'words', 'decimal'] as const) {
      expect(readKeyColumn(key(is))).toBe('`k`');
    }
  });

  it.each<[keyof typeof kinds | 'text', string, KeyValue]>([
    ['integer', '0007', 7],
    ['integer', '-12', -12],
    ['integer', '9007199254740991', 9007199254740991],
    ['integer', '9007199254740992', '9007199254740992'],
    ['integer', '018446744073709551615', '18446744073709551615'],
    ['index', '3', 3],
    ['decimal', '1.50', '1.50'],
    ['words', '2026-01-01', '2026-01-01'],
    ['text', '\xed\xa0', { hex: 'eda0', is: 'text' }],
    ['blob', '\x00\xff', { hex: '00ff', is: 'blob' }],
  ])('%s %j are understood', (is, cell, value) => {
    expect(parseKeyValue(key(is), Buffer.from(cell, 'latin1'))).toEqual(value);
  });

  it.each<[keyof typeof kinds | 'text', KeyValue, string]>([
    ['integer', 7, '7'],
    ['integer', -7, '-7'],
    ['integer', '18446744073709551615', '18446744073709551615'],
    ['index', 12, '12'],
    ['decimal', '-12.50', '-12.50'],
    ['decimal', '3', '3'],
    ['words', '2026-01-01 10:00:00.5', "'2026-01-01 10:00:00.5'"],
    ['words', 'FE80::1', "'FE80::1'"],
    ['text', { hex: 'edA0', is: 'text' }, "_latin1 X'EDA0'"],
    ['text', { hex: '', is: 'text' }, "_latin1 X''"],
    ['blob', { hex: '00ff', is: 'blob' }, "X'00FF'"],
  ])('%s %j are written', (is, value, sql) => {
    expect(formatKeyValue(key(is), value)).toBe(sql);
  });

  it.each<[keyof typeof kinds | 'text', KeyValue | undefined]>([
    ['integer', '1 OR 1'],
    ['integer', 'x1'],
    ['integer', '1.5'],
    ['integer', ''],
    ['integer', undefined],
    ['index', '--1'],
    ['decimal', '1.'],
    ['decimal', '.5'],
    ['decimal', '1.5x'],
    ['decimal', 'x1.5'],
    ['decimal', { hex: '31', is: 'text' }],
    ['words', "2026'"],
    ['words', "'2026"],
    ['words', ''],
    ['words', { hex: '31', is: 'text' }],
    ['text', 'abc'],
    ['text', 12],
    ['blob', '12'],
    ['text', { hex: 'abc', is: 'text' }],
    ['text', { hex: "ab'", is: 'text' }],
    ['blob', { hex: 'xab', is: 'blob' }],
  ])('%s %j are refused', (is, value) => {
    const make = () => formatKeyValue(key(is), value);
    expect(make).toThrow(InputError);
    expect(make).toThrow(`the key has no such value of column k: ${JSON.stringify(value)}`);
  });

  const columns = [key('integer', 'a'), key('text', 'b'), key('blob', 'c')];
  const values: KeyValue[] = [1, { hex: 'ff', is: 'text' }, { hex: 'AB', is: 'blob' }];

  it('find a row, text by its bytes as well', () => {
    expect(matchKey(columns, values)).toBe(
      "`a` = 1 AND `b` = _latin1 X'FF' AND CAST(`b` AS BINARY) = X'FF' AND `c` = X'AB'",
    );
    expect(matchKey(columns.slice(0, 2), values, 't.')).toBe(
      "t.`a` = 1 AND t.`b` = _latin1 X'FF' AND CAST(t.`b` AS BINARY) = X'FF'",
    );
  });

  it('find the rows after a row', () => {
    expect(followKey(columns, values)).toBe(
      "(`a` > 1) OR (`a` = 1 AND `b` > _latin1 X'FF') OR (`a` = 1 AND `b` = _latin1 X'FF' AND `c` > X'AB')",
    );
    expect(followKey(columns.slice(0, 1), values)).toBe('(`a` > 1)');
  });
});

describe('definitions', () => {
  const columns = (ddl: string) =>
    parseDefinition(ddl)?.parts.map(({ column, start, charset, rest }) => [
      column,
      start,
      charset,
      rest,
    ]);

  it('are read whatever is in names and strings', () => {
    const ddl = [
      'CREATE TABLE `t``(,` (',
      '  `x',
      " ` varchar(90) DEFAULT 'q` varchar(20), DROP COLUMN secret -- ',",
      "` varchar(90) DEFAULT 'q` varchar(20) CHARACTER SET utf8mb3 COLLATE utf8mb3_bin NOT NULL DEFAULT 'it''s \\\\ (,' COMMENT 'a\\'b',",
      '  `d` text /*M!100301 COMPRESSED*/ CHARACTER SET ascii INVISIBLE CHECK (json_valid(`d`)),',
      "  `e` enum('a)','b') CHARACTER SET ascii /*!80023 INVISIBLE */,",
      '  PRIMARY KEY (`x`,`d`(3)),',
      "  CONSTRAINT `c,(` CHECK (`d` <> _utf8mb4'),')",
      ") ENGINE=InnoDB COMMENT='a,b)('",
    ].join('\n');
    const name =
      "x\n ` varchar(90) DEFAULT 'q` varchar(20), DROP COLUMN secret -- ',\n` varchar(90) DEFAULT 'q";
    expect(name).toContain('DROP');
    const definition = parseDefinition(ddl);
    expect(definition?.head).toBe('CREATE TABLE `t``(,` (');
    expect(definition?.tail).toBe(") ENGINE=InnoDB COMMENT='a,b)('");
    expect(columns(ddl)).toEqual([
      ['x\n ', '`x\n ` varchar(90)', '', "DEFAULT 'q` varchar(20), DROP COLUMN secret -- '"],
      [
        " varchar(90) DEFAULT 'q",
        "` varchar(90) DEFAULT 'q` varchar(20)",
        'CHARACTER SET utf8mb3 COLLATE utf8mb3_bin',
        "NOT NULL DEFAULT 'it''s \\\\ (,' COMMENT 'a\\'b'",
      ],
      [
        'd',
        '`d` text /*M!100301 COMPRESSED*/',
        'CHARACTER SET ascii',
        'INVISIBLE CHECK (json_valid(`d`))',
      ],
      ['e', "`e` enum('a)','b')", 'CHARACTER SET ascii', '/*!80023 INVISIBLE */'],
      [undefined, 'PRIMARY KEY (`x`,`d`(3))', '', ''],
      [undefined, "CONSTRAINT `c,(` CHECK (`d` <> _utf8mb4'),')", '', ''],
    ]);
    expect(parseDefinition(ddl.slice(0, -60))).toBeUndefined();
    expect(parseDefinition('CREATE TABLE `t')).toBeUndefined();
  });

  it('are equal without the character set of one column, and nothing else', () => {
    const describeDdl = (ddl: string): string =>
      describeWithout(parseDefinition(ddl) as Definition, 'a');
    const ddl = (a: string, b = 'text'): string => `CREATE TABLE \`t\` (\`a\` ${a}, \`b\` ${b})`;
    const before = describeDdl(ddl('text CHARACTER SET ascii NOT NULL'));
    expect(describeDdl(ddl('text CHARACTER SET utf8mb4 COLLATE x NOT NULL'))).toBe(before);
    for (const other of [
      ddl('mediumtext NOT NULL'),
      ddl('text'),
      ddl('text NOT NULL', 'text COLLATE x'),
      `${ddl('text NOT NULL')} COMMENT='x'`,
      'CREATE TABLE `t` (`a` text NOT NULL)',
    ]) {
      expect(describeDdl(other), other).not.toBe(before);
    }
  });

  it.each([
    ['json_valid(`a`)', ['a']],
    ['(JSON_VALID ( `a``b` ))', ['a`b']],
    ['json_valid(`a`) and (`a` <> 1 and json_valid(`b`))', ['a', 'b']],
    ["`a` <> 'json_valid(`a`)'", []],
    ['`json_valid(` = `a`', []],
    ['json_valid(`a`) or `b` = 1', []],
    ['(json_valid(`a`)) or (json_valid(`b`))', []],
    ['json_valid(`a`) = 0', []],
    ['`a` = 1 or `b` = 1 and json_valid(`a`)', []],
    ['`a` = 1 || `b` = 1 and json_valid(`a`)', []],
    ['`a` between 0 and json_valid(`b`)', []],
    ['case when 1 then `a` and json_valid(`b`) and 1 end', []],
    ['not json_valid(`a`)', []],
    ['json_valid(concat(`a`))', []],
    ["json_valid('a')", []],
    ["json_valid(`a`) and 'x", []],
  ])('%s restricts %j to JSON', (clause, names) => {
    expect([...findJsonColumns([clause])]).toEqual(names);
  });
});

describe('character sets', () => {
  const others =
    'ucs2 utf16 utf16le utf32 swe7 big5 gbk gb2312 gb18030 sjis cp932 ujis eucjpms euckr filename';

  it('may contain UTF-8', () => {
    for (const charset of others.split(' ')) expect(mayContainUtf8(charset)).toBe(false);
    for (const charset of ['utf8', 'utf8mb4', 'latin1', 'ascii', 'binary', 'xgbk', 'gbkx']) {
      expect(mayContainUtf8(charset)).toBe(true);
    }
    for (const charset of ['utf8', 'utf8mb3', 'utf8mb4']) expect(isUtf8(charset)).toBe(true);
    for (const charset of ['latin1', 'xutf8', undefined]) expect(isUtf8(charset)).toBe(false);
  });

  it('may lack characters', () => {
    for (const charset of ['utf8', 'utf8mb3', 'ascii']) expect(isLimited(charset)).toBe(true);
    for (const charset of ['utf8mb4', 'latin1', undefined]) {
      expect(isLimited(charset)).toBe(false);
      expect(findNarrowness('`t`', column({ charset }), definition)).toBeUndefined();
    }
  });

  const definition = { start: '`a` text', rest: "DEFAULT 'x'" };

  it.each([
    ['utf8', 'utf8_general_ci', 'utf8mb4_general_ci'],
    ['utf8mb3', 'utf8mb3_bin', 'utf8mb4_bin'],
    ['utf8mb3', 'utf8mb3_x_utf8_y', 'utf8mb4_x_utf8_y'],
    ['ascii', 'ascii_general_ci', 'utf8mb4_general_ci'],
    ['ascii', 'ascii_bin', 'utf8mb4_bin'],
  ])('are replaced: %s, %s', (charset, collation, becomes) => {
    const { statement, why, characterBytes } =
      findNarrowness('`t`', column({ charset, collation }), definition) ?? {};
    expect(statement).toBe(
      `ALTER TABLE \`t\` MODIFY \`a\` text CHARACTER SET utf8mb4 COLLATE ${becomes} DEFAULT 'x'`,
    );
    expect([why, characterBytes]).toEqual(
      charset === 'ascii'
        ? ['ascii has no characters above U+007F', 1]
        : ['utf8mb3 has no characters above U+FFFF', 3],
    );
  });

  it.each([
    ['', true],
    ['61 7f', true],
    ['c2 80', true],
    ['c3 bf df bf', true],
    ['e0 80 80 ef bf bf', true],
    ['ed a0 bd ed b8 80', true],
    ['f0 9f 98 80', true],
    ['f4 bf bf bf', true],
    ['c0 80', true],
    ['c0 81', false],
    ['c0', false],
    ['c1 80', false],
    ['80', false],
    ['bf', false],
    ['f5 80 80 80', false],
    ['ff', false],
    ['c3 41', false],
    ['c3 7f', false],
    ['c3 c0', false],
    ['c3', false],
    ['e4 b8', false],
    ['e4 b8 41', false],
    ['e4 41 b8', false],
    ['f0 9f 98', false],
    ['f0 9f 98 80 80', false],
    ['df bf bf', false],
    ['ef bf bf bf', false],
    ['61 e9', false],
  ])('%s has the shape of UTF-8: %s', (bytes, isShaped) => {
    expect(hasShapeOfUtf8(hex(bytes.replaceAll(' ', '')))).toBe(isShaped);
  });
});

describe('values', () => {
  const json = column({ type: 'json', structure: { is: 'json' }, charset: undefined });

  it('are read by their bytes', () => {
    expect(readBytes(column())).toBe('CAST(`c` AS BINARY)');
    expect(readBytes(column(), 't.')).toBe('CAST(t.`c` AS BINARY)');
    expect(readBytes(json, 't.')).toBe('CAST(CONVERT(t.`c` USING utf8mb4) AS BINARY)');
    expect(readBytes(json)).toBe('CAST(CONVERT(`c` USING utf8mb4) AS BINARY)');
    expect(lengthOf(column())).toBe('LENGTH(`c`)');
    expect(lengthOf(json)).toBe('LENGTH(CONVERT(`c` USING utf8mb4))');
  });

  it('are compared by their bytes, or by digests if they are long', () => {
    const old = Buffer.alloc(0x201, 'a');
    const short = Buffer.alloc(0x200, 'b');
    const both = [
      { column: column(), old },
      { column: json, old: short },
    ];
    const exact = (bytes: Buffer) => `X'${bytes.toString('hex').toUpperCase()}'`;
    const long = `CAST(\`c\` AS BINARY) = ${exact(old)}`;
    const second = `${readBytes(json)} = ${exact(short)}`;
    const size = (old.length + short.length) * 2;
    expect(matchBytes(both, size * 4 + 1)).toEqual([long, second]);
    const digest = createHash('sha512').update(old).digest('hex');
    const hashed = `SHA2(CAST(\`c\` AS BINARY), 512) = '${digest}'`;
    expect(matchBytes(both, size * 4)).toEqual([hashed, second]);
    expect(matchBytes([], 0)).toEqual([]);
  });

  it('are looked for in a column that cannot contain them yet', () => {
    const narrowness = { why: '', statement: '', characterBytes: 3 };
    const bytes = hex('61f09f9880edb080e282ac');
    expect(narrow({ column: column({ narrowness }), new: bytes })).toEqual(
      hex('61efbfbdedb080e282ac'),
    );
    expect(narrow({ column: column(), new: bytes })).toBe(bytes);
  });

  it('are assigned in statements of a limited length', () => {
    const one = (bytes: Uint8Array, charset?: string) => [
      { column: column({ charset }), new: bytes },
    ];
    expect(assign(one(hex('ab'), 'latin1'), 100)).toEqual({
      before: [],
      values: ["_latin1 X'AB'"],
    });
    expect(assign(one(hex('ab')), 100).values).toEqual(["_utf8mb4 X'AB'"]);
    const narrowness = { why: '', statement: '', characterBytes: 3 };
    const narrow = column({ charset: 'utf8mb3', narrowness });
    expect(assign([{ column: narrow, new: hex('ab') }], 100).values).toEqual(["X'AB'"]);
    const four = hex('00112233');
    expect(assign(one(four, 'latin1'), 17).values).toEqual(["_latin1 X'00112233'"]);
    // At most a quarter of the limit in bytes, which are half of it in digits.
    expect(assign(one(four, 'latin1'), 16)).toEqual({
      before: ["SET @utf8_0 = X'00112233'"],
      values: ['@utf8_0'],
    });
    const two = [
      { column: column(), new: hex('0011223344') },
      { column: json, new: hex('aa') },
      { column: column(), new: hex('') },
    ];
    expect(assign(two, 11)).toEqual({
      before: [
        "SET @utf8_0 = X'0011'",
        "SET @utf8_0 = CONCAT(@utf8_0, X'2233')",
        "SET @utf8_0 = CONCAT(@utf8_0, X'44')",
        "SET @utf8_1 = X'AA'",
        "SET @utf8_2 = X''",
      ],
      values: ['@utf8_0', 'CONVERT(@utf8_1 USING utf8mb4)', '@utf8_2'],
    });
    const declared = { ...json, charset: 'latin1' };
    expect(assign([{ column: declared, new: hex('aa') }], 100).values).toEqual(["_utf8mb4 X'AA'"]);
  });

  it('are left out by the server if they are plain', () => {
    const read = 'CAST(`c` AS BINARY)';
    expect(isPlain(column(), true)).toBe(`NOT (${read} REGEXP '[\\\\x80-\\\\xff\\\\x00]')`);
    const spelled = column({ structure: { is: 'json' } });
    expect(isPlain(spelled, true)).toBe(`NOT (${read} REGEXP '[\\\\x80-\\\\xff\\\\x00\\\\x5c]')`);
    const ascii = `LENGTH(CONVERT(CONVERT(${read} USING latin1) USING utf8mb4)) = LENGTH(${read})`;
    expect(isPlain(column(), false)).toBe(`(${ascii} AND INSTR(${read}, X'00') = 0)`);
    expect(isPlain(spelled, false)).toBe(
      `(${ascii} AND INSTR(${read}, X'00') = 0 AND INSTR(${read}, X'5C') = 0)`,
    );
  });

  it('of other columns are read exactly', () => {
    for (const type of ['text', 'longtext', 'blob', 'tinyblob', 'json']) {
      expect(readOther('a`', type)).toBe('SHA2(`a```, 256)');
    }
    for (const type of ['float', 'double']) expect(readOther('a', type)).toBe('`a` + 0e0');
    for (const type of ['int', 'varchar', 'textual']) expect(readOther('a', type)).toBe('`a`');
  });
});

describe('grants', () => {
  const read = (...lines: readonly string[]): Grant[] =>
    lines.map((line) => parseGrant(line) as Grant);

  it('are read', () => {
    expect(parseGrant('GRANT SELECT, CREATE VIEW ON `a``b`.* TO `u`@`%`')).toEqual({
      privileges: new Set(['SELECT', 'CREATE VIEW']),
      hasColumns: false,
      database: 'a`b',
      table: undefined,
    });
    expect(parseGrant('GRANT SELECT (`a`, `b`), UPDATE ON `d`.`t` TO `u`@`%`')).toEqual({
      privileges: new Set(['UPDATE']),
      hasColumns: true,
      database: 'd',
      table: 't',
    });
    expect(parseGrant('GRANT UPDATE (`a`), SELECT ON `d`.`t` TO x')).toMatchObject({
      privileges: new Set(['SELECT']),
      hasColumns: false,
    });
    // A column has this name.
    const forged = 'a) ON *.* TO x, (b';
    expect(
      parseGrant(`GRANT SELECT (\`${forged}\`, \`c\`), INSERT ON \`d\`.\`*\` TO \`u\``),
    ).toEqual({
      privileges: new Set(['INSERT']),
      hasColumns: true,
      database: 'd',
      table: '*',
    });
    for (const line of [
      'GRANT `role` TO `u`@`%`',
      'GRANT EXECUTE ON PROCEDURE `d`.`p` TO `u`',
      'x GRANT SELECT ON *.* TO `u`',
      'GRANT PROXY ON `a`@`%` TO `u`',
      'GRANT SELECT (`a`) ON `d`.`t',
    ]) {
      expect(parseGrant(line), line).toBeUndefined();
    }
  });

  it.each([
    ['GRANT TRIGGER ON *.* TO u', true],
    ['GRANT ALL PRIVILEGES ON *.* TO u', true],
    ['GRANT SELECT ON *.* TO u', false],
    ['GRANT TRIGGER ON `my_db`.* TO u', true],
    ['GRANT TRIGGER ON `my\\_db`.* TO u', true],
    ['GRANT TRIGGER ON `my%`.* TO u', true],
    ['GRANT TRIGGER ON `%db`.* TO u', true],
    ['GRANT TRIGGER ON `my__b`.* TO u', true],
    ['GRANT TRIGGER ON `my\\%db`.* TO u', false],
    ['GRANT TRIGGER ON `my`.* TO u', false],
    ['GRANT TRIGGER ON `db`.* TO u', false],
    ['GRANT TRIGGER ON `my.db`.* TO u', false],
    ['GRANT TRIGGER ON `my_db`.`t` TO u', true],
    ['GRANT TRIGGER ON `my_db`.`other` TO u', false],
    ['GRANT TRIGGER ON `my__b`.`t` TO u', false],
    ['GRANT TRIGGER ON `*`.* TO u', false],
    ['GRANT TRIGGER ON `my_db`.`*` TO u', false],
    ['GRANT TRIGGER ON `other`.`t` TO u', false],
  ])('%s: %s', (line, has) => {
    expect(hasPrivilege(read(line), 'TRIGGER', 'my_db', 't')).toBe(has);
    const other = 'GRANT TRIGGER ON `my_db`.`other2` TO u';
    expect(hasPrivilege(read(other, line), 'TRIGGER', 'my_db', 't')).toBe(has);
  });

  it('on a table are none on all tables', () => {
    const grants = read('GRANT TRIGGER ON `d`.`t` TO u');
    expect(hasPrivilege(grants, 'TRIGGER', 'd')).toBe(false);
    expect(hasPrivilege(read('GRANT TRIGGER ON `d`.* TO u'), 'TRIGGER', 'd')).toBe(true);
    expect(hasPrivilege([], 'TRIGGER', 'd')).toBe(false);
  });

  it('may be on some columns', () => {
    const some = 'GRANT SELECT (`a`) ON `d`.`t` TO u';
    expect(showsAllColumns(read(some), 'd', 't')).toBe(false);
    expect(showsAllColumns(read(some), 'd', 'other')).toBe(true);
    expect(showsAllColumns(read(some), 'other', 't')).toBe(true);
    expect(showsAllColumns(read(some, 'GRANT SELECT ON `d`.* TO u'), 'd', 't')).toBe(true);
    expect(showsAllColumns(read('GRANT UPDATE ON `d`.`t` TO u'), 'd', 't')).toBe(true);
    // A database of SQL, in which `.` is no wildcard.
    expect(hasPrivilege(read('GRANT SELECT ON `a.c`.* TO u'), 'SELECT', 'abc')).toBe(false);
    expect(hasPrivilege(read('GRANT SELECT ON `a.c`.* TO u'), 'SELECT', 'a.c')).toBe(true);
    expect(hasPrivilege(read('GRANT SELECT ON `a%`.* TO u'), 'SELECT', 'a\nc')).toBe(true);
  });
});

describe('URLs', () => {
  afterEach(() => vi.unstubAllEnvs());

  it('are read', () => {
    vi.stubEnv('MYSQL_PWD', undefined);
    expect(readTarget('mysql://a%40b:p%3A@host:3307/my%20shop')).toEqual({
      name: 'mysql://a@b@host:3307/my shop',
      options: { database: 'my shop', user: 'a@b', host: 'host', password: 'p:', port: 3307 },
    });
    expect(readTarget(new URL('mariadb://u@[::1]/shop?ssl=true'))).toEqual({
      name: 'mariadb://u@[::1]/shop',
      options: { database: 'shop', user: 'u', host: '::1', ssl: {} },
    });
    expect(readTarget('mysql://u@h/d?ssl=skip-verify&socketPath=/run/s').options).toEqual({
      database: 'd',
      user: 'u',
      host: 'h',
      ssl: { rejectUnauthorized: false },
      socketPath: '/run/s',
    });
    const { name, options } = readTarget('mariadb:///d');
    expect(options.host).toBe('localhost');
    expect(options.user).not.toBe('');
    expect(name).toBe(`mariadb://${options.user}@localhost/d`);
  });

  it('take a password from MYSQL_PWD', () => {
    vi.stubEnv('MYSQL_PWD', 'secret');
    expect(readTarget('mysql://u@h/d').options.password).toBe('secret');
    expect(readTarget('mysql://u:own@h/d').options.password).toBe('own');
  });

  it.each([
    [
      'mysql://u:secret@h',
      'mysql://u@h/: the URL contains no database; add it after the host, as in /shop',
    ],
    ['mysql://u:secret@h/', 'mysql://u@h/: the URL contains no database'],
    ['mysql://u:secret@h/a/b', 'mysql://u@h/a/b: the URL contains no database'],
    [
      'mysql://u:secret@h/d?ssl=no',
      'mysql://u@h/d: unknown value of ssl; expected true or skip-verify',
    ],
    ['mysql://u:secret@h/d?ssl=constructor', 'unknown value of ssl'],
    ['mysql://u:secret@h/d?x=1', 'mysql://u@h/d: unknown parameter x; expected socketPath or ssl'],
    ['postgres://u:secret@h/d', 'not a MySQL or MariaDB URL; expected mysql://user@host/database'],
    ['xmysql://u:secret@h/d', 'not a MySQL or MariaDB URL'],
    ['secret', 'not a MySQL or MariaDB URL'],
    [
      'mysql://u:secret%@h/d',
      'the URL of the database contains a % that does not start an escape; write it as %25',
    ],
  ])('%s is refused', (url, message) => {
    expect(() => readTarget(url)).toThrow(UsageError);
    expect(() => readTarget(url)).toThrow(message);
    expect(() => readTarget(url)).not.toThrow('secret');
  });
});
