/** Keys: what the columns of `--key` say in a record. */
import type { Codec } from '@utf8/core';
import type { Field, Format } from '../formats/format.js';
import type { Column } from './column.js';
import { findChange } from './examine.js';
import type { Key } from './finding.js';
import type { Spot } from './spot.js';
import { readValue } from './value.js';

/** What a column says; nothing where it is missing or NULL, of which no two are equal. */
export type Part = Uint8Array | undefined;

/** The key of a record. */
export interface Read {
  readonly before: readonly Part[];
  /** The same array where nothing in it changes. */
  readonly after: readonly Part[];
  /** The first field of it. */
  readonly field: Field | undefined;
}

const NULLS: ReadonlySet<string> = new Set(['NULL', 'null', '\\N']);

/** Reads keys. */
export class KeyReader {
  readonly #columns: readonly Column[];
  /** Columns that no record has had so far. */
  readonly unseen: Set<Column>;

  constructor(columns: readonly Column[]) {
    this.#columns = columns;
    this.unseen = new Set(columns);
  }

  /** Whether there are keys at all. */
  get isAsked(): boolean {
    return this.#columns.length > 0;
  }

  /** The key of a record, as it is and as it would be, in memory of its own. */
  read({ stretch, piece, examined }: Spot, { name }: Format): Read {
    const { bytes } = stretch;
    const keyed = this.#columns.map((column) => {
      const fields = piece.fields.filter((field) => column.matches(field, piece.table));
      return fields;
    });
    const before = keyed.map((fields) =>
      readPart(fields, (field) => readValue(name, bytes, field)),
    );
    const isChanged = keyed.some((fields) => fields.some((field) => findChange(examined, field)));
    const change = (field: Field): Uint8Array =>
      readValue(name, bytes, field, findChange(examined, field)?.bytes);
    const after = isChanged ? keyed.map((fields) => readPart(fields, change)) : before;
    return { before, after, field: keyed.flat()[0] };
  }

  /** The key of a record for people and programs; undefined where none is asked for. */
  describeOf(spot: Spot, format: Format, codec: Codec): Key | undefined {
    return this.isAsked ? this.describe(this.read(spot, format).before, codec) : undefined;
  }

  /** A key for people and programs. */
  describe(parts: readonly Part[], codec: Codec): Key {
    const entries = parts.map((part, i): [string, string | null] => [
      this.#columns[i]?.text ?? '',
      part ? codec.decode(part, { errors: 'backslashreplace' }) : null,
    ]);
    return Object.fromEntries(entries);
  }
}

/** What the fields of a column say. There may be several, as of a string that is put together. */
function readPart(fields: readonly Field[], read: (field: Field) => Uint8Array): Part {
  const [first] = fields;
  if (!first) return undefined;
  const value = Buffer.concat(fields.map(read));
  const isNull = first.kind === 'opaque' && NULLS.has(value.toString('latin1'));
  return isNull ? undefined : value;
}

/** A key as bytes that are equal where the key is; undefined where a part of it is missing. */
export function packKey(table: string | undefined, parts: readonly Part[]): Buffer | undefined {
  const list: Uint8Array[] = [Buffer.from(`${table ?? ''}\0`)];
  for (const part of parts) {
    if (!part) return undefined;
    const length = Buffer.alloc(4);
    length.writeUInt32LE(part.length);
    list.push(length, part);
  }
  return Buffer.concat(list);
}

/** Compares keys by the bytes of their columns, as an index does. */
export function compareKeys(one: readonly Part[], other: readonly Part[]): number {
  for (const [i, part] of one.entries()) {
    const order = Buffer.compare(part ?? NOTHING, other[i] ?? NOTHING);
    if (order !== 0) return order;
  }
  return 0;
}

const NOTHING = new Uint8Array();
