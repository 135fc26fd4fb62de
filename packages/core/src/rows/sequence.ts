/**
 * Bytes one sequence at a time, as the rows say: how far each comes, and what is a character where
 * there is none. A position of a row counts in its own width, so a code point is summed as in a number
 * of mixed radix, and not by masks and shifts; any row that counts in order works.
 */
import type { PackedRow } from '../grammar/packed.js';
import { prepareRow, type Spelling } from './spelling.js';

/** The rows, or the units, that begin with a byte, by that byte. */
export type Leads = readonly (readonly Spelling[])[];

export function groupByLead(rows: readonly PackedRow[]): Leads {
  const leads: Spelling[][] = Array.from({ length: 256 }, () => []);
  for (const spelling of rows.map(prepareRow)) {
    const first = spelling.bytes[0] as number;
    const end = first + (spelling.widths[0] as number);
    for (const list of leads.slice(first, end)) list.push(spelling);
  }
  return leads;
}

/** What was read: a whole sequence, or as much as could begin one. */
export interface Sequence {
  /** In bytes, a byte that was refused not counted. */
  readonly length: number;
  /** Below 0 if there is no well-formed sequence: {@link FAULT} or {@link REFUSED}. */
  readonly codePoint: number;
  /** Whether only the end kept what was read from being longer. */
  readonly isCut: boolean;
}

/** The code point of what is none. */
export const FAULT = -1;

/** The code point of what a `!` row refuses: a fault over all of it. */
export const REFUSED = -2;

/** Reads the sequence that begins at an offset, or as much of one as there is. */
export function readSequence(leads: Leads, bytes: Uint8Array, offset: number): Sequence {
  let longest = 0;
  let isCut = false;
  for (const { bytes: firsts, first, length, widths } of leads[bytes[offset] as number] ?? []) {
    let steps = 0;
    let i = 0;
    for (; i < length; i++) {
      const width = widths[i] as number;
      const step = (bytes[offset + i] as number) - (firsts[i] as number);
      // After the end there is no byte, and so no step.
      if (!(step >= 0 && step < width)) break;
      steps = steps * width + step;
    }
    if (i === length) return { length, codePoint: first + steps, isCut: false };
    isCut ||= bytes[offset + i] === undefined;
    longest = Math.max(longest, i);
  }
  return { length: longest, codePoint: FAULT, isCut };
}
