/**
 * A role that may create in a schema sets traps of every kind; the repairer is a superuser whose search
 * path finds the traps first. No command springs one, unless it was asked to run triggers.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { emitRepair, repairDatabase, revertDatabase, scanDatabase } from '@utf8/database';
import { afterAll, describe, expect, it } from 'vitest';
import { open } from '../../../../packages/database/src/server/postgres/postgres.js';
import type { Table } from '../../../../packages/database/src/server/table.js';
import { Postgres } from '../src/postgres.js';

const postgres = await Postgres.start();
const folder = mkdtempSync(join(tmpdir(), 'utf8-traps-'));
afterAll(async () => {
  await postgres.stop();
  rmSync(folder, { recursive: true, force: true });
});

const ask = (query: string, database = 'traps'): string =>
  postgres.demand(query, '-d', database).toString().trimEnd();

const SMILE = 'F09F9880';
const PAIR = `convert_from(decode('EDA0BDEDB880', 'hex'), 'SQL_ASCII')`;

/** Operators of the server's own names, for its own types: an exact match wins wherever the path has it. */
const OPERATORS = `
  DO $$
  DECLARE l text; r text; o text;
    types text[] = '{int2,int4,int8,oid,numeric,text,varchar,bpchar,name,bytea,bool,tid}';
  BEGIN
    FOREACH l IN ARRAY types LOOP
      FOREACH r IN ARRAY types LOOP
        EXECUTE format('CREATE FUNCTION public.sprung(%1$s, %2$s) RETURNS bool LANGUAGE plpgsql IMMUTABLE AS
          ''BEGIN PERFORM public.spring(''''operator''''); RETURN true; END''', l, r);
        FOREACH o IN ARRAY '{=,<>,<,>,<=,>=,+,-,/,||,~~,!~}'::text[] LOOP
          EXECUTE format('CREATE OPERATOR public.%s (leftarg = %s, rightarg = %s, function = public.sprung)', o, l, r);
        END LOOP;
      END LOOP;
    END LOOP;
  END $$;`;

/** Functions of the names that our statements call, for the types that they call them with. */
const FUNCTIONS = [
  'lower(text)',
  'upper(text)',
  'textsend(text)',
  'octet_length(text)',
  'octet_length(bytea)',
  'strpos(text, text)',
  'md5(bytea)',
  'encode(bytea, text)',
  'decode(text, text)',
  'convert_from(bytea, name)',
  'convert_from(bytea, text)',
  'convert_to(text, name)',
  'current_setting(text)',
  'set_config(text, text, bool)',
  'getdatabaseencoding()',
  'current_schema()',
  'pg_try_advisory_lock(int4)',
  'bt_index_check(oid, bool)',
]
  .map(
    (signature) => `CREATE FUNCTION public.${signature} RETURNS text LANGUAGE plpgsql AS
      'BEGIN PERFORM public.spring(''function''); RETURN ''x''; END';`,
  )
  .join('\n');

const trap = (kind: string, signature: string, result: string, value: string): string =>
  `CREATE FUNCTION public.${signature} RETURNS ${result} LANGUAGE plpgsql IMMUTABLE AS
    $$BEGIN PERFORM public.spring('${kind}'); RETURN ${value}; END$$;`;

/** Each table has a row to repair, and a trap of one kind. */
const TABLES = `
  CREATE TABLE plain (id int PRIMARY KEY, t varchar(40) UNIQUE);
  INSERT INTO plain VALUES (1, ${PAIR}), (2, 'x');
  CREATE TABLE keyless (t text); INSERT INTO keyless VALUES (${PAIR});

  ${trap('index', 'in_index(text)', 'text', '$1')}
  CREATE TABLE indexed (id int PRIMARY KEY, t text);
  CREATE UNIQUE INDEX ON indexed (in_index(t)); INSERT INTO indexed VALUES (1, ${PAIR});

  ${trap('predicate', 'in_predicate(text)', 'bool', 'true')}
  CREATE TABLE partial (id int PRIMARY KEY, t text);
  CREATE UNIQUE INDEX ON partial (t) WHERE in_predicate(t); INSERT INTO partial VALUES (1, ${PAIR});

  ${trap('overload', 'in_overload(varchar)', 'text', '$1')}
  CREATE FUNCTION public.in_overload(text) RETURNS text LANGUAGE sql IMMUTABLE AS 'SELECT $1';
  CREATE TABLE overloaded (id int PRIMARY KEY, t varchar(40));
  CREATE UNIQUE INDEX ON overloaded (in_overload(t::text)); INSERT INTO overloaded VALUES (1, ${PAIR});

  ${trap('generated', 'in_generated(text)', 'text', '$1')}
  CREATE TABLE generated (id int PRIMARY KEY, t text, g text GENERATED ALWAYS AS (in_generated(t)) STORED UNIQUE);
  INSERT INTO generated VALUES (1, ${PAIR});

  ${trap('check', 'in_check(text)', 'bool', 'true')}
  CREATE TABLE checked (id int PRIMARY KEY, t text CHECK (in_check(t))); INSERT INTO checked VALUES (1, ${PAIR});
  CREATE TABLE builtin (id int PRIMARY KEY, t text,
    CHECK (query_to_xml('SELECT public.spring(''query'')', true, true, '') IS NOT NULL));
  INSERT INTO builtin VALUES (1, ${PAIR});
  CREATE OPERATOR public.=~= (leftarg = text, rightarg = int4, function = public.sprung);
  CREATE TABLE operated (id int PRIMARY KEY, t text CHECK (t OPERATOR(public.=~=) id));
  INSERT INTO operated VALUES (1, ${PAIR});

  ${trap('domain', 'in_domain(text)', 'bool', 'true')}
  CREATE DOMAIN trapped AS text CHECK (in_domain(VALUE));
  CREATE TABLE domains (id int PRIMARY KEY, t trapped UNIQUE); INSERT INTO domains VALUES (1, ${PAIR});
  CREATE TYPE nested AS (a trapped, n int);
  CREATE TABLE composites (id int PRIMARY KEY, t nested UNIQUE, list nested[]);
  INSERT INTO composites VALUES (1, ROW(${PAIR}, 1), ARRAY[ROW(${PAIR}, 1)::nested]);

  CREATE TYPE duo AS (a text, n int);
  CREATE TYPE mood AS ENUM ('sad', 'happy');
  CREATE TABLE casts (mood mood PRIMARY KEY, t duo UNIQUE, list duo[]);
  INSERT INTO casts VALUES ('sad', ROW(${PAIR}, 1), ARRAY[ROW(${PAIR}, 1)::duo]);
  CREATE TABLE cast_keys (k duo PRIMARY KEY, t text); INSERT INTO cast_keys VALUES (ROW(${PAIR}, 1), ${PAIR});
  ${['duo', 'mood', 'duo[]']
    .map((type, i) => {
      const name = `cast_${i}`;
      return `${trap('cast', `${name}(${type})`, 'text', `'x'`)} ${trap('cast', `${name}(text)`, type, 'NULL')}
        CREATE CAST (${type} AS text) WITH FUNCTION ${name}(${type}) AS ASSIGNMENT;
        CREATE CAST (text AS ${type}) WITH FUNCTION ${name}(text) AS ASSIGNMENT;`;
    })
    .join('\n')}

  CREATE EXTENSION citext SCHEMA public;
  CREATE DOMAIN folded AS citext;
  CREATE TABLE keys (k folded, n int, t text, PRIMARY KEY (n, k));
  INSERT INTO keys VALUES ('K', 1, ${PAIR}), ('l', 1, ${PAIR}), ('M', 2, ${PAIR});
  ${['=', '>', '<']
    .map(
      (o, i) => `${trap('domain operator', `over_${i}(folded, citext)`, 'bool', 'true')}
      CREATE OPERATOR public.${o} (leftarg = folded, rightarg = citext, function = over_${i});`,
    )
    .join('\n')}

  ${trap('partition', 'in_partition(text)', 'int', '1')}
  CREATE TABLE parts (id int, t text) PARTITION BY LIST (in_partition(t));
  CREATE TABLE part PARTITION OF parts FOR VALUES IN (1); INSERT INTO parts VALUES (1, ${PAIR});

  CREATE TABLE policed (id int PRIMARY KEY, t text); INSERT INTO policed VALUES (1, ${PAIR});
  ALTER TABLE policed ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
  ${trap('policy', 'in_policy(text)', 'bool', 'true')} CREATE POLICY p ON policed USING (in_policy(t));

  CREATE TABLE parents (k text PRIMARY KEY); INSERT INTO parents VALUES (${PAIR});
  CREATE TABLE children (id int PRIMARY KEY, k text REFERENCES parents ON UPDATE CASCADE);
  INSERT INTO children VALUES (1, ${PAIR});

  CREATE FUNCTION in_trigger() RETURNS trigger LANGUAGE plpgsql AS
    $$BEGIN PERFORM public.spring('trigger'); RETURN NEW; END$$;
  CREATE TABLE triggered (id int PRIMARY KEY, t text); INSERT INTO triggered VALUES (1, ${PAIR});
  CREATE TRIGGER t BEFORE UPDATE ON triggered FOR EACH ROW EXECUTE FUNCTION in_trigger();
  CREATE TABLE ruled (id int PRIMARY KEY, t text); INSERT INTO ruled VALUES (1, ${PAIR});
  CREATE RULE r AS ON UPDATE TO ruled DO ALSO SELECT public.spring('rule');

  CREATE VIEW viewed AS SELECT 1 AS id, public.spring('view') AS t;
  CREATE MATERIALIZED VIEW stored_view AS SELECT 1 AS id, ${PAIR} AS t;
  CREATE DOMAIN public.text AS pg_catalog.text CHECK (public.spring('type') IS NOT NULL);
  CREATE DOMAIN public.json AS pg_catalog.json CHECK (public.spring('type') IS NOT NULL);
  CREATE DOMAIN public.bytea AS pg_catalog.bytea CHECK (public.spring('type') IS NOT NULL);
  CREATE DOMAIN public.oid AS pg_catalog.oid CHECK (public.spring('type') IS NOT NULL);
  CREATE DOMAIN public.regclass AS pg_catalog.regclass CHECK (public.spring('type') IS NOT NULL);
`;

/** Tables whose changes would run code of their owner. */
const HELD = [
  'builtin',
  'checked',
  'composites',
  'domains',
  'generated',
  'indexed',
  'operated',
  'overloaded',
  'partial',
  'part',
  'ruled',
  'triggered',
];

describe('traps in PostgreSQL', () => {
  ask('CREATE ROLE mallory', 'postgres');
  ask(`CREATE DATABASE traps ENCODING 'SQL_ASCII' LOCALE 'C' TEMPLATE template0`, 'postgres');
  ask(`GRANT ALL ON SCHEMA public TO mallory; GRANT CREATE ON DATABASE traps TO mallory;
    CREATE SEQUENCE sprung_count; GRANT ALL ON SEQUENCE sprung_count TO mallory;
    CREATE TABLE sprung_kinds (kind pg_catalog.text); GRANT ALL ON sprung_kinds TO mallory;
    ALTER DATABASE traps SET search_path = public, pg_catalog;
    SET ROLE mallory;
    CREATE FUNCTION public.spring(kind pg_catalog.text) RETURNS pg_catalog.text LANGUAGE plpgsql AS $$
    BEGIN
      IF (SELECT pg_catalog.current_setting('is_superuser') OPERATOR(pg_catalog.=) 'on'
          AND pg_catalog.current_setting('utf8.armed', true) IS NOT DISTINCT FROM NULL) THEN
        PERFORM pg_catalog.nextval('public.sprung_count');
        RAISE WARNING 'sprung: %', kind;
      END IF;
      RETURN kind;
    END $$;
    SET search_path = public; ${OPERATORS} ${TABLES} ${FUNCTIONS}`);

  const countSprung = (): string =>
    ask(`SELECT is_called FROM public.sprung_count`).split('\n').at(-1) as string;
  const hexOf = (table: string, column = 't'): string =>
    ask(
      `SELECT pg_catalog.string_agg(pg_catalog.encode(pg_catalog.textsend(pg_catalog.format('%s', t.${column})), 'hex'), ' ') FROM public.${table} t`,
    );
  const url = postgres.url('traps');
  const undoLog = join(folder, 'undo-log');

  it('are not sprung by a report', async () => {
    const { found } = await scanDatabase({ url, report: join(folder, 'report') });
    expect(found?.tables.filter(({ candidates }) => candidates > 0)).not.toHaveLength(0);
    const held = found?.tables.filter(({ hazards }) =>
      hazards.some(({ hazard }) => hazard === 'trigger'),
    );
    expect(held?.map(({ table }) => table).sort()).toEqual([...HELD].sort());
    expect(found?.notes.filter((note) => note.includes('calls functions'))).toEqual([
      expect.stringMatching(/^generated: unique index generated_g_key was not checked/),
      expect.stringMatching(/^indexed: unique index indexed_in_index_idx was not checked/),
      expect.stringMatching(/^overloaded: unique index \S+ was not checked/),
      expect.stringMatching(/^partial: unique index \S+ was not checked/),
    ]);
    expect(countSprung()).toBe('f');
  });

  it('are not sprung by statements that are written, nor by whoever runs them', async () => {
    const files = { output: join(folder, 'repair.sql'), inverse: join(folder, 'undo.sql') };
    await emitRepair({ url, ...files });
    const text = readFileSync(files.output, 'utf8');
    for (const table of HELD) expect(text).not.toContain(`"public"."${table}" t SET`);
    const before = hexOf('casts');
    writeFileSync(join(folder, 'run.sql'), `BEGIN; ${text} COMMIT;`);
    ask(readFileSync(join(folder, 'run.sql'), 'utf8'));
    expect(hexOf('plain')).toContain(SMILE.toLowerCase());
    expect(hexOf('casts')).not.toBe(before);
    ask(readFileSync(files.inverse, 'utf8'));
    expect(hexOf('casts')).toBe(before);
    expect(countSprung()).toBe('f');
  });

  it('are not sprung by a repair, and not by its undo', async () => {
    const tables = ['plain', 'casts', 'cast_keys', 'keys', 'policed', 'keyless', 'children'];
    const before = tables.map((table) => hexOf(table, table === 'children' ? 'k' : 't'));
    const choice = { allow: ['orphaned-row', 'equal-keys'] } as const;
    const { repaired, left, problems, refusals } = await repairDatabase({
      url,
      undo: undoLog,
      ...choice,
      batch: 1,
    });
    expect({ problems, refusals }).toEqual({ problems: [], refusals: [] });
    expect(repaired?.rows).toBe(9);
    const leftTables = left?.tables.filter(({ candidates }) => candidates > 0);
    expect(leftTables?.map(({ table }) => table).sort()).toEqual([...HELD].sort());
    for (const table of HELD) expect(hexOf(table)).not.toContain(SMILE.toLowerCase());
    expect(countSprung()).toBe('f');
    const { restored, kept, refused } = await revertDatabase({ url, undo: undoLog });
    expect([restored > 10, kept, refused]).toEqual([true, 0, 0]);
    expect(tables.map((table) => hexOf(table, table === 'children' ? 'k' : 't'))).toEqual(before);
    expect(countSprung()).toBe('f');
  });

  it('are not sprung by a view that replaces a table during a run', async () => {
    const server = await open(url);
    try {
      const tables = await server.listTables();
      const plain = tables.find(({ name }) => name === 'plain') as Table;
      ask(`SET ROLE mallory; ALTER TABLE public.plain RENAME TO kept;
        CREATE VIEW public.plain AS SELECT ctid, id, t FROM public.kept WHERE public.spring('swapped') IS NOT NULL`);
      await expect(server.readPage(plain, plain.columns, undefined, 10)).rejects.toThrow(
        'access to non-system view "plain" is restricted',
      );
      const run = postgres.run(readFileSync(join(folder, 'repair.sql')), '-d', 'traps');
      expect(run.stderr.toString()).toContain('access to non-system view "plain" is restricted');
      ask('DROP VIEW public.plain; ALTER TABLE public.kept RENAME TO plain');
    } finally {
      await server.close();
    }
    expect(countSprung()).toBe('f');
  });

  it.each([
    [
      'a table',
      `CREATE TABLE public.utf8_repair (is_only bool, progress pg_catalog.text);`,
      'TABLE',
    ],
    [
      'a view',
      `CREATE VIEW public.utf8_repair AS SELECT true AS is_only, public.spring('progress') AS progress;`,
      'VIEW',
    ],
  ])('are not sprung by %s of the name of the table of progress', async (_, ddl, kind) => {
    const comment = 'The progress of utf8 repair; safe to drop when no run is to be resumed.';
    ask(`SET ROLE mallory; ${ddl} COMMENT ON ${kind} public.utf8_repair IS '${comment}'`);
    await expect(repairDatabase({ url, undo: `${undoLog}.planted` })).rejects.toThrow(
      /utf8_repair/,
    );
    expect(countSprung()).toBe('f');
    ask(`DROP ${kind} public.utf8_repair`);
  });

  it('run only where triggers may fire', async () => {
    const { repaired } = await repairDatabase({
      url,
      undo: `${undoLog}.fired`,
      allow: ['trigger'],
      tables: ['triggered'],
    });
    expect(repaired?.rows).toBe(1);
    expect(countSprung()).toBe('t');
  });
});
