import { OutputError } from '@utf8/dump';

/**
 * Thrown if another program holds a lock for longer than `lockTimeout`, or if a deadlock was broken. The
 * transaction was rolled back; it may succeed if it is tried again.
 */
export class LockError extends OutputError {
  override readonly name: string = 'LockError';
}
