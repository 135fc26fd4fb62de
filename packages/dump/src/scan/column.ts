import type { Field } from '../format/format.js';
import type { FindingPlace } from './scan-finding.js';

/** A column to look for: `id`, `users.id` for that of one table, or its number if it has no name. */
export interface Column {
  /** As in the options. */
  readonly text: string;
  readonly matches: (field: Field, table: string | undefined) => boolean;
}

/** Parses the name of a column. */
export function parseColumn(text: string): Column {
  const number = /^[1-9]\d*$/.test(text) ? Number(text) : undefined;
  const dot = text.indexOf('.');
  const [table, name] = [text.slice(0, dot), text.slice(dot + 1)];
  const suffix = `.${table}`;
  return {
    text,
    matches: (field, of) =>
      field.column === text ||
      (field.number === number && field.column === undefined) ||
      (dot > 0 && field.column === name && (of === table || (of?.endsWith(suffix) ?? false))),
  };
}

/** The name of a field's column, or its number. */
export const columnOf = ({ column, number }: Field): string | number => column ?? number;

/** The name that a column is counted under: with its table, and all elements of a JSON array as one. */
export function nameCount({
  record,
  column,
  table,
}: Pick<FindingPlace, 'record' | 'column' | 'table'>): string {
  if (record === 0) return 'outside of records';
  const name = typeof column === 'number' ? `column ${column}` : column.replace(/\[\d+\]/g, '[]');
  return table === undefined ? name : `${table}.${name}`;
}
