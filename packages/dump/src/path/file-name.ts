/**
 * File names are bytes. As strings, they have each byte that is not UTF-8 as a code unit from U+DC80
 * to U+DCFF, which is `surrogateescape` of PEP 383.
 */
import { isUtf8 } from 'node:buffer';
import { lstatSync, readlinkSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { codecFor } from '@utf8/detect';

const utf8 = codecFor('utf-8');

/**
 * Converts a file name to what functions of `node:fs` accept.
 *
 * @param name - A file name, with each byte that is not UTF-8 as a code unit from U+DC80 to U+DCFF.
 * @returns The name itself; its bytes if some are not UTF-8, except on Windows.
 * @throws EncodeError (a `TypeError`) if it contains an unpaired surrogate that is not an escaped byte.
 * @example
 * ```ts
 * import { toPath } from '@utf8/dump';
 *
 * toPath('café'); // => 'café'
 * toPath('caf\udce9'); // => Buffer.from([0x63, 0x61, 0x66, 0xe9])
 * ```
 * @see PEP 383
 */
export function toPath(name: string): string | Buffer {
  // Windows has names of code units, not bytes.
  if (process.platform === 'win32' || !/\p{Surrogate}/u.test(name)) return name;
  return Buffer.from(utf8.encode(name, { errors: 'surrogateescape' }));
}

/**
 * Converts the bytes of a file name to a string. {@link toPath} restores the bytes.
 *
 * @param path - The bytes, as functions of `node:fs` return them with `encoding: 'buffer'`.
 * @returns The name, with each byte that is not UTF-8 as a code unit from U+DC80 to U+DCFF.
 * @example
 * ```ts
 * import { fromPath } from '@utf8/dump';
 *
 * fromPath(Uint8Array.of(0x63, 0x61, 0x66, 0xe9)); // => 'caf\udce9'
 * ```
 * @see PEP 383
 */
export function fromPath(path: Uint8Array): string {
  // The codec's kernel needs 3 ms to load.
  return isUtf8(path)
    ? Buffer.from(path).toString()
    : utf8.decode(path, { errors: 'surrogateescape' });
}

/** Shortens a file name to so many bytes, without cutting a character. */
export const truncateName = (name: string, most: number): string =>
  fromPath(utf8.truncate(Buffer.from(toPath(name)), most));

/** The path without symbolic links. Unlike `realpathSync` itself, its native form keeps every byte. */
const realPath = (path: string): string =>
  fromPath(realpathSync.native(toPath(path), { encoding: 'buffer' }));

/**
 * Finds the path of the file that a path denotes, through any chain of symbolic links. The file itself
 * need not exist; its folder must.
 *
 * @throws An error of the file system.
 */
export function findTarget(path: string): string {
  if (statSync(toPath(path), { throwIfNoEntry: false })) return realPath(path);
  let name = path;
  // As many as Linux follows.
  for (let links = 0; links <= 40; links++) {
    const file = join(realPath(dirname(name)), basename(name));
    if (!lstatSync(toPath(file), { throwIfNoEntry: false })?.isSymbolicLink()) return file;
    const link = fromPath(readlinkSync(toPath(file), { encoding: 'buffer' }));
    // Not `join`, since the system resolves `..` only after it has followed links.
    name = isAbsolute(link) ? link : `${dirname(file)}/${link}`;
  }
  throw Object.assign(new Error('too many symbolic links'), { code: 'ELOOP' });
}
