import type { Field } from '../format.js';

/**
 * A column to look for: `id`, `users.id` for that of one table, `items[].id` for that of all elements of a
 * JSON array, or its number if it has no name.
 */
export interface Column {
  /** As in the options. */
  readonly text: string;
  readonly matches: (field: Pick<Field, 'column' | 'number'>, table: string | undefined) => boolean;
  /** The name in lower case, if the column is known by that alone. */
  readonly lower?: string;
}

/** Names all elements of a JSON array as one. */
export const nameItems = (column: string): string => column.replace(/\[\d+\]/g, '[]');

export function parseColumn(text: string): Column {
  const number = /^[1-9]\d*$/.test(text) ? Number(text) : undefined;
  const dot = text.indexOf('.');
  const [table, name] = [text.slice(0, dot), text.slice(dot + 1)];
  const suffix = `.${table}`;
  const hasItems = text.includes('[]');
  return {
    text,
    matches: (field, of) =>
      field.column === text ||
      (hasItems && field.column !== undefined && nameItems(field.column) === text) ||
      (field.number === number && field.column === undefined) ||
      (dot > 0 && field.column === name && (of === table || (of?.endsWith(suffix) ?? false))),
  };
}

/** A column by its name alone, in any case. */
export const nameColumn = (name: string): Column => {
  const lower = name.toLowerCase();
  return { text: name, lower, matches: ({ column }) => column?.toLowerCase() === lower };
};

/** The fields of a record by their columns, of which a key may have many. */
export class FieldIndex {
  readonly #fields: readonly Field[];
  readonly #table: string | undefined;
  #byName: Map<string, Field[]> | undefined;

  constructor(fields: readonly Field[], table: string | undefined) {
    this.#fields = fields;
    this.#table = table;
  }

  /** Lists the fields of a column in order. */
  list({ matches, lower }: Column): readonly Field[] {
    if (lower === undefined) return this.#fields.filter((field) => matches(field, this.#table));
    this.#byName ??= this.#index();
    return this.#byName.get(lower) ?? [];
  }

  #index(): Map<string, Field[]> {
    const byName = new Map<string, Field[]>();
    for (const field of this.#fields) {
      const name = field.column?.toLowerCase();
      if (name === undefined) continue;
      const known = byName.get(name);
      if (known) known.push(field);
      else byName.set(name, [field]);
    }
    return byName;
  }
}
