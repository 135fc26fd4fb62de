/** The unique keys of a dump. */
import type { DeclaredKey, DeclaredReference, KeyColumn, ReaderState } from '../format.js';
import { findColumn } from './catalogue.js';
import type { SqlContext } from './statement-cutter.js';
import type { CatalogueState, ColumnType, TableType } from './table-type.js';

/** Lists the keys with a column of text. */
export function listKeys({ context }: ReaderState): DeclaredKey[] {
  const { catalogue } = (context ?? {}) as Partial<SqlContext>;
  return Object.entries(catalogue?.tables ?? {}).flatMap(([owner, table]) => {
    const primary = table.primary ? [{ columns: table.primary, line: table.line }] : [];
    return [...primary, ...table.unique].flatMap(({ columns: names, line }) => {
      const types = findColumns(table, names);
      return types?.some(isText) ? [{ owner, columns: types.map(toKeyColumn), line }] : [];
    });
  });
}

/** Lists the foreign keys, of any types. */
export function listReferences({ context }: ReaderState): DeclaredReference[] {
  const { tables = {} } = ((context ?? {}) as Partial<SqlContext>).catalogue ?? {};
  return Object.entries(tables).flatMap(([child, table]) =>
    table.references.flatMap(({ columns, table: parent, others }) => {
      const target = tables[parent];
      const own = findColumns(table, columns);
      const theirs = target && findColumns(target, others.length > 0 ? others : target.primary);
      if (!own || !theirs || own.length !== theirs.length) return [];
      const [from, to] = [own.map(toKeyColumn), theirs.map(toKeyColumn)];
      return [{ child, columns: from, parent, parentColumns: to }];
    }),
  );
}

/** Finds columns by their names; undefined if one is missing. */
function findColumns(
  { columns = [] }: TableType,
  names: readonly string[] = [],
): readonly ColumnType[] | undefined {
  const types = names.map((name) => findColumn(columns, name));
  return types.length > 0 && types.every((type) => type !== undefined) ? types : undefined;
}

const toKeyColumn = (type: ColumnType): KeyColumn => ({
  name: type.name,
  isFolded: isFolded(type),
});

/** Numbers and dates have no character set of their own. */
const isText = ({ is, charset }: ColumnType): boolean => is === 'text' && charset !== 'ascii';

/**
 * Tells whether all characters above U+FFFF are equal in a column: in MySQL's collations of Unicode 4.0
 * and in the general ones, of which one is the default.
 *
 * @see https://dev.mysql.com/doc/refman/8.4/en/charset-unicode-sets.html
 */
function isFolded({ is, charset, collation }: ColumnType): boolean {
  if (is !== 'text' || !/^utf8(mb[34])?$/.test(charset ?? '')) return false;
  return collation === undefined || /_(general|unicode)_(mysql500_)?(nopad_)?ci$/.test(collation);
}

/** Returns what statements have said about tables, for a file that begins elsewhere. */
export function describeTables({ context }: ReaderState): CatalogueState | undefined {
  const { catalogue } = (context ?? {}) as Partial<SqlContext>;
  return catalogue && { ...catalogue, database: '', schema: '' };
}
