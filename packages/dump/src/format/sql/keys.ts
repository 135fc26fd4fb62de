/** The unique keys of a dump. */
import type { DeclaredKey, DeclaredReference, KeyColumn, ReaderState } from '../format.js';
import { findColumn } from './catalogue.js';
import type { SqlContext } from './statement-cutter.js';
import type { CatalogueState, ColumnType, KeyPart, TableType } from './table-type.js';
import { EMPTY, entriesOf, getIn } from './trie.js';

/** Lists the keys with a column of text. */
export function listKeys({ context }: ReaderState): DeclaredKey[] {
  const { catalogue } = (context ?? {}) as Partial<SqlContext>;
  return listTables(catalogue).flatMap(({ key: owner, value: table }) => {
    const primary = table.primary ? [{ columns: table.primary, line: table.line }] : [];
    return [...primary, ...table.unique].flatMap(({ columns: parts, line }) => {
      const types = findColumns(table, parts);
      if (!types?.some(isText)) return [];
      const columns = types.map((type, i) => toKeyColumn(type, parts[i]?.length));
      return [{ owner, columns, line }];
    });
  });
}

/** Lists the foreign keys, of any types. */
export function listReferences({ context }: ReaderState): DeclaredReference[] {
  const { catalogue } = (context ?? {}) as Partial<SqlContext>;
  return listTables(catalogue).flatMap(({ key: child, value: table }) =>
    table.references.flatMap(({ columns, table: parent, others }) => {
      const target = getIn(catalogue?.tables ?? EMPTY, parent);
      const own = findColumns(table, columns.map(toPart));
      const named = others.length > 0 ? others.map(toPart) : target?.primary;
      const theirs = target && findColumns(target, named);
      if (!own || !theirs || own.length !== theirs.length) return [];
      const [from, to] = [own, theirs].map((types) => types.map((type) => toKeyColumn(type)));
      if (!from || !to) return [];
      return [{ child, columns: from, parent, parentColumns: to }];
    }),
  );
}

/** Lists tables by their keys, in the order of their statements. */
const listTables = (catalogue: CatalogueState | undefined): { key: string; value: TableType }[] =>
  [...entriesOf(catalogue?.tables ?? EMPTY)].sort((a, b) => a.value.line - b.value.line);

/** Finds columns by their names; undefined if one is missing. */
function findColumns(
  { columns = [] }: TableType,
  parts: readonly KeyPart[] = [],
): readonly ColumnType[] | undefined {
  const types = parts.map(({ name }) => findColumn(columns, name));
  return types.length > 0 && types.every((type) => type !== undefined) ? types : undefined;
}

const toPart = (name: string): KeyPart => ({ name });

const toKeyColumn = (type: ColumnType, length?: number): KeyColumn => ({
  name: type.name,
  ...readCollation(type),
  length,
  isBinary: type.is === 'binary',
});

const isText = ({ is }: ColumnType): boolean => is === 'text';

/**
 * Tells what a column takes for equal. In MySQL's general collations, of which one is the default, and in
 * those of Unicode 4.0, all characters above U+FFFF are.
 *
 * @see https://dev.mysql.com/doc/refman/8.4/en/charset-unicode-sets.html
 */
function readCollation({ charset = '', collation = 'utf8mb4_general_ci' }: ColumnType): {
  readonly isFolded: boolean;
  readonly isNarrow: boolean;
} {
  const isMysql = /^utf8(mb[34])?$/.test(charset);
  return {
    isFolded: isMysql && collation.endsWith('_ci'),
    isNarrow: isMysql && /_(general|unicode)_(mysql500_)?(nopad_)?ci$/.test(collation),
  };
}

/** Returns what statements have said about tables, for a file that begins elsewhere. */
export function describeTables({ context }: ReaderState): CatalogueState | undefined {
  const { catalogue } = (context ?? {}) as Partial<SqlContext>;
  return catalogue && { ...catalogue, database: '', schema: '', session: { line: 0 } };
}
