/** Rows that refer to rejected rows by a foreign key. */
import type { Codec } from '@utf8/core';
import type { DeclaredReference, Format, KeyColumn, Piece } from '../format/format.js';
import { nameColumn } from '../format/shared/column-choice.js';
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
  readonly #references: readonly DeclaredReference[];
  readonly #keys: Set<string>;

  /** @param codec - The encoding of the rows. */
  constructor(format: Format, codec: Codec, { references, keys }: Orphans) {
    this.#format = format;
    this.#codec = codec;
    this.#references = references;
    this.#keys = new Set(keys);
  }

  /** Finds the foreign key by which a row refers to a rejected one. */
  find(bytes: Uint8Array, piece: Piece): DeclaredReference | undefined {
    if (this.#keys.size === 0) return undefined;
    return this.#references.find(({ child, columns }, i) => {
      if (child !== piece.owner) return false;
      const key = this.#pack(bytes, piece, columns, i);
      return key !== undefined && this.#keys.has(key);
    });
  }

  /** Lists the keys by which other rows may refer to a row. */
  listKeys(bytes: Uint8Array, piece: Piece): string[] {
    return this.#references.flatMap(({ parent, parentColumns }, i) =>
      parent === piece.owner ? (this.#pack(bytes, piece, parentColumns, i) ?? []) : [],
    );
  }

  #pack(
    bytes: Uint8Array,
    { fields, table }: Piece,
    columns: readonly KeyColumn[],
    index: number,
  ): string | undefined {
    const values = columns.map((column) => {
      const { matches } = nameColumn(column.name);
      const parts = fields.filter((field) => matches(field, table));
      const value = joinValue(parts, (field) => this.#format.readValue(bytes, field));
      return value && compareAs(value, column, this.#codec);
    });
    return packKey(String(index), values)?.toString('latin1');
  }
}
