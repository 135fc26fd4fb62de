/** The piece that a reader yields again and again, and its fields. */
import type { Structure } from '@utf8/repair';
import type { Reach } from '../../charset/repertoire.js';
import type { Change, Field, FieldKind, Layout, Piece, PieceKind } from '../format.js';
import type { ColumnType, Session } from '../sql/table-type.js';

/** The name of a column, or a function that finds it while the piece is valid, if that takes time. */
export type LazyName = string | undefined | (() => string);

class FieldSlot implements Field {
  start = 0;
  end = 0;
  kind: FieldKind = 'text';
  name: LazyName = undefined;
  number = 0;
  escapes: boolean | undefined = undefined;
  structure: Structure | undefined = undefined;
  declared: ColumnType | undefined = undefined;
  isHex: boolean | undefined = undefined;
  /** True if it is within parentheses, as an argument of a function. */
  isNested = false;
  owner: number | undefined = undefined;

  get column(): string | undefined {
    if (typeof this.name === 'function') this.name = this.name();
    return this.name;
  }
}

/** Fields in memory that is reused for the next piece. */
export class FieldList {
  /** Never shrinks. */
  readonly #slots: FieldSlot[] = [];
  /** The first slots, as many as there are fields. */
  readonly #fields: FieldSlot[] = [];
  #length = 0;

  clear(): void {
    this.#length = 0;
  }

  /** Adds a field. The slot returned takes what few fields have: `isHex` and `owner`. */
  add(
    start: number,
    end: number,
    kind: FieldKind,
    name: LazyName,
    number: number,
    escapes?: boolean,
    structure?: Structure,
  ): FieldSlot {
    let slot = this.#slots[this.#length];
    if (!slot) {
      slot = new FieldSlot();
      this.#slots.push(slot);
    }
    this.#length++;
    slot.start = start;
    slot.end = end;
    slot.kind = kind;
    slot.name = name;
    slot.number = number;
    slot.escapes = escapes;
    slot.structure = structure;
    slot.isHex = undefined;
    slot.isNested = false;
    slot.owner = undefined;
    slot.declared = undefined;
    return slot;
  }

  /** The number of the last column; 0 if there is none. */
  get last(): number {
    return this.#length === 0 ? 0 : (this.#slots[this.#length - 1] as FieldSlot).number;
  }

  /** The number of fields. */
  get length(): number {
    return this.#length;
  }

  /** Returns a field; undefined if the piece has fewer. */
  at(index: number): Field | undefined {
    return index < this.#length ? this.#slots[index] : undefined;
  }

  /** Changes the kind of the texts from an index on. */
  doubt(from: number, kind: FieldKind): void {
    for (let i = from; i < this.#length; i++) {
      const slot = this.#slots[i] as FieldSlot;
      if (slot.kind === 'text') slot.kind = kind;
    }
  }

  /** Applies the known types of columns, in the order of their numbers. */
  declare(types: readonly (ColumnType | undefined)[] | undefined): void {
    if (!types) return;
    for (let i = 0; i < this.#length; i++) {
      const slot = this.#slots[i] as FieldSlot;
      const type = types[slot.number - 1];
      slot.declared = type;
      if (type?.is === 'binary') slot.kind = 'opaque';
      else if (type?.structure && !this.#isPart(i)) slot.structure = type.structure;
    }
  }

  /** Tells whether a field is only a part of a value, as in `CONCAT('[', '1]')`. */
  #isPart(i: number): boolean {
    const { number, isNested } = this.#slots[i] as FieldSlot;
    const isSame = (j: number): boolean =>
      j >= 0 && j < this.#length && this.#slots[j]?.number === number;
    return isNested || isSame(i - 1) || isSame(i + 1);
  }

  get fields(): readonly Field[] {
    const fields = this.#fields;
    if (fields.length > this.#length) fields.length = this.#length;
    for (let i = fields.length; i < this.#length; i++) fields.push(this.#slots[i] as FieldSlot);
    return fields;
  }
}

/** Finds the fields of a piece. */
export type FieldSplitter = (piece: MovingPiece, fields: FieldList) => void;

/** A piece that moves on to the next one. */
export class MovingPiece implements Piece {
  kind: PieceKind = 'record';
  start = 0;
  end = 0;
  own = 0;
  number = 0;
  line = 1;
  table: string | undefined = undefined;
  qualified: string | undefined = undefined;
  owner: string | undefined = undefined;
  before: Uint8Array | undefined = undefined;
  after: Uint8Array | undefined = undefined;
  settings: string | undefined = undefined;
  fixes: readonly Change[] | undefined = undefined;
  session: Session | undefined = undefined;
  partitionedBy: readonly string[] | undefined = undefined;
  reach: Reach = 'all';
  isKeyless = false;
  isAllText = false;
  shape: unknown = undefined;
  layout: Layout | undefined = undefined;
  readonly #split: FieldSplitter;
  readonly #fields = new FieldList();
  #isSplit = false;

  constructor(split: FieldSplitter) {
    this.#split = split;
  }

  /** Moves; `own` is the start until it is set. */
  place(kind: PieceKind, start: number, end: number, number: number, line: number): this {
    this.kind = kind;
    this.start = start;
    this.end = end;
    this.own = start;
    this.number = number;
    this.line = line;
    this.#isSplit = false;
    return this;
  }

  get fields(): readonly Field[] {
    if (!this.#isSplit) {
      this.#fields.clear();
      this.#split(this, this.#fields);
      this.#isSplit = true;
    }
    return this.#fields.fields;
  }
}
