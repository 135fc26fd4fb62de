/** PostgreSQL, in databases whose encoding is SQL_ASCII or UTF8. */
import { InputError } from '@utf8/dump';
import type { Change, Page, PageOptions, Progress, Server, Transaction } from '../server.js';
import type { Key, Table, TextColumn } from '../table.js';
import { type Catalogue, type Details, readCatalogue } from './postgres-catalogue.js';
import { integer, text } from './postgres-cell.js';
import { findCollision } from './postgres-collision.js';
import { Connection } from './postgres-connection.js';
import { describeError } from './postgres-error.js';
import { checkIntegrity } from './postgres-integrity.js';
import { PageReader } from './postgres-page.js';
import { Progresses } from './postgres-progress.js';
import { Rows } from './postgres-rows.js';
import { EQUAL, Parameters, Sql } from './postgres-sql.js';
import { PostgresTransaction } from './postgres-transaction.js';

/** Before it, `attgenerated` and much else is missing. */
const OLDEST = 12;

/**
 * Connects to a database.
 *
 * @param target - `postgres://…` or `postgresql://…`; `?host=` names the folder of a socket.
 * @param options - `lockTimeout`: how long a statement waits for a lock, in milliseconds; without it, as
 *   the server is configured.
 * @throws UsageError if the URL is malformed, or `pg` is not installed; InputError if the server does not
 *   let us in, or the database is in another encoding.
 */
export async function open(
  target: URL | string,
  options: { readonly lockTimeout?: number | undefined } = {},
): Promise<Server> {
  const connection = await Connection.open(target, options.lockTimeout);
  try {
    const [{ encoding, version, blockSize }] = (await connection.records(
      `SELECT pg_catalog.getdatabaseencoding() AS encoding,
         pg_catalog.current_setting('server_version') AS version,
         pg_catalog.current_setting('block_size') AS "blockSize"`,
      { encoding: text, version: text, blockSize: integer },
    )) as [{ encoding: string; version: string; blockSize: number }];
    if (encoding !== 'SQL_ASCII' && encoding !== 'UTF8') {
      throw new InputError(
        `${connection.name}: the database is in ${encoding}; only SQL_ASCII and UTF8 can be repaired`,
      );
    }
    if (Number.parseInt(version, 10) < OLDEST) {
      throw new InputError(
        `${connection.name}: PostgreSQL ${version} is too old; ${OLDEST} or later is required`,
      );
    }
    return new PostgresServer(connection, encoding, version, blockSize);
  } catch (error) {
    await connection.close();
    throw error;
  }
}

/** A PostgreSQL database. */
class PostgresServer implements Server {
  readonly product: string;
  readonly #connection: Connection;
  readonly #encoding: string;
  readonly #rows: Rows;
  /** For statements that others run. */
  readonly #written: Rows;
  readonly #pages: PageReader;
  readonly #progresses: Progresses;
  #catalogue: Promise<Catalogue> | undefined;

  constructor(connection: Connection, encoding: string, version: string, blockSize: number) {
    this.product = `PostgreSQL ${version.split(' ')[0]}`;
    this.#connection = connection;
    this.#encoding = encoding;
    this.#rows = new Rows(new Sql(encoding, false));
    this.#written = new Rows(new Sql(encoding, true));
    this.#pages = new PageReader(connection, this.#rows, blockSize);
    this.#progresses = new Progresses(connection);
  }

  async listTables(): Promise<readonly Table[]> {
    this.#catalogue = undefined;
    const { details } = await this.#read();
    return [...details.values()].map(({ table }) => table);
  }

  async listNotices(): Promise<readonly string[]> {
    return (await this.#read()).notices;
  }

  async readPage(
    table: Table,
    columns: readonly TextColumn[],
    after: Key | undefined,
    limit: number,
    options: PageOptions = {},
  ): Promise<Page> {
    const details = await this.#find(table);
    try {
      return await this.#pages.read(details, columns, after, limit, options);
    } catch (error) {
      throw describeError(table.name, error, false);
    }
  }

  async findCollision(
    table: Table,
    key: Key,
    changes: readonly Change[],
  ): Promise<string | undefined> {
    const details = await this.#find(table);
    return findCollision(this.#connection, this.#rows, details, key, changes);
  }

  async findRows(
    table: Table,
    columns: readonly string[],
    values: readonly Uint8Array[],
    limit: number,
  ): Promise<Key[]> {
    const details = await this.#find(table);
    const parameters = new Parameters();
    const { sql } = this.#rows;
    const isSame = (names: readonly string[]): boolean =>
      JSON.stringify(names) === JSON.stringify(columns);
    const ofChildren = details.references.find(
      ({ child, childColumns }) => child === table.name && isSame(childColumns),
    );
    const ofParents = details.references.find(
      ({ parent, parentColumns }) => parent === table.name && isSame(parentColumns),
    );
    const conditions = columns.map((name, i) => {
      const column = this.#rows.column(details, name);
      const value = sql.value(values[i] as Uint8Array, column, (bytes) => parameters.add(bytes));
      const operator =
        ofChildren?.operators[i]?.children ?? ofParents?.operators[i]?.parents ?? EQUAL;
      return `${sql.operand(`t.${column.sql}`, column)} ${operator} ${value}`;
    });
    const rows = await this.#connection.query(
      `SELECT ${this.#rows.readKey(details)} FROM ${table.sql} t WHERE ${conditions.join(' AND ')}
       LIMIT ${limit}`,
      parameters.values,
    );
    return rows.map((cells) => this.#rows.keyOf(details, cells));
  }

  async transact<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result> {
    const catalogue = await this.#read();
    await this.#connection.lock();
    return PostgresTransaction.run(
      {
        connection: this.#connection,
        rows: this.#rows,
        progresses: this.#progresses,
        deferrable: catalogue.deferrable,
        find: (table) => this.#find(table),
      },
      work,
    );
  }

  claim(): Promise<void> {
    return this.#connection.lock();
  }

  readProgress(): Promise<Progress | undefined> {
    return this.#progresses.read();
  }

  async clearProgress(): Promise<void> {
    await this.#connection.lock();
    await this.#progresses.clear();
  }

  async checkIntegrity(): Promise<readonly string[]> {
    const { details } = await this.#read();
    return checkIntegrity(this.#connection, [...details.values()]);
  }

  /** All other names in the statements have their schema. */
  formatHeader(): string {
    const { on } = this.#connection.viewsRefused ?? {};
    return ['SET row_security = off;', 'SET array_nulls = on;', ...(on ? [on] : [])].join('\n');
  }

  formatUpdate(table: Table, key: Key, changes: readonly Change[]): string {
    const details = this.#known?.get(table.name);
    if (!details) throw new InputError(`${table.name}: no such table`);
    const update = this.#written.formatUpdate(details, key, changes);
    const views = this.#connection.viewsRefused;
    if (!views || table.effects.length === 0) return update;
    // Triggers that may fire may read views.
    return [views.off, update, views.on].join('\n');
  }

  close(): Promise<void> {
    return this.#connection.close();
  }

  #known: ReadonlyMap<string, Details> | undefined;

  #read(): Promise<Catalogue> {
    this.#catalogue ??= (async () => {
      const own = await this.#progresses.find();
      const catalogue = await readCatalogue(this.#connection, this.#encoding, own);
      this.#known = catalogue.details;
      return catalogue;
    })();
    return this.#catalogue;
  }

  async #find({ name }: Table): Promise<Details> {
    const details = (await this.#read()).details.get(name);
    if (!details) throw new InputError(`${name}: no such table`);
    return details;
  }
}
