/** Input of all programs, and the checksum of their output. */
import { own } from '../arena/reference.mjs';

/** A file of records, each after its length: four bytes, little-endian. @param {readonly Uint8Array[]} records */
export function joinRecords(records) {
  return Buffer.concat(
    records.flatMap((bytes) => {
      const length = Buffer.alloc(4);
      length.writeUInt32LE(bytes.length);
      return [length, bytes];
    }),
  );
}

/** The records of a file, each in memory of its own. @param {Buffer} file */
export function readRecords(file) {
  const list = [];
  for (let at = 0; at < file.length; ) {
    const from = at + 4;
    at = from + file.readUInt32LE(at);
    list.push(own(file.subarray(from, at)));
  }
  return list;
}

/** A result as all programs see it: a string is UTF-16, little-endian. @param {unknown} output */
export function bytesOf(output) {
  if (typeof output === 'string') return Buffer.from(output, 'utf16le');
  if (typeof output === 'boolean') return Uint8Array.of(Number(output));
  return /** @type {Uint8Array} */ (output);
}

/** The length of all results together, and their FNV-1a. @param {Iterable<Uint8Array>} results */
export function answerFor(results) {
  let length = 0;
  let hash = 0x811c9dc5;
  for (const bytes of results) {
    length += bytes.length;
    for (let i = 0; i < bytes.length; i++) {
      hash = Math.imul(hash ^ /** @type {number} */ (bytes[i]), 0x01000193);
    }
  }
  return `gives ${length} ${(hash >>> 0).toString(16).padStart(8, '0')}`;
}

/**
 * Returns the checksum of the results of calls, or the index of the first input that is refused.
 *
 * @param {readonly unknown[]} inputs
 * @param {(input: any) => unknown} once
 */
export function answerCheck(inputs, once) {
  const results = [];
  for (const [i, input] of inputs.entries()) {
    try {
      results.push(bytesOf(once(input)));
    } catch {
      return `refuses ${i}`;
    }
  }
  return answerFor(results);
}
