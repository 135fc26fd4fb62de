/** What the user may do, by SHOW GRANTS: what a user may not see, the catalogue leaves out. */

export interface Grant {
  /** In capitals, such as `TRIGGER`; `ALL PRIVILEGES` is all. */
  readonly privileges: ReadonlySet<string>;
  /** Whether it is about some columns of the table, as `SELECT (a, b)` is. */
  readonly hasColumns: boolean;
  /** A pattern of LIKE. */
  readonly database: string;
  readonly table: string;
}

/** Reads a line of SHOW GRANTS; undefined if it grants a role, or something that is no table. */
export function parseGrant(line: string): Grant | undefined {
  const name = '(\\*|`(?:[^`]|``)*`)';
  const parts = line.match(new RegExp(`^GRANT (.+?) ON ${name}\\.${name} TO `, 's'));
  if (!parts) return undefined;
  const [, list = '', database = '', table = ''] = parts;
  // SELECT (a, b) is about columns alone.
  const privileges = list.replace(/\w+ \([^)]*\)/g, '').split(/,\s*/);
  return {
    privileges: new Set(privileges),
    hasColumns: /\bSELECT \(/.test(list),
    database: unquote(database),
    table: unquote(table),
  };
}

/** Whether a user has a privilege on a table, or on all tables of a database. */
export function hasPrivilege(
  grants: readonly Grant[],
  privilege: string,
  database: string,
  table?: string,
): boolean {
  return grants.some(
    (grant) =>
      (grant.privileges.has(privilege) || grant.privileges.has('ALL PRIVILEGES')) &&
      (grant.database === '*' || isLike(database, grant.database)) &&
      (grant.table === '*' || grant.table === table),
  );
}

/** Whether the catalogue shows all columns of a table, and not only those that the user may read. */
export const showsAllColumns = (
  grants: readonly Grant[],
  database: string,
  table: string,
): boolean =>
  hasPrivilege(grants, 'SELECT', database, table) ||
  !grants.some((grant) => grant.hasColumns && grant.database === database && grant.table === table);

const unquote = (name: string): string => name.replace(/^`|`$/g, '').replaceAll('``', '`');

function isLike(text: string, pattern: string): boolean {
  const expression = pattern.replace(/\\?./gs, (part) => {
    if (part === '%') return '.*';
    if (part === '_') return '.';
    return part.slice(-1).replace(/[^\w]/, '\\$&');
  });
  return new RegExp(`^${expression}$`, 's').test(text);
}
