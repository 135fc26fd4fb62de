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

/** Creates a token. `node:crypto` needs 6 ms to load, and a name that exists is refused. */
export const createToken = (): string => toHex(Math.floor(Math.random() * 2 ** 32));

/**
 * Names the journal of an output.
 *
 * @param owner - Whose journal it is, as eight hex digits: see `path/place.ts`.
 */
export const nameJournal = (target: string, owner: string): string =>
  derive(target, `utf8-journal-${owner}`);

export const nameTemporary = (target: string, token: string): string =>
  derive(target, `utf8-unfinished-${token}`);

/** Names what keeps two processes from writing a file that is continued in place. */
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
