/** How long text may be, in the columns of the target. */
import type { Codec } from '@utf8/core';
import { UsageFailure } from '../failure.js';
import type { Field, Format } from '../formats/format.js';
import type { RepairOptions } from '../repair/options.js';
import { type Column, createColumn } from './column.js';
import { findChange } from './examine.js';
import type { Spot } from './spot.js';
import { readValue } from './value.js';

/** What `--limit` takes. */
export interface Limit {
  readonly column: Column;
  readonly most: number;
  readonly unit: 'bytes' | 'characters';
  /** As it was written, without the column: `40b`. */
  readonly text: string;
}

const LIMIT = /^(.+)=([1-9]\d*)([bc])$/;

/**
 * Reads a limit.
 *
 * @throws {@link UsageFailure} where it is none.
 */
export function parseLimit(text: string): Limit {
  const [, column = '', most, unit] = LIMIT.exec(text) ?? [];
  if (column === '') {
    throw new UsageFailure(
      `--limit takes a column and how many bytes or characters it holds, as in name=40b or name=40c, not ${JSON.stringify(text)}`,
    );
  }
  return {
    column: createColumn(column),
    most: Number(most),
    unit: unit === 'b' ? 'bytes' : 'characters',
    text: `${most}${unit}`,
  };
}

/** A text that would be too long, and how long it is and would be. */
export interface Excess {
  readonly field: Field;
  readonly limit: Limit;
  readonly before: number;
  readonly after: number;
}

/** Finds texts that are too long. */
export class Limits {
  readonly #limits: readonly Limit[];
  /** The columns that no record has had so far. */
  readonly unseen: Set<Column>;

  constructor(limits: readonly Limit[]) {
    this.#limits = limits;
    this.unseen = new Set(limits.map(({ column }) => column));
  }

  /** Whether there are limits at all, so that everything has to be read. */
  get isAsked(): boolean {
    return this.#limits.length > 0;
  }

  /** The texts of a record that would be too long. */
  find({ stretch, piece, examined }: Spot, format: Format, options: RepairOptions): Excess[] {
    const { bytes } = stretch;
    const found: Excess[] = [];
    for (const field of piece.fields) {
      for (const limit of this.#limits) {
        if (!limit.column.matches(field, piece.table)) continue;
        // No text has more bytes than it is spelled with, or more characters than bytes.
        const change = findChange(examined, field);
        const longest = Math.max(field.end - field.start, change?.bytes.length ?? 0);
        if (field.kind !== 'text' || longest <= limit.most) continue;
        const before = readValue(format.name, bytes, field);
        const after = change ? readValue(format.name, bytes, field, change.bytes) : before;
        const length = measure(limit, after, options.to.codec);
        if (length <= limit.most) continue;
        found.push({
          field,
          limit,
          before: measure(limit, before, options.from.codec),
          after: length,
        });
      }
    }
    return found;
  }
}

/** In the unit of a limit; a fault is one character. */
const measure = ({ unit }: Limit, value: Uint8Array, codec: Codec): number =>
  unit === 'bytes' ? value.length : codec.countCodePoints(value);
