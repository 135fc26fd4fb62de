/** Text for stdout, gathered before it is written, and kept apart from the progress bar. */
import type { Output } from './output.js';
import type { Progress } from './progress.js';
import { say } from './say.js';

/** How much text is gathered before it is written, in characters. */
const BATCH = 1 << 16;

/** Prints on stdout, and says on stderr, in the order in which it is told to. */
export class Printer {
  readonly #output: Output;
  readonly #progress: Progress;
  #text = '';

  constructor(output: Output, progress: Progress) {
    this.#output = output;
    this.#progress = progress;
  }

  /** Adds text to what is printed next. */
  add(text: string): void {
    this.#text += text;
  }

  /** Whether so much has been added that it should be printed. */
  get isFull(): boolean {
    return this.#text.length > BATCH;
  }

  /** Prints what has been added. */
  async print(): Promise<void> {
    if (this.#text === '') return;
    if (process.stdout.isTTY) this.#progress.clear();
    const text = this.#text;
    this.#text = '';
    await this.#output.write(Buffer.from(text));
  }

  /** Prints what has been added, and says something about it. */
  async say(text: string): Promise<void> {
    await this.print();
    this.#progress.clear();
    await say(text);
  }

  /** Prints what has been added, and waits until it is out. */
  async finish(): Promise<void> {
    await this.print();
    this.#progress.clear();
    await this.#output.finish();
  }
}
