/** URL of a database, as given on a command line. */
import { UsageError } from '@utf8/dump';

/** The kinds of server; `mysql` is MariaDB, too. */
export type ServerKind = 'sqlite' | 'mysql' | 'postgres';

/** A database to open. */
export interface Target {
  /** The kind of the server. */
  readonly kind: ServerKind;
  /** Name for messages and undo logs: the URL without user and password. */
  readonly name: string;
  /** Location to open: a path for SQLite, a URL with its password for any other server. */
  readonly location: string;
}

const kinds: ReadonlyMap<string, ServerKind> = new Map([
  ['sqlite', 'sqlite'],
  ['mysql', 'mysql'],
  ['mariadb', 'mysql'],
  ['postgres', 'postgres'],
  ['postgresql', 'postgres'],
]);

/** Scheme of SQLite. The path after it is not decoded, since file names can contain any character. */
const SQLITE = /^sqlite:(?:\/\/(?=\/))?/i;

/** User without a host, as for a socket: RFC 3986 forbids it, but the servers' own programs accept it. */
const HOSTLESS = /^([a-z]+:\/\/[^/?#]*@)(?=[/?#]|$)/i;

/**
 * Reads the URL of a database: `sqlite:app.db`, `sqlite:///srv/app.db`, `mysql://user@host/shop`,
 * `mariadb://…`, `postgres://…` or `postgresql://…`.
 *
 * @param url - The URL.
 * @returns The kind of the server, the connection data, and a name without a password.
 * @throws UsageError (`ERR_UTF8_USAGE`) if the URL has another form. The message contains no password.
 * @example
 * ```ts
 * import { parseUrl } from '@utf8/database';
 *
 * const { kind, name } = parseUrl('postgres://ann:secret@localhost/shop');
 * kind; // => 'postgres'
 * name; // => 'postgres://localhost/shop'
 * parseUrl('sqlite:app.db').location; // => 'app.db'
 * ```
 * @see RFC 3986, section 3
 */
export function parseUrl(url: string): Target {
  const [, scheme = ''] = /^([a-z][a-z\d+.-]*):/i.exec(url) ?? [];
  const kind = kinds.get(scheme.toLowerCase());
  if (!kind) {
    throw new UsageError(
      `${scheme ? `unknown kind of database, ${scheme}:` : 'not a database URL'}; expected sqlite:FILE, mysql://…, mariadb://… or postgres://…`,
    );
  }
  if (kind === 'sqlite') {
    const location = url.replace(SQLITE, '');
    if (location === '')
      throw new UsageError('no file after sqlite:; add one, as in sqlite:app.db');
    if (location.includes('\0')) throw new UsageError('the name of a file cannot contain U+0000');
    return { kind, name: `sqlite:${location}`, location };
  }
  const whole = url.replace(HOSTLESS, '$1localhost');
  const parsed = URL.canParse(whole) ? new URL(whole) : undefined;
  if (!parsed || !/^[a-z]+:\/\//i.test(url)) {
    throw new UsageError(
      `the URL after ${scheme}: is malformed; expected ${scheme}://USER@HOST/DATABASE, with special characters as %XX`,
    );
  }
  // Parameters may contain passwords, too.
  const name = `${scheme.toLowerCase()}://${parsed.host}${parsed.pathname}`;
  // The driver of PostgreSQL looks for the host elsewhere then, as in PGHOST.
  return { kind, name, location: kind === 'mysql' ? whole : url };
}
