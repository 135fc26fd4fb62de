import type { PackedGrammar } from '../grammar/packed.js';
import type { Leads, Sequence } from './sequence.js';
import type { Spelling } from './spelling.js';

/** Rows prepared for reading and writing. */
export interface PreparedRows {
  /** The rows by first byte. */
  readonly leads: Leads;
  /** The units by first byte; a unit stands alone if it is faulty. */
  readonly units: Leads;
  /** The rows that are written. */
  readonly spellings: readonly Spelling[];
}

/** An encoding as its rows read and write it: one character at a time. */
export interface Rows {
  /** The name that errors contain. */
  readonly name: string;
  readonly packed: PackedGrammar;
  readonly prepared: PreparedRows;
  /** Reads the sequence that begins at an offset, or as much of one as there is. */
  read(bytes: Uint8Array, offset: number): Sequence;
  /** Reads the faulty bytes at an offset: a unit, or as much of one as there is, or a match of a `!` row. */
  readFault(bytes: Uint8Array, offset: number, sequence: Sequence): Sequence;
}
