/** A cursor over the places that refer to strings, which describes each of them. */

import { type KindSet, kinds, type StringKind } from '../kind.js';
import type { Spelling } from '../pool/spelling.js';
import { Tag } from '../pool/tag.js';
import { createString } from '../strings.js';
import { handledMethod } from '../walk/bootstrap.js';
import { Opcode } from '../walk/opcode.js';
import { Mark, type PlaceList, Way } from '../walk/places.js';
import type { Structure } from '../walk/structure.js';
import { Calls } from './calls.js';
import { Lines } from './lines.js';
import {
  type BootstrapCaller,
  LocatedUse,
  type StringUse,
  type UseBootstrap,
  type UseMember,
  type Where,
} from './string-use.js';
import { AnnotationTracker } from './tracker.js';

const memberTypes: Readonly<Record<number, UseMember['type']>> = {
  [Mark.Field]: 'field',
  [Mark.Method]: 'method',
  [Mark.Component]: 'component',
};

export class Locator {
  readonly #structure: Structure;
  readonly #spelling: Spelling;
  readonly #list: PlaceList;
  readonly #lines: Lines;
  readonly #calls = new Calls();
  readonly #className: string;
  /** Number of the current place, from 0. */
  place = -1;
  /** Index of the Utf8 that the place leads to. */
  index = 0;
  /** Index of the `CONSTANT_String` through which it does; 0 for none. */
  stringConstant = 0;
  #nextMark = 0;
  #constant = 0;
  #member: UseMember | undefined;
  /** Offset of the current member. */
  #memberOffset = 0;
  /** Offset of the current method's code, and of the code whose lines have been read; -1 for none. */
  #code = -1;
  #readCode = -1;
  #annotation: AnnotationTracker | undefined;
  readonly #tracker: AnnotationTracker;
  /** Number and offset of the current bootstrap method; -1 for none. */
  #method = -1;
  #methodOffset = -1;
  #isInMethod = false;
  #callers: readonly BootstrapCaller[] | undefined;

  constructor(structure: Structure, spelling: Spelling, list: PlaceList) {
    const { pool } = structure;
    this.#structure = structure;
    this.#spelling = spelling;
    this.#list = list;
    this.#lines = new Lines(pool);
    this.#className = this.#nameOfClass();
    this.#tracker = new AnnotationTracker(structure, spelling, `L${this.#className};`);
  }

  /** Moves to the next place. Returns false if none is left. */
  next(): boolean {
    const list = this.#list;
    while (++this.place < list.length) {
      const offset = this.offset;
      this.#passMarks(offset);
      if (list.wayAt(this.place) === Way.Call) this.#addCall(offset);
      else if (this.#follow(offset)) return true;
    }
    return false;
  }

  get offset(): number {
    return this.#list.offsets.at(this.place);
  }

  get kind(): KindSet {
    return this.#list.kindAt(this.place);
  }

  /** True if the index has one byte. */
  get isNarrow(): boolean {
    return this.#list.wayAt(this.place) === Way.Narrow;
  }

  /** True if the place is a `CONSTANT_String` that nothing known loads. */
  get isConstant(): boolean {
    return this.#list.wayAt(this.place) === Way.Constant;
  }

  /** Describes the place. */
  locate(): StringUse {
    const { index, offset } = this;
    const structure = this.#structure;
    const spelling = this.#spelling;
    const isInPool = offset < structure.pool.end;
    const where: Where = {
      kind: kinds[31 - Math.clz32(this.kind)] as StringKind,
      offset,
      className: this.#className,
      member: this.#member,
      line: this.stringConstant > 0 ? this.#lineAt(offset) : undefined,
      annotation: this.#annotation?.tell(offset),
      bootstrap: this.#isInMethod && this.stringConstant > 0 ? this.#bootstrap(offset) : undefined,
      constant: isInPool ? this.#constant : undefined,
    };
    return new LocatedUse(where, () => createString(structure, spelling, index));
  }

  /** Follows the index at an offset. Returns false if the place is not a use of its own. */
  #follow(offset: number): boolean {
    const { pool, places } = this.#structure;
    const way = this.#list.wayAt(this.place);
    if (offset < pool.end) this.#findConstant(offset);
    if (way === Way.Constant && places.isLoaded(this.#constant)) return false;
    this.stringConstant = 0;
    if (way === Way.Direct) this.index = pool.u2(offset);
    else {
      const constant =
        way === Way.Constant
          ? this.#constant
          : way === Way.Narrow
            ? (pool.bytes[offset] as number)
            : pool.u2(offset);
      this.stringConstant = constant;
      this.index = pool.reference(constant);
    }
    return true;
  }

  /** Finds the constant that contains an offset. */
  #findConstant(offset: number): void {
    const { pool } = this.#structure;
    for (let index = this.#constant + 1; index < pool.count; index++) {
      if (pool.tags[index] === 0) continue;
      if ((pool.offsets[index] as number) > offset) break;
      this.#constant = index;
    }
  }

  #passMarks(offset: number): void {
    const { marks, markOffsets } = this.#list;
    while (this.#nextMark < marks.length && markOffsets.at(this.#nextMark) <= offset) {
      this.#pass(marks.at(this.#nextMark), markOffsets.at(this.#nextMark));
      this.#nextMark++;
    }
  }

  #pass(mark: number, offset: number): void {
    if (mark === Mark.Code) this.#code = offset;
    else if (mark === Mark.Annotation || mark === Mark.Default) {
      this.#annotation = this.#tracker;
      this.#tracker.start(
        offset,
        mark === Mark.Default ? this.#nameAt(this.#memberOffset + 2) : -1,
      );
    } else if (mark === Mark.AnnotationEnd) this.#annotation = undefined;
    else if (mark === Mark.BootstrapMethod) {
      this.#method++;
      this.#methodOffset = offset;
      this.#isInMethod = true;
      this.#callers = undefined;
    } else this.#enter(mark, offset);
  }

  #enter(mark: number, offset: number): void {
    this.#code = -1;
    this.#isInMethod = false;
    this.#memberOffset = offset;
    const type = memberTypes[mark];
    const name = offset + (mark === Mark.Component ? 0 : 2);
    this.#member = type && {
      type,
      name: this.#textAt(name),
      descriptor: this.#textAt(name + 2),
    };
  }

  #nameOfClass(): string {
    const { pool } = this.#structure;
    const index = pool.u2(pool.end + 2);
    return pool.tags[index] === Tag.Class ? this.#spelling.textOf(pool.reference(index)) : '';
  }

  /** Returns the index of the Utf8 of the name whose index is at an offset; 0 if it leads to none. */
  #nameAt(offset: number): number {
    const { pool } = this.#structure;
    const index = pool.u2(offset);
    return pool.tags[index] === Tag.Utf8 ? index : 0;
  }

  #textAt(offset: number): string {
    const index = this.#nameAt(offset);
    return index === 0 ? '' : this.#spelling.textOf(index);
  }

  #lineAt(offset: number): number | undefined {
    if (this.#code < 0) return undefined;
    if (this.#readCode !== this.#code) {
      this.#lines.read(this.#code);
      this.#readCode = this.#code;
    }
    // The opcode is before the index.
    return this.#lines.lineAt(offset - 1);
  }

  #addCall(offset: number): void {
    const { pool } = this.#structure;
    const isNarrow = pool.bytes[offset - 1] === Opcode.ldc;
    const constant = isNarrow ? (pool.bytes[offset] as number) : pool.u2(offset);
    this.#calls.add(pool.reference(constant), this.#member, this.#lineAt(offset));
  }

  #bootstrap(offset: number): UseBootstrap | undefined {
    const { pool } = this.#structure;
    const handle = pool.u2(this.#methodOffset);
    let method = '';
    if (pool.tags[handle] === Tag.MethodHandle) {
      const [owner, name] = handledMethod(pool, handle);
      method = `${this.#spelling.textOf(owner)}.${this.#spelling.textOf(name)}`;
    }
    this.#callers ??= this.#calls.list(this.#method);
    return { method, argument: (offset - this.#methodOffset - 4) / 2, callers: this.#callers };
  }
}
