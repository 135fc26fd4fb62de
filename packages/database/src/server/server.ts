/** What repairs need of a database server. Each kind of server has one implementation, and nothing else knows SQL. */
import type { Key, Table, TextColumn } from './table.js';

/** An open database. */
export interface Server {
  /** Such as `SQLite 3.50.4`. */
  readonly product: string;
  /** Lists the tables with text, in order of name, without the server's own and without ours. */
  listTables(): Promise<readonly Table[]>;
  /** Says what {@link listTables} leaves out, and what else there is to do; one sentence each. */
  listNotices?(): Promise<readonly string[]>;
  /**
   * Reads rows in the order of the table's key.
   *
   * @param columns - Those of which values are read.
   * @param after - The key of the last row that has been read; undefined for the first page.
   * @param limit - The most rows to read.
   * @returns Fewer rows than the limit at the end of the table. Rows in which nothing can be wrong may be
   *   left out only if `last` says how far the page reaches.
   */
  readPage(
    table: Table,
    columns: readonly TextColumn[],
    after: Key | undefined,
    limit: number,
    options?: PageOptions,
  ): Promise<Page>;
  /** Tells which unique keys a row would violate if some of its values changed. */
  findCollision(table: Table, key: Key, changes: readonly Change[]): Promise<string | undefined>;
  /**
   * Lists the keys of rows in which columns have some values, as those that refer to a parent. Within a
   * transaction, it sees what others have committed by now, and may see its own changes or not.
   *
   * @param limit - The most keys that are of use; all by default.
   */
  findRows(
    table: Table,
    columns: readonly string[],
    values: readonly Uint8Array[],
    limit?: number,
  ): Promise<Key[]>;
  /**
   * Runs a transaction, which is rolled back if `work` throws.
   *
   * @throws {@link LockError}, or any error of which `isTransient` is true, if another transaction is in
   *   the way: nothing was changed, and the same may succeed later.
   */
  transact<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result>;
  /**
   * Takes the right to write, which one run has at a time, where the server can tell.
   *
   * @throws BusyError if another run has it.
   */
  claim?(): Promise<void>;
  /** Returns the progress that a run has saved; undefined if there is none. */
  readProgress(): Promise<Progress | undefined>;
  /** Removes what {@link Transaction.saveProgress} has made. */
  clearProgress(): Promise<void>;
  /** Checks the database as far as the server can; returns what is wrong, in its own words. */
  checkIntegrity(): Promise<readonly string[]>;
  /** Writes a change as SQL: the statement changes the row only if its values are still the old ones. */
  formatUpdate(table: Table, key: Key, changes: readonly Change[]): string;
  /** What has to stand before the statements of {@link formatUpdate}, such as `SET sql_mode = …;`. */
  formatHeader?(): string;
  /** Runs the statement of an obstacle of a column; tables must be listed again afterwards. */
  changeSchema?(statement: string): Promise<void>;
  close(): Promise<void>;
}

/** Which rows a page may leave out. */
export interface PageOptions {
  /**
   * A test that is true only for bytes in which nothing can be wrong, if they are one text, or several with
   * line feeds between them.
   */
  readonly isClean?: ((bytes: Uint8Array) => boolean) | undefined;
  /**
   * Whether well-formed UTF-8 without U+0000 cannot be wrong, as without a repair of mojibake. Escapes in
   * JSON are still read.
   */
  readonly skipsWellFormed?: boolean | undefined;
}

/** Some rows, in order. */
export interface Page {
  readonly rows: readonly Row[];
  /** The key of the last row that was looked at; undefined if there was none. */
  readonly last: Key | undefined;
  /** Whether there are no more after these. */
  readonly isLast: boolean;
  /** How many rows were looked at, including those that were left out. */
  readonly count: number;
}

/** The text of a row. */
export interface Row {
  readonly key: Key;
  /** Bytes by column, in the order asked for; null for NULL, and for values that are not text. */
  readonly values: readonly (Uint8Array | null)[];
}

/** A value that changes. */
export interface Change {
  readonly column: TextColumn;
  readonly old: Uint8Array;
  readonly new: Uint8Array;
}

/** How a row is changed. */
export interface ChangeOptions {
  /** Whether other columns of the row may change, as triggers do that were asked for. No by default. */
  readonly allowsEffects?: boolean | undefined;
}

/** What became of a row. */
export type Outcome =
  /** Its values were still the old ones, and now they are the new ones. */
  | { readonly is: 'changed'; readonly key: Key }
  /** Another writer has deleted it, or changed one of the values: nothing was written. */
  | { readonly is: 'overtaken' }
  /** The server refused the row: nothing of it was written. */
  | { readonly is: 'refused'; readonly reason: RefusalReason; readonly message: string };

/** Why a server refuses a row. */
export type RefusalReason = 'unique' | 'length' | 'reference' | 'effect' | 'other';

/** A transaction of a {@link Server}. */
export interface Transaction {
  /**
   * Changes a row if all its values are still the old ones. If it changes any other column of the row, or
   * the server refuses it, the row is rolled back by itself.
   *
   * It sees what this transaction has changed.
   */
  change(
    table: Table,
    key: Key,
    changes: readonly Change[],
    options?: ChangeOptions,
  ): Promise<Outcome>;
  /**
   * Changes the values of a key that others refer to, and of all that refer to it, so that foreign keys
   * hold at the end of the transaction.
   */
  deferReferences(): Promise<void>;
  /** Saves progress, which becomes visible with the transaction. */
  saveProgress(progress: Progress): Promise<void>;
}

/** How far a run has come. Plain JSON. */
export interface Progress {
  /** What makes two runs the same. */
  readonly identity: string;
  /** By `Table.name`; tables before it, in order, are done. */
  readonly table: string;
  readonly after: Key | undefined;
  /** The size of the journal, in bytes, up to which it belongs to what was committed. */
  readonly journal: number;
  readonly counts: object;
}
