import type { Field } from '../format.js';

/** A column to look for: `id`, `users.id` for that of one table, or its number if it has no name. */
export interface Column {
  /** As in the options. */
  readonly text: string;
  readonly matches: (field: Pick<Field, 'column' | 'number'>, table: string | undefined) => boolean;
}

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

/** A column by its name alone, whatever its case. */
export const nameColumn = (name: string): Column => {
  const lower = name.toLowerCase();
  return { text: name, matches: ({ column }) => column?.toLowerCase() === lower };
};
