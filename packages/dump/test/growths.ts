/** Inputs of each format that grow in one way each. */

/** A character as CESU-8 spells it, an unpaired surrogate, and a text that loses a byte, in Latin-1. */
const P = '\xed\xa0\xbd\xed\xb8\x80';
const U = '\xed\xa0\xbd';
const N = 'a\0b';

const list = (n: number, each: (i: number) => string): string =>
  Array.from({ length: n }, (_, i) => each(i)).join('');

const nest = (n: number, open: string, inner: string, close: string): string =>
  open.repeat(n) + inner + close.repeat(n);

/** A serialized text in so many others. */
const serialize = (n: number): string => {
  let value: string = P;
  for (let i = 0; i < n; i++) value = `s:${value.length}:"${value}";`;
  return value;
};

const NAMES = 'SET NAMES utf8mb4;\n';
const TABLE = 'CREATE TABLE t (id int, c text);\n';
const INTO = `${NAMES}${TABLE}INSERT INTO t VALUES `;
const row = (i: number): string => `INSERT INTO t VALUES (${i},'${P}');\n`;
const create = (name: string): string => `CREATE TABLE ${name} (id int, c text);\n`;
const copy = (name: string): string => `COPY ${name} (id, c) FROM stdin;\n1\t${P}\n\\.\n`;

/** An input of a size, in Latin-1. */
export type Growth = (n: number) => string;

export const growths: Readonly<Record<string, Readonly<Record<string, Growth>>>> = {
  raw: {
    lines: (n) => list(n, (i) => `${i} ${P}\n`),
    'one line of faults': (n) => list(n, (i) => `${i} ${U}`),
  },
  lines: {
    records: (n) => list(n, (i) => `${i} ${P}\n`),
    'faults in one record': (n) => list(n, (i) => `${i} ${U}`),
    'texts of a serialized value': (n) => `a:${n}:{${list(n, (i) => `i:${i};s:6:"${P}";`)}}\n`,
    'serialized values in each other': (n) => `${serialize(n)}\n`,
    'lengths in each other': (n) => `x${serialize(n)}\n`,
    'lengths in a text': (n) => `x${list(n, () => `s:9:"${P}";`)}\n`,
    'escaped lengths in a text': (n) => `x${list(n, () => `s:9:\\"${P}\\";`)}\n`,
    'open arrays': (n) => `${'a:1:{i:0;'.repeat(n)}s:6:"${P}";\n`,
    'names of a session': (n) => `${list(n, (i) => `k${i}|s:6:"${P}";`)}k|\n`,
  },
  csv: {
    records: (n) => `id,c\n${list(n, (i) => `${i},${P}\n`)}`,
    rejects: (n) => `id,c\n${list(n, (i) => `${i},${U}\n`)}`,
    columns: (n) => `${list(n, (i) => `c${i},`)}id\n${list(n, () => `${P},`)}1\n`,
    'columns of one name': (n) => `${'c,'.repeat(n)}id\n${list(n, () => `${P},`)}1\n`,
    'faults in many columns': (n) => `${list(n, (i) => `c${i},`)}id\n${list(n, () => `${U},`)}1\n`,
    'U+0000 in many columns': (n) => `${list(n, (i) => `c${i},`)}id\n${list(n, () => `${N},`)}1\n`,
    'lines of one record': (n) => `id,c\n1,"${list(n, () => `${U}\n`)}"\n`,
    'doubled quotes': (n) => `id,c\n1,"${P}${'""'.repeat(n)}"\n`,
    'stray quotes': (n) => `id,c\n${list(n, (i) => `${i},a"b${P}\n`)}`,
    'an open quote': (n) => `id,c\n1,"${P}${'x\n'.repeat(10 * n)}`,
    'fields of ragged records': (n) => `id,c\n${list(n, (i) => `${','.repeat(i % 50)}${P}\n`)}`,
    'records of one key': (n) => `id,c\n${list(n, (i) => `1,${P}${i}\n`)}`,
    'rejects of one key': (n) => `id,c\n${list(n, (i) => `1,${U}${i}\n`)}`,
    'blank lines': (n) => `id,c\n1,${P}\n${'\n'.repeat(10 * n)}`,
  },
  tab: {
    records: (n) => list(n, (i) => `${i}\t${P}\n`),
    columns: (n) => `${`${P}\t`.repeat(n)}1\n`,
    'lines of one record': (n) => `1\t${P}${'\\\n'.repeat(n)}x\n`,
    backslashes: (n) => `1\t${P}${'\\\\'.repeat(n)}x\n`,
  },
  copy: {
    records: (n) => list(n, (i) => `${i}\t${P}\n`),
    columns: (n) => `${`${P}\t`.repeat(n)}1\n`,
    'U+0000 in many columns': (n) => `${`a\\000\0${P}\t`.repeat(n)}1\n`,
  },
  jsonl: {
    records: (n) => list(n, (i) => `{"id":${i},"v":"${P}"}\n`),
    rejects: (n) => list(n, (i) => `{"id":${i},"v":"${U}"}\n`),
    columns: (n) => `{"id":1,${list(n, (i) => `"k${i}":"${P}",`)}"z":1}\n`,
    'keys of one record': (n) => `{"id":1,"v":{${list(n, (i) => `"k${i}":"${P}",`)}"z":1}}\n`,
    'faults in one record': (n) => `{"id":1,"v":{${list(n, (i) => `"k${i}":"${U}",`)}"z":1}}\n`,
    'faults in keys': (n) => `{"id":1,"v":{${list(n, (i) => `"k${i}${U}":"",`)}"z":1}}\n`,
    'equal-keys': (n) => `{"id":1,"v":{${list(n, () => `"k${P}":"${P}",`)}"z":1}}\n`,
    'equal columns': (n) => `{"id":1,${list(n, () => `"k":"${P}",`)}"z":1}\n`,
    escapes: (n) => `{"id":1,"v":{${list(n, (i) => `"k${i}":"\\ud83d",`)}"z":"${P}"}}\n`,
    'nested objects': (n) => `{"id":1,"v":${nest(n, `{"b":"${U}","a":`, `"${P}"`, '}')}}\n`,
    'nested arrays': (n) => `{"id":1,"v":${nest(n, '[', `"${P}"`, ']')}}\n`,
    'one string': (n) => `{"id":1,"v":"${list(n, () => `${U}x`)}"}\n`,
    'JSON in a string': (n) =>
      `{"id":1,"v":"{${list(n, (i) => `\\"k${i}\\":\\"${P}\\\\u0000\\",`)}\\"z\\":1}"}\n`,
  },
  json: {
    records: (n) => `[${list(n, (i) => `{"id":${i},"v":"${P}"},\n`)}{"id":1}]\n`,
    'keys of one record': (n) => `[{"id":1,"v":{${list(n, (i) => `"k${i}":"${U}",\n`)}"z":1}}]\n`,
    'nested arrays': (n) => `[${nest(n, '[', `"${P}"`, ']')}]\n`,
    numbers: (n) => `["${P}"${list(n, (i) => `,\n${i}`)}]\n`,
  },
  mysqldump: {
    tables: (n) => NAMES + list(n, (i) => create(`t${i}`) + row(i).replace(' t ', ` t${i} `)),
    'tables without rows': (n) =>
      NAMES + list(n, (i) => `CREATE TABLE t${i} (id int, c text comment '${P}');\n`),
    databases: (n) =>
      NAMES +
      list(n, (i) => `CREATE DATABASE d${i} CHARACTER SET utf8mb4;\nUSE d${i};\n${TABLE}${row(i)}`),
    'tables of one name': (n) =>
      NAMES + list(n, (i) => create(`d${i}.t`) + row(i).replace(' t ', ` d${i}.t `)),
    'tables in another case': (n) =>
      NAMES + list(n, (i) => create(`T${i}`) + row(i).replace(' t ', ` t${i} `)),
    'tables outside of the database': (n) =>
      `${NAMES}${list(n, (i) => create(`t${i}`))}USE x;\n${list(n, (i) => row(i).replace(' t ', ` t${i} `))}`,
    'dropped tables': (n) => NAMES + list(n, (i) => `DROP TABLE t${i - 1};\n${create(`t${i}`)}`),
    columns: (n) =>
      `${NAMES}CREATE TABLE t (${list(n, (i) => `c${i} text,\n`)}id int);\nINSERT INTO t (${list(n, (i) => `C${i},`)}id) VALUES (${list(n, () => `'${P}',`)}1);\n`,
    'assigned columns': (n) =>
      `${NAMES}CREATE TABLE t (${list(n, (i) => `c${i} text,\n`)}id int);\nINSERT INTO t SET ${list(n, (i) => `c${i}='${P}',`)}id=1;\n`,
    'unique columns': (n) =>
      `${NAMES}CREATE TABLE t (${list(n, (i) => `c${i} varchar(40) unique,\n`)}id int);\nINSERT INTO t VALUES (${list(n, () => `'${P}',`)}1);\n`,
    keys: (n) =>
      `${NAMES}CREATE TABLE t (id int, c varchar(10), ${list(n, (i) => `UNIQUE KEY k${i} (c),\n`)} KEY z (id));\n${row(1)}`,
    references: (n) =>
      `${NAMES}CREATE TABLE p (id int, primary key (id));\nCREATE TABLE t (id int, c text, ${list(n, (i) => `CONSTRAINT k${i} FOREIGN KEY (id) REFERENCES p (id),\n`)} KEY z (id));\n${row(1)}`,
    changes: (n) => `${NAMES}${TABLE}${'ALTER TABLE t MODIFY c text;\n'.repeat(n)}${row(1)}`,
    statements: (n) => `${NAMES}${TABLE}${list(n, row)}`,
    'statements on one line': (n) => `${NAMES}${TABLE}${list(n, row)}`.replaceAll('\n', ' '),
    'rows of one statement': (n) => `${INTO}${list(n, (i) => `(${i},'${P}'),`)}(1,'x');\n`,
    rejects: (n) => `${INTO}${list(n, (i) => `(${i},'${U}'),`)}(1,'x');\n`,
    'U+0000 in rows': (n) => `${INTO}${list(n, (i) => `(${i},'${N}'),`)}(1,'x');\n`,
    'strings of one value': (n) => `${INTO}(1,CONCAT(${list(n, () => `'${N}${P}',`)}'x'));\n`,
    'hexadecimal values': (n) => `${INTO}${list(n, () => `(0xEDA0BDEDB880,'${P}'),`)}(1,'x');\n`,
    'hexadecimal values of one row': (n) =>
      `${INTO}(1,CONCAT(${'0xEDA0BDEDB880,'.repeat(n)}'${P}'));\n`,
    'one string of faults': (n) => `${INTO}(1,'${`${U}x`.repeat(n)}');\n`,
    'one string of U+0000': (n) => `${INTO}(1,'${'a\\0\0x'.repeat(n)}');\n`,
    'escaped quotes': (n) => `${INTO}(1,'${P}${'\\\\'.repeat(n)}${"\\'".repeat(n)}');\n`,
    'doubled quotes': (n) => `${INTO}(1,'${P}${"''".repeat(n)}');\n`,
    'an open quote': (n) => `${INTO}(1,'${P}${'x'.repeat(10 * n)}`,
    'lengths in one string': (n) =>
      `${INTO}(1,'a:1:{${list(n, (i) => `i:${i};s:6:\\"${P}\\";s:9999:\\"\\";`)}}');\n`,
    parentheses: (n) => `${INTO}(1,${nest(n, '(', `'${P}'`, ')')});\n`,
    'parentheses of a default': (n) =>
      `${NAMES}CREATE TABLE t (id int default ${nest(n, '(', '1', ')')}, c text);\n${row(1)}`,
    'open parentheses': (n) =>
      `${NAMES}CREATE TABLE t (id int, c text) x ${'('.repeat(n)};\n${row(1)}`,
    settings: (n) => NAMES + list(n, (i) => `SET @a${i} = '${P}';\nSET NAMES utf8mb4;\n`),
    'values of a setting': (n) => `${NAMES}SET @a = ${list(n, () => `'${P}',`)} 1;\n`,
    updates: (n) => NAMES + TABLE + list(n, (i) => `UPDATE t SET c='${P}' WHERE id=${i};\n`),
    views: (n) => NAMES + list(n, (i) => `CREATE VIEW v${i} AS SELECT '${P}';\n`),
    triggers: (n) =>
      NAMES + `DELIMITER ;;\nCREATE TRIGGER a BEGIN SET @a='${P}'; END ;;\nDELIMITER ;\n`.repeat(n),
    comments: (n) => `${NAMES}${`/* ${P} */\n`.repeat(n)}${`-- ${P}\n`.repeat(n)}`,
    'comments on one line': (n) => `${NAMES}${`/* ${P} */ `.repeat(n)};\n`,
    'comments of an INSERT': (n) => `${INTO}${`/* ${P} */`.repeat(n)} (1,'${P}');\n`,
    'comments with code': (n) => `${NAMES}${`/*!40101 SET @a='${P}' */;\n`.repeat(n)}`,
    'nested comments with code': (n) => `${NAMES}${nest(n, '/*!40101 ', P, '*/')};\n`,
  },
  pg_dump: {
    tables: (n) => list(n, (i) => create(`public.t${i}`)) + list(n, (i) => copy(`public.t${i}`)),
    'tables and rows in turn': (n) => list(n, (i) => create(`t${i}`) + copy(`t${i}`)),
    schemas: (n) => list(n, (i) => `SET search_path = s${i};\n${TABLE}${copy('t')}`),
    databases: (n) => list(n, (i) => `\\connect d${i}\n${TABLE}${copy('t')}`),
    types: (n) => list(n, (i) => `CREATE TYPE e${i} AS ENUM ('${P}');\n`),
    partitions: (n) =>
      `CREATE TABLE t (id int, c text) PARTITION BY LIST (id);\n${list(n, (i) => `CREATE TABLE t${i} PARTITION OF t FOR VALUES IN (${i});\n${copy(`t${i}`)}`)}`,
    columns: (n) =>
      `CREATE TABLE t (${list(n, (i) => `c${i} text,`)}id int);\nCOPY t (${list(n, (i) => `c${i},`)}id) FROM stdin;\n${`${P}\t`.repeat(n)}1\n\\.\n`,
    records: (n) => `${TABLE}COPY t (id,c) FROM stdin;\n${list(n, (i) => `${i}\t${P}\n`)}\\.\n`,
    rejects: (n) => `${TABLE}COPY t (id,c) FROM stdin;\n${list(n, (i) => `${i}\t${U}\n`)}\\.\n`,
    'statements with rows': (n) => `${TABLE}${copy('t').repeat(n)}`,
    'rows in CSV': (n) =>
      `${TABLE}${`COPY t (id,c) FROM stdin WITH (FORMAT csv, HEADER);\nid,c\n1,"${P}"\n\\.\n`.repeat(n)}`,
    'statements of a function': (n) =>
      `CREATE FUNCTION f() RETURNS void LANGUAGE sql BEGIN ATOMIC\n${list(n, row)}END;\n`,
    'dollar-quoted strings': (n) => list(n, () => `SELECT $a$${P}$a$;\n`),
    dollars: (n) => `SELECT '${P}'${list(n, (i) => `, $${i}a, $a${i} `)};\n`,
    'an open dollar quote': (n) => `SELECT '${P}'${list(n, (i) => `, $a${i}$`)};\n`,
    'nested comments': (n) => `${nest(n, '/*', P, '*/')}\n`,
    'commands of the client': (n) => list(n, (i) => `\\restrict ${i}${P}\n`),
    'one command of the client': (n) =>
      `\\echo ${P}${' dbname'.repeat(n)}\n\\connect ${'x '.repeat(n)}\n`,
    'keys of a JSON value': (n) =>
      `CREATE TABLE t (id int, c jsonb);\nCOPY t FROM stdin;\n1\t{${list(n, (i) => `"k${i}": "${P}\\\\ud83d",`)}"z":1}\n\\.\n`,
    'keys of an hstore': (n) =>
      `CREATE TABLE t (id int, c hstore);\nCOPY t FROM stdin;\n1\t${list(n, (i) => `"k${i}"=>"${P}",`)}"z"=>"1"\n\\.\n`,
    'elements of an array': (n) =>
      `CREATE TABLE t (id int, c text[]);\nCOPY t FROM stdin;\n1\t{${`"${P}",`.repeat(n)}z}\n\\.\n`,
    'nested arrays': (n) =>
      `CREATE TABLE t (id int, c text[]);\nCOPY t FROM stdin;\n1\t${nest(n, '{', `"${P}"`, '}')}\n\\.\n`,
  },
  sqlite: {
    tables: (n) => list(n, (i) => `${create(`t${i}`)}INSERT INTO t${i} VALUES(1,'${P}');\n`),
    columns: (n) =>
      `CREATE TABLE t(${list(n, (i) => `[c${i}],`)}b);\nINSERT INTO t VALUES(${`'${P}',`.repeat(n)}1);\n`,
    'statements of a trigger': (n) =>
      `${TABLE}CREATE TRIGGER x AFTER INSERT ON t BEGIN\n${list(n, row)}END;\n`,
    'calls of unistr': (n) =>
      `${TABLE}${`INSERT INTO t VALUES(1,unistr('\\u0001${P}'));\n`.repeat(n)}`,
  },
};
