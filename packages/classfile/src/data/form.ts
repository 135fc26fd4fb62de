/** The format of a file with Java's data, by its first bytes. */
import { isValid } from '@utf8/mutf8/data-input';
import type { DataForm } from './error.js';

/** Most bytes of the name of a root, so that no text is taken for NBT: its first bytes are not below 09. */
const LONGEST_NAME = 0x8ff;

/** Most bytes of the name of a root that need not be well-formed. */
const SHORT_NAME = 0xff;

/** Number of bytes that {@link recognizeData} needs. */
export const DATA_LENGTH: number = LONGEST_NAME + 6;

const HPROF = 'JAVA PROFILE 1.0';

/** The last tag of NBT. */
const LAST_TAG = 12;

/**
 * Recognizes a file with Java's data by its first bytes, uncompressed.
 *
 * @param head - Its first {@link DATA_LENGTH} bytes, or all of a shorter file. More do not matter.
 * @returns The format; undefined if it is another. NBT has no signature: it is recognized by the tags at the start.
 * @example
 * ```ts
 * import { recognizeData } from '@utf8/classfile/data';
 *
 * recognizeData(Uint8Array.of(0xac, 0xed, 0, 5)); // => 'serialization'
 * recognizeData(Uint8Array.of(0x0a, 0, 0, 1, 0, 0)); // => 'nbt'
 * recognizeData(new TextEncoder().encode('\nSome text')); // => undefined
 * ```
 */
export function recognizeData(head: Uint8Array): DataForm | undefined {
  if (head[0] === 0xac && head[1] === 0xed && head[2] === 0) return 'serialization';
  if (Array.from(HPROF).every((character, i) => head[i] === character.charCodeAt(0))) {
    return 'hprof';
  }
  return isNbt(head) ? 'nbt' : undefined;
}

/** Tells whether a file begins with a compound, its name, and a tag; or is an empty compound. */
function isNbt(head: Uint8Array): boolean {
  if (head[0] !== 0x0a || head.length < 4) return false;
  const length = ((head[1] as number) << 8) | (head[2] as number);
  const tag = 3 + length;
  if (length > LONGEST_NAME) return false;
  // A short name may be malformed. A long one may be an image: PCX begins with 0A 05 01.
  if (length > SHORT_NAME && !isValid(head.subarray(3, tag))) return false;
  if (head[tag] === 0) return head.length === tag + 1;
  return (head[tag] ?? LAST_TAG + 1) <= LAST_TAG;
}
