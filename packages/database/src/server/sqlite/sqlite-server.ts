/** SQLite as a server of repairs. Its drivers are synchronous, and so is all of this. */
import type { Change, Page, PageOptions, Progress, Server, Transaction } from '../server.js';
import type { Key, Table, TextColumn } from '../table.js';
import { type Catalogue, readCatalogue, type SqliteTable } from './sqlite-catalogue.js';
import { text } from './sqlite-cell.js';
import { findCollision } from './sqlite-collision.js';
import type { Connection } from './sqlite-driver.js';
import { describeFailure } from './sqlite-failure.js';
import { blobLiteral, isText, quoteName, textLiteral } from './sqlite-literal.js';
import { PageReader } from './sqlite-page.js';
import { clearProgress, readProgress } from './sqlite-progress.js';
import { SqliteTransaction } from './sqlite-transaction.js';

export class SqliteServer implements Server {
  readonly product: string;
  readonly #file: string;
  readonly #connection: Connection;
  readonly #pages: PageReader;
  #catalogue: Catalogue | undefined;

  constructor(file: string, connection: Connection) {
    this.#file = file;
    this.#connection = connection;
    this.#pages = new PageReader(connection);
    const [library] = connection.records('SELECT sqlite_version() AS version', { version: text });
    this.product = `SQLite ${library?.version}`;
  }

  async listTables(): Promise<readonly Table[]> {
    return this.#run(() => {
      this.#catalogue = readCatalogue(this.#connection);
      return [...this.#catalogue.tables.values()].map(({ table }) => table);
    });
  }

  async listNotices(): Promise<readonly string[]> {
    return this.#run(() => this.#readCatalogue().notices);
  }

  async readPage(
    table: Table,
    columns: readonly TextColumn[],
    after: Key | undefined,
    limit: number,
    options?: PageOptions,
  ): Promise<Page> {
    return this.#run(() => this.#pages.read(this.#find(table), columns, after, limit, options));
  }

  async findCollision(
    table: Table,
    key: Key,
    changes: readonly Change[],
  ): Promise<string | undefined> {
    return this.#run(() => findCollision(this.#connection, this.#find(table), key, changes));
  }

  async findRows(
    table: Table,
    columns: readonly string[],
    values: readonly Uint8Array[],
    limit: number,
  ): Promise<Key[]> {
    return this.#run(() => {
      const { key } = this.#find(table);
      if (!key) return [];
      const reference = table.references.find(
        ({ child, childColumns }) =>
          child === table.name && childColumns.join('\0') === columns.join('\0'),
      );
      const parent = reference && this.#readCatalogue().tables.get(reference.parent);
      const terms = columns.map((column, i) => {
        const parentColumn = parent?.table.columns.find(
          ({ name }) => name === reference?.parentColumns[i],
        );
        // A child refers to its parent under the collation of the parent.
        const collation = quoteName(parentColumn?.collation ?? 'BINARY');
        const sql = quoteName(column);
        return `typeof(${sql}) = 'text' AND ${sql} COLLATE ${collation} = +CAST(? AS TEXT)`;
      });
      const statement = this.#connection.prepare(
        `SELECT ${key.selected} FROM ${table.sql} WHERE ${terms.join(' AND ')} ORDER BY ${key.orderBy} LIMIT ?`,
      );
      const found = statement.iterate([...values, BigInt(limit)]);
      return Array.from(found, (row) => key.readKey(row));
    });
  }

  async transact<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result> {
    try {
      this.#connection.exec('BEGIN IMMEDIATE');
      const result = await work(
        new SqliteTransaction(this.#connection, (table) => this.#find(table)),
      );
      this.#connection.exec('COMMIT');
      return result;
    } catch (error) {
      try {
        this.#connection.exec('ROLLBACK');
      } catch {
        // SQLite has done so itself, as when the disk is full, or there was no transaction.
      }
      throw describeFailure(this.#file, error);
    }
  }

  async readProgress(): Promise<Progress | undefined> {
    return this.#run(() => readProgress(this.#connection));
  }

  async clearProgress(): Promise<void> {
    this.#run(() => clearProgress(this.#connection));
  }

  async checkIntegrity(): Promise<readonly string[]> {
    return this.#run(() => {
      const lines = this.#connection.records('PRAGMA integrity_check', { integrity_check: text });
      return lines.map((line) => line.integrity_check).filter((message) => message !== 'ok');
    });
  }

  formatHeader(): string {
    return 'PRAGMA trusted_schema = OFF;\nPRAGMA foreign_keys = ON;';
  }

  formatUpdate(table: Table, key: Key, changes: readonly Change[]): string {
    const { key: keySql, numeric } = this.#find(table);
    if (!keySql) return `-- nothing identifies a row of ${toComment(table.name)}`;
    const number = changes.find(
      (change) => numeric.has(change.column.name) && looksLikeNumber(change.new),
    );
    if (number)
      return `-- ${toComment(table.name)}: the column ${toComment(number.column.name)} would store a text as a number`;
    const set = changes.map((change) => `${change.column.sql} = ${textLiteral(change.new)}`);
    const old = changes.map((change) => isText(change.column.sql, blobLiteral(change.old)));
    return `UPDATE OR ABORT ${table.sql} SET ${set.join(', ')} WHERE ${[keySql.equalsLiteral(key), ...old].join(' AND ')};`;
  }

  async close(): Promise<void> {
    this.#run(() => this.#connection.close());
  }

  #readCatalogue(): Catalogue {
    this.#catalogue ??= readCatalogue(this.#connection);
    return this.#catalogue;
  }

  #find({ name }: Table): SqliteTable {
    const found = this.#readCatalogue().tables.get(name);
    if (!found) throw new RangeError(`no table ${name}`);
    return found;
  }

  #run<Result>(work: () => Result): Result {
    try {
      return work();
    } catch (error) {
      throw describeFailure(this.#file, error);
    }
  }
}

const looksLikeNumber = (text: Uint8Array): boolean =>
  /^\s*[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?\s*$/i.test(Buffer.from(text).toString('latin1'));

/** A name may have line feeds in it. */
const toComment = (name: string): string => JSON.stringify(name);
