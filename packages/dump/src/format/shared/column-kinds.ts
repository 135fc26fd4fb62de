/** Kinds of the columns of a file without types: text or bytes. */
import { UsageError } from '../../error.js';
import { opt, phrase } from '../../phrase.js';
import type { FieldKind, FormatOption, FormatOptions } from '../format.js';
import { readColumns } from './options.js';

export const binaryOption: FormatOption = {
  name: 'binary',
  value: 'columns',
  help: 'columns to copy unchanged, by name or number',
};

/** Options about columns. */
export interface ColumnTypes {
  /** The kind of every column that is not named. */
  readonly usual: FieldKind;
  /** Names and numbers of binary columns. */
  readonly binary: readonly string[];
}

/** The kinds of columns whose names are known. */
export interface ColumnKinds {
  readonly usual: FieldKind;
  /** Numbers of binary columns, from 1. */
  readonly binary: ReadonlySet<number>;
  /** The highest of them; 0 if there is none. */
  readonly last: number;
}

/**
 * Finds the types of columns in options.
 *
 * @param unknown - The kind of columns that no option mentions.
 * @throws {@link UsageError} if an option is invalid.
 */
export function findColumnTypes(options: FormatOptions, unknown: FieldKind): ColumnTypes {
  const { assume } = options;
  if (assume !== undefined && assume !== 'text' && assume !== 'binary') {
    throw new UsageError(
      phrase`${opt('assume')} ${JSON.stringify(assume)}: expected text or binary`,
    );
  }
  const binary = readColumns(options, binaryOption) ?? [];
  // Naming the binary columns tells that the others are not.
  const usual = binary.length > 0 ? 'text' : unknown;
  return { usual: assume === 'binary' ? 'opaque' : (assume ?? usual), binary };
}

/**
 * Finds the numbers of columns.
 *
 * @returns The name of a column that does not exist, if there is one.
 */
export function resolveKinds(
  { usual, binary }: ColumnTypes,
  columns: readonly string[],
): ColumnKinds | string {
  const numbers = new Set<number>();
  for (const column of binary) {
    const index = columns.indexOf(column);
    if (index !== -1) numbers.add(index + 1);
    else if (/^[1-9]\d*$/.test(column)) numbers.add(Number(column));
    else return column;
  }
  return { usual, binary: numbers, last: Math.max(0, ...numbers) };
}

/**
 * Finds the numbers of columns before a file is read.
 *
 * @throws {@link UsageError} if a column does not exist.
 */
export function requireKinds(types: ColumnTypes, columns: readonly string[]): ColumnKinds {
  const kinds = resolveKinds(types, columns);
  if (typeof kinds === 'object') return kinds;
  throw new UsageError(
    phrase`${opt('binary')} ${JSON.stringify(kinds)}: no such column; list all columns with ${opt('columns')}, or use its number`,
  );
}
