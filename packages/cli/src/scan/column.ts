/** Columns as somebody names them on the command line. */
import type { Field, Piece } from '../formats/format.js';

/** A column that is asked for: `id`, `users.id` for that of one table, or its number where it has no name. */
export interface Column {
  /** As it was written. */
  readonly text: string;
  readonly matches: (field: Field, table: string | undefined) => boolean;
}

/** Makes the column of a text. */
export function createColumn(text: string): Column {
  const number = /^[1-9]\d*$/.test(text) ? Number(text) : undefined;
  const dot = text.indexOf('.');
  const [table, name] = [text.slice(0, dot), text.slice(dot + 1)];
  return {
    text,
    matches: (field, of) =>
      field.column === text ||
      (field.number === number && field.column === undefined) ||
      (dot > 0 && field.column === name && isTable(of, table)),
  };
}

/** Whether a table is meant, which may be named with its schema. */
const isTable = (table: string | undefined, text: string): boolean =>
  table === text || (table?.endsWith(`.${text}`) ?? false);

/** What a column is called in a report. */
export const nameColumn = ({ column, number }: Field): string | number => column ?? number;

/** Takes those columns out of a set that a record has. */
export function markSeen(unseen: Set<Column>, { fields, table }: Piece): void {
  for (const column of unseen) {
    if (fields.some((field) => column.matches(field, table))) unseen.delete(column);
  }
}
