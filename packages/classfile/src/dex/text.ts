/** The strings of a DEX file. */
import type { ErrorPolicy, Fault } from '@utf8/core';
import * as mutf8 from '@utf8/mutf8';
import { Budget } from '../android/budget.js';
import { Cursor, readU4 } from '../android/cursor.js';
import { createCause, decodeAt, findFaultAt } from '../android/spelling.js';
import { type KindSet, listKinds, type StringKind } from '../kind.js';
import { DexError, refuse } from './error.js';
import { type Section, SIZES, type Tell } from './header.js';

/** A string of a DEX file. */
export interface DexString {
  /** Its index in `string_ids`, from 0. */
  readonly index: number;
  /** Offset of `bytes`, in bytes from the start of the file. */
  readonly offset: number;
  /** The string as encoded in the file, without its length and its terminating 00: a view, not a copy. */
  readonly bytes: Uint8Array;
  /** The string, decoded. */
  readonly string: string;
  /** Kinds of the string: at least one, in the order of `kinds` of `@utf8/classfile`. */
  readonly kinds: readonly StringKind[];
  /**
   * The first error, with its offset from the start of the file; undefined if the string is well-formed,
   * which it always is under the policy `strict`.
   */
  readonly fault: Fault | undefined;
}

/** Least length of strings that are decoded only once, since many uses may refer to one. */
const LONG = 256;

/** One `string_ids`, which the parts of a container share. */
export class Texts {
  readonly #bytes: Uint8Array;
  readonly #errors: ErrorPolicy;
  /** Offset of the text by index. Both bounds are 0 if the text could not be read, which was reported. */
  readonly #starts: Uint32Array;
  readonly #ends: Uint32Array;
  readonly #kinds: Uint16Array;
  /** Number of bytes that are left for other strings. */
  left: number;
  readonly #long = new Map<number, string>();
  /** Offset of the last 00 of the file. */
  readonly #lastNul: number;

  /**
   * Finds all strings, and checks their stated lengths.
   *
   * @param room - Most bytes that strings and their offsets can have without sharing any: ART refuses
   *   strings that share bytes, and so reading them stays linear.
   * @throws {@link DexError} if a string is malformed and the policy is `strict`.
   */
  constructor(bytes: Uint8Array, section: Section, errors: ErrorPolicy, tell: Tell, room: number) {
    this.left = room - section.size * SIZES.strings;
    if (this.left < 0) refuse('overlap', section.offset, 'sections of strings overlap');
    const budget = new Budget(bytes.length);
    // Bytes of strings that are skipped because they share bytes of others.
    let shared = 0;
    this.#bytes = bytes;
    this.#errors = errors;
    this.#starts = new Uint32Array(section.size);
    this.#ends = new Uint32Array(section.size);
    this.#kinds = new Uint16Array(section.size);
    this.#lastNul = bytes.lastIndexOf(0);
    for (let index = 0; index < section.size; index++) {
      const at = section.offset + 4 * index;
      const before = this.left;
      try {
        this.left -= this.#find(index, at, budget, tell);
      } catch (error) {
        if (!(error instanceof DexError) || error.reason === 'malformed-utf8') throw error;
        tell(error);
      }
      if (this.left >= 0) continue;
      const size = (this.#ends[index] as number) - (this.#starts[index] as number);
      const error = new DexError('overlap', at, `the string ${index} shares bytes with others`);
      shared += size;
      if (shared > bytes.length) throw error;
      tell(error);
      this.left = before;
      this.#starts[index] = 0;
      this.#ends[index] = 0;
    }
  }

  get count(): number {
    return this.#starts.length;
  }

  /** Tells whether a string could be read. */
  has(index: number): boolean {
    return (this.#starts[index] ?? 0) !== 0;
  }

  addKind(index: number, kind: KindSet): void {
    (this.#kinds[index] as number) |= kind;
  }

  /** Returns the text of a string; `?` if it could not be read. */
  textOf(index: number): string {
    if (!this.has(index)) return '?';
    const start = this.#starts[index] as number;
    const isLong = (this.#ends[index] as number) - start >= LONG;
    const known = isLong ? this.#long.get(index) : undefined;
    if (known !== undefined) return known;
    const text = decodeAt(mutf8, this.bytesOf(index), start, this.#errors);
    if (isLong) this.#long.set(index, text);
    return text;
  }

  bytesOf(index: number): Uint8Array {
    return this.#bytes.subarray(this.#starts[index], this.#ends[index]);
  }

  createString(index: number): DexString {
    const offset = this.#starts[index] as number;
    const bytes = this.bytesOf(index);
    return {
      index,
      offset,
      bytes,
      string: this.textOf(index),
      kinds: listKinds(this.#kinds[index] as KindSet),
      fault: this.#errors === 'strict' ? undefined : findFaultAt(mutf8, bytes, offset),
    };
  }

  /** Reads all strings that can be read. */
  *readAll(): Generator<DexString, undefined> {
    for (let index = 0; index < this.count; index++) {
      if (this.has(index)) yield this.createString(index);
    }
  }

  /** Finds a string, and returns the number of bytes of it and its length field. */
  #find(index: number, at: number, budget: Budget, tell: Tell): number {
    const bytes = this.#bytes;
    const item = readU4(bytes, at);
    if (item === 0 || item >= bytes.length) {
      refuse('truncated', at, `the offset of the string ${index} is invalid: ${item}`);
    }
    const cursor = new Cursor(bytes, refuse, budget, item);
    const units = cursor.uleb128();
    const start = cursor.offset;
    if (start > this.#lastNul) {
      refuse('truncated', item, `the string ${index} has no 00 at its end`);
    }
    const end = bytes.indexOf(0, start);
    this.#starts[index] = start;
    this.#ends[index] = end;
    const found = this.#count(index, start, end);
    if (found !== undefined && found !== units) {
      const what = `the string ${index} states ${units} UTF-16 code units, but has ${found}`;
      tell(new DexError('count', item, what));
    }
    return end + 1 - item;
  }

  /** Counts the UTF-16 code units of a string; undefined if it is malformed and the policy allows that. */
  #count(index: number, start: number, end: number): number | undefined {
    const bytes = this.#bytes;
    let units = 0;
    let all = 0;
    for (let i = start; i < end; i++) {
      const byte = bytes[i] as number;
      all |= byte;
      // In this encoding every code unit has exactly one byte that is not a continuation byte.
      if ((byte & 0xc0) !== 0x80) units++;
    }
    if (all < 0x80) return units;
    const text = bytes.subarray(start, end);
    const fault = findFaultAt(mutf8, text, start);
    if (!fault) return units;
    if (this.#errors !== 'strict') return undefined;
    const cause = createCause(mutf8, text, start, fault);
    const what = `the string ${index} is not ${mutf8.name}: ${fault.reason}`;
    throw new DexError('malformed-utf8', fault.offset, what, {}, { cause });
  }
}
