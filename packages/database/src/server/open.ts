import { parseUrl, type Target } from '../url.js';
import type { Server } from './server.js';

/** Options of {@link openServer}. */
export interface OpenOptions {
  /**
   * Time to wait for a lock, in milliseconds; by default 5,000 for SQLite, and the server's own setting for
   * others. MariaDB and MySQL wait for whole seconds.
   */
  readonly lockTimeout?: number | undefined;
}

/** Exports of the module for each kind of server. */
interface Driver {
  /** @param target - A path of SQLite, or a URL. */
  open(target: string, options: OpenOptions): Promise<Server>;
}

/** Each is loaded only when it is needed, with its driver. */
const drivers: Readonly<Record<Target['kind'], () => Promise<Driver>>> = {
  sqlite: () => import('./sqlite/sqlite.js'),
  mysql: () => import('./mysql/mysql.js'),
  postgres: () => import('./postgres/postgres.js'),
};

/**
 * Opens a database. The caller closes it.
 *
 * @param url - Such as `sqlite:app.db`, `mysql://user@host/shop` or `postgres://user@host/shop`.
 * @param options - How long to wait for locks.
 * @returns The open database.
 * @throws UsageError (`ERR_UTF8_USAGE`) if the URL is malformed, or the driver is not installed.
 * @throws InputError (`ERR_UTF8_INPUT`) if there is no such database, or it refuses the user.
 * @throws LockError (`ERR_UTF8_OUTPUT`) if another program locks a file of SQLite for too long.
 * @example
 * ```ts
 * import { DatabaseSync } from 'node:sqlite';
 * import { openServer } from '@utf8/database';
 *
 * new DatabaseSync('books.db').exec('CREATE TABLE books (id INTEGER PRIMARY KEY, title TEXT)');
 * const server = await openServer('sqlite:books.db');
 * const tables = await server.listTables();
 * tables.map(({ name }) => name); // => ['books']
 * await server.close();
 * ```
 */
export async function openServer(url: string, options: OpenOptions = {}): Promise<Server> {
  return openTarget(parseUrl(url), options);
}

export async function openTarget(target: Target, options: OpenOptions): Promise<Server> {
  const { open } = await drivers[target.kind]();
  return open(target.location, options);
}
