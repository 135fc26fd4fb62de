/** The names of the files that a run makes next to an output. */
import { basename, dirname, join } from 'node:path';
import { checksum, toHex } from '../checksum.js';
import { toPath, truncateName } from './file-name.js';

/** Longest part of a derived name that comes from the output, in bytes: eCryptfs allows 143 in all. */
const MOST = 100;

/** What identifies one temporary file: eight hex digits. */
export const TOKEN: RegExp = /^[\da-f]{8}$/;

/** Creates a token. `node:crypto` needs 6 ms to load, and a name that exists is refused. */
export const createToken = (): string => toHex(Math.floor(Math.random() * 2 ** 32));

export const nameJournal = (target: string): string => derive(target, 'utf8-journal');

export const nameTemporary = (target: string, token: string): string =>
  derive(target, `utf8-unfinished-${token}`);

/** Checks whether a name in the folder of an output is one that a run may make there. */
export function isDerived(target: string, name: string): boolean {
  const token = name.slice(-8);
  const path = TOKEN.test(token) ? nameTemporary(target, token) : nameJournal(target);
  return name === basename(path);
}

function derive(target: string, ending: string): string {
  const name = basename(target);
  const bytes = Buffer.from(toPath(name));
  // The checksum keeps two long names apart.
  const stem =
    bytes.length > MOST ? `${truncateName(name, MOST - 9)}-${toHex(checksum(bytes))}` : name;
  return join(dirname(target), `${stem}.${ending}`);
}
