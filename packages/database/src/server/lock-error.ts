import { OutputError } from '@utf8/dump';

/**
 * Thrown if another program holds a lock for longer than `lockTimeout`, or if a deadlock was broken. The
 * transaction was rolled back; it may succeed if it is tried again.
 *
 * @example
 * ```ts
 * import { DatabaseSync } from 'node:sqlite';
 * import { LockError, scanDatabase } from '@utf8/database';
 *
 * const jobs = new DatabaseSync('jobs.db');
 * jobs.exec('CREATE TABLE jobs (id INTEGER PRIMARY KEY, name TEXT); BEGIN EXCLUSIVE');
 * const url = 'sqlite:jobs.db';
 * const error = await scanDatabase({ url, lockTimeout: 0 }).catch((error) => error);
 * error instanceof LockError; // => true
 * error.code; // => 'ERR_UTF8_OUTPUT'
 * jobs.exec('ROLLBACK');
 * ```
 */
export class LockError extends OutputError {
  /** The name of the class. */
  override readonly name: string = 'LockError';
}
