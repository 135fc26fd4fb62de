/** The fields of `INSERT … SET` and `UPDATE`. */
import type { FieldKind } from '../format.js';
import { OPEN } from '../shared/ascii.js';
import type { FieldList } from '../shared/piece.js';
import { findColumn } from './catalogue.js';
import type { Assumption, SqlText } from './dialect.js';
import type { ColumnType } from './table-type.js';
import { Tokens } from './tokens.js';
import { addText } from './tuple.js';

/** What may stand between a column and a string that it is compared with, as in `name IN ('a', 'b')`. */
const COMPARES = /^([=<>!:(,]|in|like|not|between|binary|collate|rlike|regexp|_\w+|[bxne])$/;

/**
 * Finds the fields of a statement. A string belongs to the column that it is assigned to or compared with.
 *
 * @param first - The index of the first assignment.
 * @param types - All columns of the table; undefined if nothing is known of them.
 */
export function splitSet(
  sql: SqlText,
  start: number,
  first: number,
  end: number,
  types: readonly ColumnType[] | undefined,
  assume: Assumption | undefined,
  fields: FieldList,
): void {
  const { bytes, dialect, mode } = sql;
  const tokens = new Tokens(sql, first, end);
  const elsewhere = dialect.hidesBinary ? kindWithoutColumn(types, assume) : 'text';
  let column: ColumnType | undefined;
  let from = start;
  for (let word = tokens.next(); word !== ''; word = tokens.next()) {
    const { start: i, end: after, name } = tokens;
    const escapes = dialect.escapes(bytes, i, mode);
    // Only a string escapes, and only a name has one.
    const isName = name !== undefined && !(tokens.isQuoted && escapes);
    if (tokens.isString || (tokens.isQuoted && escapes)) {
      addText(sql, from, i, fields);
      const edge = dialect.edgeOf(bytes, i);
      const kind = dialect.kindOf(bytes, i, after);
      const number = column ? (types?.indexOf(column) ?? 0) + 1 : (types?.length ?? 0) + 1;
      const isText = kind === 'text';
      fields.add(
        i + edge,
        after - edge,
        isText && !column ? elsewhere : kind,
        column?.name,
        number,
        escapes,
      );
      from = after;
    } else if (isName && findColumn(types ?? [], name)) column = findColumn(types ?? [], name);
    else if (!COMPARES.test(word) && bytes[after] !== OPEN) column = undefined;
  }
  addText(sql, from, end, fields);
  fields.declare(types);
}

/** Returns the kind of a string of no column in particular. */
function kindWithoutColumn(
  types: readonly ColumnType[] | undefined,
  assume: Assumption | undefined,
): FieldKind {
  if (types) return types.some(({ is }) => is === 'binary') ? 'unknown' : 'text';
  if (assume === undefined) return 'unknown';
  return assume === 'text' ? 'text' : 'opaque';
}
