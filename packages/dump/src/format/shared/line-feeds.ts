import { LF } from './ascii.js';

/** Bytes below which the view of words costs more than it saves. */
const SHORT = 256;

/** Words after which a byte of the sums may be full. */
const MOST = 255;

/**
 * Counts line feeds, four bytes at a time: in a word xor `0A0A0A0A` they are zero, and adding `7F` to the
 * low seven bits of a byte carries into the eighth unless it is zero. The constants are literals, since
 * a bundler makes variables of constants, which takes twice as long (0.2 ns a byte against 0.4; Node 20).
 */
export function countLineFeeds(bytes: Uint8Array, start: number, end: number): number {
  if (end - start < SHORT) return countEach(bytes, start, end);
  const first = start + ((4 - ((bytes.byteOffset + start) & 3)) & 3);
  const length = (end - first) >> 2;
  const words = new Int32Array(bytes.buffer, bytes.byteOffset + first, length);
  let count = countEach(bytes, start, first) + countEach(bytes, first + 4 * length, end);
  for (let i = 0; i < length; ) {
    const limit = Math.min(length, i + MOST);
    let sums = 0;
    for (; i < limit; i++) {
      const word = (words[i] as number) ^ 0x0a0a_0a0a;
      sums = (sums + ((~(((word & 0x7f7f_7f7f) + 0x7f7f_7f7f) | word) & 0x8080_8080) >>> 7)) | 0;
    }
    count += (sums & 0xff) + ((sums >>> 8) & 0xff) + ((sums >>> 16) & 0xff) + (sums >>> 24);
  }
  return count;
}

function countEach(bytes: Uint8Array, start: number, end: number): number {
  let count = 0;
  for (let i = start; i < end; i++) if (bytes[i] === LF) count++;
  return count;
}
