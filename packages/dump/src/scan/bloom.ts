/**
 * Hashes bytes to a whole number of 52 bits.
 *
 * @see https://github.com/aappleby/smhasher, MurmurHash3, for the final mix
 */
export function hash(bytes: Uint8Array, start = 0, end: number = bytes.length): number {
  let high = 0x9e3779b9 ^ (end - start);
  let low = 0x85ebca6b;
  for (let i = start; i < end; i++) {
    const byte = bytes[i] as number;
    high = Math.imul(high ^ byte, 0xcc9e2d51);
    low = Math.imul(low ^ byte, 0x1b873593);
    high ^= high >>> 15;
    low ^= low >>> 13;
  }
  return (mix(high ^ low) >>> 0) * STEPS + (mix(low) >>> 12);
}

function mix(bits: number): number {
  let mixed = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}

/** 2^27 bits are 16 MiB. With ten million members, one in 500 other hashes passes for a member. */
const BITS = 2 ** 27;

/** Number of bits that each member sets, and of distances that these bits may have. */
const PROBES = 6;
const STEPS = 2 ** 20;

/** Allocates memory that threads share, which many pages in browsers may not have. */
const allocate = (bytes: number): ArrayBufferLike =>
  typeof SharedArrayBuffer === 'undefined' ? new ArrayBuffer(bytes) : new SharedArrayBuffer(bytes);

/** A set of hashes in constant memory, which threads share: all members pass, and a few others. */
export class BloomFilter {
  readonly memory: ArrayBufferLike;
  readonly #words: Uint32Array;

  constructor(memory: ArrayBufferLike = allocate(BITS / 8)) {
    this.memory = memory;
    this.#words = new Uint32Array(memory);
  }

  add(hash: number): void {
    for (let i = 0; i < PROBES; i++) {
      const bit = probe(hash, i);
      this.#words[bit >>> 5] = (this.#words[bit >>> 5] as number) | (1 << (bit & 31));
    }
  }

  has(hash: number): boolean {
    for (let i = 0; i < PROBES; i++) {
      const bit = probe(hash, i);
      if (((this.#words[bit >>> 5] as number) & (1 << (bit & 31))) === 0) return false;
    }
    return true;
  }
}

/** @see Kirsch and Mitzenmacher, "Less Hashing, Same Performance": two hashes make any number */
const probe = (hash: number, i: number): number =>
  (Math.floor(hash / STEPS) + i * ((hash % STEPS) | 1)) % BITS;
