/** Differences between the SQL of databases, as far as dumps contain them. */
import type { ServerCharsets } from '../../charset/server.js';
import type { FieldKind } from '../format.js';
import type { Catalogue } from './catalogue.js';
import type { SettingsReader } from './settings.js';
import type { CatalogueState, ColumnType } from './table-type.js';
import type { Word, Words } from './words.js';

/** Settings that the dump has made so far and that its reader needs. */
export interface SqlMode {
  /** Delimiter that ends a statement, in ASCII. */
  readonly delimiter: string;
  /** True if a backslash in single quotes is like any other character. */
  readonly isStandard: boolean;
  /** True if text in double quotes is a name; it is a string by default. */
  readonly quotesNames?: boolean | undefined;
  /** The character set of the client, in lower case, if a statement has set it. */
  readonly client?: string | undefined;
}

/** Kind of the strings of tables that no statement has described. */
export type Assumption = 'text' | 'binary';

/** Other inputs of a dialect's reader. */
export interface SqlOptions {
  /** Undefined to stop at the first such table. */
  readonly assume?: Assumption | undefined;
  /** Tables that are known before the dump begins. */
  readonly schema?: CatalogueState | undefined;
  /** True if statements that make a server lose characters are rewritten. */
  readonly fixesHeader?: boolean | undefined;
}

/** A character set and a collation, as far as they are named. */
export interface CharsetOptions {
  readonly charset?: string | undefined;
  readonly collation?: string | undefined;
  /** The character set before `fixHeader` has replaced it, if it has. */
  readonly was?: string | undefined;
}

/** The words of a statement in lower case, and its other characters; an empty string after the last one. */
export interface WordSource {
  next(): string;
}

/** Syntax of the strings, names and comments of a database. */
export interface SqlDialect {
  /** 1 for every byte that begins a string, a quoted name or a comment, and for parentheses. */
  readonly marks: Uint8Array;
  /** True if a delimiter within parentheses does not end a statement. */
  readonly nests: boolean;
  /** True if the rows of a table may follow a COPY. */
  readonly hasCopy: boolean;
  /** The most columns of a table that the server accepts. */
  readonly mostColumns: number;
  /** The first words of the lines of CREATE TABLE that are not columns. */
  readonly notColumns: ReadonlySet<string>;
  /**
   * Passes the token or comment at an index.
   *
   * @returns The index after it; the next one if nothing begins; -1 if it does not end.
   */
  pass(bytes: Buffer, i: number, mode: SqlMode): number;
  /** Derives the kind of a string from the bytes before it. */
  kindOf(bytes: Buffer, start: number, end: number): FieldKind;
  /** Returns the number of bytes before, and after, the value of a string. */
  edgeOf(bytes: Buffer, start: number): number;
  /** Tells whether a backslash in a string escapes. */
  escapes(bytes: Buffer, start: number, mode: SqlMode): boolean;
  /** Tells whether a quote begins a string, and not a name. */
  isString(bytes: Buffer, start: number, mode: SqlMode): boolean;
  /** Tells whether a line that is not a statement begins at an index: a comment, a command. */
  isLine(bytes: Buffer, i: number, mode: SqlMode): boolean;
  /** True if the first part of `a.b` is a schema of the current database, and not a database. */
  readonly hasSchemas: boolean;
  /** True if a string may be binary without a mark, so that only the type of its column tells. */
  readonly hidesBinary: boolean;
  /** Reads the type of a column, of which the name has been read. */
  readType(words: Words, catalogue: Catalogue): Omit<ColumnType, 'name' | 'line'>;
  /** Finds a character set among the options of a table or database, if they have any. */
  readCharset?(words: Words): CharsetOptions;
  /**
   * Lists the words of a statement that declare another encoding than UTF-8, and their replacements.
   *
   * @param client - The character set of the client, if it is declared.
   */
  listFixes?(words: Words, client: string | undefined): Iterable<readonly [Word, string]>;
  /** Tells whether a database belongs to the server, which defines its tables. */
  isSystem(database: string): boolean;
  /** Predicts the text that the server stores; undefined if it has one encoding only. */
  readonly charsets?: ServerCharsets | undefined;
  /** The character set that a dump without one should name; undefined if the server's is right. */
  readonly names: string | undefined;
  readonly settings: SettingsReader;
  /** Returns the statement that changes to a database. */
  changeTo(database: string): string;
  /** Returns the length of what makes code of a comment, such as `/*!40101`; 0 if no server runs it. */
  lengthOfCodeMark?(bytes: Buffer, i: number): number;
  /** Returns the servers that run the code in a comment. */
  serversOf?(bytes: Buffer, i: number): number;
  /** Returns the database that a line without a statement changes to; undefined if it is another line. */
  readConnect?(bytes: Buffer, start: number, end: number): string | undefined;
  /** Returns the delimiter that a line sets; undefined if it sets none. */
  readDelimiter(bytes: Buffer, start: number, end: number): string | undefined;
  /** Names the token that a byte begins, for messages. */
  describe(byte: number): string;
  /** Returns an unquoted name as the database reads it. */
  foldName(name: string): string;
  /**
   * Reads the start of a statement; undefined if it has no body with delimiters in it. The function that is
   * returned reads on to the last word, and tells whether the body continues there.
   */
  openBody?(words: WordSource): (() => boolean) | undefined;
}

/** Bytes to be read as SQL. */
export interface SqlText {
  readonly bytes: Buffer;
  readonly dialect: SqlDialect;
  readonly mode: SqlMode;
  /** The servers whose code in comments is read; by default, that of any. */
  readonly servers?: number | undefined;
}

/** The servers that read the SQL of MySQL, as a set of bits. */
export const MYSQL = 1;
export const MARIADB = 2;
export const ANY_SERVER: number = MYSQL | MARIADB;

/** Makes a table of bytes. */
export function deriveMarks(characters: string): Uint8Array {
  const marks = new Uint8Array(0x100);
  for (const character of characters) marks[character.charCodeAt(0)] = 1;
  return marks;
}

/** Tells whether a byte may occur in an unquoted name. */
export const isWordByte = (byte: number | undefined): boolean =>
  byte !== undefined && words[byte] === 1;

const words = deriveMarks('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz$').fill(
  1,
  0x80,
);

/** Tells whether a byte is white space. */
export const isBlank = (byte: number | undefined): boolean =>
  byte === 0x20 || (byte !== undefined && byte >= 0x09 && byte <= 0x0d);
