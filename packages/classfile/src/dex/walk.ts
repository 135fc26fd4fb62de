/** A walk through a DEX file, which finds each reference to a string. */
import type { Budget } from '../android/budget.js';
import { Cursor, readU2, readU4 } from '../android/cursor.js';
import type { StringKind } from '../kind.js';
import { Lines, readDebugNames } from './debug.js';
import { DexError, refuse } from './error.js';
import { type Section, SIZES, type Tell } from './header.js';
import type { Ids } from './ids.js';
import { lengthAt, Opcode } from './instruction.js';
import { Place } from './place.js';
import {
  hasItem,
  type Path,
  peekHandle,
  readArray,
  readElements,
  readType,
  type Skip,
} from './value.js';

/** A place that refers to a string. */
export interface Reference {
  readonly kind: StringKind;
  /** The index of the string. */
  readonly index: number;
  /** Offset of that index, in bytes from the start of the file. */
  readonly offset: number;
  readonly place: Place;
  readonly line?: number | undefined;
  /** The type of the outermost annotation, and the path in it. */
  readonly annotation?: { readonly type: number; readonly path: Path } | undefined;
  /** The call site that has the string as an argument. */
  readonly callSite?: CallSiteArgument | undefined;
  /** The item of a section of identifiers that contains the string. */
  readonly id?: { readonly section: IdSection; readonly index: number } | undefined;
}

/** The section of an identifier: a type, a prototype, a field or a method. */
export type IdSection = 'type' | 'prototype' | 'field' | 'method';

export interface CallSiteArgument {
  /** The index of the call site. */
  readonly index: number;
  /** The index of the bootstrap method; undefined if the method handle refers to a field. */
  readonly method: number | undefined;
  /** Position among the static arguments, from 0. */
  readonly argument: number;
}

/** The values of a call site before its static arguments: the method handle, the name, the type. */
const FIXED_ARGUMENTS = 3;

/** Type of the first method handle that refers to a method; lower types refer to fields. */
const FIRST_METHOD_HANDLE = 4;

const NO_INDEX = 0xffff_ffff;

export interface WalkOptions {
  /** Receives errors that can be skipped, and throws others. */
  readonly tell: Tell;
  readonly budget: Budget;
}

/** A method, and the offset of its code. */
interface MethodCode {
  readonly index: number;
  readonly place: Place;
  /** Offset of the `code_item`, in bytes from the start of the file. */
  readonly offset: number;
  /** Position of that offset in the file. */
  readonly at: number;
}

/** A class's lists of members. */
interface ClassData {
  /** A cursor at the methods. */
  readonly cursor: Cursor;
  /** A cursor at the fields; static ones come first. */
  readonly fields: Cursor;
  readonly statics: number;
  /** The numbers of direct and of virtual methods. */
  readonly methods: readonly number[];
}

/** An instruction that calls a call site. */
export interface Call {
  readonly callSite: number;
  /** The index of the class's type. */
  readonly type: number;
  /** The index of the method. */
  readonly method: number;
  readonly line: number | undefined;
}

/** Offsets of instructions, in bytes from the start of the file; 0 for no debug information. */
interface CodeRange {
  readonly from: number;
  readonly to: number;
  readonly debug: number;
  readonly debugAt: number;
}

/** Bytes that an error costs: wrong counts lead to many, and each takes the time of many bytes. */
const ERROR_COST = 256;

/** Thrown and caught here if reading takes too long, which has been reported. */
class Exhausted extends Error {}

export class Walk {
  readonly #bytes: Uint8Array;
  readonly ids: Ids;
  readonly #options: WalkOptions;
  readonly #nowhere: Place;

  constructor(bytes: Uint8Array, ids: Ids, options: WalkOptions) {
    this.#bytes = bytes;
    this.ids = ids;
    this.#options = options;
    this.#nowhere = new Place(ids);
  }

  /** Yields all references from identifiers, call sites and classes. */
  *references(): Generator<Reference, undefined> {
    try {
      yield* this.#identifiers();
      const { callSites, classes } = this.ids.part;
      this.#spend(callSites, SIZES.callSites);
      for (let i = 0; i < callSites.size; i++) {
        yield* this.#within(this.#nowhere, () => this.#callSite(i));
      }
      this.#spend(classes, SIZES.classes);
      for (let i = 0; i < classes.size; i++) {
        const at = classes.offset + i * SIZES.classes;
        const place = new Place(this.ids, readU4(this.#bytes, at));
        yield* this.#within(place, () => this.#class(at, place));
      }
    } catch (error) {
      if (!(error instanceof Exhausted)) throw error;
    }
  }

  /** Walks through a part of the file, which may not spend the budget of the others. */
  *#within(
    place: Place,
    open: () => Generator<Reference, undefined>,
  ): Generator<Reference, undefined> {
    if (!this.#options.budget.openShare()) throw new Exhausted();
    try {
      yield* this.#guard(place, open);
    } catch (error) {
      if (!(error instanceof Exhausted)) throw error;
    }
  }

  /** Walks through a part of the file that can be skipped if it is malformed. */
  *#guard(
    place: Place,
    open: () => Generator<Reference, undefined>,
  ): Generator<Reference, undefined> {
    try {
      yield* open();
    } catch (error) {
      if (!(error instanceof DexError)) throw error;
      this.#skip(error, place);
    }
  }

  /** Reports an error with its place. */
  #skip(error: DexError, place: Place): void {
    // The error contains its place, and was reported.
    if (error.className !== undefined) throw error;
    const { reason, offset, what, cause } = error;
    this.#options.tell(new DexError(reason, offset, what, place, { cause }));
    if (reason === 'overlap' || !this.#options.budget.spend(ERROR_COST)) throw new Exhausted();
  }

  /** Returns a function that reports errors with a place. */
  #skipIn(place: Place): Skip {
    return (error) => this.#skip(error, place);
  }

  #cursor(offset: number, at: number): Cursor {
    if (offset >= this.#bytes.length) {
      refuse('truncated', at, `the offset of an item, ${offset}, is beyond the end`);
    }
    return new Cursor(this.#bytes, refuse, this.#options.budget, offset);
  }

  /** Subtracts a section from the budget: parts of a container may share one. */
  #spend({ size, offset }: Section, itemSize: number): void {
    if (this.#options.budget.spend(size * itemSize)) return;
    refuse('overlap', offset, 'parts share sections so often that reading them takes too long');
  }

  /** Tells whether an index refers to something; if not, that is reported. */
  #has(section: keyof typeof SIZES, index: number, offset: number, place: Place): boolean {
    return hasItem(this.ids, section, index, offset, (error) => this.#skip(error, place));
  }

  *#identifiers(): Generator<Reference, undefined> {
    const { types, prototypes, fields, methods } = this.ids.part;
    yield* this.#column('type', types, SIZES.types, 0, 'descriptor');
    yield* this.#column('prototype', prototypes, SIZES.prototypes, 0, 'descriptor');
    yield* this.#column('field', fields, SIZES.fields, 4, 'name');
    yield* this.#column('method', methods, SIZES.methods, 4, 'name');
  }

  /** Yields the strings of a section of identifiers, at one offset in each item. */
  *#column(
    section: IdSection,
    items: Section,
    itemSize: number,
    position: number,
    kind: StringKind,
  ): Generator<Reference, undefined> {
    this.#spend(items, itemSize);
    const { size, offset } = items;
    const place = this.#nowhere;
    for (let i = 0; i < size; i++) {
      const at = offset + i * itemSize + position;
      const index = readU4(this.#bytes, at);
      if (index < this.ids.texts.count) {
        yield { kind, index, offset: at, place, id: { section, index: i } };
      } else this.#has('strings', index, at, place);
    }
  }

  *#callSite(index: number): Generator<Reference, undefined> {
    const at = this.ids.part.callSites.offset + index * SIZES.callSites;
    const cursor = this.#cursor(readU4(this.#bytes, at), at);
    const start = cursor.offset;
    const method = this.#methodOfHandle(peekHandle(cursor), start);
    const place = this.#nowhere;
    const kinds = this.#kindsOfArguments(method);
    for (const found of readArray(cursor, this.ids, 'name', this.#skipIn(place))) {
      const argument = found.position - FIXED_ARGUMENTS;
      const { index: text, offset } = found;
      if (argument < 0) yield { kind: 'name', index: text, offset, place };
      else {
        const kind = argument === 0 ? kinds[0] : kinds[1];
        yield { kind, index: text, offset, place, callSite: { index, method, argument } };
      }
    }
  }

  /** Returns the kind of the first static argument, if it is a string, and the kind of the others. */
  #kindsOfArguments(method: number | undefined): readonly [StringKind, StringKind] {
    if (method === undefined) return ['bootstrap-argument', 'bootstrap-argument'];
    const name = `${this.ids.ownerOf(method)}.${this.ids.nameOf(method)}`;
    return bootstraps.get(name) ?? ['bootstrap-argument', 'bootstrap-argument'];
  }

  #methodOfHandle(handle: number | undefined, at: number): number | undefined {
    if (handle === undefined) return undefined;
    const { methodHandles } = this.ids.part;
    if (!this.#has('methodHandles', handle, at, this.#nowhere)) return undefined;
    const item = methodHandles.offset + handle * SIZES.methodHandles;
    if (readU2(this.#bytes, item) < FIRST_METHOD_HANDLE) return undefined;
    const method = readU2(this.#bytes, item + 4);
    return this.#has('methods', method, item + 4, this.#nowhere) ? method : undefined;
  }

  /**
   * Yields the calls of call sites in all code. Errors were reported before, and are skipped. Reads no more
   * than {@link references} has read.
   */
  *calls(): Generator<Call, undefined> {
    const { classes } = this.ids.part;
    for (let i = 0; i < classes.size; i++) {
      const at = classes.offset + i * SIZES.classes;
      try {
        yield* this.#callsOf(at);
      } catch (error) {
        if (!(error instanceof DexError)) throw error;
        if (error.reason === 'overlap') return;
      }
    }
  }

  *#callsOf(at: number): Generator<Call, undefined> {
    const bytes = this.#bytes;
    const data = readU4(bytes, at + 24);
    if (data === 0) return;
    const type = readU4(bytes, at);
    const { cursor, methods } = this.#openData(this.#cursor(data, at + 24));
    for (const method of this.#methods(cursor, new Place(this.ids, type), methods)) {
      for (const { callSite, line } of this.#callsIn(method)) {
        yield { callSite, line, type, method: method.index };
      }
    }
  }

  *#callsIn(method: MethodCode): Generator<Pick<Call, 'callSite' | 'line'>, undefined> {
    const bytes = this.#bytes;
    const { from, to, debug, debugAt } = this.#openCode(method);
    let lines: Lines | undefined;
    for (let at = from; at < to; at += lengthAt(bytes, at, to)) {
      const opcode = bytes[at];
      if (opcode !== Opcode.InvokeCustom && opcode !== Opcode.InvokeCustomRange) continue;
      if (debug !== 0) lines ??= new Lines(this.#cursor(debug, debugAt));
      yield { callSite: readU2(bytes, at + 2), line: lines?.lineAt((at - from) / 2) };
    }
  }

  *#class(at: number, place: Place): Generator<Reference, undefined> {
    const bytes = this.#bytes;
    this.#has('types', readU4(bytes, at), at, place);
    const source = readU4(bytes, at + 16);
    if (source !== NO_INDEX && this.#has('strings', source, at + 16, place)) {
      yield { kind: 'source', index: source, offset: at + 16, place };
    }
    const annotations = readU4(bytes, at + 20);
    if (annotations !== 0) {
      yield* this.#within(place, () => this.#directory(this.#cursor(annotations, at + 20), place));
    }
    const data = readU4(bytes, at + 24);
    const values = readU4(bytes, at + 28);
    if (data !== 0) {
      yield* this.#within(place, () =>
        this.#data(this.#cursor(data, at + 24), place, values, at + 28),
      );
    } else if (values !== 0) {
      refuse('invalid-value', at + 28, 'a class without fields has values of static fields');
    }
  }

  *#data(
    cursor: Cursor,
    place: Place,
    values: number,
    valuesAt: number,
  ): Generator<Reference, undefined> {
    const { fields, statics, methods } = this.#openData(cursor);
    if (values !== 0) {
      yield* this.#within(place, () =>
        this.#staticValues(this.#cursor(values, valuesAt), place, fields, statics),
      );
    }
    for (const method of this.#methods(cursor, place, methods)) {
      yield* this.#within(method.place, () => this.#code(method));
    }
  }

  /** Yields the methods of a class that have code. */
  *#methods(
    cursor: Cursor,
    place: Place,
    counts: readonly number[],
  ): Generator<MethodCode, undefined> {
    for (const count of counts) {
      let index = 0;
      for (let left = count; left > 0; left--) {
        const { offset } = cursor;
        index += cursor.uleb128();
        this.#has('methods', index, offset, place);
        cursor.uleb128(); // access flags
        const at = cursor.offset;
        const code = cursor.uleb128();
        if (code !== 0) yield { index, place: place.inMethod(index), offset: code, at };
      }
    }
  }

  /** Reads the head of a `class_data_item`, and skips the fields. */
  #openData(cursor: Cursor): ClassData {
    const counts = [cursor.uleb128(), cursor.uleb128(), cursor.uleb128(), cursor.uleb128()];
    const [statics = 0, instances = 0, direct = 0, virtual = 0] = counts;
    const fields = this.#cursor(cursor.offset, cursor.offset);
    for (let left = (statics + instances) * 2; left > 0; left--) cursor.uleb128();
    return { cursor, fields, statics, methods: [direct, virtual] };
  }

  *#staticValues(
    cursor: Cursor,
    place: Place,
    fields: Cursor,
    statics: number,
  ): Generator<Reference, undefined> {
    let position = -1;
    let field = 0;
    for (const found of readArray(cursor, this.ids, 'literal', this.#skipIn(place))) {
      if (found.position >= statics) {
        refuse('invalid-value', found.offset, 'there are more values than static fields');
      }
      for (; position < found.position; position++) {
        const at = fields.offset;
        field += fields.uleb128();
        this.#has('fields', field, at, place);
        fields.uleb128();
      }
      const { kind, index, offset } = found;
      yield { kind, index, offset, place: place.inField(field) };
    }
  }

  *#code(method: MethodCode): Generator<Reference, undefined> {
    const bytes = this.#bytes;
    const { place } = method;
    const { from, to, debug, debugAt } = this.#openCode(method);
    let lines: Lines | undefined;
    try {
      if (debug !== 0) lines = new Lines(this.#cursor(debug, debugAt));
    } catch (error) {
      if (!(error instanceof DexError)) throw error;
      this.#skip(error, place);
    }
    for (let at = from; at < to; ) {
      const length = lengthAt(bytes, at, to);
      if (at + length > to) refuse('truncated', at, 'the code ends within an instruction');
      const opcode = bytes[at];
      if (opcode === Opcode.ConstString || opcode === Opcode.ConstStringJumbo) {
        const isJumbo = opcode === Opcode.ConstStringJumbo;
        const index = isJumbo ? readU4(bytes, at + 2) : readU2(bytes, at + 2);
        if (this.#has('strings', index, at + 2, place)) {
          let line: number | undefined;
          try {
            line = lines?.lineAt((at - from) / 2);
          } catch (error) {
            if (!(error instanceof DexError)) throw error;
            this.#skip(error, place);
            lines = undefined;
          }
          yield { kind: 'literal', index, offset: at + 2, place, line };
        }
      }
      at += length;
    }
    if (debug !== 0) yield* this.#guard(place, () => this.#debug(debug, place));
  }

  /** Reads the head of a `code_item`: the offsets of its instructions and its debug information. */
  #openCode({ offset, at }: MethodCode): CodeRange {
    const cursor = this.#cursor(offset, at);
    cursor.skip(8);
    const debugAt = cursor.offset;
    const debug = cursor.u4();
    const size = cursor.u4();
    const from = cursor.offset;
    cursor.skip(size * 2);
    return { from, to: cursor.offset, debug, debugAt };
  }

  *#debug(offset: number, place: Place): Generator<Reference, undefined> {
    const cursor = this.#cursor(offset, offset);
    for (const { kind, index, offset: at, line } of readDebugNames(cursor)) {
      if (this.#has('strings', index, at, place)) yield { kind, index, offset: at, place, line };
    }
  }

  *#directory(cursor: Cursor, place: Place): Generator<Reference, undefined> {
    const start = cursor.offset;
    const ofClass = cursor.u4();
    const counts = [cursor.u4(), cursor.u4(), cursor.u4()];
    const [fields = 0, methods = 0, parameters = 0] = counts;
    if (ofClass !== 0) yield* this.#set(ofClass, start, place);
    for (let left = fields; left > 0; left--) {
      const at = cursor.offset;
      const index = cursor.u4();
      this.#has('fields', index, at, place);
      const field = place.inField(index);
      yield* this.#set(cursor.u4(), at + 4, field);
    }
    for (let left = methods; left > 0; left--) {
      const at = cursor.offset;
      const index = cursor.u4();
      this.#has('methods', index, at, place);
      const method = place.inMethod(index);
      yield* this.#set(cursor.u4(), at + 4, method);
    }
    for (let left = parameters; left > 0; left--) {
      const at = cursor.offset;
      const index = cursor.u4();
      this.#has('methods', index, at, place);
      const method = place.inMethod(index);
      const sets = cursor.u4();
      yield* this.#guard(method, () => this.#parameters(this.#cursor(sets, at + 4), method));
    }
  }

  *#parameters(cursor: Cursor, place: Place): Generator<Reference, undefined> {
    for (let left = cursor.u4(); left > 0; left--) {
      const at = cursor.offset;
      const set = cursor.u4();
      if (set !== 0) yield* this.#set(set, at, place);
    }
  }

  *#set(offset: number, at: number, place: Place): Generator<Reference, undefined> {
    yield* this.#guard(place, () => this.#annotations(this.#cursor(offset, at), place));
  }

  *#annotations(cursor: Cursor, place: Place): Generator<Reference, undefined> {
    for (let left = cursor.u4(); left > 0; left--) {
      const at = cursor.offset;
      const item = cursor.u4();
      yield* this.#guard(place, () => this.#annotation(this.#cursor(item, at), place));
    }
  }

  *#annotation(item: Cursor, place: Place): Generator<Reference, undefined> {
    item.skip(1); // visibility
    const skip = this.#skipIn(place);
    const type = readType(item, this.ids, skip);
    for (const found of readElements(item, this.ids, type, skip)) {
      const { kind, index, offset, path } = found;
      yield { kind, index, offset, place, annotation: path && { type, path } };
    }
  }
}

/** Kinds of the first static argument and of the others, by bootstrap method. */
const bootstraps: ReadonlyMap<string, readonly [StringKind, StringKind]> = new Map([
  [
    'java/lang/invoke/StringConcatFactory.makeConcatWithConstants',
    ['recipe', 'bootstrap-argument'],
  ],
  ['java/lang/runtime/SwitchBootstraps.typeSwitch', ['switch-label', 'switch-label']],
  ['java/lang/runtime/SwitchBootstraps.enumSwitch', ['switch-label', 'switch-label']],
  ['java/lang/runtime/ObjectMethods.bootstrap', ['record-components', 'record-components']],
]);
