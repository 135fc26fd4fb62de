/**
 * File names are bytes. As strings, they have each byte that is not UTF-8 as a code unit from U+DC80
 * to U+DCFF, which is `surrogateescape` of PEP 383.
 */
import { isUtf8 } from 'node:buffer';
import { codecFor } from '@utf8/detect';

const utf8 = codecFor('utf-8');

/**
 * Converts a file name to what functions of `node:fs` accept.
 *
 * @throws EncodeError (a `TypeError`) if it contains an unpaired surrogate that is not an escaped byte.
 */
export function toPath(name: string): string | Buffer {
  // Windows has names of code units, not bytes.
  if (process.platform === 'win32' || !/\p{Surrogate}/u.test(name)) return name;
  return Buffer.from(utf8.encode(name, { errors: 'surrogateescape' }));
}

/** Converts the bytes of a file name to a string. {@link toPath} restores the bytes. */
export function fromPath(path: Uint8Array): string {
  // The codec's kernel needs 3 ms to load.
  return isUtf8(path)
    ? Buffer.from(path).toString()
    : utf8.decode(path, { errors: 'surrogateescape' });
}

/**
 * Shortens a file name by bytes, without cutting a character.
 *
 * @param most - In bytes.
 */
export function truncateName(name: string, most: number): string {
  return fromPath(utf8.truncate(Buffer.from(toPath(name)), most));
}
