/** A Bloom filter: a set in memory of a fixed size that never misses what is in it. */
import type { Hash } from './hash.js';

/** 2^27 bits, which take 16 MiB: with ten million keys in it, one in 500 others is taken for one of them. */
const BITS = 2 ** 27;

/** How many bits stand for a key. */
const PROBES = 6;

/** Says of keys whether they may have been added. Who is told so in error only costs time. */
export class BloomFilter {
  readonly #words = new Uint32Array(BITS / 32);

  add(hash: Hash): void {
    for (const bit of probe(hash)) this.#words[bit >>> 5] = this.#word(bit) | (1 << (bit & 31));
  }

  has(hash: Hash): boolean {
    for (const bit of probe(hash)) if ((this.#word(bit) & (1 << (bit & 31))) === 0) return false;
    return true;
  }

  #word(bit: number): number {
    return this.#words[bit >>> 5] as number;
  }
}

/** @see Kirsch and Mitzenmacher, "Less Hashing, Same Performance": two hashes make any number */
function* probe({ high, low }: Hash): Generator<number, void> {
  for (let i = 0; i < PROBES; i++) yield ((high + i * (low | 1)) >>> 0) % BITS;
}
