/** What streaming coders share: bytes that the end of a chunk has cut wait for the next chunk. */
import { checkSize } from '../fault/policy.js';

/**
 * Reads bytes from an index on and returns the index up to which they are decided.
 *
 * @param base - Where in the stream the bytes begin.
 */
type Read = (bytes: Uint8Array, from: number, base: number, isLast: boolean) => number;

/**
 * Makes a function that passes a chunk on: first the pending bytes with as many of the chunk as decide
 * them, then the rest in place. If `read` throws, the stream is reset.
 *
 * @param longest - No sequence is longer, in bytes.
 */
export function createCarry(
  longest: number,
): (chunk: Uint8Array, isLast: boolean, read: Read) => void {
  let pending = new Uint8Array();
  /** Where in the stream the pending bytes begin. */
  let offset = 0;
  return (chunk, isLast, read) => {
    const before = pending;
    const { length } = before;
    let base = offset;
    let from = 0;
    let bytes = chunk;
    pending = new Uint8Array();
    offset = 0;
    if (length) {
      // One byte more than the longest sequence also decides why one is malformed.
      const head = chunk.subarray(0, longest + 1);
      const joined = Uint8Array.of(...before, ...head);
      if (head.length === chunk.length) {
        bytes = joined;
      } else {
        from = read(joined, 0, base, false) - length;
        base += length;
      }
    }
    const decided = read(bytes, from, base, isLast);
    checkSize(pending, 0);
    // A policy may have used the stream for one that has ended.
    offset = isLast ? 0 : base + decided;
    if (isLast) return;
    pending = bytes.slice(decided) as Uint8Array<ArrayBuffer>;
  };
}
