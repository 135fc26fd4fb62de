/**
 * A digest of a file that can stop at any byte and continue in another process, which SHA-256 of
 * node:crypto cannot: SHA-256 of each MiB, chained, so that the state is one hash.
 */
import type { Hash } from 'node:crypto';

/** In bytes: the input of each link of the chain. The last one may be shorter. */
export const LINK: number = 1 << 20;

/** The state of a digest, as plain data. */
export interface DigestState {
  /** In bytes. */
  readonly size: number;
  /** Of all whole links, in hex. */
  readonly chain: string;
}

/** Loaded late, since node:crypto takes 6 ms. */
const createHash = (): Hash => process.getBuiltinModule('node:crypto').createHash('sha256');

/** `chain = SHA-256(chain, SHA-256(the next MiB))`, beginning with nothing. */
export class Digest {
  #size = 0;
  #chain: Uint8Array = new Uint8Array();
  #link = createHash();

  static async create(): Promise<Digest> {
    return new Digest();
  }

  /** Continues a digest. The tail is the last `size % LINK` bytes that were added to it. */
  static async resume({ size, chain }: DigestState, tail: Uint8Array): Promise<Digest> {
    const digest = new Digest();
    digest.#size = size - (size % LINK);
    digest.#chain = Buffer.from(chain, 'hex');
    digest.add(tail);
    return digest;
  }

  add(bytes: Uint8Array): void {
    for (let start = 0; start < bytes.length; ) {
      const end = Math.min(bytes.length, start + LINK - (this.#size % LINK));
      this.#link.update(bytes.subarray(start, end));
      this.#size += end - start;
      start = end;
      if (this.#size % LINK === 0) this.#close();
    }
  }

  get state(): DigestState {
    return { size: this.#size, chain: Buffer.from(this.#chain).toString('hex') };
  }

  /** Returns the digest in hex. The last call. */
  finish(): string {
    if (this.#size % LINK > 0 || this.#size === 0) this.#close();
    return this.state.chain;
  }

  #close(): void {
    this.#chain = createHash().update(this.#chain).update(this.#link.digest()).digest();
    this.#link = createHash();
  }
}
