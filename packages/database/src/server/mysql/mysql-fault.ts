/** Translation of errors of the server and of the driver. */
import { type DumpError, InputError, OutputError, type Phrase, UsageError } from '@utf8/dump';
import { opt, phrase } from '@utf8/dump/internal';
import type { RefusalReason } from '../server.js';

/** Thrown if a transaction lost against another one, and may succeed if it is tried again. */
export class MysqlTransientError extends InputError {
  readonly isTransient = true;
}

/** Error of the driver. */
interface DriverError extends Error {
  readonly errno?: number;
  readonly code?: string;
  readonly sqlMessage?: string;
}

/** Lock wait timeout, deadlock, and a row that changed under `innodb_snapshot_isolation`. */
const TRANSIENT: ReadonlySet<number | undefined> = new Set([1205, 1213, 1020, 1412, 3058]);

/** The sentences for errors that end a run, by the server's number. */
const ENDS: Readonly<
  Record<number, readonly [typeof InputError | typeof OutputError, string | Phrase]>
> = {
  1040: [InputError, 'the server has too many connections; try again later'],
  1044: [InputError, 'the user has no access to this database; grant it'],
  1045: [InputError, 'wrong user or password, or the server requires TLS (?ssl=true)'],
  1049: [InputError, 'the server has no such database; check the name'],
  1053: [InputError, phrase`the server is shutting down; run again with ${opt('resume')}`],
  1129: [InputError, 'the server blocks this host; run FLUSH HOSTS there'],
  1130: [InputError, 'the server does not accept connections from this host'],
  1142: [OutputError, 'the user lacks a privilege'],
  1143: [OutputError, 'the user lacks a privilege'],
  1227: [OutputError, 'the user lacks a privilege'],
  1370: [OutputError, 'the user lacks a privilege'],
  1698: [InputError, 'wrong user or password, or the server requires TLS (?ssl=true)'],
  1203: [InputError, 'the user has too many connections; try again later'],
  1226: [InputError, 'the user has exceeded a limit of the server'],
  1290: [OutputError, 'the server is read-only; connect to the primary'],
  1792: [OutputError, 'the server is read-only; connect to the primary'],
  1836: [OutputError, 'the server is read-only; connect to the primary'],
  3100: [OutputError, 'the server refuses the transaction'],
  1021: [
    OutputError,
    phrase`no space left on the server; free some space, and run again with ${opt('resume')}`,
  ],
  1114: [
    OutputError,
    phrase`no space left on the server; free some space, and run again with ${opt('resume')}`,
  ],
  1197: [OutputError, 'the batch exceeds max_binlog_cache_size; make batches smaller'],
  1206: [OutputError, 'the batch takes more locks than the server allows; make batches smaller'],
  1153: [OutputError, 'a statement exceeds max_allowed_packet; raise it on the server'],
  1317: [InputError, phrase`the server interrupted a statement; run again with ${opt('resume')}`],
  4031: [InputError, phrase`the server closed the connection; run again with ${opt('resume')}`],
  1927: [InputError, phrase`the server closed the connection; run again with ${opt('resume')}`],
  3024: [InputError, phrase`the server interrupted a statement; run again with ${opt('resume')}`],
  1969: [InputError, phrase`the server interrupted a statement; run again with ${opt('resume')}`],
  1030: [OutputError, 'the storage engine failed'],
  1047: [
    OutputError,
    phrase`this node of the cluster is not ready; run again with ${opt('resume')}`,
  ],
  1064: [InputError, 'the server does not understand a statement'],
};

/** Errors whose message from the server adds something, such as the missing privilege. */
const QUOTED: ReadonlySet<number> = new Set([1142, 1143, 1227, 1370, 1226, 1290, 3100, 1030, 1064]);

const CONNECTING: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused; is the server running?',
  ENOENT: 'no such socket; is the server running?',
  ENOTFOUND: 'unknown host; check the name',
  EAI_AGAIN: 'unknown host; check the name',
  ETIMEDOUT: 'the server does not answer; check host and port',
  EACCES: 'permission denied; run as a user with access to the socket',
  HANDSHAKE_NO_SSL_SUPPORT: 'the server does not support TLS; remove ?ssl=true',
  HANDSHAKE_SSL_ERROR:
    'the certificate of the server is not valid; check it, or add ?ssl=skip-verify',
};

/** Describes an error in one sentence. An error that has a sentence already stays unchanged. */
export function describeFault(name: string, error: unknown): DumpError {
  if (error instanceof InputError || error instanceof OutputError || error instanceof UsageError) {
    return error;
  }
  const { errno = 0, code = '', message, sqlMessage } = error as DriverError;
  if (TRANSIENT.has(errno)) {
    const what = errno === 1205 ? 'the wait for a lock timed out' : 'another transaction was first';
    return new MysqlTransientError(`${name}: ${what}; try again`, { cause: error });
  }
  const end = ENDS[isFull(errno, message) ? 1021 : errno];
  if (end) {
    const [ErrorClass, sentence] = end;
    const more = QUOTED.has(errno) ? ` (${sqlMessage ?? message})` : '';
    return new ErrorClass(phrase`${name}: ${sentence}${more}`, { cause: error });
  }
  if (Object.hasOwn(CONNECTING, code)) {
    return new InputError(`${name}: ${CONNECTING[code]}`, { cause: error });
  }
  if (isLost(error as DriverError)) {
    return new InputError(
      phrase`${name}: the connection was lost; run again with ${opt('resume')}`,
      {
        cause: error,
      },
    );
  }
  return new InputError(`${name}: ${sqlMessage ?? message}`, { cause: error });
}

/** Errors of files, with the system's number in words; other messages may quote values. */
const FILES: ReadonlySet<number> = new Set([3, 20, 1004, 1005, 1025, 1026, 1030]);

const isFull = (errno: number, message: string): boolean =>
  FILES.has(errno) && /\b(errno: |error )"?28\b|No space left/.test(message);

/** A message of the server may quote any name or value. */
function isLost({ code = '', message, sqlMessage }: DriverError): boolean {
  if (sqlMessage !== undefined) return false;
  return (
    /^(PROTOCOL_|ECONNRESET|EPIPE)/.test(code) ||
    /closed state|Connection lost|server has gone away/.test(message)
  );
}

/** The server's numbers for reasons to refuse a row. */
const REFUSALS: Readonly<Record<number, RefusalReason>> = {
  1022: 'unique',
  1062: 'unique',
  1169: 'unique',
  1586: 'unique',
  1761: 'unique',
  1762: 'unique',
  1265: 'length',
  1406: 'length',
  1216: 'reference',
  1217: 'reference',
  1451: 'reference',
  1452: 'reference',
};

/** Tells why the server refused a row; undefined if the error does not concern the row, but ends the run. */
export function findRefusal(
  error: unknown,
): { readonly reason: RefusalReason; readonly message: string } | undefined {
  const { errno = 0, message, sqlMessage } = error as DriverError;
  // The system's numbers, of a lost connection, are negative.
  if (errno <= 0 || TRANSIENT.has(errno) || errno in ENDS || isFull(errno, message)) {
    return undefined;
  }
  return { reason: REFUSALS[errno] ?? 'other', message: sqlMessage ?? message };
}

/** Tells whether a table does not exist. */
export const isMissingTable = (error: unknown): boolean => (error as DriverError)?.errno === 1146;

/** Tells whether the server refuses bytes that are malformed in the character set. */
export const isMalformed = (error: unknown): boolean => (error as DriverError)?.errno === 1366;
