/**
 * Scripts for PostgreSQL with literals in the places that its manual allows. A bytea outside of rows is in ASCII, as the
 * server writes it.
 *
 * @see https://www.postgresql.org/docs/current/sql-commands.html
 */
import { PAIR, Script } from './script.js';

/** Quotes a value as one of the strings of PostgreSQL. */
function literal(script: Script, text = script.value()): string {
  const doubled = text.replaceAll("'", "''");
  return script.pick([
    () => `'${doubled}'`,
    () => `'${doubled}'`,
    () => `E'${doubled.replaceAll('\\', '\\\\')}\\n'`,
    () => `$$${text}$$`,
    () => `$it$${text}$it$`,
    () => `'${doubled}'::text`,
  ])();
}

/** A bytea in one of its forms in ASCII. */
const bytes = (script: Script): string =>
  script.pick([
    "'\\xeda0bdedb880'",
    "'\\355\\240\\275\\355\\270\\200'",
    "E'\\\\xeda0bdedb880'",
    "E'\\\\355\\\\240\\\\275\\\\355\\\\270\\\\200'",
    "decode('eda0bdedb880', 'hex')",
    '$$\\xEDA0BDEDB880$$',
  ]);

/** Writes a value as text, or as raw bytes, which only the column distinguishes from text. */
const value = (script: Script): string =>
  script.pick([() => bytes(script), () => bytes(script), () => `'${PAIR}'`])();

interface Table {
  readonly name: string;
}

const TEXT = ['text', 'varchar(99)', 'character varying', 'char(40)'];

function createTable(script: Script): Table {
  const name = script.pick([script.name(), `public.${script.name()}`]);
  script.add(
    `CREATE ${script.maybe('UNLOGGED ')}TABLE ${name} (id serial, n ${script.pick(TEXT)}, c bytea);`,
  );
  return { name };
}

const hexOf = (column: string): string => `encode(convert_to(${column}, 'SQL_ASCII'), 'hex')`;

function observe(script: Script, { name }: Table): void {
  script.observe('text', `SELECT ${hexOf('n')} FROM ${name} ORDER BY id`);
  script.observe('binary', `SELECT encode(c, 'hex') FROM ${name} ORDER BY id`);
}

type Part = (script: Script) => void;

const rows: readonly Part[] = [
  (s) => {
    const t = createTable(s);
    s.add(
      `INSERT INTO ${t.name} (n, c) VALUES (${literal(s)}, ${value(s)}), (${literal(s)}, ${value(s)})${s.maybe(' ON CONFLICT DO NOTHING')};`,
    );
    observe(s, t);
  },
  (s) => {
    const t = createTable(s);
    s.add(
      `COPY ${t.name} (n, c) FROM stdin;`,
      `${PAIR}a\t\\\\xeda0bdedb880`,
      `b${PAIR}\t\\\\355\\\\240`,
      `\\N\t${PAIR}`,
      '\\.',
    );
    observe(s, t);
  },
  (s) => {
    const t = createTable(s);
    s.add(
      `COPY ${t.name} (n, c) FROM stdin WITH (FORMAT csv, HEADER, QUOTE '''');`,
      'n,c',
      `'${PAIR},a',\\xeda0bdedb880`,
      `${PAIR},'${PAIR}'`,
      '\\.',
    );
    observe(s, t);
  },
  (s) => {
    const t = createTable(s);
    s.add(
      `INSERT INTO ${t.name} (n, c) VALUES ('x', NULL);`,
      `UPDATE ${t.name} SET n = ${literal(s)}, c = ${bytes(s)} WHERE n = 'x';`,
    );
    observe(s, t);
  },
  (s) => {
    const t = createTable(s);
    s.add(
      `INSERT INTO ${t.name} (n, c) SELECT ${literal(s)}, ${bytes(s)}::bytea;`,
      `WITH w AS (SELECT ${literal(s)} AS v) INSERT INTO ${t.name} (n) SELECT v FROM w;`,
    );
    observe(s, t);
  },
  (s) => {
    const t = createTable(s);
    s.add(
      `ALTER TABLE ${t.name} ALTER COLUMN n TYPE bytea USING NULL, ALTER c TYPE text USING NULL;`,
      `INSERT INTO ${t.name} (n, c) VALUES (${value(s)}, ${literal(s)});`,
    );
    s.observe('binary', `SELECT encode(n, 'hex') FROM ${t.name}`);
    s.observe('text', `SELECT ${hexOf('c')} FROM ${t.name}`);
  },
];

const definitions: readonly Part[] = [
  (s) => {
    const t = s.name();
    s.add(
      `CREATE TABLE ${t} (id int, n text DEFAULT ${literal(s)}, c bytea DEFAULT ${bytes(s)});`,
      `INSERT INTO ${t} (id) VALUES (1);`,
      `ALTER TABLE ${t} ALTER n SET DEFAULT ${literal(s)};`,
      `INSERT INTO ${t} (id) VALUES (2);`,
    );
    observe(s, { name: t });
  },
  (s) => {
    const t = createTable(s);
    s.add(`COMMENT ON TABLE ${t.name} IS ${literal(s).replace('::text', '')};`);
    s.observe('text', `SELECT ${hexOf(`obj_description('${t.name}'::regclass)`)}`);
  },
  (s) => {
    const e = s.name('e');
    s.add(`CREATE TYPE ${e} AS ENUM ('x', '${PAIR}');`);
    s.observe(
      'text',
      `SELECT ${hexOf('enumlabel::text')} FROM pg_enum WHERE enumtypid = '${e}'::regtype ORDER BY enumsortorder`,
    );
  },
  (s) => {
    const v = s.name('v');
    s.add(`CREATE VIEW ${v} AS SELECT ${literal(s)} AS n, ${bytes(s)}::bytea AS c; -- ${PAIR}`);
    s.observe('text', `SELECT ${hexOf('n::text')} FROM ${v}`);
    s.observe('binary', `SELECT encode(c, 'hex') FROM ${v}`);
  },
];

/** Literals of bytes, which only the column of a row distinguishes from text. */
const spelled: readonly Part[] = [
  (s) => {
    const t = s.name();
    const bytes = "E'\\355\\240\\275\\355\\270\\200'";
    s.add(
      `CREATE TABLE ${t} (id int, n text DEFAULT ${bytes}, c bytea DEFAULT ${bytes});`,
      `INSERT INTO ${t} (id) VALUES (1);`,
    );
    s.observe('either', `SELECT ${hexOf('n')} FROM ${t}`);
    s.observe('binary', `SELECT encode(c, 'hex') FROM ${t}`);
  },
  (s) => {
    const t = createTable(s);
    const bytes = "E'\\xED\\xA0\\xBD\\xed\\xb8\\x80'";
    s.add(`INSERT INTO ${t.name} (n, c) VALUES (${bytes}, ${bytes});`);
    observe(s, t);
  },
];

const programs: readonly Part[] = [
  (s) => {
    const f = s.name('f');
    s.add(
      `CREATE FUNCTION ${f}() RETURNS text LANGUAGE sql AS $f$ SELECT '${PAIR};' $f$;`,
      `CREATE FUNCTION ${f}c() RETURNS bytea LANGUAGE sql ${s.pick(["AS $$ SELECT '\\xeda0bdedb880'::bytea $$", `RETURN ${bytes(s)}::bytea`])};`,
    );
    s.observe('text', `SELECT ${hexOf(`${f}()`)}`);
    s.observe('binary', `SELECT encode(${f}c(), 'hex')`);
  },
  (s) => {
    const t = createTable(s);
    s.add(
      `DO $do$ BEGIN INSERT INTO ${t.name} (n, c) VALUES ('${PAIR}', '\\xeda0bdedb880'); END $do$;`,
    );
    observe(s, t);
  },
  (s) => {
    const t = createTable(s);
    const p = s.name('p');
    s.add(
      `PREPARE ${p} AS INSERT INTO ${t.name} (n, c) VALUES ($1, $2);`,
      `EXECUTE ${p}(${literal(s)}, ${bytes(s)});`,
    );
    observe(s, t);
  },
  (s) => {
    const t = createTable(s);
    const p = s.name('p');
    s.add(
      `CREATE PROCEDURE ${p}(v text) BEGIN ATOMIC INSERT INTO ${t.name} (n) VALUES (v); INSERT INTO ${t.name} (n, c) VALUES (${literal(s)}, ${bytes(s)}); END;`,
      `CALL ${p}(${literal(s)});`,
    );
    observe(s, t);
  },
];

/** Statements after which a backslash in a string escapes, and those after which it does not. */
const OFF = [
  'SET standard_conforming_strings = off;',
  'SET standard_conforming_strings TO false;',
  'SET SESSION standard_conforming_strings = 0;',
  "SET standard_conforming_strings = 'no';",
  'SET "standard_conforming_strings" = f;',
  "SELECT pg_catalog.set_config('standard_conforming_strings', 'of', false);",
  'BEGIN;\nSET standard_conforming_strings = off;\nCOMMIT;',
  'SET standard_conforming_strings = off;\nBEGIN;\nSET standard_conforming_strings = on;\nROLLBACK;',
  'SET standard_conforming_strings = off;\nBEGIN;\nSET LOCAL standard_conforming_strings = on;\nEND;',
];
const ON = [
  'SET standard_conforming_strings = on;',
  'SET standard_conforming_strings TO DEFAULT;',
  'RESET standard_conforming_strings;',
  'RESET ALL;',
  'DISCARD ALL;',
  "SET standard_conforming_strings = 't';",
  "SELECT set_config('standard_conforming_strings', 'ye', false);",
];

const settings: readonly Part[] = [
  (s) => {
    const t = createTable(s);
    s.add(
      'SET backslash_quote = on;',
      s.pick(OFF),
      `INSERT INTO ${t.name} (n, c) VALUES ('a\\'${PAIR}', '\\\\xeda0bdedb880'), ('\\\\', '\\\\355\\\\240'), ('${PAIR}', NULL);`,
    );
    s.add(
      s.pick(ON),
      `INSERT INTO ${t.name} (n, c) VALUES ('\\', '\\x00'), ('${PAIR}\\', '\\355\\240');`,
    );
    observe(s, t);
  },
  (s) => {
    const t = createTable(s);
    s.add(
      'BEGIN;',
      'SET LOCAL standard_conforming_strings = off;',
      `INSERT INTO ${t.name} (n) VALUES ('a\\n${PAIR}'), ('\\\\');`,
      s.pick(['COMMIT;', 'END;', 'COMMIT WORK;']),
      `INSERT INTO ${t.name} (n) VALUES ('\\'), ('${PAIR}\\');`,
    );
    observe(s, t);
  },
  (s) => {
    const t = s.name();
    s.add(
      `CREATE SCHEMA ${t};`,
      s.pick([
        `SET search_path = ${t}, public;`,
        `SELECT pg_catalog.set_config('search_path', '${t}', false);`,
        `SET SCHEMA '${t}';`,
      ]),
      `CREATE TABLE public.${t} (n bytea, c text);`,
      `CREATE TABLE ${t} (id int, n text, c bytea);`,
      `INSERT INTO ${t} (n, c) VALUES (${literal(s)}, ${value(s)});`,
      'RESET search_path;',
    );
    observe(s, { name: `${t}.${t}` });
  },
];

const groups = [rows, definitions, spelled, programs, settings];

/** Writes a script: one to three parts, each about other places. */
export function createPostgresScript(seed: number): Script {
  const script = new Script(seed);
  for (let count = 1 + script.below(3); count > 0; count--)
    script.pick(script.pick(groups))(script);
  return script;
}
