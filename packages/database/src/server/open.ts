import { parseUrl, type Target } from '../url.js';
import type { Server } from './server.js';

/** Options of {@link openServer}. */
export interface OpenOptions {
  /** How long to wait for a lock, in milliseconds; as the server is set up by default. */
  readonly lockTimeout?: number | undefined;
}

/** What the module of each kind of server exports. */
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
 * Opens a database.
 *
 * @param url - Such as `sqlite:app.db`, `mysql://user@host/shop` or `postgres://user@host/shop`.
 * @throws UsageError (`ERR_UTF8_USAGE`) if the URL is malformed, or the driver is not installed.
 * @throws InputError (`ERR_UTF8_INPUT`) if there is no such database, or it refuses the user.
 */
export async function openServer(url: string, options: OpenOptions = {}): Promise<Server> {
  return openTarget(parseUrl(url), options);
}

export async function openTarget(target: Target, options: OpenOptions): Promise<Server> {
  const { open } = await drivers[target.kind]();
  return open(target.location, options);
}
