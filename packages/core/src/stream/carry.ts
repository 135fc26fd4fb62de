/** Keeps the bytes that the end of a chunk has cut until the next chunk arrives. */
import { checkSize } from '../fault/policy.js';

/**
 * Reads bytes from an index and returns the index of the first undecided byte.
 *
 * @param base - Offset of the bytes in the stream.
 */
type Read = (bytes: Uint8Array, from: number, base: number, isLast: boolean) => number;

/**
 * Creates a function that passes on a chunk: first the pending bytes with enough of the chunk to decide
 * them, then the rest without a copy. If `read` throws, the stream is reset.
 *
 * @param longest - Length of the longest sequence, in bytes.
 */
export function createCarry(
  longest: number,
): (chunk: Uint8Array, isLast: boolean, read: Read) => void {
  let pending = new Uint8Array();
  /** Offset of the pending bytes in the stream. */
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
      // One byte more than the longest sequence is enough to find the reason of a fault.
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
    // A policy may have decoded another stream to its end meanwhile.
    offset = isLast ? 0 : base + decided;
    if (isLast) return;
    pending = bytes.slice(decided) as Uint8Array<ArrayBuffer>;
  };
}
