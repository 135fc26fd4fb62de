import type { Key, KeyValue, Table } from './server/table.js';

/** The key of a row by the names of its columns, as undo logs and reports contain it. */
export type NamedKey = Readonly<Record<string, KeyValue>>;

/** Names the values of a key; without names, by number. */
export const nameKey = ({ key: rowKey }: Table, key: Key): NamedKey =>
  Object.fromEntries(key.map((value, i) => [rowKey?.names[i] ?? `${i + 1}`, value]));

/** Restores a key from its names; undefined if it is not one of the table. */
export function readKey({ key: rowKey }: Table, named: NamedKey): Key | undefined {
  if (!rowKey || Object.keys(named).length !== rowKey.names.length) return undefined;
  const values = rowKey.names.map((name) => (Object.hasOwn(named, name) ? named[name] : undefined));
  return values.includes(undefined) ? undefined : (values as Key);
}

/** Tells apart the rows of all tables. */
export const identifyRow = ({ name }: Table, key: Key): string => JSON.stringify([name, key]);
