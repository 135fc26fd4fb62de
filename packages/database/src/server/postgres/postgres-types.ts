/**
 * Types that contain text, and the structure of that text.
 *
 * @see https://www.postgresql.org/docs/current/catalog-pg-type.html
 */
import type { Structure } from '@utf8/repair';
import type { RecordOf } from '../record.js';
import { bytesOf, type Cell, integer, integers, text } from './postgres-cell.js';
import type { Connection } from './postgres-connection.js';

/** A type, through its domains. */
export interface TypeTraits {
  /** As values are cast to it: with its schema, and without a length. */
  readonly base: string;
  /** True if that type is the server's own. */
  readonly isBuiltIn: boolean;
  /** Undefined if it contains no text. */
  readonly text:
    | { readonly structure: Structure | undefined; readonly isExact: boolean }
    | undefined;
  readonly is: 'number' | 'blob' | 'text' | 'other';
  /** The length of a domain; -1 for none. */
  readonly modifier: number;
  /** True if lengths are of `varchar(n)` or `char(n)`. */
  readonly isLimited: boolean;
}

const TYPE = {
  oid: integer,
  /** Ours to compare with names in ASCII: other bytes are anything. */
  name: (cell: Cell): string => Buffer.from(bytesOf(text(cell))).toString('latin1'),
  sql: (cell: Cell): string => Buffer.from(bytesOf(text(cell))).toString(),
  kind: text,
  category: text,
  base: integer,
  modifier: integer,
  element: integer,
  fields: integers,
};

type TypeRow = RecordOf<Cell, typeof TYPE>;

/** The least oid of objects that users created: `FirstNormalObjectId`. */
const FIRST_OF_USERS = 16_384;

const VARCHAR = 1043;
const BPCHAR = 1042;
const NAME = 19;
const BYTEA = 17;
const JSON_TYPE = 114;
const JSONB = 3802;
const XML = 142;
const CHAR = 18;
const INTEGERS: readonly number[] = [20, 21, 23];

/** The types of a database. */
export class Types {
  readonly #rows = new Map<number, TypeRow>();

  private constructor() {}

  /** Reads some types, and those that they consist of. */
  static async read(connection: Connection, oids: Iterable<number>): Promise<Types> {
    const types = new Types();
    for (let wanted = [...new Set(oids)]; wanted.length > 0; ) {
      const rows: TypeRow[] = await connection.records(
        `SELECT t.oid, pg_catalog.textsend(t.typname::text) AS name,
           pg_catalog.textsend(pg_catalog.format('%I.%I', n.nspname, t.typname)) AS sql,
           t.typtype AS kind, t.typcategory AS category, t.typbasetype AS base,
           t.typtypmod AS modifier,
           CASE WHEN t.typcategory = 'A' AND t.typlen = -1 THEN t.typelem ELSE 0 END AS element,
           (SELECT pg_catalog.string_agg(a.atttypid::text, ' ' ORDER BY a.attnum)
            FROM pg_catalog.pg_attribute a
            WHERE a.attrelid = t.typrelid AND t.typtype = 'c' AND a.attnum > 0 AND NOT a.attisdropped) AS fields
         FROM pg_catalog.pg_type t JOIN pg_catalog.pg_namespace n ON n.oid = t.typnamespace
         WHERE t.oid = ANY ('{${wanted.join(',')}}'::oid[])`,
        TYPE,
      );
      const next = new Set<number>();
      for (const row of rows) {
        types.#rows.set(row.oid, row);
        for (const part of [row.base, row.element, ...row.fields]) if (part > 0) next.add(part);
      }
      wanted = [...next].filter((oid) => !types.#rows.has(oid));
    }
    return types;
  }

  /** @param path - Types that contain this one, which a type may do through an array. */
  find(oid: number, path: readonly number[] = []): TypeTraits {
    const row = this.#rows.get(oid);
    if (!row || path.includes(oid)) {
      return {
        base: 'pg_catalog.text',
        isBuiltIn: true,
        text: undefined,
        is: 'other',
        modifier: -1,
        isLimited: false,
      };
    }
    const inside = [...path, oid];
    if (row.kind === 'd') {
      const base = this.find(row.base, inside);
      return { ...base, modifier: row.modifier >= 0 ? row.modifier : base.modifier };
    }
    const text = this.#findText(row, inside);
    const form = text && !text.structure ? 'text' : 'other';
    return {
      base: row.sql,
      isBuiltIn: oid < FIRST_OF_USERS,
      text,
      is: INTEGERS.includes(oid) ? 'number' : oid === BYTEA ? 'blob' : form,
      modifier: -1,
      isLimited: oid === VARCHAR || oid === BPCHAR,
    };
  }

  #findText(row: TypeRow, path: readonly number[]): TypeTraits['text'] {
    const { oid, kind, name, category } = row;
    if (row.element > 0) {
      const element = this.find(row.element, path).text;
      return element && { structure: { is: 'array', of: element.structure }, isExact: false };
    }
    if (kind === 'c') {
      const fields = row.fields.map((field) => this.find(field, path).text);
      if (!fields.some((field) => field)) return undefined;
      const of = fields.map((field) => field?.structure ?? null);
      return { structure: { is: 'composite', of }, isExact: false };
    }
    if (kind !== 'b' || oid === NAME || oid === CHAR) return undefined;
    if (oid === JSON_TYPE) return { structure: { is: 'json' }, isExact: true };
    if (oid === JSONB) return { structure: { is: 'json' }, isExact: false };
    if (name === 'hstore') return { structure: { is: 'hstore' }, isExact: false };
    if (oid === XML) return { structure: undefined, isExact: true };
    if (category !== 'S') return undefined;
    // The blanks at the end of `char(n)` mean nothing, and are lost in a cast.
    const isExact = oid === 25 || oid === VARCHAR || name === 'citext';
    return { structure: undefined, isExact };
  }
}
