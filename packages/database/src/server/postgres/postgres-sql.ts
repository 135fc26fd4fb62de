/** Names and values in SQL, and bytes in results. */
import type { Key, KeyValue } from '../table.js';
import { bytesOf } from './postgres-cell.js';
import type { Cells } from './postgres-connection.js';

/** Qualifies an operator as the server's own, since a database can redefine the bare name. */
export const own = (operator: string): string => `OPERATOR(pg_catalog.${operator})`;

export const EQUAL: string = own('=');

/** A column as statements need it. */
export interface Column {
  readonly name: string;
  readonly sql: string;
  /** The type that values are cast to: that of a domain, without a length, to which a cast would cut. */
  readonly base: string;
  /** True if that type is the server's own, so that nothing in the database can define its casts. */
  readonly isBuiltIn: boolean;
  /** True if the server stores the text of a value unchanged. False for `jsonb`, which sorts its keys. */
  readonly isExact: boolean;
  /** True if a text in it may be escaped. */
  readonly hasStructure: boolean;
  /** The collation, quoted; undefined if the type has none. */
  readonly collation: string | undefined;
  /** Form in which a key contains its values. */
  readonly keyForm: KeyForm;
  /** Expression of a generated column. */
  readonly expression: string | undefined;
  /** True if evaluating the expression may run functions of users. */
  readonly isUnsafe: boolean;
}

/** A column of a key, with the operators of its index. */
export interface KeyColumn extends Column {
  readonly equal: string;
  readonly greater: string;
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
   * @param isForAnyClient - True if the client may have another encoding, as `psql` has.
   */
  constructor(encoding: string, isForAnyClient: boolean) {
    this.#encoding = encoding;
    this.#isForAnyClient = isForAnyClient;
  }

  /** True if each byte is a character to the server. */
  get isByBytes(): boolean {
    return this.#encoding === 'SQL_ASCII';
  }

  /** The text of a value. A cast of a type of the database may be a function of anyone; `format` is not. */
  textOf(value: string, column: Pick<Column, 'isBuiltIn'>): string {
    return column.isBuiltIn
      ? `${value}::pg_catalog.text`
      : `pg_catalog.format('%s'::pg_catalog.text, ${value})`;
  }

  /**
   * The text of a value as bytes, in the encoding of the database. `textsend` converts to that of the
   * client, which is the same here, and checks nothing; `convert_to` fails if the text is malformed.
   */
  bytes(value: string, column: Pick<Column, 'isBuiltIn'>): string {
    const text = this.textOf(value, column);
    return this.#isForAnyClient
      ? `pg_catalog.convert_to(${text}, '${this.#encoding}')`
      : `pg_catalog.textsend(${text})`;
  }

  /** Bytes as text: the same bytes, or an error if the database's encoding does not contain them. */
  text(bytes: string): string {
    return `pg_catalog.convert_from(${bytes}, '${this.#encoding}')`;
  }

  /**
   * Bytes as a value of a column. A literal is read by the type itself, where a cast from text may be a
   * function of anyone.
   */
  value(bytes: Uint8Array, { base, isBuiltIn }: Column, place: Place): string {
    return isBuiltIn ? `${this.text(place(bytes))}::${base}` : `${escapeBytes(bytes)}::${base}`;
  }

  /** The bytes that a column has once it contains a value: a form of its own for some types. */
  stored(bytes: Uint8Array, column: Column, place: Place): string {
    if (column.isExact) return place(bytes);
    return this.bytes(`(${this.value(bytes, column, place)})`, column);
  }

  /** A value of a key. */
  keyValue(bytes: Uint8Array, column: Column, place: Place): string {
    return column.keyForm === 'blob' ? place(bytes) : this.value(bytes, column, place);
  }

  /** A column to compare with a value of its base type: an operator may be defined for a domain alone. */
  operand(value: string, { base, isBuiltIn }: Column): string {
    return isBuiltIn ? value : `${value}::${base}`;
  }

  /** An address within a table. */
  address(bytes: string): string {
    return `${this.text(bytes)}::${TID}`;
  }

  /** The value of a column of a key, as text or bytes. */
  readKey(value: string, column: Column): string {
    const isAscii = column.keyForm === 'number' || column.keyForm === 'blob';
    return isAscii ? `${value}::pg_catalog.text` : this.bytes(value, column);
  }
}

/** Returns the SQL for some bytes: a parameter or a literal. */
export type Place = (bytes: Uint8Array) => string;

/** A literal of any bytes, for any encoding of the client. */
const escapeBytes = (bytes: Uint8Array): string => {
  const latin1 = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
  const spell = (char: string): string => `\\x${char.charCodeAt(0).toString(16).padStart(2, '0')}`;
  return `E'${latin1.replace(/[^ -~]|['\\]/g, spell)}'`;
};

/** Parameters of a statement, which are all bytes. */
export class Parameters {
  readonly values: Uint8Array[] = [];

  add(bytes: Uint8Array): string {
    // `pg` sends Buffers as they are.
    return `$${this.values.push(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length))}::pg_catalog.bytea`;
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
