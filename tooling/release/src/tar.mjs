/** Archives that depend on nothing but names and contents. */
import { gzipSync } from 'fflate';

/** Modification time of all files, in seconds: 1985-10-26 08:15 UTC, as in npm's packages. */
const TIME = 499_162_500;
const BLOCK = 512;

/**
 * @typedef {object} Entry
 * @property {string} name - A path of at most 100 bytes; ends with `/` for a folder.
 * @property {Uint8Array} [bytes]
 * @property {boolean} [isProgram]
 */

/**
 * Archives files and folders in the order given.
 *
 * @param {readonly Entry[]} entries
 * @returns {Uint8Array} A tar file in the format of POSIX.1-1988 ("ustar"), compressed with gzip.
 */
export function archive(entries) {
  const blocks = entries.flatMap((entry) => {
    const bytes = entry.bytes ?? new Uint8Array(0);
    return [header(entry, bytes.length), bytes, Buffer.alloc(-bytes.length & (BLOCK - 1))];
  });
  // In JavaScript, since what zlib writes depends on its version and on the processor.
  return gzipSync(Buffer.concat([...blocks, Buffer.alloc(2 * BLOCK)]), { level: 9, mtime: 0 });
}

/**
 * @param {Entry} entry
 * @param {number} size
 */
function header({ name, isProgram }, size) {
  const isFolder = name.endsWith('/');
  const block = Buffer.alloc(BLOCK);
  if (Buffer.byteLength(name) > 100) throw new Error(`${name}: the name is too long`);
  /** @param {number} value @param {number} length */
  const octal = (value, length) => `${value.toString(8).padStart(length - 1, '0')}\0`;
  block.write(name, 0);
  block.write(octal(isFolder || isProgram ? 0o755 : 0o644, 8), 100);
  block.write(octal(0, 8), 108); // user
  block.write(octal(0, 8), 116); // group
  block.write(octal(size, 12), 124);
  block.write(octal(TIME, 12), 136);
  block.write(' '.repeat(8), 148); // the checksum, as the checksum sees it
  block.write(isFolder ? '5' : '0', 156);
  block.write('ustar\x0000', 257);
  block.write('root', 265);
  block.write('root', 297);
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return block;
}
