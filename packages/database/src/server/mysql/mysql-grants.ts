/** Privileges of the user, by SHOW GRANTS: the catalogue leaves out everything that a user may not see. */
import { isSign, isWord, split, type Token, tokenize } from './mysql-tokens.js';

export interface Grant {
  /** In capitals, such as `TRIGGER`; `ALL PRIVILEGES` is all. */
  readonly privileges: ReadonlySet<string>;
  /** True if the grant is about some columns of the table, as `SELECT (a, b)` is. */
  readonly hasColumns: boolean;
  /** A pattern of LIKE if it is about all tables; undefined for all databases. */
  readonly database: string | undefined;
  /** Undefined for all tables. */
  readonly table: string | undefined;
}

/** Reads a line of SHOW GRANTS; undefined if it grants a role, or a privilege on something other than a table. */
export function parseGrant(line: string): Grant | undefined {
  const [list = [], target = [], more] = split(tokenize(line), (token) => isWord(token, 'ON'));
  const [database, dot, table, to] = target;
  const isTarget = (token: Token | undefined): boolean =>
    token?.is === 'name' || isSign(token, '*');
  const isTable = isTarget(database) && isSign(dot, '.') && isTarget(table);
  if (!isWord(list[0], 'GRANT') || !isTable || !isWord(to, 'TO') || more) return undefined;
  const privileges = split(list.slice(1), (token) => isSign(token, ',')).map((tokens) => {
    // SELECT (`a`, `b`) is about columns alone.
    const open = tokens.findIndex((token) => isSign(token, '('));
    const words = open < 0 ? tokens : tokens.slice(0, open);
    return { name: words.map(({ text }) => text).join(' '), hasColumns: open >= 0 };
  });
  const nameOf = (token: Token | undefined): string | undefined =>
    token?.is === 'name' ? token.text : undefined;
  return {
    privileges: new Set(privileges.flatMap(({ name, hasColumns }) => (hasColumns ? [] : name))),
    hasColumns: privileges.some(({ name, hasColumns }) => hasColumns && name === 'SELECT'),
    database: nameOf(database),
    table: nameOf(table),
  };
}

/** Tells whether a user has a privilege on a table, or on all tables of a database. */
export function hasPrivilege(
  grants: readonly Grant[],
  privilege: string,
  database: string,
  table?: string,
): boolean {
  return grants.some(
    (grant) =>
      (grant.privileges.has(privilege) || grant.privileges.has('ALL PRIVILEGES')) &&
      (grant.table === undefined
        ? grant.database === undefined || isLike(database, grant.database)
        : grant.database === database && grant.table === table),
  );
}

/** Tells whether the catalogue shows all columns of a table, and not only those that the user may read. */
export const showsAllColumns = (
  grants: readonly Grant[],
  database: string,
  table: string,
): boolean =>
  hasPrivilege(grants, 'SELECT', database, table) ||
  !grants.some((grant) => grant.hasColumns && grant.database === database && grant.table === table);

function isLike(text: string, pattern: string): boolean {
  const expression = pattern.replace(/\\?./gs, (part) => {
    if (part === '%') return '.*';
    if (part === '_') return '.';
    return part.slice(-1).replace(/[^\w]/, '\\$&');
  });
  return new RegExp(`^${expression}$`, 's').test(text);
}
