/** The fields of `INSERT … SET` and `UPDATE`. */
import type { FieldKind } from '../format.js';
import { OPEN } from '../shared/ascii.js';
import type { FieldList } from '../shared/piece.js';
import { findColumn } from './catalogue.js';
import type { Assumption, SqlText } from './dialect.js';
import { TEXT_FUNCTIONS } from './literals.js';
import type { ColumnType } from './table-type.js';
import { Tokens } from './tokens.js';
import { addText, hasByteEscape } from './tuple.js';

/** Tokens between a column and a string that it is compared with, as in `name IN ('a', 'b')`. */
const COMPARES =
  /^([=<>!:(,]|\d+|null|in|like|not|between|binary|collate|rlike|regexp|_\w+|[bxne])$/;

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
  const numbers = new Map(types?.map((type, i) => [type, i + 1]));
  let column: ColumnType | undefined;
  let from = start;
  // In a subquery, and in another statement, a name may be that of another table's column.
  let isElsewhere = false;
  for (let word = tokens.next(); word !== ''; word = tokens.next()) {
    const { start: i, end: after, name } = tokens;
    const isString = tokens.isString || (tokens.isQuoted && dialect.isString(bytes, i, mode));
    if (isString) {
      addText(sql, from, i, fields);
      const edge = dialect.edgeOf(bytes, i);
      const written = dialect.kindOf(bytes, i, after);
      const own = isElsewhere ? undefined : column;
      const number = own ? (numbers.get(own) ?? 1) : (types?.length ?? 0) + 1;
      const known = own && own.is !== 'other' ? own.is : undefined;
      const escapes = dialect.escapes(bytes, i, mode);
      const isHidden = dialect.hidesBinary || (escapes && hasByteEscape(bytes, i, after));
      const kind = written === 'text' ? kindOf(known, isHidden, assume) : written;
      fields.add(i + edge, after - edge, kind, own?.name, number, escapes);
      from = after;
    } else if (word === ';' || word === 'select') isElsewhere = true;
    else if (name && findColumn(types ?? [], name)) column = findColumn(types ?? [], name);
    else if (!COMPARES.test(word) && !(bytes[after] === OPEN && TEXT_FUNCTIONS.test(word))) {
      column = undefined;
    }
  }
  addText(sql, from, end, fields);
  fields.declare(types);
}

/** Returns the kind of a string for a column. */
function kindOf(
  is: 'text' | 'binary' | undefined,
  isHidden: boolean,
  assume: Assumption | undefined,
): FieldKind {
  const known = is ?? (isHidden ? assume : 'text');
  if (known === undefined) return 'unknown';
  return known === 'text' ? 'text' : 'opaque';
}
