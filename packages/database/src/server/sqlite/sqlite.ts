/** Opens files of SQLite. */
import { open as openFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { InputError } from '@utf8/dump';
import { ioError } from '@utf8/dump/internal';
import { toPath } from '@utf8/files';
import type { Server } from '../server.js';
import { text } from './sqlite-cell.js';
import { type Connection, type Driver, findDriver } from './sqlite-driver.js';
import { describeFailure } from './sqlite-failure.js';
import { SqliteServer } from './sqlite-server.js';

export interface OpenSqliteOptions {
  /** Time to wait for a lock of another program, in milliseconds (default: 5000). */
  readonly lockTimeout?: number | undefined;
}

/**
 * Opens a database of SQLite. Nothing is written before the first transaction, and no file is made.
 *
 * @param target - The path of the file.
 * @param options - See {@link OpenSqliteOptions}.
 * @param driver - The driver: by default `node:sqlite` if the runtime has it, otherwise `better-sqlite3`.
 * @throws UsageError if there is no driver.
 * @throws InputError if the file cannot be read, or is not a database with text in UTF-8.
 * @throws LockError if another program locks it for too long.
 */
export async function open(
  target: string,
  options: OpenSqliteOptions = {},
  driver?: Driver,
): Promise<Server> {
  const { lockTimeout = 5000 } = options;
  // Drivers would make a file that is missing.
  const head = await readHead(target);
  const connect = driver ?? findDriver();
  let connection: Connection | undefined;
  try {
    // Neither `:memory:` nor `file:` has a meaning of its own then.
    connection = connect(toPath(resolve(target)));
    connection.exec(`PRAGMA busy_timeout = ${Math.trunc(lockTimeout)}`);
    connection.exec('PRAGMA foreign_keys = ON');
    const [header] = connection.records('PRAGMA encoding', { encoding: text });
    // Reads the first page, which setting a pragma does not.
    connection.prepare('SELECT count(*) FROM sqlite_schema').get([]);
    if (header?.encoding !== 'UTF-8')
      throw new InputError(
        `${target}: its text is ${header?.encoding}, so it contains no UTF-8 to repair; convert it with sqlite3 FILE .dump`,
      );
    return new SqliteServer(target, connection);
  } catch (error) {
    connection?.close();
    if (error instanceof TypeError)
      throw new InputError(
        `${target}: its name is not UTF-8; open it through a link with another name`,
        {
          cause: error,
        },
      );
    if (looksEncrypted(head) && (describeFailure(target, error) as Error) instanceof InputError)
      throw new InputError(
        `${target}: is encrypted, or not an SQLite database; decrypt it into a copy first`,
        { cause: error },
      );
    throw describeFailure(target, error);
  }
}

/** The header, or less; see https://www.sqlite.org/fileformat.html, section 1.3. */
async function readHead(target: string): Promise<Uint8Array> {
  try {
    const file = await openFile(toPath(target), 'r');
    try {
      const { size } = await file.stat();
      const { buffer, bytesRead } = await file.read(Buffer.alloc(100), 0, 100, 0);
      return size % 512 === 0 ? buffer.subarray(0, bytesRead) : new Uint8Array(0);
    } finally {
      await file.close();
    }
  } catch (error) {
    throw ioError(target, error, InputError);
  }
}

/**
 * Whole pages that begin at random, as SQLCipher's do: 100 such bytes have some 80 different values, text fewer than
 * 50.
 */
const looksEncrypted = (head: Uint8Array): boolean =>
  new Set(head).size > 60 && !Buffer.from(head).toString('latin1').startsWith('SQLite format 3\0');
