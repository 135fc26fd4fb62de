/**
 * Interface of a database server. Each kind of server has one implementation, and no other code contains
 * SQL.
 */
import type { Declaration, Misdeclaration } from './declaration.js';
import type { Key, Table, TextColumn } from './table.js';

/** An open database. */
export interface Server {
  /** Such as `SQLite 3.50.4`. */
  readonly product: string;
  /**
   * Lists the tables with text, in order of name, without those of the server itself and of this package.
   *
   * @returns The tables.
   */
  listTables(): Promise<readonly Table[]>;
  /**
   * Lists tables that {@link listTables} omits, and other tasks for the user.
   *
   * @returns Sentences.
   */
  listNotices?(): Promise<readonly string[]>;
  /**
   * Reads rows in the order of the table's key.
   *
   * @param table - One of {@link listTables}.
   * @param columns - The columns whose values are read.
   * @param after - The key of the last row that has been read; undefined for the first page.
   * @param limit - The most rows to read.
   * @param options - Which rows may be left out.
   * @returns Fewer rows than the limit at the end of the table. Rows in which nothing can be wrong may be
   *   omitted only if `last` contains the end of the page.
   */
  readPage(
    table: Table,
    columns: readonly TextColumn[],
    after: Key | undefined,
    limit: number,
    options?: PageOptions,
  ): Promise<Page>;
  /**
   * Finds a unique key that a row would violate if some of its values changed.
   *
   * @param table - One of {@link listTables}.
   * @param key - The key of the row.
   * @param changes - The values that would change.
   * @returns The name of the unique key; undefined if there is none.
   */
  findCollision(table: Table, key: Key, changes: readonly Change[]): Promise<string | undefined>;
  /**
   * Lists the keys of rows in which columns have some values, as those that refer to a parent. Within a
   * transaction, it sees changes that others have committed by now, and may or may not see its own.
   *
   * @param table - One of {@link listTables}.
   * @param columns - The names of the columns.
   * @param values - The bytes to look for, one value for each column.
   * @param limit - The most keys to return.
   * @returns The keys of the rows; none if nothing identifies a row of the table.
   */
  findRows(
    table: Table,
    columns: readonly string[],
    values: readonly Uint8Array[],
    limit: number,
  ): Promise<Key[]>;
  /**
   * Runs a transaction, which is rolled back if `work` throws.
   *
   * @param work - Receives the transaction, which is committed when the returned promise resolves.
   * @returns What `work` returns.
   * @throws LockError (`ERR_UTF8_OUTPUT`), or any error whose `isTransient` is true, if another
   *   transaction is in the way: nothing was changed, and the same may succeed later.
   */
  transact<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result>;
  /**
   * Takes the right to write, which one run has at a time, if the server can tell.
   *
   * @throws BusyError if another run has it.
   */
  claim?(): Promise<void>;
  /**
   * Reads the progress that a run has saved.
   *
   * @returns The progress; undefined if there is none.
   */
  readProgress(): Promise<Progress | undefined>;
  /** Removes what {@link Transaction.saveProgress} has made. */
  clearProgress(): Promise<void>;
  /**
   * Checks the database as far as the server can.
   *
   * @returns The server's own messages about problems; an empty list if it finds no problem.
   */
  checkIntegrity(): Promise<readonly string[]>;
  /**
   * Writes a change as SQL: the statement changes the row only if its values are still the old ones.
   *
   * @param table - One of {@link listTables}.
   * @param key - The key of the row.
   * @param changes - The values that change.
   * @returns A statement; or a comment that says why there is none.
   */
  formatUpdate(table: Table, key: Key, changes: readonly Change[]): string;
  /**
   * Writes the statements that must precede those of {@link formatUpdate}, such as `SET sql_mode = …;`.
   *
   * @returns Statements.
   */
  formatHeader?(): string;
  /**
   * Runs the statement that widens a narrow column; tables must be listed again afterwards.
   *
   * @param statement - The statement, as in {@link Narrowness.statement}.
   */
  changeSchema?(statement: string): Promise<void>;
  /**
   * Finds the columns of a table that contain UTF-8 but are declared in another character set.
   *
   * @param table - One of {@link listTables}.
   * @returns The columns.
   */
  findMisdeclared?(table: Table): Promise<readonly Misdeclaration[]>;
  /**
   * Changes the character set that a column is declared in, and none of its bytes; tables must be listed again
   * afterwards.
   *
   * @param table - The name of one of {@link listTables}.
   * @param declaration - The column, and its old and new character set.
   * @param isInterrupted - True if only a column is declared that an interrupted change has left without any.
   * @returns False if there was nothing to do.
   * @throws OutputError (`ERR_UTF8_OUTPUT`) if the server refuses: the column is as it was.
   */
  redeclare?(table: string, declaration: Declaration, isInterrupted?: boolean): Promise<boolean>;
  /** Closes the database. */
  close(): Promise<void>;
}

/** Rows that a page may leave out. */
export interface PageOptions {
  /**
   * Tells whether nothing can be wrong with bytes that are one text, or several with line feeds between
   * them. By default, no row is left out.
   *
   * @param bytes - The bytes.
   * @returns True only if nothing can be wrong.
   */
  readonly isClean?: ((bytes: Uint8Array) => boolean) | undefined;
  /**
   * True if well-formed UTF-8 without U+0000 cannot be wrong, as without a repair of mojibake; false by
   * default. Escapes in JSON are still read.
   */
  readonly skipsWellFormed?: boolean | undefined;
  /** True to read values with a backslash in any column, since they may be JSON; false by default. */
  readonly readsEscapes?: boolean | undefined;
}

/** Some rows, in order. */
export interface Page {
  /** The rows, without those that were left out. */
  readonly rows: readonly Row[];
  /** The key of the last row that was looked at; undefined if there was none. */
  readonly last: Key | undefined;
  /** True if no rows follow. */
  readonly isLast: boolean;
  /** Number of rows that were read, including those that were left out. */
  readonly count: number;
}

/** The text of a row. */
export interface Row {
  /** Key that identifies the row. */
  readonly key: Key;
  /** Bytes by column, in the requested order; null for NULL, and for values that are not text. */
  readonly values: readonly (Uint8Array | null)[];
}

/** A value that changes. */
export interface Change {
  /** The column of the value. */
  readonly column: TextColumn;
  /** The bytes that the value has. */
  readonly old: Uint8Array;
  /** The bytes that it becomes. */
  readonly new: Uint8Array;
}

/** Options for changing a row. */
export interface ChangeOptions {
  /** True to allow changes of other columns, as by triggers; false by default. */
  readonly allowsEffects?: boolean | undefined;
}

/** Outcome of changing a row. */
export type Outcome =
  /** Its values were still the old ones, and now they are the new ones. */
  | {
      /** The row was changed. */
      readonly is: 'changed';
      /** The key that the row has now. */
      readonly key: Key;
    }
  /** Another writer has deleted it, or changed one of the values: nothing was written. */
  | {
      /** Another writer was first. */
      readonly is: 'overtaken';
    }
  /** The server refused the row: nothing of it was written. */
  | {
      /** The server refused the row. */
      readonly is: 'refused';
      /** Reason for which the server refused the row. */
      readonly reason: RefusalReason;
      /** Message of the server. */
      readonly message: string;
    };

/** Reason for which a server refuses a row. */
export type RefusalReason = 'unique' | 'length' | 'reference' | 'effect' | 'other';

/** A transaction of a {@link Server}. */
export interface Transaction {
  /**
   * Changes a row if all its values are still the old ones. If it changes any other column of the row, or
   * the server refuses it, only this row is rolled back.
   *
   * It sees the changes of this transaction.
   *
   * @param table - One of {@link Server.listTables}.
   * @param key - The key of the row.
   * @param changes - The values that change.
   * @param options - Permissions: other columns of the row may change, too.
   * @returns The outcome for the row.
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
  /**
   * Saves progress, which becomes visible with the transaction.
   *
   * @param progress - The progress of the run.
   */
  saveProgress(progress: Progress): Promise<void>;
}

/** Progress of a run. Plain JSON. */
export interface Progress {
  /** Identity of the run; a run with another identity cannot continue it. */
  readonly identity: string;
  /** `Table.name` of the current table; all tables before it, in order, are done. */
  readonly table: string;
  /** The key of the last row of that table that is done; undefined if none is. */
  readonly after: Key | undefined;
  /** Size of the part of the undo log that belongs to committed changes, in bytes. */
  readonly undoSize: number;
  /** Counts of the run. */
  readonly counts: object;
}
