/**
 * The names of the files that a run makes next to an output. They begin with a dot, so that no glob such
 * as `*` or `out.rejects.*` matches a file that is not finished; Hadoop and Spark skip them, too.
 */
import { basename, dirname, join } from 'node:path';
import { checksum, toHex } from '../checksum.js';
import { toPath, truncateName } from './file-name.js';

/** Longest part of a derived name that comes from the output, in bytes: eCryptfs allows 143 in all. */
const MOST = 100;

/** What identifies one temporary file, or the owner of a journal: eight hex digits. */
export const TOKEN: RegExp = /^[\da-f]{8}$/;

/**
 * Creates a random token for {@link nameTemporary}. It is no secret, since a name that exists is refused.
 *
 * @returns Eight hex digits.
 * @example
 * ```ts
 * import { createToken } from '@utf8/dump';
 *
 * /^[\da-f]{8}$/.test(createToken()); // => true
 * ```
 * @internal
 */
// `node:crypto` needs 6 ms to load.
export const createToken = (): string => toHex(Math.floor(Math.random() * 2 ** 32));

/**
 * Names the journal of an output.
 *
 * @param owner - Whose journal it is, as eight hex digits: see `path/place.ts`.
 */
export const nameJournal = (target: string, owner: string): string =>
  derive(target, `utf8-journal-${owner}`);

/**
 * Names the temporary file of an output: a hidden file next to it.
 *
 * @param target - The path of the output.
 * @param token - Eight hex digits, as {@link createToken} returns them.
 * @returns The path of the temporary file.
 * @example
 * ```ts
 * import { nameTemporary } from '@utf8/dump';
 *
 * nameTemporary('app.jsonl', '0123abcd'); // => '.app.jsonl.utf8-unfinished-0123abcd'
 * ```
 * @internal
 */
export const nameTemporary = (target: string, token: string): string =>
  derive(target, `utf8-unfinished-${token}`);

/**
 * Names the file that keeps two processes from writing another one, which is continued in place: a hidden
 * file next to it.
 *
 * @param target - The path of the file that is written.
 * @returns The path of the lock.
 * @example
 * ```ts
 * import { nameLock } from '@utf8/dump';
 *
 * nameLock('app.jsonl'); // => '.app.jsonl.utf8-lock'
 * ```
 * @internal
 */
export const nameLock = (target: string): string => derive(target, 'utf8-lock');

/** The token of a second name for the temporary file of a token. */
export const deriveToken = (token: string): string => toHex(checksum(token));

/** Checks whether a name in the folder of an output is one that a run may make there. */
export const isDerived = (target: string, name: string): boolean =>
  isJournal(target, name) || hasToken(target, name, nameTemporary);

/** Checks whether a file next to an output is one of its journals, by any owner. */
export const isJournal = (target: string, name: string): boolean =>
  hasToken(target, name, nameJournal);

function hasToken(target: string, name: string, derive: typeof nameJournal): boolean {
  const token = name.slice(-8);
  return TOKEN.test(token) && name === basename(derive(target, token));
}

function derive(target: string, ending: string): string {
  const name = basename(target);
  const bytes = Buffer.from(toPath(name));
  // The checksum keeps two long names apart.
  const stem =
    bytes.length > MOST ? `${truncateName(name, MOST - 9)}-${toHex(checksum(bytes))}` : name;
  return join(dirname(target), `.${stem}.${ending}`);
}
