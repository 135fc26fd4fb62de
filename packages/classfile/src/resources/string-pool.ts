/** String pools. Every file of resources has at least one. */
import type { ErrorPolicy, Fault } from '@utf8/core';
import type { Budget } from '../android/budget.js';
import { readU2, readU4 } from '../android/cursor.js';
import { createCause, decodeAt, findFaultAt } from '../android/spelling.js';
import * as poolText from '../generated/resources/pool/index.js';
import { type Chunk, checkHeader, POOL_HEADER, type Reading, tellUnusual } from './chunk.js';
import { attempt, ResourceError, refuse, type Tell } from './error.js';
import { hasString } from './reference.js';

/** A string of a pool. */
export interface ResourceString {
  /** Position of the pool in the file, from 0. */
  readonly pool: number;
  /** Its index in the pool. */
  readonly index: number;
  /** Offset of `bytes`, in bytes from the start of the file. */
  readonly offset: number;
  /** The string as encoded in the file, without its lengths and its terminator: a view, not a copy. */
  readonly bytes: Uint8Array;
  /**
   * Encoding of `bytes`: UTF-8 or UTF-16 (little-endian). Characters above U+FFFF have six bytes in UTF-8, as aapt2
   * writes them, or four; a byte 00 is U+0000. UTF-16 may contain unpaired surrogates.
   */
  readonly encoding: 'utf-8' | 'utf-16';
  /** The string, decoded. */
  readonly string: string;
  /**
   * The first error, with its offset from the start of the file; undefined if the string is well-formed,
   * which it always is under the policy `strict`, and in UTF-16.
   */
  readonly fault: Fault | undefined;
}

const UTF8_FLAG = 1 << 8;

/** Index of a missing string. */
export const NO_STRING = 0xffff_ffff;

/** Least length of strings that are decoded only once, since many uses may refer to one. */
const LONG = 256;

/** Old versions of aapt wrote lengths of UTF-8 without their higher bits. */
const TRUNCATED_LENGTH = 0x8000;

/** Most code units that one call receives as arguments. */
const BLOCK = 4096;

export class StringPool {
  readonly #bytes: Uint8Array;
  readonly #errors: ErrorPolicy;
  readonly number: number;
  readonly encoding: 'utf-8' | 'utf-16';
  /** Offset of the text by index. Both bounds are 0 if the text could not be read, which was reported. */
  readonly #starts: Uint32Array;
  readonly #ends: Uint32Array;
  readonly #long = new Map<number, string>();
  /** Number of strings at the start of the pool that have styles. */
  readonly #styleCount: number;
  readonly #stylesStart: number;
  readonly #chunk: Chunk;

  /** Finds all strings; under `strict`, checks them. */
  constructor(
    bytes: Uint8Array,
    chunk: Chunk,
    number: number,
    errors: ErrorPolicy,
    reading: Reading,
    budget: Budget,
  ) {
    checkHeader(chunk, POOL_HEADER);
    const { tell } = reading;
    this.#bytes = bytes;
    this.#chunk = chunk;
    this.#errors = errors;
    this.number = number;
    const { start, body, end } = chunk;
    let count = readU4(bytes, start + 8);
    let styles = readU4(bytes, start + 12);
    const isUtf8 = (readU4(bytes, start + 16) & UTF8_FLAG) !== 0;
    this.encoding = isUtf8 ? 'utf-8' : 'utf-16';
    if (body - start !== POOL_HEADER) {
      tellUnusual(
        reading,
        start + 2,
        `a header of ${body - start} bytes usually has ${POOL_HEADER}`,
      );
    }
    if ((count + styles) * 4 > end - body) {
      const what = `a pool of ${end - start} bytes has no room for ${count} strings`;
      tell(new ResourceError('truncated', start + 8, what));
      count = Math.min(count, Math.floor((end - body) / 4));
      styles = 0;
    }
    this.#styleCount = styles;
    const stylesStart = readU4(bytes, start + 24);
    this.#stylesStart = start + stylesStart;
    const last = styles > 0 && start + stylesStart < end ? start + stylesStart : end;
    this.#starts = new Uint32Array(count);
    this.#ends = new Uint32Array(count);
    const first = start + readU4(bytes, start + 20);
    for (let index = 0; index < count; index++) {
      const at = body + 4 * index;
      attempt(tell, () => this.#find(index, first, last, at, budget));
      const taken = (this.#ends[index] as number) - (this.#starts[index] as number) + 4;
      if (!budget.spend(taken)) refuse('overlap', at, 'strings share bytes too often');
      if (errors === 'strict') this.#check(index);
    }
  }

  get count(): number {
    return this.#starts.length;
  }

  /** Tells whether a string could be read. */
  has(index: number): boolean {
    return (this.#starts[index] ?? 0) !== 0;
  }

  /** Returns the text of a string; `?` if it could not be read. */
  textOf(index: number): string {
    if (!this.has(index)) return '?';
    const start = this.#starts[index] as number;
    const end = this.#ends[index] as number;
    const isLong = end - start >= LONG;
    const known = isLong ? this.#long.get(index) : undefined;
    if (known !== undefined) return known;
    const text =
      this.encoding === 'utf-16'
        ? decodeUnits(this.#bytes, start, end)
        : decodeAt(poolText, this.#bytes.subarray(start, end), start, this.#errors);
    if (isLong) this.#long.set(index, text);
    return text;
  }

  createString(index: number): ResourceString {
    const { encoding } = this;
    const offset = this.#starts[index] as number;
    const bytes = this.#bytes.subarray(offset, this.#ends[index]);
    const isSure = encoding === 'utf-16' || this.#errors === 'strict';
    return {
      pool: this.number,
      index,
      offset,
      bytes,
      encoding,
      string: this.textOf(index),
      fault: isSure ? undefined : findFaultAt(poolText, bytes, offset),
    };
  }

  /** Reads all strings that can be read. */
  *readAll(): Generator<ResourceString, undefined> {
    for (let index = 0; index < this.count; index++) {
      if (this.has(index)) yield this.createString(index);
    }
  }

  /** Yields the tags in styled strings. */
  *readStyles(budget: Budget, tell: Tell): Generator<Style, undefined> {
    const bytes = this.#bytes;
    const { body, end } = this.#chunk;
    for (let styled = 0; styled < this.#styleCount; styled++) {
      const entry = body + 4 * (this.count + styled);
      for (let at = this.#stylesStart + readU4(bytes, entry); ; at += 12) {
        if (at + 4 > end) {
          tell(new ResourceError('truncated', entry, `the style ${styled} has no end`));
          break;
        }
        if (!budget.spend(12)) refuse('overlap', entry, 'styles share bytes too often');
        const index = readU4(bytes, at);
        if (index === NO_STRING) break;
        if (hasString(this, index, at, tell)) yield { index, offset: at, styled };
      }
    }
  }

  #find(index: number, first: number, last: number, at: number, budget: Budget): void {
    const start = first + readU4(this.#bytes, at);
    // A length, and a terminator.
    if (start + 2 > last) {
      refuse('truncated', at, `the offset of the string ${index} is invalid: ${start}`);
    }
    if (this.encoding === 'utf-8') this.#findUtf8(index, start, last, budget);
    else this.#findUtf16(index, start, last);
  }

  #findUtf8(index: number, start: number, last: number, budget: Budget): void {
    const bytes = this.#bytes;
    // The number of UTF-16 code units, which Android ignores.
    const at = start + ((bytes[start] as number) & 0x80 ? 2 : 1);
    const isLong = at < last && (bytes[at] as number) & 0x80;
    const from = at + (isLong ? 2 : 1);
    if (from > last) refuse('truncated', start, `the string ${index} has no length`);
    const high = isLong ? ((bytes[at] as number) & 0x7f) << 8 : 0;
    let to = from + (high | (bytes[from - 1] as number));
    for (; to < last && bytes[to] !== 0; to += TRUNCATED_LENGTH) {
      if (!budget.spend(4)) refuse('overlap', start, 'strings share bytes too often');
    }
    if (to >= last) refuse('invalid-value', start, `the string ${index} has no 00 at its end`);
    this.#starts[index] = from;
    this.#ends[index] = to;
  }

  #findUtf16(index: number, start: number, last: number): void {
    const bytes = this.#bytes;
    let units = readU2(bytes, start);
    let from = start + 2;
    if (units & 0x8000) {
      if (start + 4 > last) refuse('truncated', start, `the string ${index} has no length`);
      units = (units & 0x7fff) * 0x1_0000 + readU2(bytes, start + 2);
      from = start + 4;
    }
    const to = from + 2 * units;
    if (to + 2 > last) {
      refuse('truncated', start, `the string ${index} states ${units} code units`);
    }
    if (readU2(bytes, to) !== 0) {
      refuse('invalid-value', start, `the string ${index} has no 0000 at its end`);
    }
    this.#starts[index] = from;
    this.#ends[index] = to;
  }

  /** Refuses a malformed string. */
  #check(index: number): void {
    if (this.encoding === 'utf-16' || !this.has(index)) return;
    const start = this.#starts[index] as number;
    const text = this.#bytes.subarray(start, this.#ends[index]);
    const fault = findFaultAt(poolText, text, start);
    if (!fault) return;
    const cause = createCause(poolText, text, start, fault);
    const what = `the string ${index} of the pool ${this.number} is not UTF-8: ${fault.reason}`;
    throw new ResourceError('malformed-utf8', fault.offset, what, { cause });
  }
}

/** A tag in a styled string. */
export interface Style {
  /** The index of the string that names it. */
  readonly index: number;
  /** Offset of that index, in bytes from the start of the file. */
  readonly offset: number;
  /** The index of the string that has the tag. */
  readonly styled: number;
}

/** Decodes the code units between two offsets, including unpaired surrogates, which no TextDecoder keeps. */
function decodeUnits(bytes: Uint8Array, start: number, end: number): string {
  let text = '';
  for (let at = start; at < end; ) {
    const units: number[] = [];
    for (const last = Math.min(end, at + 2 * BLOCK); at < last; at += 2) {
      units.push(readU2(bytes, at));
    }
    text += String.fromCharCode(...units);
  }
  return text;
}
