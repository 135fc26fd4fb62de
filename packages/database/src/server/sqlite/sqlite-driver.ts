/** The two drivers of SQLite, with one interface. */
import { UsageError } from '@utf8/dump';
import { findPackage, missingPackage } from '../find-package.js';
import { type Fields, type NamedRow, type RecordOf, readRecords } from '../record.js';

/** Value in SQLite. Text arrives as a string, which only catalogues ask for; values are read as blobs. */
export type SqlValue = null | bigint | number | string | Uint8Array;

/** A prepared statement. */
export interface Statement {
  run(values: readonly SqlValue[]): void;
  get(values: readonly SqlValue[]): SqlValue[] | undefined;
  /** Nothing else may be done with the connection until the end, or until the loop is left. */
  iterate(values: readonly SqlValue[]): Iterable<SqlValue[]>;
}

/** An open file. */
export interface Connection {
  prepare(sql: string): Statement;
  /** Runs a query of the catalogue, and reads its rows by the names of their columns. */
  records<Own extends Fields<SqlValue>>(sql: string, fields: Own): RecordOf<SqlValue, Own>[];
  exec(sql: string): void;
  close(): void;
}

/** Opens a file that exists; throws a TypeError if it takes no name in bytes. */
export type Driver = (file: string | Buffer) => Connection;

/** Methods that the statements of both drivers have. */
interface NativeStatement {
  run(...values: SqlValue[]): unknown;
  get(...values: SqlValue[]): unknown;
  iterate(...values: SqlValue[]): Iterable<unknown>;
  all(): unknown[];
}

/** Methods that the databases of both drivers have. */
interface NativeDatabase<S extends NativeStatement> {
  prepare(sql: string): S;
  exec(sql: string): unknown;
  close(): unknown;
}

/** https://nodejs.org/api/sqlite.html */
interface NodeStatement extends NativeStatement {
  setReadBigInts(enabled: boolean): void;
  /** Since Node 22.16. */
  setReturnArrays?(enabled: boolean): void;
}

/** Settings of every connection, made before the schema is read: https://www.sqlite.org/security.html */
const PINNED = [
  // Functions and virtual tables that may have effects are refused in triggers, views and expressions.
  'PRAGMA trusted_schema = OFF',
  'PRAGMA cell_size_check = ON',
  'PRAGMA recursive_triggers = OFF',
  'PRAGMA ignore_check_constraints = OFF',
];

interface NodeModule {
  DatabaseSync: new (file: string | Buffer, options: object) => NativeDatabase<NodeStatement>;
}

/** https://github.com/WiseLibs/better-sqlite3/blob/master/docs/api.md */
interface BetterStatement extends NativeStatement {
  /** True if the statement returns rows. */
  readonly reader: boolean;
  raw(enabled: boolean): unknown;
  safeIntegers(enabled: boolean): unknown;
}

type BetterConstructor = new (
  file: string | Buffer,
  options: object,
) => NativeDatabase<BetterStatement>;

/** Loads the driver of the runtime, or else an installed one. Throws if neither exists. */
export function findDriver(): Driver {
  return loadNodeSqlite() ?? loadBetterSqlite3();
}

/** `node:sqlite`; undefined if this version of Node has none. */
export function loadNodeSqlite(): Driver | undefined {
  const module = withoutWarning(
    () => process.getBuiltinModule?.('node:sqlite') as NodeModule | undefined,
  );
  if (!module) return undefined;
  const options = {
    // The bodies of old triggers may have strings in double quotes.
    enableDoubleQuotedStringLiterals: true,
    allowExtension: false,
    // Since Node 24.12; the other driver is so by default.
    defensive: true,
  };
  return (file) =>
    connect(new module.DatabaseSync(file, options), (statement, asArrays) => {
      statement.setReadBigInts(true);
      statement.setReturnArrays?.(asArrays);
      return statement.setReturnArrays !== undefined;
    });
}

/**
 * The package `better-sqlite3`.
 *
 * @param from - The file that requires it; without it, all places are searched where drivers are.
 * @throws UsageError if it is not installed, or does not load.
 */
export function loadBetterSqlite3(from?: string): Driver {
  const name = 'better-sqlite3';
  const major = Number.parseInt(process.versions.node, 10);
  // Its version 13 crashes Node 20 as soon as it opens a file.
  const install = `npm install ${name}${major < 22 ? '@12' : ''}, or use Node 22.13 or later`;
  const require = findPackage(name, from);
  if (!require) throw missingPackage(name, `run ${install}`);
  let Database: BetterConstructor;
  try {
    const { version, engines } = require(`${name}/package.json`);
    const least = Number(/^>=(\d+)/.exec(engines?.node)?.[1] ?? 0);
    if (major < least)
      throw new UsageError(`${name} ${version} requires Node ${least}; run ${install}`);
    Database = require(name);
    // Only this loads the compiled part.
    new Database(':memory:', {}).close();
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const { message } = error as Error;
    throw new UsageError(
      `${name} does not load (${message.split('\n', 1)[0]}); run npm rebuild ${name}, or use Node 22.13 or later`,
      { cause: error },
    );
  }
  return (file) => {
    // It takes bytes for the content of a database.
    if (typeof file !== 'string') throw new TypeError('the name of the file is not a string');
    return connect(new Database(file, { fileMustExist: true }), (statement, asArrays) => {
      if (statement.reader) {
        statement.raw(asArrays);
        statement.safeIntegers(true);
      }
      return true;
    });
  };
}

/** Number of prepared statements to keep; those of 100 tables. */
const MOST_STATEMENTS = 1000;

function connect<S extends NativeStatement>(
  database: NativeDatabase<S>,
  configure: (statement: S, asArrays: boolean) => boolean,
): Connection {
  for (const pragma of PINNED) database.exec(pragma);
  const statements = new Map<string, Statement>();
  return {
    prepare(sql) {
      const known = statements.get(sql);
      if (known) return known;
      const native = database.prepare(sql);
      const hasArrays = configure(native, true);
      const statement: Statement = {
        run: (values) => void native.run(...values),
        get: (values) => {
          const row = native.get(...values) as object | undefined;
          return row && (hasArrays ? (row as SqlValue[]) : Object.values(row));
        },
        iterate: (values) => {
          const rows = native.iterate(...values);
          return hasArrays ? (rows as Iterable<SqlValue[]>) : toArrays(rows as Iterable<object>);
        },
      };
      // A run has a handful for each table, of which there may be thousands.
      if (statements.size >= MOST_STATEMENTS) statements.clear();
      statements.set(sql, statement);
      return statement;
    },
    records(sql, fields) {
      const native = database.prepare(sql);
      configure(native, false);
      return readRecords(native.all() as NamedRow<SqlValue>[], fields);
    },
    exec: (sql) => void database.exec(sql),
    close: () => void database.close(),
  };
}

/** Rows of Node before 22.16. Their keys are in order, and each is there once, since we name no column twice. */
function* toArrays(rows: Iterable<object>): Generator<SqlValue[]> {
  for (const row of rows) yield Object.values(row);
}

/** Node 22 warns that `node:sqlite` is experimental as soon as it is loaded; users cannot help that. */
function withoutWarning<Result>(load: () => Result): Result {
  const { emitWarning } = process;
  process.emitWarning = (warning: string | Error, ...rest: unknown[]): void => {
    if (String(warning).includes('SQLite is an experimental feature')) return;
    (emitWarning as (...all: unknown[]) => void).call(process, warning, ...rest);
  };
  try {
    return load();
  } finally {
    process.emitWarning = emitWarning;
  }
}
