/** Names and values in SQL, and bytes in results. */
import { TextDecoder } from 'node:util';
import type { Key, KeyValue } from '../table.js';
import type { Cells } from './postgres-connection.js';

/** A column as statements need it. */
export interface Column {
  readonly name: string;
  readonly sql: string;
  /** The type that values are cast to: that of a domain, without a length, to which a cast would cut. */
  readonly base: string;
  /** Whether the server stores the text of a value as it is. Not `jsonb`, which sorts its keys. */
  readonly isExact: boolean;
  /** Whether a text in it may be escaped. */
  readonly hasSyntax: boolean;
  /** The collation, quoted; undefined if the type has none. */
  readonly collation: string | undefined;
  /** How a key writes its values. */
  readonly keyForm: KeyForm;
  /** Of a generated column. */
  readonly expression: string | undefined;
}

export type KeyForm = 'number' | 'text' | 'blob' | 'other';

export const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`;

const TID = 'pg_catalog.tid';

/** Statements for one encoding. */
export class Sql {
  readonly #encoding: string;
  readonly #isForAnyClient: boolean;

  /**
   * @param encoding - That of the database.
   * @param isForAnyClient - Whether the client may have another encoding, as `psql` has.
   */
  constructor(encoding: string, isForAnyClient: boolean) {
    this.#encoding = encoding;
    this.#isForAnyClient = isForAnyClient;
  }

  /** Whether each byte is a character to the server. */
  get isByBytes(): boolean {
    return this.#encoding === 'SQL_ASCII';
  }

  /**
   * The text of a value as bytes, in the encoding of the database. `textsend` converts to that of the
   * client, which is the same here, and checks nothing; `convert_to` fails if the text is malformed.
   */
  bytes(value: string): string {
    const text = `${value}::pg_catalog.text`;
    return this.#isForAnyClient
      ? `pg_catalog.convert_to(${text}, '${this.#encoding}')`
      : `pg_catalog.textsend(${text})`;
  }

  /** Bytes as text: the same bytes, or an error if the database's encoding does not contain them. */
  text(bytes: string): string {
    return `pg_catalog.convert_from(${bytes}, '${this.#encoding}')`;
  }

  /** Bytes as a value of a column. */
  value(bytes: string, { base }: Column): string {
    return `${this.text(bytes)}::${base}`;
  }

  /** The bytes that a column has once it contains a value: a form of its own for some types. */
  stored(bytes: string, column: Column): string {
    return column.isExact ? bytes : this.bytes(`(${this.value(bytes, column)})`);
  }

  /** A value of a key. */
  keyValue(bytes: string, column: Column): string {
    return column.keyForm === 'blob' ? bytes : this.value(bytes, column);
  }

  /** An address within a table. */
  address(bytes: string): string {
    return `${this.text(bytes)}::${TID}`;
  }

  /** The value of a column of a key, as text or bytes. */
  readKey(value: string, { keyForm }: Column): string {
    const isAscii = keyForm === 'number' || keyForm === 'blob';
    return isAscii ? `${value}::pg_catalog.text` : this.bytes(value);
  }
}

/** Parameters of a statement, which are all bytes. */
export class Parameters {
  readonly values: Uint8Array[] = [];

  add(bytes: Uint8Array): string {
    // `pg` sends Buffers as they are.
    return `$${this.values.push(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length))}::bytea`;
  }
}

/** Bytes as PostgreSQL writes them: `\x`, then hex. */
export const bytesOf = (cell: string): Uint8Array => Buffer.from(cell.slice(2), 'hex');

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** A name in the catalogue, or an expression; undefined if it is not UTF-8. */
export function nameOf(cell: string): string | undefined {
  try {
    return decoder.decode(bytesOf(cell));
  } catch {
    return undefined;
  }
}

const PRINTABLE = /^[ -~]*$/;

/** A key from the cells that {@link Sql.readKey} has made. */
export const keyOf = (cells: Cells, columns: readonly Column[]): Key =>
  columns.map(({ keyForm }, i): KeyValue => {
    const cell = cells[i] as string;
    const number = Number(cell);
    if (keyForm === 'number') return Number.isSafeInteger(number) ? number : cell;
    if (keyForm === 'blob') return { hex: cell.slice(2), is: 'blob' };
    if (keyForm === 'text') return { hex: cell.slice(2), is: 'text' };
    const text = Buffer.from(bytesOf(cell)).toString('latin1');
    return PRINTABLE.test(text) ? text : { hex: cell.slice(2), is: 'text' };
  });

/** The bytes of a value of a key. */
export const bytesOfKey = (value: KeyValue): Uint8Array =>
  typeof value === 'object' ? Buffer.from(value.hex, 'hex') : Buffer.from(String(value));
