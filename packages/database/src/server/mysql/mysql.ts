/** MariaDB and MySQL, through the driver mysql2. */
import { BusyError, InputError, OutputError, UsageError } from '@utf8/dump';
import type { Declaration, Misdeclaration } from '../declaration.js';
import type { Change, Page, PageOptions, Progress, Server, Transaction } from '../server.js';
import type { Key, Table, TextColumn } from '../table.js';
import {
  type Catalogue,
  type MysqlTable,
  readCatalogue,
  readDefinition,
} from './mysql-catalogue.js';
import * as cell from './mysql-cell.js';
import { narrow } from './mysql-columns.js';
import { MysqlConnection, PINNED } from './mysql-connection.js';
import { findMisdeclared, redeclare } from './mysql-declaration.js';
import { describeWithout } from './mysql-definition.js';
import { isMalformed } from './mysql-fault.js';
import { hasPrivilege } from './mysql-grants.js';
import { matchKey, parseKeyValue, quoteName, readKeyColumn, text } from './mysql-literal.js';
import { Pass, readKeyedPage } from './mysql-pages.js';
import { createProgress, dropProgress, PROGRESS_TABLE, readProgress } from './mysql-progress.js';
import { type MysqlTarget, readTarget } from './mysql-target.js';
import { formatChange, MysqlTransaction } from './mysql-transaction.js';

/** Options for opening a server. */
export interface MysqlOptions {
  /** Time to wait for a lock, in milliseconds, rounded up to seconds; the server's own by default. */
  readonly lockTimeout?: number | undefined;
}

/** Seconds until the server has noticed that an earlier run was killed. */
const PATIENCE = 5;

/**
 * Opens a database of MySQL or MariaDB.
 *
 * Text is bytes: results are not converted, and statements contain text in hex with the character set of
 * its column. In columns in UTF-8 all text is judged; in columns in another single-byte character set, as
 * latin1, only values whose bytes above 7F all have the shape of UTF-8, CESU-8 or Modified UTF-8, and they
 * stay in the character set of the column. UTF-16, UTF-32 and the multi-byte sets of East Asia are left
 * alone.
 *
 * @param target - `mysql://user:password@host:3306/shop`, or `mariadb:///shop?socketPath=/run/mysqld/mysqld.sock`;
 *   `?ssl=true` asks for TLS.
 * @throws UsageError if mysql2 is missing, or the URL is not one of these.
 * @throws InputError if the server cannot be reached, or refuses user or database.
 */
export async function open(target: URL | string, options: MysqlOptions = {}): Promise<Server> {
  const where = readTarget(target);
  const reader = await MysqlConnection.open(where, { ...options, isReadOnly: true });
  return new MysqlServer(where, reader, options);
}

class MysqlServer implements Server {
  readonly product: string;
  readonly #target: MysqlTarget;
  readonly #options: MysqlOptions;
  /** Never writes, so that reads see only committed rows, and cannot change anything. */
  readonly #reader: MysqlConnection;
  #writer: Promise<MysqlConnection> | undefined;
  #catalogue: Catalogue | undefined;
  #pass: Pass | undefined;
  #hasProgress = false;

  constructor(target: MysqlTarget, reader: MysqlConnection, options: MysqlOptions) {
    this.#target = target;
    this.#reader = reader;
    this.#options = options;
    const number = reader.version.match(/\d+\.\d+\.\d+/)?.[0] ?? reader.version;
    this.product = `${reader.isMariaDb ? 'MariaDB' : 'MySQL'} ${number}`;
  }

  async listTables(): Promise<readonly Table[]> {
    this.#catalogue = await readCatalogue(this.#reader);
    return [...this.#catalogue.tables.values()];
  }

  async readPage(
    { name }: Table,
    columns: readonly TextColumn[],
    after: Key | undefined,
    limit: number,
    options?: PageOptions,
  ): Promise<Page> {
    const table = await this.#demandTable(name);
    if (table.keyColumns) return readKeyedPage(this.#reader, table, columns, after, limit, options);
    const position = Number(after?.[0] ?? 0);
    if (!this.#pass?.isAt(table, columns, position)) {
      this.#pass?.close();
      const connection = await MysqlConnection.open(this.#target, { isReadOnly: true });
      this.#pass = new Pass(connection, table, columns, options);
      await this.#pass.skip(position);
    }
    const page = await this.#pass.readPage(limit);
    if (page.isLast) {
      this.#pass.close();
      this.#pass = undefined;
    }
    return page;
  }

  async findCollision(
    { name }: Table,
    key: Key,
    changes: readonly Change[],
  ): Promise<string | undefined> {
    const table = await this.#demandTable(name);
    const { keyColumns } = table;
    if (!keyColumns) return undefined;
    // Too long for a statement: then the UPDATE tells.
    const size = changes.reduce((sum, change) => sum + change.new.length * 2, 0);
    if (size > this.#reader.maxPacket / 2) return undefined;
    for (const unique of table.uniqueKeys) {
      if (!unique.columns.some((each) => changes.some(({ column }) => column.name === each)))
        continue;
      // After the ALTER, é may equal e; only the server can tell.
      if (changes.some(({ column }) => column.charset === 'ascii')) continue;
      const prefixes = table.prefixes.get(unique.name);
      const conditions = unique.columns.map((each) => {
        const change = changes.find(({ column }) => column.name === each);
        const own = change
          ? text(narrow(change), change.column.charset ?? 'utf8mb4')
          : `s.${quoteName(each)}`;
        const prefix = prefixes?.get(each);
        const other = `o.${quoteName(each)}`;
        return prefix ? `LEFT(${other}, ${prefix}) = LEFT(${own}, ${prefix})` : `${other} = ${own}`;
      });
      const same = keyColumns.map(
        ({ name: each }) => `o.${quoteName(each)} = s.${quoteName(each)}`,
      );
      const [found] = await this.#reader.demand(
        `SELECT 1 FROM ${table.sql} s JOIN ${table.sql} o ON ${conditions.join(' AND ')}
         WHERE ${matchKey(keyColumns, key, 's.')} AND NOT (${same.join(' AND ')}) LIMIT 1`,
      );
      if (found) return unique.name;
    }
    return undefined;
  }

  /** Values are compared as foreign keys compare them: under the column's collation. */
  async findRows(
    { name }: Table,
    columns: readonly string[],
    values: readonly Uint8Array[],
    limit: number,
  ): Promise<Key[]> {
    const table = await this.#demandTable(name);
    const { keyColumns } = table;
    if (!keyColumns) throw new InputError(`${table.name}: nothing identifies its rows`);
    const conditions = columns.map((each, i) => {
      const column = table.columns.find((other) => other.name === each);
      const value = text(values[i] as Uint8Array, column?.charset ?? 'binary');
      return `${quoteName(each)} = ${value}`;
    });
    const names = keyColumns.map((column) => quoteName(column.name)).join(', ');
    const read = keyColumns.map((column) => readKeyColumn(column)).join(', ');
    const rows = await this.#reader.demand(
      `SELECT ${read} FROM ${table.sql} WHERE ${conditions.join(' AND ')} ORDER BY ${names}
       LIMIT ${limit}`,
    );
    return rows.map((cells) =>
      keyColumns.map((column, i) => parseKeyValue(column, cells[i] as Buffer)),
    );
  }

  async transact<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result> {
    const { database, tables, grants } = this.#catalogue ?? (await this.#readCatalogue());
    const writer = await this.#openWriter();
    const transaction = new MysqlTransaction({
      name: this.#target.name,
      connection: writer,
      findTable: (name) => tables.get(name),
      referencesHidden: hasPrivilege(grants, 'SELECT', database)
        ? undefined
        : `${this.#target.name}: moving references requires SELECT on all tables of the database; grant it`,
    });
    try {
      await writer.demand('START TRANSACTION');
      const result = await work(transaction);
      await transaction.checkReferences();
      await writer.demand('COMMIT');
      await transaction.reset();
      return result;
    } catch (error) {
      try {
        await writer.query('ROLLBACK');
        await transaction.reset();
      } catch {
        // The connection is lost, and with it the transaction.
        writer.abort();
        this.#writer = undefined;
      }
      throw error;
    }
  }

  async claim(): Promise<void> {
    await this.#openWriter(false);
  }

  readProgress(): Promise<Progress | undefined> {
    return readProgress(this.#reader);
  }

  async clearProgress(): Promise<void> {
    await dropProgress(await this.#openWriter(false));
    this.#hasProgress = false;
  }

  async checkIntegrity(): Promise<readonly string[]> {
    const { tables } = this.#catalogue ?? (await this.#readCatalogue());
    const wrong: string[] = [];
    for (const { sql } of tables.values()) {
      const lines = await this.#reader.records(`CHECK TABLE ${sql}`, {
        Table: cell.text,
        Msg_type: cell.text,
        Msg_text: cell.text,
      });
      for (const line of lines) {
        // Engines without a check say so in a note.
        if (line.Msg_type !== 'note' && line.Msg_text !== 'OK') {
          wrong.push(`${line.Table}: ${line.Msg_text}`);
        }
      }
    }
    return wrong;
  }

  /** One statement or several, without the last semicolon. */
  formatUpdate({ name }: Table, key: Key, changes: readonly Change[]): string {
    const table = this.#catalogue?.tables.get(name);
    if (!table?.keyColumns) throw new InputError(`${name}: nothing identifies its rows`);
    const statements = formatChange(table, key, changes, this.#reader.maxPacket);
    if (!table.hasTimestampKey) return statements.join(';\n');
    const before = "SET @utf8_time_zone = @@time_zone, time_zone = '+00:00'";
    return [before, ...statements, 'SET time_zone = @utf8_time_zone'].join(';\n');
  }

  formatHeader(): string {
    return PINNED.map((statement) => `${statement};`).join('\n');
  }

  async changeSchema(statement: string): Promise<void> {
    const { tables } = this.#catalogue ?? (await this.#readCatalogue());
    const table = [...tables.values()].find(({ narrowColumns }) => narrowColumns.has(statement));
    const column = table?.narrowColumns.get(statement);
    if (!table || column === undefined) {
      throw new OutputError(`${this.#target.name}: no column needs ${statement}; run again`);
    }
    const writer = await this.#openWriter(false);
    const describe = async (): Promise<string> =>
      describeWithout(await readDefinition(writer, table.sql), column);
    const before = await describe();
    try {
      await writer.demand(statement);
    } catch (error) {
      if (!isMalformed((error as Error).cause)) throw error;
      throw new OutputError(
        `${this.#target.name}: the server refuses ${statement}, since it does not convert malformed text; convert a dump of the table instead`,
        { cause: error },
      );
    }
    if ((await describe()) !== before) {
      throw new OutputError(
        `${table.name}: more than the character set of ${column} was changed by ${statement}, or by another program at the same time; compare the table with a backup`,
      );
    }
    await this.#readCatalogue();
  }

  async findMisdeclared({ name }: Table): Promise<readonly Misdeclaration[]> {
    return findMisdeclared(this.#reader, await this.#demandTable(name));
  }

  async redeclare(
    table: string,
    declaration: Declaration,
    isInterrupted = false,
  ): Promise<boolean> {
    const writer = await this.#openWriter(false);
    const isChanged = await redeclare(writer, table, declaration, isInterrupted);
    await this.#readCatalogue();
    return isChanged;
  }

  async close(): Promise<void> {
    this.#pass?.close();
    const writer = await this.#writer?.catch(() => undefined);
    await Promise.all([this.#reader.close(), writer?.close()]);
  }

  async #readCatalogue(): Promise<Catalogue> {
    await this.listTables();
    return this.#catalogue as Catalogue;
  }

  async #demandTable(name: string): Promise<MysqlTable> {
    const { tables } = this.#catalogue ?? (await this.#readCatalogue());
    const table = tables.get(name);
    if (!table) throw new UsageError(`${this.#target.name}: no table ${name} with text`);
    return table;
  }

  /** Opens the connection that writes; only one run at a time may. */
  async #openWriter(needsProgress = true): Promise<MysqlConnection> {
    this.#writer ??= this.#connectWriter();
    try {
      const writer = await this.#writer;
      if (needsProgress && !this.#hasProgress) {
        await createProgress(writer);
        this.#hasProgress = true;
      }
      return writer;
    } catch (error) {
      const failed = await this.#writer?.catch(() => undefined);
      failed?.abort();
      this.#writer = undefined;
      throw error;
    }
  }

  async #connectWriter(): Promise<MysqlConnection> {
    const writer = await MysqlConnection.open(this.#target, {
      ...this.#options,
      isReadOnly: false,
    });
    const lock = `CONCAT('${PROGRESS_TABLE} ', SHA1(DATABASE()))`;
    const [answer] = await writer.records(`SELECT GET_LOCK(${lock}, ${PATIENCE}) AS isOurs`, {
      isOurs: cell.text,
    });
    if (answer?.isOurs === '1') return writer;
    writer.abort();
    throw new BusyError(
      `${this.#target.name}: another run is repairing this database; try again when it has ended`,
    );
  }
}
