/**
 * Reads one sequence at a time by the rows. Each position of a row counts in its own width: a code point is a
 * number of mixed radix, computed without masks and shifts, so any row in code point order works.
 */
import type { PackedRow } from '../grammar/packed.js';
import { type PreparedRow, prepareRow } from './prepared-row.js';

/** Rows or units, by the value of their first byte. */
export type Leads = readonly (readonly PreparedRow[])[];

export function groupByLead(rows: readonly PackedRow[]): Leads {
  const leads: PreparedRow[][] = Array.from({ length: 256 }, () => []);
  for (const row of rows.map(prepareRow)) {
    const first = row.bytes[0] as number;
    const end = first + (row.widths[0] as number);
    for (const list of leads.slice(first, end)) list.push(row);
  }
  return leads;
}

/** A sequence that was read, or the longest prefix of one. */
export interface Sequence {
  /** In bytes, without the first byte that does not match. */
  readonly length: number;
  /** Below 0 if there is no well-formed sequence: {@link FAULT} or {@link REFUSED}. */
  readonly codePoint: number;
  /** True if more bytes after the end of the input could make the sequence longer. */
  readonly isCut: boolean;
}

/** Code point of malformed bytes. */
export const FAULT = -1;

/** Code point of a sequence that a `!` row refuses, which is one fault. */
export const REFUSED = -2;

/** Reads the sequence at an offset, or the longest prefix of one. */
export function readSequence(leads: Leads, bytes: Uint8Array, offset: number): Sequence {
  let longest = 0;
  let isCut = false;
  for (const { bytes: firsts, first, length, widths } of leads[bytes[offset] as number] ?? []) {
    let steps = 0;
    let i = 0;
    for (; i < length; i++) {
      const width = widths[i] as number;
      const step = (bytes[offset + i] as number) - (firsts[i] as number);
      // After the end, the byte is undefined and the step is NaN.
      if (!(step >= 0 && step < width)) break;
      steps = steps * width + step;
    }
    if (i === length) return { length, codePoint: first + steps, isCut: false };
    isCut ||= bytes[offset + i] === undefined;
    longest = Math.max(longest, i);
  }
  return { length: longest, codePoint: FAULT, isCut };
}
