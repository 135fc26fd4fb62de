/** A unit that does not fit into memory, such as a row with a blob of 1 GiB. */
import { InputError } from '../error.js';
import type { Format, ReaderState } from '../format/format.js';
import type { Source } from '../open/source.js';
import { Spool } from '../open/spool.js';
import type { Segment } from './segment.js';

const BACKSLASH = 0x5c;

/** Bytes in which to look for a cut that splits neither a character nor an escape. */
const REACH = 4096;

/** Longest escape, in bytes: JSON's `\u0000`. */
const ESCAPE = 6;

/** Start of a unit, and the test for bytes that can be copied without being parsed. */
interface Context {
  readonly state: ReaderState;
  readonly offset: number;
  /** Bytes to read at once. */
  readonly size: number;
  readonly isClean: (bytes: Uint8Array) => boolean;
}

/**
 * Reads a unit twice: first to find its end and whether it is clean, then, if it is, to pass it on.
 * A source that is read in order is spooled to a temporary file in between.
 */
export class LongUnit {
  /** Offset after the unit, and the state of a reader there. */
  end = 0;
  state: ReaderState;
  /** Bytes that were read and not passed: the unit itself if it is not clean, or the bytes after it. */
  left: Uint8Array = new Uint8Array();
  readonly #source: Pick<Source, 'name' | 'read' | 'size'>;
  readonly #format: Format;
  readonly #context: Context;

  constructor(source: Pick<Source, 'name' | 'read' | 'size'>, format: Format, context: Context) {
    this.#source = source;
    this.#format = format;
    this.#context = context;
    this.state = context.state;
  }

  /**
   * Passes the unit on if it is clean.
   *
   * @param head - The bytes of the unit that were read already.
   * @returns True if it was passed.
   */
  async *pass(head: Uint8Array): AsyncGenerator<Segment, boolean, undefined> {
    const spool = new Spool(this.#source, this.#context.offset);
    try {
      const length = await this.#measure(head, spool);
      if (length === -1) {
        this.left = spool.isNeeded ? await spool.readAll() : head.slice();
        return false;
      }
      this.end = this.#context.offset + length;
      const { state, size } = this.#context;
      for (let done = 0; done < length; ) {
        const bytes = await spool.read(done, Math.min(size, length - done));
        if (bytes.length === 0) throw changed(this.#source.name);
        done += bytes.length;
        const next = done < length ? state : this.state;
        const offset = this.#context.offset + done - bytes.length;
        yield { bytes, ahead: bytes.subarray(0, 0), offset, state, next, isVerbatim: true };
      }
      if (spool.isNeeded) this.left = await spool.read(length, spool.length - length);
      return true;
    } finally {
      spool.close();
    }
  }

  /** Returns the length of the unit in bytes; -1 if something in it may have to be repaired. */
  async #measure(head: Uint8Array, spool: Spool): Promise<number> {
    const { state, size, isClean } = this.#context;
    const scanner = this.#format.createScanner(state);
    let memory = new Uint8Array(size + REACH);
    let rest = 0;
    let done = 0;
    let chunk = head;
    spool.add(head);
    for (;;) {
      const found = scanner.push(chunk, chunk.length === 0);
      const unit = found === -1 ? chunk : chunk.subarray(0, found);
      if (rest + unit.length > memory.length) {
        const grown = new Uint8Array(rest + unit.length);
        grown.set(memory.subarray(0, rest));
        memory = grown;
      }
      memory.set(unit, rest);
      const bytes = memory.subarray(0, rest + unit.length);
      const cut = found === -1 ? findCut(bytes) : bytes.length;
      const part = bytes.subarray(0, cut);
      if (cut === -1 || !isClean(part) || this.#format.hidesText?.(part, state, false)) return -1;
      if (found !== -1) {
        this.state = scanner.state;
        return done + found;
      }
      rest = bytes.length - cut;
      memory.copyWithin(0, cut, bytes.length);
      done += chunk.length;
      chunk = await spool.readNext(this.#context.offset + done, size);
    }
  }
}

/** Finds an index near the end that splits no character and no escape; -1 if there is none. */
function findCut(bytes: Uint8Array): number {
  const least = Math.max(0, bytes.length - REACH);
  let backslash = bytes.lastIndexOf(BACKSLASH);
  for (let i = bytes.length; i > least; i--) {
    while (backslash >= i) backslash = bytes.lastIndexOf(BACKSLASH, i - 1);
    const byte = bytes[i - 1] as number;
    if (byte < 0x80 && i - backslash > ESCAPE) return i;
    // Before a lead, except one that may begin a surrogate of a pair.
    const isLead = byte >= 0xc0 && byte !== 0xed && bytes[i - 4] !== 0xed;
    if (isLead && i - 1 - backslash > ESCAPE && i - 1 > 0) return i - 1;
  }
  return bytes.length < REACH ? 0 : -1;
}

const changed = (name: string): InputError =>
  new InputError(`${name}: changed while it was read; run again on a file that does not change`);
