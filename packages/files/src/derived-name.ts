/**
 * The names of the files that a run makes next to an output. They begin with a dot, so that no glob such
 * as `*` or `out.rejects.*` matches a file that is not finished; Spark skips them, too.
 */
import { basename, dirname, join } from 'node:path';
import { checksum, toHex } from './checksum.js';
import { toPath, truncateName } from './name.js';

/** Longest part of a derived name that comes from the output, in bytes: eCryptfs allows 143 in all. */
const MOST = 100;

/** Pattern of the token that identifies a temporary file: eight hex digits. */
export const TOKEN: RegExp = /^[\da-f]{8}$/;

/**
 * Creates a random token for {@link nameTemporary}. It need not be secret, since a name that exists is refused.
 *
 * @returns Eight hex digits.
 */
// `node:crypto` needs 6 ms to load.
export const createToken = (): string => toHex(Math.floor(Math.random() * 2 ** 32));

/** Names the checkpoint of an output, which contains the progress of an unfinished run. */
export const nameCheckpoint = (target: string): string => derive(target, 'utf8-checkpoint');

/**
 * Names the temporary file of an output: a hidden file next to it.
 *
 * @param target - The path of the output.
 * @param token - Eight hex digits, as {@link createToken} returns them.
 * @returns The path of the temporary file.
 */
export const nameTemporary = (target: string, token: string): string =>
  derive(target, `utf8-unfinished-${token}`);

/**
 * Names the file that keeps two processes from writing another one: a hidden file next to it.
 *
 * @param target - The path of the file that is written.
 * @returns The path of the lock.
 */
export const nameLock = (target: string): string => derive(target, 'utf8-lock');

/** Names the checkpoint of an output while it is written. */
export const nameNewCheckpoint = (target: string): string => derive(target, 'utf8-checkpoint-new');

/** Lists the names next to an output that are the same in each run. */
export const listReserved = (target: string): string[] => [
  nameCheckpoint(target),
  nameNewCheckpoint(target),
  nameLock(target),
];

/** Checks whether a name in the folder of an output is one that a run may make there. */
export function isDerived(target: string, name: string): boolean {
  const token = name.slice(-8);
  const names = listReserved(target);
  if (TOKEN.test(token)) names.push(nameTemporary(target, token));
  return names.some((each) => name === basename(each));
}

function derive(target: string, ending: string): string {
  const name = basename(target);
  const bytes = Buffer.from(toPath(name));
  // The checksum keeps two long names apart.
  const stem =
    bytes.length > MOST ? `${truncateName(name, MOST - 9)}-${toHex(checksum(bytes))}` : name;
  return join(dirname(target), `.${stem}.${ending}`);
}
