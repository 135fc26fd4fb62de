import type { Codec } from '@utf8/core';
import { UsageError } from '../error.js';
import { type Column, parseColumn } from './column.js';

/** The longest text that a column of the target accepts. */
export interface Limit {
  readonly column: Column;
  readonly most: number;
  readonly unit: 'bytes' | 'characters';
  /** As in the options, without the column: `40b`. */
  readonly text: string;
}

const LIMIT = /^(.+)=([1-9]\d*)([bc])$/;

/**
 * Parses a limit: `name=40b` or `name=40c`.
 *
 * @throws {@link UsageError} if it has another form.
 */
export function parseLimit(text: string): Limit {
  const [, column, most, unit] = LIMIT.exec(text) ?? [];
  if (column === undefined) {
    throw new UsageError(
      `--limit requires a column and a length in bytes or characters, such as name=40b or name=40c, not ${JSON.stringify(text)}`,
    );
  }
  return {
    column: parseColumn(column),
    most: Number(most),
    unit: unit === 'b' ? 'bytes' : 'characters',
    text: `${most}${unit}`,
  };
}

/** The length of a value in the unit of a limit. A fault counts as one character. */
export const measureBy = ({ unit }: Limit, value: Uint8Array, codec: Codec): number =>
  unit === 'bytes' ? value.length : codec.countCodePoints(value);
