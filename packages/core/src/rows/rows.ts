import type { PackedGrammar } from '../grammar/packed.js';
import type { PreparedRow } from './prepared-row.js';
import type { Leads, Sequence } from './sequence.js';

/** Rows prepared for reading and writing. */
export interface PreparedRows {
  /** The rows by first byte. */
  readonly leads: Leads;
  /** The units by first byte; in malformed bytes, each unit is read by itself. */
  readonly units: Leads;
  /** The rows that are written. */
  readonly written: readonly PreparedRow[];
}

/** Reads and writes one character at a time by the rows of an encoding. */
export interface Rows {
  /** The name that errors contain. */
  readonly name: string;
  readonly packed: PackedGrammar;
  readonly prepared: PreparedRows;
  /** Reads the sequence at an offset, or the longest prefix of one. */
  read(bytes: Uint8Array, offset: number): Sequence;
  /** Reads the faulty bytes at an offset: a unit, the longest prefix of one, or the match of a `!` row. */
  readFault(bytes: Uint8Array, offset: number, sequence: Sequence): Sequence;
}
