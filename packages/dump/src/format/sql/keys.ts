/** The unique keys of a dump. */
import type { DeclaredKey, ReaderState } from '../format.js';
import { findColumn } from './catalogue.js';
import type { SqlContext } from './statement-cutter.js';
import type { CatalogueState, ColumnType } from './table-type.js';

/** Lists the keys with a column of text. */
export function listKeys({ context }: ReaderState): DeclaredKey[] {
  const { catalogue } = (context ?? {}) as Partial<SqlContext>;
  return Object.entries(catalogue?.tables ?? {}).flatMap(([owner, table]) => {
    const primary = table.primary ? [{ columns: table.primary, line: table.line }] : [];
    return [...primary, ...table.unique].flatMap(({ columns: names, line }) => {
      const types = names.map((name) => findColumn(table.columns ?? [], name));
      if (!types.every((type) => type !== undefined)) return [];
      const columns = types.map((type) => ({ name: type.name, isFolded: isFolded(type) }));
      return types.some(isText) ? [{ owner, columns, line }] : [];
    });
  });
}

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
