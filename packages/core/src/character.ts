/**
 * Bytes one sequence at a time, as the rows say: how far each comes, and what is a character where
 * there is none. A position of a row counts in its own width, so a code point is summed as in a number
 * of mixed radix, and not by masks and shifts; any row that counts in order works.
 */
import type { Engine } from './engine.js';
import { type Spelling, spellRow } from './speller.js';
import type { PackedRow } from './tables.js';

/** The rows, or the units, that begin with a byte, by that byte. */
export type Leads = readonly (readonly Spelling[])[];

export function groupByLead(rows: readonly PackedRow[]): Leads {
  const leads: Spelling[][] = Array.from({ length: 256 }, () => []);
  for (const spelling of rows.map(spellRow)) {
    const [first, width] = [spelling.bytes[0] as number, spelling.widths[0] as number];
    for (const list of leads.slice(first, first + width)) list.push(spelling);
  }
  return leads;
}

/** What was read: a whole sequence, or as much as could begin one. */
export interface Sequence {
  /** In bytes, a byte that was refused not counted. */
  length: number;
  /** {@link FAULT} where there is no whole sequence. */
  codePoint: number;
  /** Whether only the end kept what was read from being longer. */
  isCut: boolean;
}

/** The code point of what is none. */
export const FAULT = -1;

/** A place to read to, which a loop uses again and again. */
export const createSequence = (): Sequence => ({ length: 0, codePoint: FAULT, isCut: false });

/**
 * Reads one sequence of `bytes[offset..end)`, which is not empty, and writes what it read to `sequence`.
 */
export function readSequence(
  leads: Leads,
  bytes: Uint8Array,
  offset: number,
  end: number,
  sequence: Sequence,
): void {
  sequence.length = 0;
  sequence.codePoint = FAULT;
  sequence.isCut = false;
  for (const row of leads[bytes[offset] as number] as readonly Spelling[]) {
    const { length } = row;
    let steps = 0;
    let i = 0;
    for (; i < length && offset + i < end; i++) {
      const width = row.widths[i] as number;
      const step = (bytes[offset + i] as number) - (row.bytes[i] as number);
      if (step < 0 || step >= width) break;
      steps = steps * width + step;
    }
    if (i > sequence.length) sequence.length = i;
    if (i === length) {
      sequence.codePoint = row.first + steps;
      sequence.isCut = false;
      return;
    }
    if (offset + i === end) sequence.isCut = true;
  }
}

/**
 * Reads one character, malformed or not, and writes it to `character`: a well-formed sequence is one;
 * in a domain of code units a high half with the low half behind it is one, and so is a lone half;
 * a fault is one, with {@link FAULT} for a code point.
 */
export function readCharacter(
  engine: Engine,
  bytes: Uint8Array,
  offset: number,
  character: Sequence,
): void {
  readSequence(engine.paired.sequences, bytes, offset, bytes.length, character);
  if (character.codePoint !== FAULT) return;
  readSequence(engine.sequences, bytes, offset, bytes.length, character);
  if (character.codePoint !== FAULT) return;
  readUnit(engine, bytes, offset, character);
  character.codePoint = FAULT;
}

/** The maximal subpart at an offset: the longest prefix of any unit, at least one byte. */
export function readUnit(
  { units }: Engine,
  bytes: Uint8Array,
  offset: number,
  unit: Sequence,
): void {
  readSequence(units, bytes, offset, bytes.length, unit);
  unit.length ||= 1;
}
