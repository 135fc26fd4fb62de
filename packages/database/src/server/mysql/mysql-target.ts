/** Connection options for MySQL or MariaDB, from a URL. */
import { userInfo } from 'node:os';
import { UsageError } from '@utf8/dump';
import type { ConnectionOptions, SslOptions } from 'mysql2';

/** Database to connect to. */
export interface MysqlTarget {
  /** Name for messages: the URL without password and parameters. */
  readonly name: string;
  readonly options: ConnectionOptions & { readonly database: string };
}

/** Values of `?ssl=`. */
const ssl: Readonly<Record<string, SslOptions>> = {
  true: {},
  'skip-verify': { rejectUnauthorized: false },
};

/**
 * Reads a URL such as `mysql://user:password@host:3306/shop?ssl=true` or
 * `mariadb:///shop?socketPath=/run/mysqld/mysqld.sock`. Without a user it is the system's, and without a
 * password that of the variable MYSQL_PWD, as with the server's own programs.
 *
 * @throws UsageError if the URL contains no database, or has parameters other than `socketPath` and `ssl`.
 */
export function readTarget(target: URL | string): MysqlTarget {
  const url = parse(target);
  const database = decode(url.pathname.slice(1));
  const user = decode(url.username) || findUser();
  const host = decode(url.hostname.replace(/^\[(.*)\]$/, '$1')) || 'localhost';
  const name = `${url.protocol}//${user}@${url.host || 'localhost'}/${database}`;
  if (!database || database.includes('/')) {
    throw new UsageError(
      `${name}: the URL contains no database; add it after the host, as in /shop`,
    );
  }
  const options: ConnectionOptions & { database: string } = { database, user, host };
  const password = decode(url.password) || process.env.MYSQL_PWD;
  if (password) options.password = password;
  if (url.port) options.port = Number(url.port);
  for (const [parameter, value] of url.searchParams) {
    if (parameter === 'socketPath') options.socketPath = value;
    else if (parameter === 'ssl' && Object.hasOwn(ssl, value)) options.ssl = { ...ssl[value] };
    else if (parameter === 'ssl') {
      throw new UsageError(`${name}: unknown value of ssl; expected true or skip-verify`);
    } else {
      throw new UsageError(`${name}: unknown parameter ${parameter}; expected socketPath or ssl`);
    }
  }
  return { name, options };
}

function parse(target: URL | string): URL {
  let url: URL | undefined;
  try {
    url = new URL(target);
  } catch {
    // Its text may contain a password.
  }
  if (url && /^(mysql|mariadb):$/.test(url.protocol)) return url;
  throw new UsageError('not a MySQL or MariaDB URL; expected mysql://user@host/database');
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw new UsageError(
      'the URL of the database contains a % that does not start an escape; write it as %25',
    );
  }
}

function findUser(): string {
  try {
    return userInfo().username;
  } catch {
    // An account without an entry in the system's list.
    return process.env.USER ?? 'root';
  }
}
