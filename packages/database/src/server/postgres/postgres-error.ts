/** Translation of PostgreSQL's errors, to one sentence each. */
import { DumpError, InputError, OutputError } from '@utf8/dump';
import type { RefusalReason } from '../server.js';

/** Thrown if the same transaction may succeed later: after a deadlock, or when a lock was not to be had. */
export class TransientError extends Error {
  override readonly name = 'TransientError';
  readonly isTransient = true;
}

/** An error of `pg`. */
interface DriverError extends Error {
  /** SQLSTATE, or a code of the operating system. */
  readonly code?: string;
  readonly routine?: string;
  /** The functions that the server was in. */
  readonly where?: string;
}

const codeOf = (error: unknown): string => (error as DriverError).code ?? '';

/** Tells whether the server answered with an error: an SQLSTATE, and not `EPERM` of the operating system. */
const isAnswer = (error: unknown): boolean => /^[0-9FHPX](?=.*\d)[0-9A-Z]{4}$/.test(codeOf(error));

/** Tells whether an error comes from the server, or from the connection to it. */
export const isOfServer = (error: unknown): boolean => isAnswer(error) || isLost(error);

/** Messages by SQLSTATE or by a code of the operating system: the failure and its remedy. */
const sentences: Readonly<Record<string, string>> = {
  '28P01': 'wrong password; check the URL, PGPASSWORD and ~/.pgpass',
  '3D000': 'no such database; check the name',
  '53100': "no space left on the server's disk; free some space, then resume",
  '53200': 'the server is out of memory',
  '53300': 'the server has too many connections; try again later',
  '57014': 'the server cancelled the statement',
  '57P03': 'the server is starting up or shutting down; try again later',
  '25006': 'the database is read-only; connect to the primary server, with a role that may write',
  ECONNREFUSED: 'no server accepts connections there; check the host and the port',
  ENOENT: 'no server socket in that folder; check the host and the port',
  EACCES: "permission denied for the server's socket",
  ENOTFOUND: 'unknown host; check the name',
  EAI_AGAIN: 'the host name cannot be resolved at the moment; try again later',
  ETIMEDOUT: 'the server does not answer; check the host and the port',
  EHOSTUNREACH: 'the host cannot be reached; check the host and the port',
};

const LOST = 'the connection to the server was lost; resume when the server is back';

/** The classes of SQLSTATE after which the same transaction may succeed. */
const isTransient = (code: string): boolean => /^40|^55P03$/.test(code);

/** A message of the server may quote any name or value. */
const isLost = (error: unknown): boolean =>
  /^(57P0[1245]|08...|ECONNRESET|EPIPE)$/.test(codeOf(error)) ||
  (!isAnswer(error) &&
    /^(connection terminated|client has encountered a connection error|client was closed)/i.test(
      (error as Error).message,
    ));

/**
 * Explains an error. An error that has a sentence already stays unchanged.
 *
 * @param name - The subject of the sentence: a database, or a table.
 * @param isWriting - True if something was to be written.
 */
export function describeError(name: string, error: unknown, isWriting: boolean): Error {
  if (error instanceof DumpError || error instanceof TransientError) return error;
  const code = codeOf(error);
  const message = (error as Error).message.replace(/\s+/g, ' ');
  const cause = { cause: error };
  if (isTransient(code)) return new TransientError(`${name}: ${message}`, cause);
  const ErrorClass = isWriting ? OutputError : InputError;
  const make = (words: string): Error => new ErrorClass(`${name}: ${words}`, cause);
  if (isLost(error)) return make(LOST);
  if (/^SASL.*password must be/.test(message)) {
    return make('the server requires a password; set PGPASSWORD, or add it to the URL');
  }
  if (code === '42501') {
    // The message may be in any language.
    const isHidden = (error as DriverError).routine === 'check_enable_rls';
    return make(
      isHidden
        ? 'row-level security hides rows from this role; connect as a role with BYPASSRLS'
        : `${message}; connect as a role that may ${isWriting ? 'write' : 'read'} it`,
    );
  }
  if (code === '28000') return make(`${message}; check the role, and pg_hba.conf`);
  return make(sentences[code] ?? message);
}

/** Returns why the server refuses a row; undefined if an error is about more than the row. */
export function findRefusal(
  error: unknown,
  hasRules: boolean,
): { reason: RefusalReason; message: string } | undefined {
  const code = codeOf(error);
  const { message, where } = error as DriverError;
  if (code === '0A000' && hasRules) return { reason: 'effect', message };
  // A function of a trigger may lack a privilege or a table; a statement of ours lacks it for every row.
  const isAboutMore =
    /^(XX|53|57|58|08|25|26|3D|F0)/.test(code) || (/^(42|0A)/.test(code) && !where);
  if (!isAnswer(error) || isAboutMore || isTransient(code)) return undefined;
  return { reason: reasonOf(error as DriverError), message };
}

function reasonOf({ code, routine }: DriverError): RefusalReason {
  if (code === '22001') return 'length';
  if (code === '23503' || code === '23001') return 'reference';
  if (code === '23505' || code === '23P01') return 'unique';
  // A row of a partition that belongs into another one.
  if (code === '23514' && routine === 'ExecPartitionCheckEmitError') return 'effect';
  return 'other';
}

/** Tells whether the server refuses a statement because of a value in it. */
export const isRefusal = (error: unknown): boolean => findRefusal(error, false) !== undefined;
