/** `utf8 explain`: bytes, one sequence a line, and what to know about them. */
import type { Label } from '@utf8/detect';
import { formatFoot, formatHead, formatObject, formatSequence } from './annotate.js';
import { chunks } from './chunks.js';
import { Notes } from './notes.js';
import { ask } from './opinion.js';
import { openOutput, STDOUT } from './output.js';
import { Printer } from './printer.js';
import { Progress } from './progress.js';
import { split } from './sequence.js';
import { createStyle, type Style } from './style.js';
import { visit } from './visit.js';

/** What the command line asks for. */
export interface ExplainOptions {
  /** The one variant to ask; undefined for all. */
  readonly as: Label | undefined;
  readonly json: boolean;
  /** Whether colour is welcome where it can be seen. */
  readonly color: boolean;
}

/**
 * Explains bytes, whatever they are.
 *
 * @param input - A file, or the bytes themselves.
 * @returns The exit code: 0, or 3 where the file could not be read.
 * @throws {@link OutputFailure} where the output fails.
 */
export async function explain(
  input: string | Uint8Array,
  options: ExplainOptions,
): Promise<number> {
  const printer = new Printer(await openOutput(STDOUT), new Progress(undefined));
  const explanation = new Explanation(printer, options);
  let isRead = true;
  if (typeof input === 'string') {
    isRead = await visit(input, printer, async (source) => {
      for await (const chunk of chunks(source)) await explanation.add(chunk);
    });
  } else {
    await explanation.add(input);
  }
  await explanation.finish(isRead);
  return isRead ? 0 : 3;
}

class Explanation {
  readonly #printer: Printer;
  readonly #options: ExplainOptions;
  readonly #style: Style;
  readonly #notes = new Notes();
  /** What is not settled before more bytes come. */
  #pending = new Uint8Array();
  #offset = 0;
  #isEmpty = true;

  constructor(printer: Printer, options: ExplainOptions) {
    this.#printer = printer;
    this.#options = options;
    this.#style = createStyle(options.color);
  }

  async add(chunk: Uint8Array): Promise<void> {
    const bytes = Buffer.concat([this.#pending, chunk]);
    const done = await this.#explain(bytes, false);
    this.#pending = bytes.subarray(done);
    this.#offset += done;
    await this.#printer.print();
  }

  /** @param isWhole - False where the input ended before its end. */
  async finish(isWhole: boolean): Promise<void> {
    await this.#explain(this.#pending, true);
    if (!this.#options.json) this.#printer.add(this.#conclude(isWhole));
    await this.#printer.finish();
  }

  #conclude(isWhole: boolean): string {
    if (this.#isEmpty) return isWhole ? 'The input is empty.\n' : '';
    const foot = formatFoot(this.#options.as, this.#style);
    return `\n${foot}\n${this.#notes.format(this.#style)}`;
  }

  async #explain(bytes: Uint8Array, isLast: boolean): Promise<number> {
    const { as, json } = this.#options;
    const sequences = split(bytes, this.#offset, isLast);
    for (;;) {
      const { value, done } = sequences.next();
      if (done) return value;
      const all = ask(value);
      const opinions = as ? all.filter(({ label }) => label === as) : all;
      if (json) {
        this.#printer.add(formatObject(value, opinions));
      } else {
        if (this.#isEmpty) this.#printer.add(formatHead(this.#style));
        this.#printer.add(formatSequence(value, opinions, this.#style));
        this.#notes.add(value);
      }
      this.#isEmpty = false;
      if (this.#printer.isFull) await this.#printer.print();
    }
  }
}
