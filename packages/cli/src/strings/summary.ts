/** Sentences about files that are skipped, and the number of further ones at the end. */

/** Number of skipped files to name one by one. */
const MOST = 20;

/** Counts, so that nothing is left out in silence. */
export class Summary {
  readonly #say: (sentence: string) => Promise<void>;
  #skipped = 0;

  /** @param say - Says a sentence on stderr. */
  constructor(say: (sentence: string) => Promise<void>) {
    this.#say = say;
  }

  /** Lists skipped entries with reasons; of many, the first ones and the number of the others. */
  async skip(name: string, why: string): Promise<void> {
    this.#skipped++;
    if (this.#skipped <= MOST) await this.#say(`${name}: skipped: ${why}`);
  }

  /** Says that an archive or a folder contains nothing that is listed. */
  async empty(name: string): Promise<void> {
    await this.#say(`${name}: contains no class, DEX or resource file`);
  }

  async end(): Promise<void> {
    const more = this.#skipped - MOST;
    if (more > 0) await this.#say(`skipped ${more} more`);
  }
}
