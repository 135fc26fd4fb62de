/** Rows that refer to rejected rows by a foreign key. */
import type { Codec } from '@utf8/core';
import type { DeclaredReference, Format, KeyColumn, Piece } from '../format/format.js';
import { FieldIndex, nameColumn } from '../format/shared/column-choice.js';
import { compareAs, joinValue, packKey } from '../key/key-values.js';

/** Foreign keys, and the keys of the rejected rows that they refer to. Plain data, for threads. */
export interface Orphans {
  readonly references: readonly DeclaredReference[];
  /** Packed keys, in Latin-1. */
  readonly keys: readonly string[];
}

/** Tells which rows refer to rejected ones. */
export class OrphanTest {
  readonly #format: Format;
  readonly #codec: Codec;
  /** By the table that refers to another, and by the table that it refers to. */
  readonly #byChild: ReferenceIndex = new Map();
  readonly #byParent: ReferenceIndex = new Map();
  readonly #keys: Set<string>;

  /** @param codec - The encoding of the rows. */
  constructor(format: Format, codec: Codec, { references, keys }: Orphans) {
    this.#format = format;
    this.#codec = codec;
    for (const [i, reference] of references.entries()) {
      addTo(this.#byChild, reference.child, [i, reference]);
      addTo(this.#byParent, reference.parent, [i, reference]);
    }
    this.#keys = new Set(keys);
  }

  /** Finds the foreign key by which a row refers to a rejected one. */
  find(bytes: Uint8Array, piece: Piece): DeclaredReference | undefined {
    if (this.#keys.size === 0) return undefined;
    const index = new FieldIndex(piece.fields, piece.table);
    for (const [i, reference] of this.#byChild.get(piece.owner ?? '') ?? []) {
      const key = this.#pack(bytes, index, reference.columns, i);
      if (key !== undefined && this.#keys.has(key)) return reference;
    }
    return undefined;
  }

  /** Lists the keys by which other rows may refer to a row. */
  listKeys(bytes: Uint8Array, piece: Piece): string[] {
    const index = new FieldIndex(piece.fields, piece.table);
    const references = this.#byParent.get(piece.owner ?? '') ?? [];
    return references.flatMap(
      ([i, { parentColumns }]) => this.#pack(bytes, index, parentColumns, i) ?? [],
    );
  }

  #pack(
    bytes: Uint8Array,
    fields: FieldIndex,
    columns: readonly KeyColumn[],
    index: number,
  ): string | undefined {
    const values = columns.map((column) => {
      const parts = fields.list(nameColumn(column.name));
      const value = joinValue(parts, (field) => this.#format.readValue(bytes, field));
      return value && compareAs(value, column, this.#codec);
    });
    return packKey(String(index), values)?.toString('latin1');
  }
}

type ReferenceIndex = Map<string, [index: number, reference: DeclaredReference][]>;

function addTo(index: ReferenceIndex, key: string, item: [number, DeclaredReference]): void {
  const known = index.get(key);
  if (known) known.push(item);
  else index.set(key, [item]);
}
