/** Names of tables and columns are data: quoted, each is one name of the statement, whatever it contains. */
import { expect, it } from 'vitest';
import { quoteName as quoteMysql } from '../src/server/mysql/mysql-literal.js';
import { chooseNames } from '../src/server/postgres/postgres-page.js';
import { quote as quotePostgres } from '../src/server/postgres/postgres-sql.js';
import { quoteName as quoteSqlite } from '../src/server/sqlite/sqlite-literal.js';

const names = [
  'a',
  '"',
  '``',
  "'",
  '";DROP TABLE x;--',
  '`;DROP TABLE x;--',
  '*/',
  '\\"',
  '\\`',
  'a\nb',
  '-- x',
  '""""',
];

it.each([
  ['MySQL', quoteMysql, '`'],
  ['PostgreSQL', quotePostgres, '"'],
  ['SQLite', quoteSqlite, '"'],
])('a name is one name to %s', (_, quote, mark) => {
  for (const name of names) {
    const quoted = quote(name);
    // A quoted name ends at the first mark that is not doubled.
    const [whole, inside = ''] =
      new RegExp(`^${mark}((?:[^${mark}]|${mark}${mark})*)${mark}`).exec(quoted) ?? [];
    expect(whole, name).toBe(quoted);
    expect(inside.replaceAll(mark + mark, mark)).toBe(name);
  }
});

it.each([[['id']], [['utf8#count']], [['utf8#count', 'utf8#1#ctid', 'utf8#3#']]])(
  'columns that a query adds are none of the columns %j',
  (columns) => {
    const own = Object.values(chooseNames(columns.map((name) => ({ name }))));
    expect(new Set([...own, ...columns.map(quotePostgres)]).size).toBe(6 + columns.length);
  },
);
