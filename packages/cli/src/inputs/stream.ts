import type { Source } from '../source.js';

/** A source that is made on the way, and so read in order: what an archive is unpacked to. */
export class StreamedSource implements Source {
  readonly name: string;
  readonly size = undefined;
  readonly isPrompt = false;
  readonly #origin: Source;
  readonly #chunks: AsyncIterator<Uint8Array, void, undefined>;
  #rest: Uint8Array = new Uint8Array();

  /**
   * @param origin - What it is made of, which is closed with it.
   * @param chunks - Its bytes. A chunk's memory is not used any more when the next one is asked for.
   */
  constructor(origin: Source, chunks: AsyncIterator<Uint8Array, void, undefined>) {
    this.name = origin.name;
    this.#origin = origin;
    this.#chunks = chunks;
  }

  async read(into: Uint8Array): Promise<number> {
    while (this.#rest.length === 0) {
      const { value, done } = await this.#chunks.next();
      if (done) return 0;
      this.#rest = value;
    }
    const taken = this.#rest.subarray(0, into.length);
    into.set(taken);
    this.#rest = this.#rest.subarray(taken.length);
    return taken.length;
  }

  async close(): Promise<void> {
    await this.#chunks.return?.();
    await this.#origin.close();
  }
}
