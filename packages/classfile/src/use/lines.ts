/** Lines of the source. */

import type { Pool } from '../pool/pool.js';
import { readU2 } from '../pool/reader.js';
import { findCodeForm, readCodeLength } from '../walk/code-form.js';

/** Number of offsets in a method that a `LineNumberTable` can refer to. */
const MOST_OFFSETS = 0x10000;

/** The lines of one method after another. */
export class Lines {
  readonly #pool: Pool;
  /** Line plus one by offset from the start of the code; 0 for none. */
  #lines = new Uint32Array(0);
  #start = 0;
  #length = 0;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  /**
   * Reads the tables of a method.
   *
   * @param start - The offset of the content of the attribute `Code`, in bytes from the start of the file.
   */
  read(start: number): void {
    const { bytes } = this.#pool;
    const u4 = (at: number): number => readU2(bytes, at) * 0x10000 + readU2(bytes, at + 2);
    const end = Math.min(bytes.length, start + u4(start - 4));
    const form = findCodeForm(this.#pool, start, end);
    this.#start = start + 4 * form;
    const codeLength = readCodeLength(this.#pool, start, form);
    this.#clear(Math.min(codeLength, MOST_OFFSETS));
    let at = this.#start + codeLength;
    at += 2 + 8 * readU2(bytes, at);
    const count = at + 2 <= end ? readU2(bytes, at) : 0;
    at += 2;
    for (let left = count; left > 0 && at + 6 <= end; left--) {
      const length = u4(at + 2);
      const isTable = this.#pool.hasText(readU2(bytes, at), 'LineNumberTable');
      at += 6;
      if (isTable) this.#add(at, Math.min(end, at + length));
      at += length;
    }
    this.#fill();
  }

  /** Returns the line of an instruction; undefined if no table contains it. */
  lineAt(offset: number): number | undefined {
    const position = Math.min(offset - this.#start, this.#length - 1);
    const line = this.#lines[position];
    return line ? line - 1 : undefined;
  }

  #clear(length: number): void {
    if (this.#lines.length < length) this.#lines = new Uint32Array(length);
    else this.#lines.fill(0, 0, length);
    this.#length = length;
  }

  /** Adds the entries of a table. Of two entries for one offset, the last counts. */
  #add(start: number, end: number): void {
    const { bytes } = this.#pool;
    if (start + 2 > end) return;
    const last = Math.min(end, start + 2 + 4 * readU2(bytes, start));
    for (let at = start + 2; at + 4 <= last; at += 4) {
      const offset = readU2(bytes, at);
      if (offset < this.#length) this.#lines[offset] = readU2(bytes, at + 2) + 1;
    }
  }

  /** Gives an instruction without an entry the line of the one before. */
  #fill(): void {
    const lines = this.#lines;
    for (let i = 1; i < this.#length; i++) lines[i] ||= lines[i - 1] as number;
  }
}
