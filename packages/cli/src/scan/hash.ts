/** 64 bits that tell keys apart, as two numbers of 32: fast, and good enough where keys are compared in the end. */
export interface Hash {
  readonly high: number;
  readonly low: number;
}

/**
 * Hashes bytes.
 *
 * @see https://github.com/aappleby/smhasher, MurmurHash3, whose way to mix bits this is
 */
export function hash(bytes: Uint8Array): Hash {
  let high = 0x9e3779b9 ^ bytes.length;
  let low = 0x85ebca6b;
  for (const byte of bytes) {
    high = Math.imul(high ^ byte, 0xcc9e2d51);
    low = Math.imul(low ^ byte, 0x1b873593);
    high ^= high >>> 15;
    low ^= low >>> 13;
  }
  return { high: mix(high ^ low) >>> 0, low: mix(low) >>> 0 };
}

function mix(bits: number): number {
  let mixed = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}
