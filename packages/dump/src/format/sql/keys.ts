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
  collation: findCollation(type),
  length,
  isBinary: type.is === 'binary',
  isRedeclared: type.was !== undefined && !/^utf8(mb3)?$/.test(type.was) ? true : undefined,
});

const isText = ({ is }: ColumnType): boolean => is === 'text';

/** The default collations that are not called `general`: of the character sets that are in use. */
const DEFAULTS: Readonly<Record<string, string>> = {
  latin1: 'latin1_swedish_ci',
  latin5: 'latin5_turkish_ci',
  utf8mb3: 'utf8_general_ci',
};

/** Names the collation of a text; undefined in PostgreSQL and SQLite, whose columns have no character set. */
function findCollation({ is, charset, collation }: ColumnType): string | undefined {
  if (is !== 'text') return undefined;
  return collation ?? (charset && (DEFAULTS[charset] ?? `${charset}_general_ci`));
}

/** Returns the tables that statements have described, for a file that begins elsewhere. */
export function describeTables({ context }: ReaderState): CatalogueState | undefined {
  const { catalogue } = (context ?? {}) as Partial<SqlContext>;
  return catalogue && { ...catalogue, database: '', schema: '', session: { line: 0 } };
}
