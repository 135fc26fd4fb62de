/** Sorts any number of items in a fixed amount of memory, through temporary files. */
import { Folder } from './folder.js';
import { readRun, writeRun } from './run.js';

/** How much is sorted in memory, in bytes. */
const MEMORY = 1 << 23;

/** What an item takes beside its bytes, in bytes. */
const OVERHEAD = 128;

/** How many runs become one. */
const RUNS = 32;

/** Gives the items that it is given in order. */
export class Sorter {
  readonly #compare: (one: Buffer, other: Buffer) => number;
  readonly #memory: number;
  readonly #folder = new Folder();
  #items: Buffer[] = [];
  #size = 0;
  /** The files of runs, by how often what is in them has been merged. */
  readonly #levels: string[][] = [];

  /** @param memory - How much is sorted in memory, in bytes. */
  constructor(compare: (one: Buffer, other: Buffer) => number, memory: number = MEMORY) {
    this.#compare = compare;
    this.#memory = memory;
  }

  /**
   * Adds an item, which has to stay as it is.
   *
   * @throws {@link OutputFailure} where the temporary folder takes no more.
   */
  add(item: Buffer): void {
    this.#items.push(item);
    this.#size += item.length + OVERHEAD;
    if (this.#size < this.#memory) return;
    this.#write(0, this.#items.sort(this.#compare));
    this.#items = [];
    this.#size = 0;
  }

  /** All items, in order. */
  *read(): Generator<Buffer, void> {
    const runs = this.#levels.flat().map(readRun);
    yield* this.#merge([...runs, this.#items.sort(this.#compare)[Symbol.iterator]()]);
  }

  /** Removes what is left. */
  remove(): void {
    this.#folder.remove();
  }

  #write(level: number, items: Iterable<Buffer>): void {
    const path = this.#folder.nameFile();
    writeRun(path, items);
    const runs = this.#levels[level] ?? [];
    this.#levels[level] = runs;
    runs.push(path);
    if (runs.length < RUNS) return;
    this.#levels[level] = [];
    this.#write(level + 1, this.#merge(runs.map(readRun)));
  }

  *#merge(runs: readonly Iterator<Buffer, unknown>[]): Generator<Buffer, void> {
    const heads = runs.map((run) => run.next());
    for (;;) {
      let least = -1;
      let item: Buffer | undefined;
      for (const [i, { done, value }] of heads.entries()) {
        if (done || (item && this.#compare(value as Buffer, item) >= 0)) continue;
        least = i;
        item = value as Buffer;
      }
      if (!item) return;
      yield item;
      heads[least] = (runs[least] as Iterator<Buffer, unknown>).next();
    }
  }
}
