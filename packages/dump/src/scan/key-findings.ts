/** Keys: those that change, in a first reading, and those that may then be equal, in a second one. */
import type { Codec } from '@utf8/core';
import type { DeclaredKey } from '../format/format.js';
import { type Column, nameColumn } from '../format/shared/column-choice.js';
import { compareAs, type KeyValues, packKey } from '../key/key-values.js';
import type { Stretch } from '../rewrite/stretch.js';
import { type BloomFilter, hash } from './bloom.js';
import { packCandidate } from './collisions.js';
import type { FindingList } from './inspected.js';
import type { InspectedPiece, ReadKey } from './inspected-piece.js';
import { describeKey, findReordered, ownValues } from './key.js';

/** A key that the file declares, and its number. */
interface NumberedKey extends Pick<DeclaredKey, 'columns'> {
  readonly id: number;
  readonly matchers: readonly Column[];
}

/** A key as it is compared, before and after. */
interface PackedKey {
  readonly before: Buffer;
  readonly after: Buffer;
}

/** Finds keys of the options, and keys that the file declares. */
export class KeyFindings {
  readonly #at: InspectedPiece;
  readonly #list: FindingList;
  readonly #from: Codec;
  readonly #to: Codec;
  readonly #keys: readonly Column[];
  /** By the table that has them. */
  readonly #declared = new Map<string, NumberedKey[]>();
  /** True if a key may become equal to another one although neither is repaired. */
  readonly #redeclares: boolean;

  constructor(
    at: InspectedPiece,
    list: FindingList,
    { from, to }: { readonly from: Codec; readonly to: Codec },
    keys: readonly Column[],
    declared: readonly DeclaredKey[],
  ) {
    this.#at = at;
    this.#list = list;
    this.#from = from;
    this.#to = to;
    this.#keys = keys;
    for (const [id, { owner, columns }] of declared.entries()) {
      const matchers = columns.map(({ name }) => nameColumn(name));
      const known = this.#declared.get(owner) ?? [];
      this.#declared.set(owner, [...known, { id, columns, matchers }]);
    }
    this.#redeclares = declared.some(({ columns }) =>
      columns.some(({ isRedeclared }) => isRedeclared),
    );
  }

  /** Tells whether a piece that is transcoded may change a key. */
  mayChange(stretch: Stretch): boolean {
    if (this.#redeclares || stretch.count === 0) return this.#redeclares;
    const { fields, table, owner = '' } = this.#at.piece;
    const declared = this.#declared.get(owner)?.flatMap(({ matchers }) => matchers) ?? [];
    const columns = [...this.#keys, ...declared];
    if (columns.length === 0) return false;
    return fields.some(
      (field) =>
        stretch.locate(field.start, field.end)[0] !== -1 &&
        columns.some((column) => column.matches(field, table)),
    );
  }

  /** Keeps the hashes of the keys of a record that change. */
  announce(): void {
    const isChanged = this.#at.repairs.size > 0;
    if (isChanged && this.#keys.length > 0) {
      const { before, after } = this.#at.readKey(this.#keys);
      const packed = before === after ? undefined : this.#pack(after);
      if (packed && !this.#pack(before)?.equals(packed)) this.#addHash(packed);
    }
    if (!isChanged && !this.#redeclares) return;
    for (const [, , { before, after }] of this.#eachDeclared()) {
      if (!before.equals(after)) this.#addHash(after);
    }
  }

  #addHash(packed: Buffer): void {
    this.#list.found.announced.push(hash(packed));
  }

  /** Adds the keys of a record that change, and those that may be equal to one that does. */
  collect(filter: BloomFilter): void {
    if (this.#keys.length > 0) this.#collectKey(filter);
    if (this.#at.isRefused) return;
    for (const [key, read, packed] of this.#eachDeclared()) {
      const isChanged = !packed.before.equals(packed.after);
      if (!isChanged && !filter.has(hash(packed.after))) continue;
      this.#addCandidate(key.matchers, read, packed);
    }
  }

  #collectKey(filter: BloomFilter): void {
    const { piece, isRefused } = this.#at;
    const { found } = this.#list;
    const read = this.#at.readKey(this.#keys);
    const { before, after, field } = read;
    const packed = this.#pack(before);
    // A rejected record has no key in the result.
    if (!packed || !field || isRefused) return;
    const packedAfter = before === after ? packed : (this.#pack(after) as Buffer);
    const isChanged = !packedAfter.equals(packed);
    const place = this.#at.locate(field, field.start);
    const next = { place, line: piece.line, before, after, isChanged };
    const reordered = findReordered(found.last, next, namesOf(this.#keys), this.#from);
    if (reordered && this.#list.count('order', field)) found.findings.push(reordered);
    found.first ??= ownValues(next);
    found.last = next;
    if (!isChanged && !filter.has(hash(packed))) return;
    this.#addCandidate(this.#keys, read, { before: packed, after: packedAfter });
  }

  #addCandidate(
    columns: readonly Column[],
    { before, after, field }: ReadKey,
    packed: PackedKey,
  ): void {
    if (!field) return;
    const place = this.#at.locate(field, field.start);
    const key = describeKey(namesOf(columns), before, this.#from);
    const becomes = describeKey(namesOf(columns), after, this.#to);
    this.#at.key = key;
    const candidate = packCandidate(packed.before, packed.after, { ...place, key, becomes });
    this.#list.found.candidates.push(candidate);
  }

  #pack(values: KeyValues): Buffer | undefined {
    return packKey(this.#at.piece.table, values);
  }

  /** The keys that the file declares for a record, except those with NULL. */
  *#eachDeclared(): Generator<readonly [NumberedKey, ReadKey, PackedKey], void> {
    for (const key of this.#declared.get(this.#at.piece.owner ?? '') ?? []) {
      const read = this.#at.readKey(key.matchers);
      // As they were declared, all keys differed.
      const before = read.field && this.#packAs(key, read.before, this.#from, true);
      if (!before) continue;
      const after = this.#packAs(key, read.after, this.#to, false) as Buffer;
      yield [key, read, { before, after }];
    }
  }

  /** Packs a key as its columns compare it. */
  #packAs(
    { id, columns }: NumberedKey,
    values: KeyValues,
    codec: Codec,
    asDeclared: boolean,
  ): Buffer | undefined {
    const compared = columns.map((column, i) => {
      const value = values[i];
      const own = asDeclared && column.isRedeclared ? { ...column, collation: undefined } : column;
      return value && compareAs(value, own, codec);
    });
    return packKey(`${this.#at.piece.owner}\0${id}`, compared);
  }
}

const namesOf = (columns: readonly Column[]): string[] => columns.map(({ text }) => text);
