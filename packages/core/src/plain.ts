import { SHORT } from './kernel.js';
import { hasNul, isAscii } from './platform.js';
import type { Tables } from './tables.js';

/**
 * Whether input that is not short is plain: ASCII, each byte the character of its number. Where the
 * platform does not tell at once, it is taken not to be.
 */
export function isPlain(bytes: Uint8Array, { firstPlain }: Tables): boolean {
  const { length } = bytes;
  const looksPlain =
    length > SHORT && ((bytes[0] as number) | (bytes[length >> 1] as number)) < 0x80;
  return (
    looksPlain &&
    // Memory that may change between the check and the reading goes the other way.
    bytes.buffer instanceof ArrayBuffer &&
    isAscii?.(bytes) === true &&
    firstPlain <= 1 &&
    (firstPlain === 0 || !hasNul(bytes))
  );
}
