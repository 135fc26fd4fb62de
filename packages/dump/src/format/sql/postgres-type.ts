/**
 * Types of columns in PostgreSQL.
 *
 * @see https://www.postgresql.org/docs/current/datatype.html
 */
import type { Structure } from '@utf8/repair';
import type { Catalogue } from './catalogue.js';
import type { ColumnType } from './table-type.js';
import type { Words } from './words.js';

type Traits = Omit<ColumnType, 'name' | 'line'>;

/** Reads a type, and nothing after it. */
export function readPostgresType(words: Words, catalogue: Catalogue): Traits {
  const name = words.readName()?.join('.') ?? words.next().text;
  words.acceptAll(/^(varying|precision)$/);
  const length = Number(words.readGroup()?.peek().text) || undefined;
  if (words.accept('with') || words.accept('without')) words.accept('time zone');
  const element = resolve(name, length, catalogue);
  let isArray = words.accept('array');
  while (words.accept('[')) {
    isArray = true;
    while (!words.isOver && words.next().text !== ']');
  }
  return isArray ? arrayOf(element) : element;
}

/** An array of bytea contains only hexadecimal digits and backslashes. */
const arrayOf = (element: Traits): Traits =>
  element.is === 'binary'
    ? element
    : { is: 'text', structure: { is: 'array', of: element.structure } };

function resolve(name: string, length: number | undefined, catalogue: Catalogue): Traits {
  const known = catalogue.type(name);
  if (known?.is === 'domain') return known.column;
  if (known?.is === 'composite')
    return { is: 'text', structure: { is: 'composite', of: known.of } };
  if (known) return { is: 'text' };
  const bare = name.slice(name.lastIndexOf('.') + 1).toLowerCase();
  if (bare === 'bytea') return { is: 'binary' };
  const structure = structures[bare];
  if (structure) return { is: 'text', structure };
  // Arrays of system types are also called `_text`.
  if (bare.startsWith('_')) return arrayOf(resolve(bare.slice(1), undefined, catalogue));
  const isLimited = /^(varchar|character|char|bpchar)$/.test(bare);
  const usual = /^(character|char)$/.test(bare) ? 1 : undefined;
  return { is: 'text', characters: isLimited ? (length ?? usual) : undefined };
}

const structures: Readonly<Record<string, Structure>> = {
  json: { is: 'json' },
  jsonb: { is: 'json' },
  hstore: { is: 'hstore' },
  xml: { is: 'xml' },
};
