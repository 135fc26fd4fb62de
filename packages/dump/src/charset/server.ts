/**
 * Text that a server stores: the bytes of a dump, decoded from the character set that the dump declares, and
 * converted to that of the column.
 *
 * @see https://dev.mysql.com/doc/refman/8.4/en/charset-connection.html and
 *   https://www.postgresql.org/docs/current/multibyte.html
 */
import { type CharacterPlace, findLacking, leastOf, type Reach, reachOf } from './repertoire.js';

/** A text that a server would store as something else. */
export interface Loss extends CharacterPlace {
  /** Cause of the loss. */
  readonly kind: 'declared-encoding' | 'narrow-column' | 'narrow-connection' | 'unstated-encoding';
  /** The character set that is declared; undefined if none is. */
  readonly charset: string | undefined;
}

/** The character sets that a dump declares for its session, in lower case. */
export interface SessionCharsets extends ColumnCharset {
  /** True if a statement has set the character set of the client. */
  readonly isStated?: boolean | undefined;
  /** The line that declares them; 0 if none does. */
  readonly line?: number | undefined;
  /** Another one that text passes on its way to a column, in MySQL, if there is one. */
  readonly connection?: string | undefined;
}

/** The character set that a dump declares, in lower case. */
export interface ColumnCharset {
  readonly charset?: string | undefined;
  /** The one before `fixHeader` has replaced it, if it has. */
  readonly was?: string | undefined;
}

/** A dump that leaves the encoding of its text to the server or to its client. */
export interface UnstatedEncoding {
  /** Declaration in the dump, such as `SQL_ASCII`; undefined if there is none. */
  readonly charset: string | undefined;
  /** The line that says so; 1 if none does. */
  readonly line: number;
}

/** Functions that predict the text that a server stores from a dump. */
export interface ServerCharsets {
  /**
   * Returns the encoding in which the server reads a text, unless that is UTF-8 or not known.
   *
   * @param column - The character set of its column, in lower case, if that is known.
   * @param isHex - True if the text is written in hexadecimal digits, which no connection converts.
   */
  encodingOf(
    session: SessionCharsets,
    column: string | undefined,
    isHex: boolean,
  ): string | undefined;
  /**
   * Returns the server before `fixHeader` has replaced its declarations.
   *
   * @param column - The column, if it is known.
   */
  declaredOf(
    session: SessionCharsets,
    column: ColumnCharset | undefined,
    isHex: boolean,
  ): string | undefined;
  /** Finds out whether a dump, up to a place in it, leaves the encoding of text open. */
  findUnstated(session: SessionCharsets | undefined): UnstatedEncoding | undefined;
  /** Returns the characters that every text of a session can contain, in any column. */
  reachOf(session: SessionCharsets): Reach;
  /**
   * Finds the first character that a server would not store as itself.
   *
   * @param text - A text in UTF-8, as the dump contains it.
   * @param column - As above, like `isHex`.
   */
  findLoss(
    text: Uint8Array,
    session: SessionCharsets,
    column: string | undefined,
    isHex: boolean,
  ): Loss | undefined;
}

/** A connection in `binary` leaves bytes alone, so that they are in the character set of their column. */
const BINARY = 'binary';

const MYSQL_UTF8 = /^utf8(mb[34])?$/;

/**
 * MySQL and MariaDB, which write `?` for characters that a character set lacks, unless a dump keeps the strict mode.
 */
export const mysqlCharsets: ServerCharsets = {
  encodingOf({ charset: client }, column, isHex) {
    const charset = isHex || client === BINARY ? column : client;
    return charset === undefined || MYSQL_UTF8.test(charset) ? undefined : charset;
  },

  declaredOf(session, column, isHex) {
    const charset = session.was ?? session.charset;
    return this.encodingOf({ ...session, charset }, column?.was ?? column?.charset, isHex);
  },

  findUnstated: (session) => (session?.isStated ? undefined : { charset: undefined, line: 1 }),

  reachOf({ charset, connection }) {
    if (charset === undefined) return 'some';
    const client = charset === BINARY || MYSQL_UTF8.test(charset) ? reachOf(charset) : 'some';
    return leastOf(client, reachOf(connection));
  },

  findLoss(text, session, column, isHex) {
    const { charset: client, connection } = session;
    const first = findNonAscii(text);
    if (!first) return undefined;
    if (client === undefined && !isHex) {
      return { ...first, kind: 'unstated-encoding', charset: undefined };
    }
    const charset = this.encodingOf(session, column, isHex);
    if (charset !== undefined) return { ...first, kind: 'declared-encoding', charset };
    for (const each of isHex || client === BINARY ? [] : [client, connection]) {
      const lacking = findLacking(text, each);
      if (lacking) return { ...lacking, kind: 'narrow-connection', charset: each };
    }
    const lacking = findLacking(text, column);
    return lacking && { ...lacking, kind: 'narrow-column', charset: column };
  },
};

/** PostgreSQL's names of UTF-8. */
const POSTGRES_UTF8 = /^(utf-?8|unicode)$/;

/** The encoding whose text it never converts. */
const UNCONVERTED = 'sql_ascii';

/** PostgreSQL, which refuses characters that the encoding of its database lacks. */
export const postgresCharsets: ServerCharsets = {
  encodingOf: ({ charset }) =>
    charset === undefined || charset === UNCONVERTED || POSTGRES_UTF8.test(charset)
      ? undefined
      : charset,

  declaredOf(session, _, isHex) {
    const charset = session.was ?? session.charset;
    return this.encodingOf({ ...session, charset }, undefined, isHex);
  },

  findUnstated: ({ charset, line = 0 } = {}) =>
    charset === UNCONVERTED ? { charset: 'SQL_ASCII', line } : undefined,

  reachOf: ({ charset }) => (charset === undefined || POSTGRES_UTF8.test(charset) ? 'all' : 'some'),

  findLoss(text, { charset }) {
    if (charset === undefined || POSTGRES_UTF8.test(charset)) return undefined;
    const first = findNonAscii(text);
    const kind = charset === UNCONVERTED ? 'unstated-encoding' : 'declared-encoding';
    return first && { ...first, kind, charset };
  },
};

/** Finds the first character that is not ASCII. */
function findNonAscii(text: Uint8Array): CharacterPlace | undefined {
  const index = text.findIndex((byte) => byte >= 0x80);
  if (index === -1) return undefined;
  let end = index + 1;
  while (((text[end] ?? 0) & 0xc0) === 0x80) end++;
  return { index, length: end - index };
}
