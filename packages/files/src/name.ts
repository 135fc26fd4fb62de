/**
 * File names are bytes. As strings, they have each byte that is not UTF-8 as a code unit from U+DC80
 * to U+DCFF, which is `surrogateescape` of PEP 383.
 */
import { isUtf8 } from 'node:buffer';
import { lstatSync, readlinkSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, isAbsolute, join } from 'node:path';

/**
 * Converts a file name to a path for functions of `node:fs`.
 *
 * @param name - A file name, with each byte that is not UTF-8 as a code unit from U+DC80 to U+DCFF.
 * @returns The name itself; its bytes if some are not UTF-8, except on Windows.
 * @throws TypeError if it contains an unpaired surrogate that is not an escaped byte.
 */
export function toPath(name: string): string | Buffer {
  // Windows has names of code units, not bytes.
  if (process.platform === 'win32' || !/\p{Surrogate}/u.test(name)) return name;
  return Buffer.concat(
    name
      .split(/(\p{Surrogate})/u)
      .map((part, i) => (i % 2 === 0 ? Buffer.from(part) : toByte(part))),
  );
}

function toByte(escaped: string): Buffer {
  const byte = escaped.charCodeAt(0) - 0xdc00;
  if (byte >= 0x80 && byte <= 0xff) return Buffer.of(byte);
  throw new TypeError('a file name contains an unpaired surrogate');
}

/**
 * Converts the bytes of a file name to a string. {@link toPath} restores the bytes.
 *
 * @param path - The bytes, as functions of `node:fs` return them with `encoding: 'buffer'`.
 * @returns The name, with each byte that is not UTF-8 as a code unit from U+DC80 to U+DCFF.
 */
export function fromPath(path: Uint8Array): string {
  const bytes = Buffer.from(path);
  if (isUtf8(bytes)) return bytes.toString();
  let name = '';
  for (let at = 0; at < bytes.length; ) {
    const character = [1, 2, 3, 4]
      .map((length) => bytes.subarray(at, at + length))
      .find((each) => isUtf8(each));
    name += character?.toString() ?? String.fromCharCode(0xdc00 + (bytes[at] as number));
    at += character?.length ?? 1;
  }
  return name;
}

/** Shortens a file name to so many bytes, without cutting a character. */
export function truncateName(name: string, most: number): string {
  const bytes = Buffer.from(toPath(name));
  let end = Math.min(most, bytes.length);
  while (end > most - 3 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--;
  return fromPath(bytes.subarray(0, end));
}

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
