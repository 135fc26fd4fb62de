/** Errors of SQLite, in sentences. */
import { type DumpError, InputError, OutputError } from '@utf8/dump';
import { LockError } from '../lock-error.js';
import type { RefusalReason } from '../server.js';

/** https://www.sqlite.org/rescode.html */
const primaryCodes: Readonly<Record<number, string>> = {
  1: 'ERROR',
  3: 'PERM',
  5: 'BUSY',
  6: 'LOCKED',
  8: 'READONLY',
  10: 'IOERR',
  11: 'CORRUPT',
  13: 'FULL',
  14: 'CANTOPEN',
  18: 'TOOBIG',
  19: 'CONSTRAINT',
  23: 'AUTH',
  26: 'NOTADB',
};

/** The second byte of an extended code of CONSTRAINT. */
const constraints: Readonly<Record<number, string>> = {
  3: 'FOREIGNKEY',
  6: 'PRIMARYKEY',
  8: 'UNIQUE',
  10: 'ROWID',
};

/** An error of a driver: `CONSTRAINT` and `UNIQUE`. */
interface SqliteError {
  readonly code: string;
  readonly detail: string | undefined;
  readonly message: string;
}

/** Reads an error of SQLite; undefined for any other error. */
export function readSqliteError(error: unknown): SqliteError | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code, errcode } = error as { code?: unknown; errcode?: unknown };
  const { message } = error;
  // node:sqlite
  if (code === 'ERR_SQLITE_ERROR' && typeof errcode === 'number') {
    return {
      code: primaryCodes[errcode & 0xff] ?? String(errcode),
      detail: constraints[errcode >> 8],
      message,
    };
  }
  // better-sqlite3
  if (typeof code !== 'string' || !code.startsWith('SQLITE_')) return undefined;
  const [, primary = '', detail] = code.split('_');
  return { code: primary, detail, message };
}

/** Describes an error of a driver. Any other error stays as it is. */
export function describeFailure(file: string, error: unknown): unknown {
  const known = readSqliteError(error);
  if (!known) return error;
  const { code, message } = known;
  const options = { cause: error };
  const make = (ErrorClass: new (text: string, options: ErrorOptions) => DumpError, text: string) =>
    new ErrorClass(`${file}: ${text}`, options);
  switch (code) {
    case 'BUSY':
    case 'LOCKED':
      return make(LockError, 'is locked by another program; stop it, or raise the lock timeout');
    case 'FULL':
      return make(OutputError, 'no space left on the device; free some space');
    case 'READONLY':
      return make(
        OutputError,
        'is read-only; change the permissions of the file and its folder, or run as a user with access',
      );
    case 'PERM':
    case 'AUTH':
    case 'CANTOPEN':
      return make(InputError, 'cannot be opened; check the permissions of the file and its folder');
    case 'NOTADB':
      return make(
        InputError,
        'is not an SQLite database, or is encrypted; check the name, or decrypt it first',
      );
    case 'CORRUPT':
      if (message.includes('unsafe use of')) {
        return make(InputError, `its schema calls a function with effects (${message}); remove it`);
      }
      return make(InputError, `is damaged (${message}); recover it first: sqlite3 FILE .recover`);
    case 'IOERR':
      return make(OutputError, `input/output error (${message}); check the device and its quota`);
    default:
      return make(InputError, message);
  }
}

/** Returns the reason for which SQLite does not change a row; undefined if the error is not about the row. */
export function readRefusal(
  error: unknown,
): { readonly reason: RefusalReason; readonly message: string } | undefined {
  const known = readSqliteError(error);
  if (!known) return undefined;
  const { code, detail, message } = known;
  if (code === 'TOOBIG') return { reason: 'length', message };
  if (code === 'CONSTRAINT') {
    // RESTRICT has the code of a trigger.
    if (detail === 'FOREIGNKEY' || message === 'FOREIGN KEY constraint failed')
      return { reason: 'reference', message };
    const isUnique = detail === 'UNIQUE' || detail === 'PRIMARYKEY' || detail === 'ROWID';
    return { reason: isUnique ? 'unique' : 'other', message };
  }
  // A collation or function of the application, which only its own connections have.
  if (code !== 'ERROR') return undefined;
  return { reason: message.startsWith('foreign key mismatch') ? 'reference' : 'other', message };
}
