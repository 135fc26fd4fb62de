/** Strings of a dump of MySQL that are repaired: only those that the grammar proves to be text. */
import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { convertDump } from '../src/convert/convert.js';
import type { FormatOptions } from '../src/format/format.js';
import type { FileHazard } from '../src/load/hazard.js';
import { scanDump } from '../src/scan/scan.js';
import { useFolder } from './use-folder.js';

const path = useFolder();
const PAIR = '\xed\xa0\xbd\xed\xb8\x80';
const FOUR = '\xf0\x9f\x98\x80';

interface Options {
  readonly formatOptions?: FormatOptions;
  readonly allow?: readonly FileHazard[];
}

/** Converts a dump. Returns it, or what ended the run. */
async function convert(dump: string, options: Options = {}) {
  writeFileSync(path('in'), dump, 'latin1');
  const all = { format: 'mysqldump', from: 'cesu-8+utf-8', ...options } as const;
  const { refusal } = await convertDump({ input: path('in'), output: path('out'), ...all });
  return refusal ?? readFileSync(path('out'), 'latin1');
}

const HEAD =
  'SET NAMES utf8mb4;\nCREATE TABLE t (id int primary key, c blob, n text CHARACTER SET utf8mb4, x int);\n';

/** A dump, in which € stands for a pair of surrogates. */
const write = (statement: string, head = HEAD): string =>
  `${head}${statement.replaceAll('€', PAIR)}\n`;

describe('a pair of surrogates becomes one character', () => {
  it.each([
    "INSERT INTO t (id, n) VALUES (1, '€');",
    "INSERT INTO t (id, n) VALUES (1, CONCAT('€', LOWER(_utf8mb4'€'), N'€') COLLATE utf8mb4_bin);",
    "INSERT INTO t (id) VALUES (1) ON DUPLICATE KEY UPDATE n = '€', n = concat('€', n);",
    "INSERT INTO t SET n = '€', id = 1;",
    "UPDATE t SET n = '€' WHERE n LIKE '€' OR n IN ('€', '€');",
    "CREATE TABLE `u€` (a text COMMENT '€', e enum('€','b') DEFAULT '€', s set('€')) COMMENT='€';",
    "CREATE TABLE u (a varchar(9) CHARACTER SET utf8mb4 DEFAULT ('€'), b int COMMENT '€');",
    "CREATE DATABASE d CHARACTER SET binary;\nUSE d;\nCREATE TABLE u (a text CHARACTER SET utf8mb4 DEFAULT '€');",
    "ALTER TABLE t ADD m varchar(9) DEFAULT '€' COMMENT '€', ALTER n SET DEFAULT '€';",
    "ALTER TABLE t CHANGE n m enum('€') DEFAULT _utf8mb4'€';",
    "CREATE PROCEDURE p() COMMENT '€' SELECT _utf8mb4'€', N'€';",
    "CREATE DEFINER='€'@'€' VIEW v AS SELECT 1 AS `€` /* € */;",
    '/* € */ SELECT 1; -- €',
    '# €',
    "CREATE DATABASE d COMMENT '€';",
    "/*!99999 SET @x = '€' */;",
    "SET @'€' = 1;",
  ])('in %s', async (statement) => {
    const dump = write(statement);
    const allow: readonly FileHazard[] = statement.includes('COMMENT') ? ['narrow-column'] : [];
    if (allow.length > 0) expect(await convert(dump)).toMatchObject({ kind: 'narrow-column' });
    expect(await convert(dump, { allow })).toBe(dump.replaceAll(PAIR, FOUR));
  });
});

describe('the same bytes stay', () => {
  it.each([
    "INSERT INTO t (id, c) VALUES (1, '€'), (2, CONCAT('€', 'x')), (3, /*!40000 '€' */);",
    "INSERT INTO t (id) VALUES (1) ON DUPLICATE KEY UPDATE c='€';",
    "INSERT INTO t (id) VALUES (1) AS new ON DUPLICATE KEY UPDATE t.c = '€';",
    "INSERT INTO t SET c = '€' ON DUPLICATE KEY UPDATE c='€';",
    "UPDATE t SET c = '€' WHERE c = '€';",
    "SET @x = _binary'€';",
    "CREATE TABLE u (c varbinary(9) DEFAULT '€', d binary(6) NOT NULL DEFAULT '€');",
    "CREATE TABLE u (c varchar(9) DEFAULT '€', e enum('€')) CHARSET=binary;",
    "CREATE DATABASE d CHARACTER SET binary;\nUSE d;\nCREATE TABLE u (a text DEFAULT '€');\nINSERT INTO u VALUES ('€');",
    "ALTER TABLE t ADD d binary(6) DEFAULT '€', ALTER c SET DEFAULT '€';",
    "CREATE TABLE IF NOT EXISTS t (id int, c text);\nINSERT INTO t (c) VALUES ('€');",
    "CREATE TABLE u (a int INVISIBLE, b blob, n text);\nINSERT INTO u VALUES ('€','');",
    "CREATE TABLE u (n text, a int, b blob);\nALTER TABLE u ALTER n SET INVISIBLE;\nINSERT INTO u VALUES (1,'€');",
    "/*!99999 ALTER TABLE t MODIFY c text */;\nINSERT INTO t (c) VALUES ('€');",
    "/*M!999999 ALTER TABLE t MODIFY c text */;\nINSERT INTO t (c) VALUES ('€');",
    "CREATE TABLE u (a blob /*!99999 , b text */, n text);\nINSERT INTO u VALUES ('€','');",
    "ALTER ONLINE TABLE t MODIFY n blob;\nINSERT INTO t (n) VALUES ('€');",
    "ALTER ONLINE IGNORE TABLE IF EXISTS t WAIT 5 MODIFY n blob;\nINSERT INTO t (n) VALUES ('€');",
    "ALTER TABLE t ADD COLUMN IF NOT EXISTS c text FIRST;\nINSERT INTO t (c) VALUES ('€');",
    "warnings\nINSERT INTO t (c) VALUES ('€');",
    "use other\nCREATE TABLE t (c blob);\nINSERT INTO other.t VALUES ('€');",
    "DELIMITER //\nCREATE TABLE u (n text); ALTER TABLE u MODIFY n blob//\nINSERT INTO u VALUES ('€')//",
    "DELIMITER //\nINSERT INTO t (id) VALUES (1); ALTER TABLE t MODIFY n blob//\nINSERT INTO t (n) VALUES ('€')//",
    "/*!40000 INSERT INTO t (c) VALUES (_binary'€') */\n;",
  ])('in %s', async (statement) => {
    const dump = write(statement);
    expect(await convert(dump)).toBe(dump);
  });
});

/** Places of which nothing says what they contain. */
const unknown = [
  "SET @x='€';",
  "SET @a=1, @x := CONCAT('€');",
  "PREPARE s FROM 'INSERT INTO t (c) VALUES (\\'€\\')';",
  "EXECUTE IMMEDIATE 'SELECT \\'€\\'';",
  "CALL p('€');",
  "SELECT '€';",
  "INSERT INTO t (n) SELECT '€';",
  "INSERT INTO t (n) VALUES (HEX('€'));",
  "INSERT INTO t (n) VALUES (concat('a', (SELECT '€')));",
  "INSERT INTO t (n) VALUES ('€' = '€');",
  "INSERT INTO t (n) VALUES (1) ON DUPLICATE KEY UPDATE n = HEX('€');",
  "INSERT INTO t (x) VALUES ('€');",
  "INSERT INTO t (gone) VALUES ('€');",
  "UPDATE t SET n = (SELECT n FROM u WHERE n = '€');",
  "UPDATE t JOIN u SET n = '€';",
  "DELETE FROM t WHERE c = '€';",
  "/*!40000 INSERT INTO t (c) VALUES ('€') */;",
  "/*!40000 INSERT INTO t (c) VALUES ('€') */\n;",
  "CREATE TRIGGER g BEFORE INSERT ON t FOR EACH ROW SET NEW.c='€', @comment = '€';",
  "CREATE TRIGGER g BEFORE INSERT ON t FOR EACH ROW BEGIN SET comment = '€'; END;",
  "CREATE PROCEDURE p() SELECT '€';",
  "CREATE VIEW v AS SELECT '€';",
  "CREATE EVENT e ON SCHEDULE EVERY 1 DAY DO UPDATE t SET c = '€';",
  "CREATE TABLE u (c varbinary(9)) PARTITION BY LIST COLUMNS (c) (PARTITION p VALUES IN ('€'));",
  "CREATE TABLE u (c varchar(9) AS (HEX('€')), CHECK (c <> '€'));",
  "CREATE TABLE u (n text DEFAULT (HEX('€')));",
  "CREATE TABLE u (n text) SELECT '€' AS n;",
  "CREATE TABLE u (n int DEFAULT '€');",
  "DELIMITER //\nINSERT INTO t (n) VALUES ('x'); INSERT INTO t (c) VALUES ('€')//",
  "DELIMITER //\nCREATE TABLE u (n text); INSERT INTO t (c) VALUES ('€')//",
  "DELIMITER //\nUPDATE t SET n = 'x'; UPDATE u SET n = '€'//",
  "/*!80000 ALTER TABLE t MODIFY c text */;\nINSERT INTO t (c) VALUES ('€');",
  "CREATE TABLE u (c /*M!100100 text */ /*!50700 blob */);\nINSERT INTO u VALUES ('€');",
  "xyz\nINSERT INTO t (c) VALUES ('€');",
  "LOAD DATA INFILE '€' INTO TABLE t;",
  "ALTER USER u IDENTIFIED BY '€';",
];

describe('what may be text or binary ends the run', () => {
  it.each(unknown)('in %s', async (statement) => {
    const dump = write(statement);
    expect(await convert(dump)).toMatchObject({
      kind: 'text-or-binary',
      bytes: 'ED A0 BD ED B8 80',
    });
    // It is kept on request, and repaired or kept without a word where `assume` decides.
    const allow = ['text-or-binary'] as const;
    expect(await convert(dump, { allow })).toBe(dump);
    expect(await convert(dump, { formatOptions: { assume: 'binary' } })).toBe(dump);
    const text = await convert(dump, { formatOptions: { assume: 'text' } });
    expect(text).toContain(FOUR);
    const { findings, examples, changed } = await scanDump({
      input: path('in'),
      format: 'mysqldump',
      from: 'cesu-8+utf-8',
    });
    expect(findings['text-or-binary']).toBe(dump.split(PAIR).length - 1);
    expect([examples['text-or-binary']?.[0]?.offset, changed]).toEqual([dump.indexOf(PAIR), 0]);
  });

  it('but not if a repair would keep it', async () => {
    const dump = write(
      unknown.join('\n').replaceAll('€', '\xc3\xa9').replaceAll('DELIMITER //', ''),
    );
    expect(await convert(dump.replaceAll('//', ';'))).toBe(dump.replaceAll('//', ';'));
  });
});

it.each([
  [
    "CREATE TABLE u (a int /*!80023 INVISIBLE */, b blob);\nINSERT INTO u VALUES ('€');",
    'lists no columns',
  ],
  [
    "CREATE TABLE t (n text);\nUSE d;\nCREATE TABLE IF NOT EXISTS t (n blob);\nINSERT INTO t VALUES ('€');",
    'unknown table "t"',
  ],
  ["/*!80000 CREATE TABLE u (n text) */;\nINSERT INTO u VALUES ('€');", 'unknown table "u"'],
  ["/*!80000 SET sql_mode='NO_BACKSLASH_ESCAPES' */;", 'sql_mode on every server'],
  ["/*!80000 ' */; SET NAMES latin1; -- '", 'unterminated comment'],
])('what depends on the server is refused: %s', async (statement, reason) => {
  await expect(convert(write(statement, ''))).rejects.toThrow(reason);
});
