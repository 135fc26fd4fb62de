import { OutputError } from '@utf8/dump';

/**
 * Thrown by a transaction that another one stands in the way of: a lock timeout, or a deadlock. It has
 * been rolled back, and may be tried again.
 */
export class LockedError extends OutputError {
  override readonly name = 'LockedError';
}
