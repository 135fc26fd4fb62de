/** The piece that a reader yields again and again, and its fields. */
import type { ValueSyntax } from '@utf8/repair';
import type { Field, FieldKind, Piece, PieceKind } from '../format.js';

/** The name of a column, or a function that finds it while the piece is valid, if that takes time. */
export type LazyName = string | undefined | (() => string);

class FieldSlot implements Field {
  start = 0;
  end = 0;
  kind: FieldKind = 'text';
  name: LazyName = undefined;
  number = 0;
  escapes: boolean | undefined = undefined;
  syntax: ValueSyntax | undefined = undefined;
  isHex: boolean | undefined = undefined;
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
    syntax?: ValueSyntax,
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
    slot.syntax = syntax;
    slot.isHex = undefined;
    slot.owner = undefined;
    return slot;
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
  before: Uint8Array | undefined = undefined;
  after: Uint8Array | undefined = undefined;
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
