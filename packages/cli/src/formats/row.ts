/** The one piece that a reader gives out again and again, and the fields in it. */
import type { Field, FieldKind, Piece, PieceKind } from './format.js';

/** The name of a column, or how to find it where it takes time: as long as the piece lives. */
export type Name = string | undefined | (() => string);

class Span implements Field {
  start = 0;
  end = 0;
  kind: FieldKind = 'text';
  name: Name = undefined;
  number = 0;
  escapes: boolean | undefined = undefined;

  get column(): string | undefined {
    if (typeof this.name === 'function') this.name = this.name();
    return this.name;
  }
}

/** Fields in memory that is used again: a field lives as long as its piece. */
export class Fields {
  /** Grows only; what is in `list` is the beginning of it. */
  readonly #pool: Span[] = [];
  readonly #list: Span[] = [];
  #length = 0;

  clear(): void {
    this.#length = 0;
  }

  add(
    start: number,
    end: number,
    kind: FieldKind,
    name: Name,
    number: number,
    escapes?: boolean,
  ): void {
    let span = this.#pool[this.#length];
    if (!span) {
      span = new Span();
      this.#pool.push(span);
    }
    this.#length++;
    span.start = start;
    span.end = end;
    span.kind = kind;
    span.name = name;
    span.number = number;
    span.escapes = escapes;
  }

  /** All since it was cleared. */
  get list(): readonly Field[] {
    const list = this.#list;
    if (list.length > this.#length) list.length = this.#length;
    for (let i = list.length; i < this.#length; i++) list.push(this.#pool[i] as Span);
    return list;
  }
}

/** Finds the fields of a piece, once somebody asks for them. */
export type Split = (row: Row, fields: Fields) => void;

/** A piece that is moved from place to place. */
export class Row implements Piece {
  kind: PieceKind = 'record';
  start = 0;
  end = 0;
  own = 0;
  number = 0;
  line = 1;
  table: string | undefined = undefined;
  before: Uint8Array | undefined = undefined;
  after: Uint8Array | undefined = undefined;
  readonly #split: Split;
  readonly #fields = new Fields();
  #isSplit = false;

  constructor(split: Split) {
    this.#split = split;
  }

  /** Moves to a place; `own` is its start until somebody says otherwise. */
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
    return this.#fields.list;
  }
}
