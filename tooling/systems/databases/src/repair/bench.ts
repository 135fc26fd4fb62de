/** Interface of each server for the proof of repairs: databases, their cells, and a third-party client. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll } from 'vitest';
import type {
  EmitOptions,
  LookOptions,
  RepairDatabaseOptions,
  RepairReport,
  RevertDatabaseOptions,
  RevertReport,
} from '../../../../../packages/database/dist/index.js';
import { findProgram as findRuntime } from '../../../../conformance/runtimes/programs.mjs';
import { choose, isNight } from '../../../../tiers/tier.js';
import { MariaDb } from '../mariadb.js';
import { MySql } from '../mysql.js';
import { Postgres } from '../postgres.js';
import { demand, demandProgram } from '../program.js';

/** A server of each kind, with a folder for undo logs. */
export interface Bench {
  readonly name: 'SQLite' | 'MariaDB' | 'MySQL' | 'PostgreSQL';
  /** Dialect of scripts. */
  readonly dialect: 'SQLite' | 'MariaDB' | 'PostgreSQL';
  readonly folder: string;
  /** The program that runs `@utf8/database`. */
  readonly node: string;
  /** Makes a database. */
  create(script: string): string;
  drop(database: string): void;
  url(database: string): string;
  /** Runs a script, and returns its output. */
  ask(database: string, script: string): string;
  /** The command line of a client that runs the script on stdin, up to the first error. */
  client(database: string): readonly string[];
  /** Bytes as a text in SQL. */
  text(hex: string): string;
  /** Names of tables, without that of the repair. */
  tables(database: string): readonly string[];
  /** All rows of a table, sorted: each cell in hex, after `t` if it is text and `b` if it is not. */
  rows(database: string, table: string): readonly string[];
  /** Returns the findings of the server's integrity check; empty if there are none. */
  check(database: string): string;
  /** Kills the server with SIGKILL, and starts it again. In SQLite, it is the process that repairs. */
  readonly crash: (() => Promise<void>) | undefined;
  stop(): Promise<void>;
}

/** The rows of all tables. */
export const readAll = (bench: Bench, database: string): Record<string, readonly string[]> =>
  Object.fromEntries(bench.tables(database).map((table) => [table, bench.rows(database, table)]));

const lines = (output: string): string[] => (output === '' ? [] : output.trimEnd().split('\n'));

const quote = (name: string, mark: string): string =>
  `${mark}${name.replaceAll(mark, mark + mark)}${mark}`;

const ascii = (script: string): string => `'${script.replaceAll("'", "''")}'`;

const createFolder = (): string => mkdtempSync(join(tmpdir(), 'utf8-proof-'));

/** SQLite, with a Node that has a driver for it. */
export async function startSqlite(): Promise<Bench> {
  const node = findRuntime('node-24');
  if (!node) throw new Error('missing: node-24');
  const shell = demandProgram('sqlite3');
  const folder = createFolder();
  let count = 0;
  const client = (database: string): string[] => [
    shell,
    '-batch',
    '-bail',
    '-cmd',
    '.timeout 600000',
    join(folder, database),
  ];
  const ask = (database: string, script: string): string => {
    const [program, ...words] = client(database) as [string, ...string[]];
    return demand(program, words, Buffer.from(script, 'latin1')).toString('latin1');
  };
  return {
    name: 'SQLite',
    dialect: 'SQLite',
    folder,
    node,
    create(script) {
      const database = `proof${++count}.db`;
      ask(database, script);
      return database;
    },
    drop(database) {
      for (const end of ['', '-wal', '-shm']) rmSync(join(folder, database + end), { force: true });
    },
    url: (database) => `sqlite:${join(folder, database)}`,
    ask,
    client,
    text: (hex) => `CAST(X'${hex}' AS TEXT)`,
    tables: (database) =>
      lines(
        ask(
          database,
          "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type IN ('table', 'virtual') AND name NOT IN ('utf8_repair', 'sqlite_schema', 'sqlite_stat1') ORDER BY name",
        ),
      ),
    rows(database, table) {
      const sql = quote(table, '"');
      const names = lines(ask(database, `SELECT name FROM pragma_table_xinfo(${ascii(table)})`));
      const withoutRowid = ask(
        database,
        `SELECT wr FROM pragma_table_list WHERE schema = 'main' AND name = ${ascii(table)}`,
      );
      const cells = names.map((name) => {
        const column = quote(name, '"');
        return `CASE typeof(${column}) WHEN 'text' THEN 't' ELSE 'b' || typeof(${column}) END || coalesce(hex(CAST(${column} AS BLOB)), '')`;
      });
      const hasRowid = withoutRowid === '0\n' && !/rowid|oid/i.test(names.join());
      if (hasRowid) cells.push("'b' || rowid");
      return lines(ask(database, `SELECT ${cells.join(" || '|' || ")} FROM ${sql}`)).sort();
    },
    check: (database) =>
      ask(database, 'PRAGMA integrity_check; PRAGMA foreign_key_check;').replace(/^ok\n/, ''),
    crash: undefined,
    async stop() {
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/**
 * MariaDB, or MySQL: that one refuses surrogates in utf8mb4, so it has the text of all scripts in columns of
 * latin1, as many programs have left it there.
 */
async function startMariaDb(name: 'MariaDB' | 'MySQL'): Promise<Bench> {
  const server = await { MariaDB: MariaDb, MySQL: MySql }[name].start(
    '--innodb-flush-log-at-trx-commit=1',
  );
  const charset = { MariaDB: 'utf8mb4', MySQL: 'latin1' }[name];
  const folder = createFolder();
  let count = 0;
  const ask = (database: string, script: string): string =>
    server.demand(Buffer.from(script, 'latin1'), database).toString('latin1');
  return {
    name,
    dialect: 'MariaDB',
    folder,
    node: process.execPath,
    create(script) {
      const database = `proof${++count}`;
      ask('mysql', `CREATE DATABASE ${database} CHARACTER SET ${charset}`);
      ask(database, script.replaceAll('utf8mb4', charset));
      return database;
    },
    drop(database) {
      ask('mysql', `DROP DATABASE ${database}`);
    },
    url: (database) => `mariadb://root@localhost/${database}?socketPath=${server.socket}`,
    ask,
    client: (database) => server.client(database),
    text: (hex) => `X'${hex}'`,
    tables: (database) =>
      lines(
        ask(
          database,
          "SELECT table_name FROM information_schema.tables WHERE table_schema = DATABASE() AND table_type <> 'VIEW' AND table_name <> 'utf8_repair' ORDER BY 1",
        ),
      ),
    rows(database, table) {
      const columns = lines(
        ask(
          database,
          `SELECT concat(character_set_name IS NOT NULL, column_name) FROM information_schema.columns WHERE table_schema = DATABASE() AND table_name = ${ascii(table)} ORDER BY ordinal_position`,
        ),
      );
      const cells = columns.map((column) => {
        const kind = column.startsWith('1') ? 't' : 'b';
        return `concat('${kind}', coalesce(hex(CAST(${quote(column.slice(1), '`')} AS BINARY)), 'null'))`;
      });
      const query = `SELECT concat_ws('|', ${cells}) FROM ${quote(table, '`')}`;
      return lines(ask(database, query)).sort();
    },
    check: (database) =>
      server
        .demand(
          `SELECT concat('CHECK TABLE \`', replace(table_name, '\`', '\`\`'), '\` EXTENDED;') FROM information_schema.tables WHERE table_schema = '${database}' AND table_type <> 'VIEW'`,
        )
        .toString()
        .split('\n')
        .filter(Boolean)
        .map((statement) => ask(database, statement))
        .filter((answer) => !/\tstatus\tOK\n$/.test(answer))
        .join(''),
    async crash() {
      await server.kill();
      await server.restart();
    },
    async stop() {
      rmSync(folder, { recursive: true, force: true });
      await server.stop();
    },
  };
}

async function startPostgres(): Promise<Bench> {
  const server = await Postgres.start();
  const folder = createFolder();
  let count = 0;
  const ask = (database: string, script: string): string =>
    server
      .demand(Buffer.from(`SET client_encoding = SQL_ASCII;${script}`, 'latin1'), '-d', database)
      .toString('latin1');
  return {
    name: 'PostgreSQL',
    dialect: 'PostgreSQL',
    folder,
    node: process.execPath,
    create(script) {
      const database = `proof${++count}`;
      server.demand(
        `CREATE DATABASE ${database} ENCODING 'SQL_ASCII' LOCALE 'C' TEMPLATE template0`,
      );
      ask(database, script);
      return database;
    },
    drop(database) {
      server.demand(`DROP DATABASE ${database} WITH (FORCE)`);
    },
    url: (database) => server.url(database),
    ask,
    client: (database) => server.client(database),
    text: (hex) => `convert_from(decode('${hex}', 'hex'), 'SQL_ASCII')`,
    tables: (database) =>
      lines(
        ask(
          database,
          "SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition AND relname <> 'utf8_repair' ORDER BY 1",
        ),
      ),
    rows(database, table) {
      const columns = lines(
        ask(
          database,
          `SELECT (atttypid IN (17))::int || attname FROM pg_attribute WHERE attrelid = ${ascii(quote(table, '"'))}::regclass AND attnum > 0 AND NOT attisdropped ORDER BY attnum`,
        ),
      );
      const cells = columns.map((column) => {
        const kind = column.startsWith('0') ? 't' : 'b';
        const bytes =
          kind === 't' ? `textsend(${quote(column.slice(1), '"')}::text)` : column.slice(1);
        return `'${kind}' || coalesce(upper(encode(${bytes}, 'hex')), 'null')`;
      });
      // Rows whose keys change may belong into other partitions; heirs are tables of their own.
      const sql = quote(table, '"');
      const isParted = ask(
        database,
        `SELECT 1 FROM pg_class WHERE oid = ${ascii(sql)}::regclass AND relkind = 'p'`,
      );
      const query = `SELECT ${cells.join(" || '|' || ")} FROM ${isParted ? '' : 'ONLY'} ${sql}`;
      return lines(ask(database, query)).sort();
    },
    check(database) {
      return ask(
        database,
        `CREATE EXTENSION IF NOT EXISTS amcheck;
         SELECT bt_index_check(indexrelid, true) FROM pg_index JOIN pg_class c ON c.oid = indexrelid
         WHERE relnamespace = 'public'::regnamespace AND relam = 403 AND relkind = 'i'`,
      ).trim();
    },
    crash: () => server.crash('SIGKILL'),
    async stop() {
      rmSync(folder, { recursive: true, force: true });
      await server.stop();
    },
  };
}

/**
 * Starts servers, and stops them when the tests of the file have ended.
 *
 * @param count - How many kinds there are by day. At night, there is one of each, and MySQL, which is like MariaDB.
 */
export async function startBenches(count: number): Promise<{ name: string; bench: Bench }[]> {
  const starts = [startSqlite, () => startMariaDb('MariaDB'), startPostgres];
  if (isNight) starts.push(() => startMariaDb('MySQL'));
  const benches = await Promise.all(choose(starts, count).map((start) => start()));
  afterAll(async () => {
    for (const bench of benches) await bench.stop();
  });
  return benches.map((bench) => ({ name: bench.name, bench }));
}

/** Output of a run. */
export type Answer<Report> = {
  readonly status: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly report?: Report;
  readonly error?: { readonly name: string; readonly code: string; readonly message: string };
  /** The most memory that it had, in bytes. */
  readonly memory?: number;
};

/** Point at which a run stops: the first time it is reached, a later time, or every time. */
export interface Point {
  readonly at: string;
  readonly time?: number | 'each';
}

/** Disturbance of a run. */
export interface Disturbance {
  /** It waits there, until this function has resolved. */
  readonly point?: Point;
  readonly act?: (kill: () => void) => unknown;
}

interface Works {
  scan: [Omit<LookOptions, 'url'>, RepairReport];
  repair: [Omit<RepairDatabaseOptions, 'url'>, RepairReport];
  undo: [Omit<RevertDatabaseOptions, 'url'>, RevertReport];
  emit: [Omit<EmitOptions, 'url'>, RepairReport];
}

const program = fileURLToPath(new URL('run.mjs', import.meta.url));

/** Runs a function of the library in a process of its own. */
export async function start<Work extends keyof Works>(
  bench: Bench,
  database: string,
  work: Work,
  options: Works[Work][0],
  { point, act }: Disturbance = {},
): Promise<Answer<Works[Work][1]>> {
  const words = [program, work, JSON.stringify({ ...options, url: bench.url(database) })];
  if (point) words.push(JSON.stringify(point));
  const child = spawn(bench.node, words, {
    cwd: bench.folder,
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...process.env, NODE_OPTIONS: '', NODE_NO_WARNINGS: '1' },
  });
  let output = '';
  let errors = '';
  child.stdin.on('error', () => {});
  child.stderr.on('data', (chunk) => {
    errors += chunk;
  });
  let acting: Promise<unknown> = Promise.resolve();
  child.stdout.on('data', (chunk) => {
    output += chunk;
    if (output !== 'here\n') return;
    output = '';
    acting = (async () => {
      try {
        await act?.(() => child.kill('SIGKILL'));
      } finally {
        child.stdin.write('\n');
      }
    })();
    // Thrown below, when the run has ended.
    acting.catch(() => {});
  });
  const [status, signal] = await once(child, 'close');
  await acting;
  if (signal) return { status, signal };
  try {
    return { status, signal, ...JSON.parse(output) };
  } catch {
    throw new Error(`${work} ended with ${status}: ${output}${errors}`);
  }
}

/** Runs the work, and throws if it fails. */
export async function succeed<Work extends keyof Works>(
  bench: Bench,
  database: string,
  work: Work,
  options: Works[Work][0],
): Promise<Works[Work][1]> {
  const { report, error } = await start(bench, database, work, options);
  if (!report) throw new Error(`${bench.name}: ${error?.name}: ${error?.message}`);
  return report;
}
