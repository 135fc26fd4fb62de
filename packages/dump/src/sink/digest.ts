/**
 * A digest of a file that can stop at any byte and continue in another process, which SHA-256 of
 * node:crypto cannot: SHA-256 of each MiB, chained, so that the state is one hash.
 */
import type { createHash } from 'node:crypto';

/** In bytes: what each link of the chain is made from. The last one may be shorter. */
export const LINK: number = 1 << 20;

/** The state of a digest, as plain data. */
export interface DigestState {
  /** In bytes. */
  readonly size: number;
  /** Of all whole links, in hex. */
  readonly chain: string;
}

/** The state before the first byte. */
const START: DigestState = { size: 0, chain: '' };

/** `chain = SHA-256(chain, SHA-256(the next MiB))`, beginning with nothing. */
export class Digest {
  readonly #create: () => ReturnType<typeof createHash>;
  #size: number;
  #chain: Uint8Array;
  #link: ReturnType<typeof createHash>;

  private constructor(create: () => ReturnType<typeof createHash>, { size, chain }: DigestState) {
    this.#create = create;
    this.#size = size - (size % LINK);
    this.#chain = Buffer.from(chain, 'hex');
    this.#link = create();
  }

  /** Begins a digest, and loads node:crypto for it, which takes 6 ms. */
  static async create(): Promise<Digest> {
    return Digest.resume(START, new Uint8Array());
  }

  /**
   * Continues a digest.
   *
   * @param tail - The last `size % LINK` bytes that were added to it.
   */
  static async resume(state: DigestState, tail: Uint8Array): Promise<Digest> {
    const { createHash } = await import('node:crypto');
    const digest = new Digest(() => createHash('sha256'), state);
    digest.add(tail);
    return digest;
  }

  /** Adds the next bytes. */
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
    this.#chain = this.#create().update(this.#chain).update(this.#link.digest()).digest();
    this.#link = this.#create();
  }
}
