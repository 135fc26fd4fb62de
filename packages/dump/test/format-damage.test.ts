/** Files of each format with one byte too few or another one: what is still read of them, and what is said. */
import { describe, expect, it } from 'vitest';
import { Tally } from '../../../tooling/oracles/interop/src/tally.js';
import { FormatError } from '../src/format/format-error.js';
import { findFormat } from '../src/format/registry.js';
import { listKeys, listReferences } from '../src/format/sql/keys.js';
import { bytesOf, cesu } from './format-reading.js';

const { emoji, high } = cesu;

/** Statements of every kind that says something about columns, and rows of all spellings. */
const mysqldump = `-- MySQL dump
/*!40101 SET NAMES utf8mb4 */;
CREATE DATABASE /*!32312 IF NOT EXISTS*/ \`d\` /*!40100 DEFAULT CHARACTER SET latin1 */;
USE \`d\`;
CREATE TABLE p (x char(3) CHARACTER SET utf8mb3 PRIMARY KEY);
CREATE TABLE \`t\` (
  \`id\` int(11) NOT NULL AUTO_INCREMENT,
  \`a\` varchar(20) COLLATE utf8mb4_bin DEFAULT 'x;''y',
  \`b\` blob, c json, d char(3) CHARACTER SET utf8mb3 UNIQUE, e enum('p','q') COMMENT 'a, b',
  f int GENERATED ALWAYS AS (length(a)) VIRTUAL,
  PRIMARY KEY (\`id\`), UNIQUE KEY u (a(9), d DESC), KEY k (c(4)), CHECK (a <> ''),
  CONSTRAINT r FOREIGN KEY (d) REFERENCES p (x)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;
ALTER TABLE t ADD COLUMN g text AFTER id, DROP COLUMN f, CHANGE e h text, ADD UNIQUE (h(3));
ALTER TABLE t MODIFY d text FIRST, RENAME COLUMN g TO i;
LOCK TABLES \`t\` WRITE;
INSERT INTO \`t\` VALUES ('s',1,'g\\n\\'${emoji}','a''b',_binary 'x\\0','{\\"k\\":\\"v\\"}','h'),
('t',2,NULL,0x61,X'62',NULL,DEFAULT);
INSERT INTO t (id, a) VALUES (3, "q""${high}") ON DUPLICATE KEY UPDATE a='z';
REPLACE INTO t SET id=4, a='w' # end
;
DELIMITER ;;
CREATE TRIGGER g AFTER INSERT ON t FOR EACH ROW BEGIN DELETE FROM x; END ;;
DELIMITER ;
RENAME TABLE t TO n;
INSERT INTO n VALUES ('s',5,'g','a','b','1','h');
`;

const pgDump = `-- PostgreSQL database dump
SET client_encoding = 'UTF8';
\\connect d
CREATE TYPE public.mood AS ENUM ('sad', 'ok');
CREATE TYPE pair AS (x text, y bytea[]);
CREATE DOMAIN name AS character varying(9) NOT NULL;
CREATE TABLE p (x text UNIQUE);
CREATE TABLE public.t (
    id integer NOT NULL,
    a text DEFAULT 'x;''y'::text, b bytea, c jsonb, d pair[], e public.hstore, f name,
    CONSTRAINT k CHECK ((a <> ''::text))
) PARTITION BY HASH (a);
ALTER TABLE ONLY public.t ADD CONSTRAINT t_pkey PRIMARY KEY (id, a);
ALTER TABLE t RENAME COLUMN f TO g;
CREATE UNIQUE INDEX i ON public.t USING btree (b, "g");
ALTER TABLE t ADD FOREIGN KEY (a) REFERENCES public.p(x) ON DELETE CASCADE;
COPY public.t (id, a, b, c, d, e, g) FROM stdin;
1\t${emoji}\\n\\x41\\101\t\\\\x00\t{"k": "\\\\n"}\t{"(a,\\\\"{}\\\\")"}\t"k"=>"v"\tg
2\t\\N\t\\N\t\\N\t{NULL}\t\t${high}
\\.
CREATE FUNCTION f() RETURNS text LANGUAGE sql AS $_$ select 'a;' $_$;
INSERT INTO public.t VALUES (3, E'q\\'${emoji}', '\\x00', '{}', '{}', '', U&'\\0061' ), (4, $$w$$, NULL, 'null', NULL, 'a=>b', 'g');
INSERT INTO t (g, id) OVERRIDING SYSTEM VALUE VALUES ('h', 5) /* a /* b */ */ ON CONFLICT DO NOTHING;
`;

const sqlite = `PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE p(x TEXT PRIMARY KEY);
CREATE TABLE IF NOT EXISTS "t"(id INTEGER PRIMARY KEY, a TEXT UNIQUE, [b] BLOB, "c" NUMERIC, FOREIGN KEY (a) REFERENCES p(x));
INSERT INTO t VALUES(1,'a''b${emoji}',X'0061',1.5);
INSERT INTO t VALUES(2,replace('a\\nb','\\n',char(10)),NULL,-3e5);
INSERT INTO "t"(a,id) VALUES(unistr('\\u0007${high}'),4);
CREATE UNIQUE INDEX i ON t(b COLLATE NOCASE, c);
CREATE TRIGGER g AFTER INSERT ON t BEGIN SELECT CASE WHEN 1 THEN 'x;' END; END;
COMMIT;
`;

const samples: readonly (readonly [name: string, text: string, options?: object])[] = [
  ['lines', `a${emoji}\nb\r\n\n${high}`],
  ['copy', `a\\t${emoji}\\\\\t\\N\t\\x41\\101\n\\.\n`],
  ['copy', `a\t${emoji}\n`, { columns: ['x', 'y'] }],
  ['csv', `id,"na""me"\r\n1,"${emoji}\n"\r\n,${high}x\n"","y"`],
  ['csv', `1;'a''b;'\n2;\\'c\n`, { delimiter: ';', quote: "'", escape: '\\', header: false }],
  ['tsv', `a\tb\n1\t"x\t${emoji}"\n`],
  ['tab', `a\t\\N\tb\\\tc\\\n${emoji}\\0\t\n`],
  ['tab', `"a"::"b${emoji}"\n"c"::\\N\n`, { delimiter: '::', quote: '"' }],
  [
    'json',
    `\xef\xbb\xbf[ {"a": [1, -2.5e+3, true, null, "\\u0041\\n"], "b": {"${emoji}": {}}},\n "x", [] ]\n`,
  ],
  ['jsonl', `{"a": "${emoji}\\ud83d", "b": [1, {"c": false}]}\n\n[]\r\n"x" \n`],
  ['mysqldump', mysqldump],
  ['pg_dump', pgDump],
  ['sqlite', sqlite],
];

/** All that is read of a file, as text; or why it is refused, without numbers. */
function tell(name: string, text: string, options?: object): string[] {
  const format = findFormat(name, options as never);
  const reader = format.createReader();
  const lines: string[] = [];
  const bytes = bytesOf(text);
  try {
    for (const piece of reader.read(bytes)) {
      const { kind, number, line, table, owner, isKeyless } = piece;
      const fields = piece.fields.map((field) => {
        const { column, structure, escapes, isHex } = field;
        const more = [structure && JSON.stringify(structure), escapes && 'escapes', isHex && 'hex'];
        const value = Buffer.from(bytes.subarray(field.start, field.end)).toString('latin1');
        return `${column}: ${field.kind} ${[...more, value].filter(Boolean).join(' ')}`;
      });
      const where = [kind, number, line, table, owner, isKeyless].filter((each) => each != null);
      if (kind === 'record') lines.push(`${where.join(' ')} | ${fields.join(' | ')}`);
    }
    const { state } = reader;
    for (const key of listKeys(state)) {
      lines.push(`key ${key.owner}: ${key.columns.map(({ name, length }) => `${name} ${length}`)}`);
    }
    for (const { child, columns, parent, parentColumns } of listReferences(state)) {
      const names = [columns, parentColumns].map((each) => each.map((column) => column.name));
      lines.push(`reference ${child} ${names[0]} ${parent} ${names[1]}`);
    }
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    lines.push(`line ${error.line}: ${error.reason}`);
  }
  return lines;
}

const numbered = samples.map(([name, text, options], i) => ({
  number: i + 1,
  name,
  text,
  options,
}));

const changes: readonly (readonly [
  title: string,
  change: (before: string, at: string, after: string) => string,
])[] = [
  ['without a byte', (before, _, after) => before + after],
  ['with a quote', (before, _, after) => `${before}'${after}`],
  ['with a double quote', (before, _, after) => `${before}"${after}`],
  ['with a space', (before, _, after) => `${before} ${after}`],
  ['with a backslash', (before, at, after) => `${before}\\${at}${after}`],
  ['cut there', (before) => before],
];

describe.each(numbered)('sample $number: $name', ({ name, text, options }) => {
  const whole = tell(name, text, options);

  it('is read as a whole', () => {
    expect(whole).toMatchSnapshot();
  });

  // By day, long samples are changed in one way.
  const isLong = text.length > 1000;

  it.each(isLong ? changes.slice(0, 1) : changes)('%s', (_, change) => expectAnswers(change));

  it.each(isLong ? changes.slice(1) : [])('%s', { tags: ['slow'] }, (_, change) =>
    expectAnswers(change),
  );

  const expectAnswers = (change: (typeof changes)[number][1]): void => {
    const answers = new Tally();
    // Longer files less densely.
    const step = Math.ceil(text.length / 150);
    for (let i = 0; i < text.length; i += step) {
      const changed = change(text.slice(0, i), text[i] as string, text.slice(i + 1));
      const lines = tell(name, changed, options);
      const last = lines.at(-1) ?? '';
      const isError = /^line \d+: /.test(last);
      const lost = whole.filter((line) => !lines.includes(line)).length;
      const kind = isError
        ? last.replace(/^line \d+: /, '').replaceAll(/"[^"]*"|\d+/g, '#')
        : `${lines.length} read, ${lost} otherwise`;
      answers.add(`${i}: ${isError ? last : kind}`, kind);
    }
    expect(answers.list(' from ')).toMatchSnapshot();
  };
});
