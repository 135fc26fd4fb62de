/** Effects of statements that differ among servers, because of code in comments that only some of them run. */
import { isDeepStrictEqual } from 'node:util';
import { leastOf } from '../../charset/repertoire.js';
import type { Catalogue } from './catalogue.js';
import { findColumn } from './catalogue.js';
import { MARIADB, MYSQL } from './dialect.js';
import type { ColumnType, TableType } from './table-type.js';

/** Reads a statement as each server does. Columns that they read differently are unknown. */
export function learnFromEach(catalogue: Catalogue, read: (server: number) => void): void {
  const [mysql, mariadb] = [MYSQL, MARIADB].map((server) => catalogue.attempt(() => read(server)));
  if (!mysql || !mariadb) return;
  // Other changes follow MySQL, whose dumps contain such comments.
  catalogue.learn({ ...mysql.rest, reach: leastOf(mysql.rest.reach, mariadb.rest.reach) });
  for (const key of new Set([...mysql.tables.keys(), ...mariadb.tables.keys()])) {
    const before = catalogue.table(key);
    const one = mysql.tables.has(key) ? mysql.tables.get(key) : before;
    const other = mariadb.tables.has(key) ? mariadb.tables.get(key) : before;
    catalogue.putTable(key, one && other ? merge(one, other) : withoutColumns(one ?? other));
  }
}

/** A table that exists on one server only may have any columns. */
const withoutColumns = (table: TableType | undefined): TableType | undefined =>
  table && { ...table, columns: undefined };

function merge(one: TableType, other: TableType): TableType {
  const [mine, theirs] = [one.columns, other.columns];
  if (!mine || !theirs) return { ...one, columns: undefined };
  const all = [...mine, ...theirs.filter(({ name }) => !findColumn(mine, name))];
  const isSameOrder = isDeepStrictEqual(mine.map(nameOf), theirs.map(nameOf));
  const columns = all.map((column): ColumnType => {
    const [a, b] = [findColumn(mine, column.name), findColumn(theirs, column.name)];
    const isSame = a && b && a.is === b.is && a.charset === b.charset;
    const isVisible = isSameOrder && a?.isInvisible === b?.isInvisible;
    return {
      ...column,
      ...(isSame ? {} : { is: 'other', charset: undefined, structure: undefined }),
      ...(isVisible ? {} : { isInvisible: 'maybe' }),
    };
  });
  return { ...one, columns };
}

const nameOf = ({ name }: ColumnType): string => name;
