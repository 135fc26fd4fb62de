/** A connection to MySQL or MariaDB on which neither the driver nor the server converts text. */
import type { Connection as DriverConnection, QueryOptions } from 'mysql2';
import { findPackage, missingPackage } from '../find-package.js';
import { type Fields, type NamedRow, type RecordOf, readRecords } from '../record.js';
import { type Cell, text } from './mysql-cell.js';
import { describeFault } from './mysql-fault.js';
import type { MysqlTarget } from './mysql-target.js';

/** A row of a result, in the order of its columns. */
export type Cells = readonly Cell[];

/**
 * Settings on which our statements depend, emitted ones included. Statements are in utf8mb4 because of names,
 * and contain text only in hex. Outside strict mode the server would cut values short instead of refusing them.
 */
export const PINNED: readonly string[] = [
  'SET NAMES utf8mb4 COLLATE utf8mb4_general_ci',
  // NO_ZERO_DATE and the like would refuse rows because of values that do not change.
  "SET sql_mode = 'STRICT_ALL_TABLES,NO_ENGINE_SUBSTITUTION'",
  'SET foreign_key_checks = 1, unique_checks = 1, sql_safe_updates = 0, sql_auto_is_null = 0',
];

/**
 * Settings of every connection. Results are never converted. The rest keeps a server's own settings from
 * changing what statements mean.
 */
const SETTINGS = [
  ...PINNED,
  'SET character_set_results = NULL',
  'SET autocommit = 1, completion_type = 0',
  'SET sql_select_limit = DEFAULT, sql_quote_show_create = 1, sql_big_selects = 1, wait_timeout = 86400',
  // READ COMMITTED is not possible with a binary log of statements.
  'SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ',
];

/** Settings that only MariaDB has. */
const MARIADB = [
  "SET max_statement_time = 0, check_constraint_checks = 1, default_regex_flags = ''",
  // Rows of the past would be read, and old tables have none.
  'SET system_versioning_asof = DEFAULT',
];
const MYSQL = ['SET max_execution_time = 0'];

/** Settings of a connection. */
export interface ConnectionSettings {
  /** Time to wait for a lock, in milliseconds; the server's own if undefined. */
  readonly lockTimeout?: number | undefined;
  readonly isReadOnly: boolean;
}

export class MysqlConnection {
  readonly #driver: DriverConnection;
  readonly #name: string;
  /** Such as `10.11.6-MariaDB`. */
  readonly version: string;
  /** In bytes: the longest statement, and the longest value. */
  readonly maxPacket: number;

  private constructor(driver: DriverConnection, name: string, version: string, maxPacket: number) {
    this.#driver = driver;
    this.#name = name;
    this.version = version;
    this.maxPacket = maxPacket;
  }

  static async open(
    { name, options }: MysqlTarget,
    { lockTimeout, isReadOnly }: ConnectionSettings,
  ): Promise<MysqlConnection> {
    const { createConnection } = loadDriver();
    const driver = createConnection({
      ...options,
      charset: 'utf8mb4',
      // Otherwise a server could ask for files of this machine.
      flags: ['-LOCAL_FILES'],
      supportBigNumbers: true,
      bigNumberStrings: true,
    });
    // A connection that is lost between two statements; the next one reports it.
    driver.on('error', () => undefined);
    try {
      await new Promise<void>((resolve, reject) => {
        driver.connect((error) => (error ? reject(error) : resolve()));
      });
      const plain = new MysqlConnection(driver, name, '', 0);
      const [{ version, maxPacket }] = (await plain.records(
        'SELECT VERSION() AS version, @@max_allowed_packet AS maxPacket',
        { version: text, maxPacket: (cell) => Number(text(cell)) },
      )) as [{ version: string; maxPacket: number }];
      const connection = new MysqlConnection(driver, name, version, maxPacket);
      const own = connection.isMariaDb ? MARIADB : MYSQL;
      for (const setting of [...SETTINGS, ...own]) await connection.query(setting);
      if (lockTimeout !== undefined) {
        const seconds = Math.max(1, Math.ceil(lockTimeout / 1000));
        await connection.query(
          `SET innodb_lock_wait_timeout = ${seconds}, lock_wait_timeout = ${seconds}`,
        );
      }
      if (isReadOnly) {
        await connection.query('SET SESSION TRANSACTION READ ONLY');
        // So that no two values of a TIMESTAMP have the same words.
        await connection.query("SET time_zone = '+00:00'");
      }
      return connection;
    } catch (error) {
      driver.destroy();
      throw describeFault(name, error);
    }
  }

  get isMariaDb(): boolean {
    return /mariadb/i.test(this.version);
  }

  /** Runs a statement, and returns its rows, if it has any. Throws as the driver does. */
  async query(sql: string): Promise<readonly Cells[]> {
    return (await this.#run(asBytes(sql))) as Cells[];
  }

  #run(options: QueryOptions): Promise<unknown[]> {
    return new Promise((resolve, reject) => {
      this.#driver.query(options, (error: Error | null, rows: unknown) => {
        if (error) reject(error);
        else resolve(Array.isArray(rows) ? rows : []);
      });
    });
  }

  /** Queries the catalogue, and returns rows as objects by the names of their columns. */
  async records<Own extends Fields<Cell>>(
    sql: string,
    fields: Own,
  ): Promise<RecordOf<Cell, Own>[]> {
    let rows: unknown[];
    try {
      rows = await this.#run({ ...asBytes(sql), rowsAsArray: false });
    } catch (error) {
      throw describeFault(this.#name, error);
    }
    return readRecords(rows as NamedRow<Cell>[], fields);
  }

  /** Runs a statement as {@link query} does; errors are sentences. */
  async demand(sql: string): Promise<readonly Cells[]> {
    try {
      return await this.query(sql);
    } catch (error) {
      throw describeFault(this.#name, error);
    }
  }

  /** Runs a statement, and returns how many rows it found. Throws as the driver does. */
  write(sql: string): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#driver.query(asBytes(sql), (error: Error | null, result: unknown) => {
        if (error) reject(error);
        else resolve((result as { affectedRows: number }).affectedRows);
      });
    });
  }

  /** Returns the rows of a statement one by one, however many there are. */
  async *stream(sql: string): AsyncGenerator<Cells> {
    try {
      // A reader that takes its time.
      await this.query('SET net_write_timeout = 86400');
      const rows = this.#driver.query(asBytes(sql)).stream({ highWaterMark: 100 });
      for await (const row of rows) yield row as Cells;
    } catch (error) {
      throw describeFault(this.#name, error);
    }
  }

  async close(): Promise<void> {
    await new Promise<void>((resolve) => this.#driver.end(() => resolve()));
    this.#driver.destroy();
  }

  /** Closes it immediately, even during a statement. */
  abort(): void {
    this.#driver.destroy();
  }
}

/** `typeCast: false` returns every value as its bytes. */
const asBytes = (sql: string): QueryOptions => ({ sql, rowsAsArray: true, typeCast: false });

function loadDriver(): typeof import('mysql2') {
  const require = findPackage('mysql2');
  if (!require) throw missingPackage('mysql2');
  return require('mysql2');
}
