/** Columns of the options: those of a key, and those with a limit. */
import type { Codec } from '@utf8/core';
import { UsageError } from '../error.js';
import { type Column, nameItems, parseColumn } from '../format/shared/column-choice.js';
import { opt, phrase } from '../phrase.js';

/** The name that a column is counted under: with its table, and all elements of a JSON array as one. */
export function nameCount(
  record: number,
  table: string | undefined,
  column: string | number,
): string {
  if (record === 0) return 'outside of records';
  const name = typeof column === 'number' ? `column ${column}` : nameItems(column);
  return table === undefined ? name : `${table}.${name}`;
}

/** The longest text that a column of the target accepts. */
export interface Limit {
  readonly column: Column;
  readonly most: number;
  /** As in the options, without the column: `40b`. */
  readonly text: string;
  /** Measures a value. A fault counts as one character. */
  readonly measure: (value: Uint8Array, codec: Codec) => number;
}

/** Parses a limit: `name=40b` or `name=40c`. Throws a {@link UsageError} if it has another form. */
export function parseLimit(text: string): Limit {
  const [, column, most, unit] = /^(.+)=([1-9]\d*)([bc])$/.exec(text) ?? [];
  if (column === undefined) {
    throw new UsageError(
      phrase`${opt('limits')} ${JSON.stringify(text)}: expected a column and a length in bytes or characters, as in name=40b or name=40c`,
    );
  }
  return {
    column: parseColumn(column),
    most: Number(most),
    text: `${most}${unit}`,
    measure: (value, codec) => (unit === 'b' ? value.length : codec.countCodePoints(value)),
  };
}
