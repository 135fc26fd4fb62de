/**
 * Scripts for MariaDB with literals in the places that its manual allows.
 *
 * @see https://mariadb.com/kb/en/sql-statements/
 */
import { PAIR, Script } from './script.js';

/** Quotes a value as one of the strings of MariaDB. */
function literal(script: Script, text = script.value()): string {
  const quote = script.pick(["'", "'", '"']);
  return (
    quote +
    text.replaceAll('\\', '\\\\').replaceAll(quote, script.pick([quote + quote, `\\${quote}`])) +
    quote
  );
}

/** A literal that says that it is text. */
const marked = (script: Script): string =>
  script.pick([
    () => `_utf8mb4${script.maybe(' ')}${literal(script)}`,
    () => `_utf8mb4 ${literal(script)} COLLATE utf8mb4_bin`,
  ])();

const blank = (script: Script): string =>
  script.pick([' ', '\n', '\t', ' /* it */ ', ' -- it\n', ' # it\n', '  ']);

const TEXT = ['text', 'varchar(99)', 'char(99)', 'longtext', 'varchar(99) BINARY'];
const BINARY = [
  'blob',
  'varbinary(99)',
  'longblob',
  'varchar(99) CHARACTER SET binary',
  'tinyblob',
];

interface Table {
  readonly name: string;
  /** The columns of text and of bytes. */
  readonly n: string;
  readonly c: string;
}

/** Creates a table with both kinds of columns. */
function createTable(script: Script, options = ''): Table {
  const table = { name: script.name(), n: script.name('n'), c: script.name('c') };
  const columns = [
    'id int AUTO_INCREMENT PRIMARY KEY',
    `${table.n} ${script.pick(TEXT)}`,
    `${table.c} ${script.pick(BINARY)}`,
  ];
  const verb = script.pick([
    'CREATE TABLE',
    'create table',
    'CREATE OR REPLACE TABLE',
    'CREATE TABLE IF NOT EXISTS',
  ]);
  script.add(`${verb} ${table.name} (${columns.join(', ')}) ${options};`);
  return table;
}

function observe(
  script: Script,
  { name, n, c }: Table,
  n1 = 'text' as const,
  c1 = 'binary' as const,
): void {
  script.observe(n1, `SELECT HEX(${n}) FROM ${name} ORDER BY id`);
  script.observe(c1, `SELECT HEX(${c}) FROM ${name} ORDER BY id`);
}

/** A value of a text column: a string, marked or not, or a function of strings. */
const textValue = (script: Script): string =>
  script.pick([
    () => literal(script),
    () => literal(script),
    () => marked(script),
    () => `CONCAT(${literal(script)}, ${literal(script)})`,
    () => `COALESCE(NULL, ${literal(script)})`,
    () => `REPLACE(${literal(script)},'x',${literal(script)})`,
    () => `${literal(script)}${blank(script)}COLLATE utf8mb4_bin`,
  ])();

const binaryValue = (script: Script): string =>
  script.pick([
    () => literal(script),
    () => literal(script),
    () => `_binary${literal(script)}`,
    () => `_binary ${literal(script)}`,
    () => "X'EDA0BDEDB880'",
    () => '0xEDA0BDEDB880',
    () => `CONCAT(${literal(script)}, ${literal(script)})`,
    () => `CAST(${literal(script)} AS BINARY)`,
  ])();

/** Each adds statements and queries to a script. */
type Part = (script: Script) => void;

const rows: readonly Part[] = [
  (s) => {
    const t = createTable(s);
    const verb = s.pick([
      'INSERT INTO',
      'insert',
      'REPLACE INTO',
      'INSERT IGNORE INTO',
      'INSERT LOW_PRIORITY',
    ]);
    const tuple = (): string => `(${textValue(s)},${blank(s)}${binaryValue(s)})`;
    s.add(`${verb} ${t.name} (${t.n}, ${t.c}) VALUES${blank(s)}${tuple()}, ${tuple()}${blank(s)};`);
    observe(s, t);
  },
  (s) => {
    const t = createTable(s);
    s.add(`INSERT INTO ${t.name} VALUES (NULL,${textValue(s)},${binaryValue(s)});`);
    s.add(
      `INSERT INTO ${t.name} (id) VALUES (1)${blank(s)}ON DUPLICATE KEY UPDATE ${t.n}=${textValue(s)}, ${t.c} =${binaryValue(s)};`,
    );
    observe(s, t);
  },
  (s) => {
    const t = createTable(s);
    s.add(`INSERT INTO ${t.name} SET ${t.c}=${literal(s)},${blank(s)}${t.n} = ${textValue(s)};`);
    s.add(
      `UPDATE ${t.name}${blank(s)}SET ${t.n} = ${literal(s)}, ${t.c} = ${literal(s)} WHERE id > 0;`,
    );
    s.add(
      `UPDATE ${t.name} SET id = id + 10 WHERE ${t.n} = ${literal(s, 'x')} OR ${t.c} <> ${literal(s)};`,
    );
    observe(s, t);
  },
  (s) => {
    const t = createTable(s);
    s.add(`INSERT INTO ${t.name} (${t.n}) SELECT ${literal(s)};`);
    s.observe('either', `SELECT HEX(${t.n}) FROM ${t.name}`);
  },
  (s) => {
    const t = createTable(s);
    s.add(`INSERT INTO ${t.name} (${t.c}) SELECT ${literal(s)} UNION SELECT ${literal(s)};`);
    s.observe('binary', `SELECT HEX(${t.c}) FROM ${t.name} ORDER BY 1`);
  },
  (s) => {
    const t = createTable(s);
    const hash = s.pick(['HEX', 'MD5', 'TO_BASE64', 'LENGTH', 'SHA1', 'QUOTE']);
    s.add(`INSERT INTO ${t.name} (${t.n}) VALUES (${hash}(${literal(s)}));`);
    s.observe(hash === 'QUOTE' ? 'either' : 'binary', `SELECT HEX(${t.n}) FROM ${t.name}`);
  },
  (s) => {
    const t = createTable(s);
    const v = literal(s);
    s.add(`INSERT INTO ${t.name} (${t.c}) VALUES (_binary${v});`);
    s.add(
      s.pick([
        `DELETE FROM ${t.name} WHERE ${t.c} = ${v};`,
        `UPDATE ${t.name} SET ${t.c} = 'y' WHERE ${t.c} = ${v};`,
        `DELETE a FROM ${t.name} a JOIN ${t.name} b USING (id) WHERE a.${t.c} = ${v};`,
      ]),
    );
    s.observe('binary', `SELECT HEX(IFNULL(GROUP_CONCAT(${t.c}), 'none')) FROM ${t.name}`);
  },
];

const others: readonly Part[] = [
  (s) => {
    const t = s.name();
    s.add(
      `CREATE TABLE ${t} (id int COMMENT ${literal(s)}, KEY (id) COMMENT ${literal(s)}) ${s.pick(['COMMENT=', 'COMMENT = ', 'COMMENT '])}${literal(s)};`,
    );
    const where = `WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = '${t}'`;
    s.observe('text', `SELECT HEX(TABLE_COMMENT) FROM information_schema.TABLES ${where}`);
    s.observe('text', `SELECT HEX(COLUMN_COMMENT) FROM information_schema.COLUMNS ${where}`);
    s.observe('text', `SELECT HEX(INDEX_COMMENT) FROM information_schema.STATISTICS ${where}`);
  },
  (s) => {
    const t = createTable(s);
    s.add(
      `WITH w AS (SELECT ${literal(s)} AS v) SELECT v INTO @w FROM w;`,
      `SET STATEMENT max_statement_time = 60 FOR INSERT INTO ${t.name} (${t.c}) VALUES (${literal(s)});`,
      `INSERT INTO ${t.name} (${t.c}) VALUES (@w), ((SELECT ${literal(s)})), (IF(1, ${literal(s)}, 2));`,
    );
    s.observe('binary', `SELECT HEX(${t.c}) FROM ${t.name} ORDER BY id`);
  },
  (s) => {
    const [t, u] = [createTable(s), createTable(s)];
    s.add(
      `INSERT INTO ${t.name} (id) VALUES (1);`,
      `INSERT INTO ${u.name} (id) VALUES (1);`,
      s.pick([
        `UPDATE ${t.name} JOIN ${u.name} USING (id) SET ${u.c} = ${literal(s)};`,
        `UPDATE ${t.name}, ${u.name} SET ${u.name}.${u.c} = ${literal(s)};`,
        `UPDATE ${t.name} SET ${t.c} = (SELECT ${literal(s)});`,
        `UPDATE ${t.name} SET ${t.c} = CASE id WHEN 1 THEN ${literal(s)} END WHERE id IN (SELECT 1);`,
      ]),
    );
    s.observe('binary', `SELECT HEX(${t.c}) FROM ${t.name}`);
    s.observe('binary', `SELECT HEX(${u.c}) FROM ${u.name}`);
  },
  (s) => {
    const t = createTable(s);
    s.add(
      `INSERT INTO ${t.name} (${t.c}) VALUES (_latin1${literal(s)}), (_binary ${literal(s)});`,
      `INSERT INTO ${t.name} (${t.c}) VALUES (${literal(s)}) RETURNING ${literal(s)};`,
      `INSERT INTO ${t.name} (${t.n}) VALUES (N'x'), (LOWER(CONCAT(${literal(s)}, 'X')));`,
    );
    s.observe('binary', `SELECT HEX(${t.c}) FROM ${t.name} WHERE ${t.c} IS NOT NULL ORDER BY id`);
    s.observe('text', `SELECT HEX(${t.n}) FROM ${t.name} WHERE ${t.n} IS NOT NULL ORDER BY id`);
  },
  (s) => {
    const t = s.name();
    const c = s.name('c');
    s.add(
      `CREATE TABLE ${t} (id int, CONSTRAINT ${c} CHECK (id <> LENGTH(${literal(s, 'x\xed\xa0\xbd\xed\xb8\x80')})));`,
      `INSERT IGNORE INTO ${t} VALUES (7), (5), (1);`,
    );
    s.observe('binary', `SELECT HEX(id) FROM ${t}`);
  },
  (s) => {
    const t = s.name(`n${'\xed\x95\x9c'}`);
    s.add(
      `CREATE TABLE \`${t}\` (\`c;'\` blob, \`n"#\` text);`,
      `INSERT INTO \`${t}\` (\`n"#\`, \`c;'\`) VALUES (${literal(s)}, ${literal(s)});`,
      `INSERT INTO ${t} VALUES (${literal(s)}, ${literal(s)});`,
    );
    s.observe('binary', `SELECT HEX(\`c;'\`) FROM \`${t}\``);
    s.observe('text', `SELECT HEX(\`n"#\`) FROM \`${t}\``);
  },
];

const variables: readonly Part[] = [
  (s) => {
    const x = s.name('x');
    const t = createTable(s);
    s.add(
      s.pick([
        `SET @${x} = ${literal(s)};`,
        `SET @other=1,@${x}:=${literal(s)};`,
        `SELECT ${literal(s)} INTO @${x};`,
        `SET @${x} = CONCAT(${literal(s)}, 'x');`,
        `SET @${x} = CASE WHEN 1 THEN ${literal(s)} END;`,
      ]),
    );
    s.add(`INSERT INTO ${t.name} (${t.c}) VALUES (@${x});`);
    s.observe('binary', `SELECT HEX(${t.c}) FROM ${t.name}`);
  },
  (s) => {
    const t = createTable(s);
    const inner = `INSERT INTO ${t.name} (${t.c}) VALUES ('${PAIR}')`;
    s.add(
      s.pick([
        `PREPARE p FROM "${inner}"; EXECUTE p;`,
        `EXECUTE IMMEDIATE "${inner}";`,
        `SET @q = "${inner}"; PREPARE p FROM @q; EXECUTE p;`,
      ]),
    );
    s.observe('binary', `SELECT HEX(${t.c}) FROM ${t.name}`);
  },
  (s) => {
    const t = createTable(s);
    s.add(
      `PREPARE p FROM 'INSERT INTO ${t.name} (${t.c}) VALUES (?)';`,
      `EXECUTE p USING ${literal(s)};`,
    );
    s.observe('binary', `SELECT HEX(${t.c}) FROM ${t.name}`);
  },
  (s) => {
    const x = s.name('x');
    s.add(`SET @\`${x}\` = ${marked(s)};`);
    const t = createTable(s);
    s.add(`INSERT INTO ${t.name} (${t.n}) VALUES (@${x});`);
    s.observe('text', `SELECT HEX(${t.n}) FROM ${t.name}`);
  },
];

const definitions: readonly Part[] = [
  (s) => {
    const t = s.name();
    s.add(
      `CREATE TABLE ${t} (id int, n ${s.pick(['varchar(99)', 'text'])} ${s.maybe('NOT NULL')} DEFAULT ${s.pick([literal(s), `(${literal(s)})`])}, c ${s.pick(['varbinary(99)', 'blob'])} DEFAULT ${literal(s)}${s.maybe(` COMMENT ${literal(s, '')}`)});`,
    );
    s.add(`INSERT INTO ${t} (id) VALUES (1);`);
    s.observe('text', `SELECT HEX(n) FROM ${t}`);
    s.observe('binary', `SELECT HEX(c) FROM ${t}`);
  },
  (s) => {
    const t = s.name();
    s.add(
      `CREATE TABLE ${t} (n varchar(99) DEFAULT ${literal(s)}) ${s.pick(['CHARACTER SET binary', 'DEFAULT CHARSET=binary', 'COLLATE = binary'])};`,
    );
    s.add(`INSERT INTO ${t} VALUES (DEFAULT), (${literal(s)});`);
    s.observe('binary', `SELECT HEX(n) FROM ${t}`);
  },
  (s) => {
    const t = s.name();
    const member = s.value().replaceAll(',', '').replaceAll('"', '').replaceAll('`', '');
    s.add(`CREATE TABLE ${t} (e ${s.pick(['enum', 'ENUM', 'set'])} ('x', '${member}') NOT NULL);`);
    s.add(`INSERT INTO ${t} VALUES ('${member}'), ('x');`);
    s.observe('text', `SELECT HEX(CONCAT(e)) FROM ${t} WHERE e + 0 = 2`);
  },
  (s) => {
    const t = createTable(s);
    s.add(
      `ALTER ${s.maybe('ONLINE ')}${s.maybe('IGNORE ')}TABLE ${t.name} ${s.maybe('WAIT 5 ')}ADD ${s.maybe('COLUMN ')}(m varchar(99) DEFAULT ${literal(s)}, d varbinary(99) DEFAULT ${literal(s)});`,
    );
    s.add(`INSERT INTO ${t.name} (id) VALUES (1);`);
    s.observe('text', `SELECT HEX(m) FROM ${t.name}`);
    s.observe('binary', `SELECT HEX(d) FROM ${t.name}`);
  },
  (s) => {
    const t = createTable(s);
    s.add(
      `ALTER TABLE ${t.name} ALTER ${s.maybe('COLUMN ')}${t.n} SET DEFAULT ${literal(s)}, ALTER ${t.c} SET DEFAULT ${literal(s)};`,
    );
    s.add(`INSERT INTO ${t.name} (id) VALUES (1);`);
    observe(s, t);
  },
  (s) => {
    const t = createTable(s);
    s.add(
      `ALTER TABLE ${t.name} ${s.pick([`MODIFY ${t.n} varbinary(99)`, `CHANGE ${t.n} ${t.n} blob`, `MODIFY COLUMN IF EXISTS ${t.n} blob FIRST`])}, ${s.pick([`MODIFY ${t.c} text CHARACTER SET utf8mb4`, `CHANGE COLUMN ${t.c} ${t.c} varchar(99)`])};`,
    );
    s.add(`INSERT INTO ${t.name} (${t.n}, ${t.c}) VALUES (${literal(s)}, ${literal(s)});`);
    s.observe('binary', `SELECT HEX(${t.n}) FROM ${t.name}`);
    s.observe('text', `SELECT HEX(${t.c}) FROM ${t.name}`);
  },
  (s) => {
    const t = s.name();
    s.add(
      `CREATE TABLE ${t} (c varbinary(99)) PARTITION BY LIST COLUMNS (c) (PARTITION p0 VALUES IN (${literal(s)}), PARTITION p1 VALUES IN ('x'));`,
    );
    s.observe(
      'binary',
      `SELECT HEX(PARTITION_DESCRIPTION) FROM information_schema.PARTITIONS WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = '${t}' ORDER BY 1`,
    );
  },
  (s) => {
    const t = s.name();
    s.add(
      `CREATE TABLE ${t} (id int, g varchar(200) AS (${s.pick(['HEX', 'MD5'])}(${literal(s)})));`,
      `INSERT INTO ${t} (id) VALUES (1);`,
    );
    s.observe('binary', `SELECT HEX(g) FROM ${t}`);
  },
  (s) => {
    const t = s.name();
    s.add(
      `CREATE TABLE ${t} ${s.pick(['AS ', ''])}SELECT ${literal(s)} AS v, CAST(${literal(s)} AS BINARY) AS b;`,
    );
    s.observe('either', `SELECT HEX(v) FROM ${t}`);
    s.observe('binary', `SELECT HEX(b) FROM ${t}`);
  },
];

const misread: readonly Part[] = [
  (s) => {
    const t = createTable(s);
    s.add(`CREATE TABLE IF NOT EXISTS ${t.name} (id int, ${t.n} blob, ${t.c} text);`);
    s.add(`INSERT INTO ${t.name} (${t.n}, ${t.c}) VALUES (${literal(s)}, ${literal(s)});`);
    observe(s, t);
  },
  (s) => {
    const t = s.name();
    s.add(
      `CREATE TABLE ${t} (n text ${s.maybe('NULL ')}INVISIBLE${s.maybe(" COMMENT 'x'")}, c blob, m text);`,
    );
    s.add(`INSERT INTO ${t} VALUES (${literal(s)}, ${literal(s)});`);
    s.observe('binary', `SELECT HEX(c) FROM ${t}`);
    s.observe('text', `SELECT HEX(m) FROM ${t}`);
  },
  (s) => {
    const t = createTable(s);
    const mark = s.pick([
      '!99999',
      '!999999',
      'M!999999',
      '!80000',
      '!50700',
      '!50717',
      '!40000',
      '!',
      'M!',
      'M!100100',
      '!100100',
      ' ',
    ]);
    s.add(`/*${mark} ALTER TABLE ${t.name} MODIFY ${t.c} text CHARACTER SET utf8mb4 */;`);
    s.add(`INSERT INTO ${t.name} (${t.c}) VALUES (${literal(s)});`);
    const runs = /^(!40000|!)$/.test(mark);
    // Those for MariaDB alone leave it open what the column is.
    const kind = runs ? 'text' : /^(M!|M!100100|!100100)$/.test(mark) ? 'either' : 'binary';
    s.observe(kind, `SELECT HEX(${t.c}) FROM ${t.name}`);
  },
  (s) => {
    const t = s.name();
    const [one, other] = s.pick([
      ['text', 'blob'],
      ['blob', 'text'],
    ]) as [string, string];
    s.add(
      `CREATE TABLE ${t} (id int, v /*!80000 ${one} */ /*M!100000 ${other} */);`,
      `INSERT INTO ${t} (v) VALUES (${literal(s)});`,
    );
    s.observe(other === 'text' ? 'either' : 'binary', `SELECT HEX(v) FROM ${t}`);
  },
  (s) => {
    const t = createTable(s);
    s.add(
      `ALTER TABLE ${t.name} ADD COLUMN IF NOT EXISTS ${t.c} text FIRST, ADD IF NOT EXISTS (${t.n} blob);`,
    );
    s.add(`INSERT INTO ${t.name} (${t.n}, ${t.c}) VALUES (${literal(s)}, ${literal(s)});`);
    observe(s, t);
  },
  (s) => {
    const t = createTable(s);
    const u = s.name();
    s.add(
      `CREATE TABLE ${u} LIKE ${t.name};`,
      `ALTER TABLE ${t.name} RENAME TO ${t.name}x;`,
      `RENAME TABLE ${u} TO ${t.name};`,
    );
    s.add(`INSERT INTO ${t.name} VALUES (1, ${literal(s)}, ${literal(s)});`);
    observe(s, t);
  },
];

const programs: readonly Part[] = [
  (s) => {
    const t = createTable(s);
    s.add(
      `CREATE TRIGGER ${s.name('g')} BEFORE INSERT ON ${t.name} FOR EACH ROW SET NEW.${t.c} = ${literal(s)};`,
      `INSERT INTO ${t.name} (id) VALUES (1);`,
    );
    s.observe('binary', `SELECT HEX(${t.c}) FROM ${t.name}`);
  },
  (s) => {
    const t = createTable(s);
    const p = s.name('p');
    s.add(
      'DELIMITER ;;',
      `CREATE ${s.maybe("DEFINER='root'@'localhost' ")}PROCEDURE ${p}(v blob)${s.maybe(` COMMENT ${literal(s, 'it')}`)}\nBEGIN\n  INSERT INTO ${t.name} (${t.c}) VALUES (v);\n  INSERT INTO ${t.name} (${t.c}) VALUES (${literal(s)});\nEND ;;`,
      'DELIMITER ;',
      `CALL ${p}(${literal(s)});`,
    );
    s.observe('binary', `SELECT HEX(${t.c}) FROM ${t.name} ORDER BY id`);
  },
  (s) => {
    const f = s.name('f');
    s.add(`CREATE FUNCTION ${f}() RETURNS blob DETERMINISTIC RETURN ${literal(s)};`);
    s.observe('binary', `SELECT HEX(${f}())`);
  },
  (s) => {
    const f = s.name('f');
    s.add(
      `CREATE FUNCTION ${f}() RETURNS varchar(99) CHARSET utf8mb4 DETERMINISTIC RETURN ${s.pick([marked(s), marked(s)])};`,
    );
    s.observe('text', `SELECT HEX(${f}())`);
  },
  (s) => {
    const v = s.name('v');
    s.add(
      `CREATE ${s.maybe('OR REPLACE ')}VIEW ${v} AS SELECT CAST(${literal(s, PAIR)} AS BINARY) AS b;`,
    );
    s.observe('binary', `SELECT HEX(b) FROM ${v}`);
  },
];

const units: readonly Part[] = [
  (s) => {
    const t = createTable(s);
    const mark = s.pick(['!40000', '!', 'M!', '!50003', '!99999', '!80000']);
    s.add(
      `/*${mark} INSERT INTO ${t.name} (${t.c}) VALUES (${literal(s, PAIR)}) */${s.pick([';', '\n;', ' ; '])}`,
    );
    s.observe('binary', `SELECT HEX(IFNULL(GROUP_CONCAT(${t.c}), 'none')) FROM ${t.name}`);
  },
  (s) => {
    const t = createTable(s);
    s.add(
      `INSERT /*!40000 INTO */ ${t.name} (${t.n},${t.c}) VALUES (/*!40000 ${literal(s)} */, /* ' */ ${literal(s)});`,
    );
    s.observe('either', `SELECT HEX(${t.n}) FROM ${t.name}`);
    s.observe('binary', `SELECT HEX(${t.c}) FROM ${t.name}`);
  },
  (s) => {
    const t = createTable(s);
    const d = s.pick(['//', ';;', '$$']);
    s.add(
      `DELIMITER ${d}`,
      `INSERT INTO ${t.name} (${t.n}) VALUES (${literal(s)}); INSERT INTO ${t.name} (${t.c}) VALUES (${literal(s)})${d}`,
      'DELIMITER ;',
    );
    s.observe('text', `SELECT HEX(${t.n}) FROM ${t.name} WHERE ${t.n} IS NOT NULL`);
    s.observe('binary', `SELECT HEX(${t.c}) FROM ${t.name} WHERE ${t.c} IS NOT NULL`);
  },
  (s) => {
    const t = createTable(s);
    s.add(
      'DELIMITER //',
      `ALTER TABLE ${t.name} MODIFY ${t.n} blob; ALTER TABLE ${t.name} MODIFY ${t.c} text//`,
      'delimiter ;',
      `INSERT INTO ${t.name} (${t.n}, ${t.c}) VALUES (${literal(s)}, ${literal(s)});`,
    );
    s.observe('binary', `SELECT HEX(${t.n}) FROM ${t.name}`);
    s.observe('text', `SELECT HEX(${t.c}) FROM ${t.name}`);
  },
  (s) => {
    const t = createTable(s);
    s.add(
      s.pick(['warnings', 'nowarning', 'prompt it', 'charset utf8mb4', 'nopager', 'print']),
      `INSERT INTO ${t.name} (${t.n}, ${t.c}) VALUES (${literal(s)}, ${literal(s)});`,
    );
    observe(s, t);
  },
];

const settings: readonly Part[] = [
  (s) => {
    const t = createTable(s);
    const set = s.pick([
      "SET sql_mode='NO_BACKSLASH_ESCAPES'",
      'SET SESSION sql_mode = NO_BACKSLASH_ESCAPES',
      "SET @@sql_mode := CONCAT(@@sql_mode, ',NO_BACKSLASH_ESCAPES')",
      "SET @m='NO_BACKSLASH_ESCAPES'; SET sql_mode=@m",
      "/*!50003 SET time_zone='+00:00', @@session.sql_mode='NO_BACKSLASH_ESCAPES,ANSI' */",
    ]);
    s.add('SET @old_mode = @@sql_mode;', `${set};`);
    s.add(
      `INSERT INTO ${t.name} (${t.n}, ${t.c}) VALUES ('\\', '${PAIR}\\'), ('\\${PAIR}', '\\\\');`,
    );
    s.add(
      'SET sql_mode = @OLD_MODE;',
      `INSERT INTO ${t.name} (${t.n}, ${t.c}) VALUES ('\\'${PAIR}', 'a\\'');`,
    );
    observe(s, t);
  },
  (s) => {
    const t = createTable(s);
    s.add(
      'SET @old_mode = @@sql_mode;',
      `SET ${s.pick(['SESSION ', 'LOCAL ', ''])}sql_mode=${s.pick(['ANSI_QUOTES', "'ANSI'", '"ORACLE"', "'ANSI_QUOTES,ALLOW_INVALID_DATES'"])};`,
    );
    s.add(
      `INSERT INTO "${t.name}" ("${t.n}", "${t.c}") VALUES ('"${PAIR}', '\\'${PAIR}');`,
      'SET sql_mode=@old_mode;',
    );
    observe(s, t);
  },
  (s) => {
    const t = createTable(s);
    s.add(
      `SET NAMES ${s.pick(['utf8mb4', "'utf8mb4' COLLATE 'utf8mb4_bin'", 'utf8mb4 COLLATE utf8mb4_general_ci'])};`,
      `INSERT INTO ${t.name} (${t.n}, ${t.c}) VALUES (${literal(s)}, ${literal(s)});`,
    );
    observe(s, t);
  },
  (s) => {
    const t = createTable(s);
    s.add(
      `${s.pick([
        'SET NAMES utf8mb3',
        'SET character_set_client = utf8',
        'SET collation_connection = utf8_bin',
        "SET sql_auto_is_null=0, character_set_client='utf8mb3'",
      ])};`,
      `INSERT INTO ${t.name} (${t.n}, ${t.c}) VALUES (${literal(s)}, ${literal(s)});`,
      'SET NAMES utf8mb4;',
    );
    observe(s, t);
  },
];

const groups = [rows, others, variables, definitions, misread, programs, units, settings];

/** Writes a script: one to three parts, each about other places. */
export function createMariaDbScript(seed: number): Script {
  const script = new Script(seed);
  script.add('SET NAMES utf8mb4;');
  for (let count = 1 + script.below(3); count > 0; count--)
    script.pick(script.pick(groups))(script);
  return script;
}
