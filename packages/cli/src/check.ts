/** `utf8 check`: every fault of some files. */
import { blocks } from './blocks.js';
import type { Encoding } from './codecs.js';
import { InputFailure } from './failure.js';
import { createFinding, findReason, formatFinding } from './finding.js';
import { type Output, openOutput, STDOUT } from './output.js';
import { locate, Position } from './position.js';
import { Progress } from './progress.js';
import { say } from './say.js';
import { measure, openSource, type Source } from './source.js';
import { count, Tally } from './tally.js';

/** What the command line asks for. */
export interface CheckOptions {
  readonly as: Encoding;
  readonly json: boolean;
  /** After how many findings to stop. */
  readonly max: number;
}

/** How much text is gathered before it is written, in characters. */
const BATCH = 1 << 16;

/**
 * Prints every fault of some files.
 *
 * @returns The exit code: 0 where there is none, 1 where there are, 3 where a file could not be read.
 * @throws {@link OutputFailure} where the output fails.
 */
export async function check(files: readonly string[], options: CheckOptions): Promise<number> {
  const examination = new Examination(
    options,
    await openOutput(STDOUT),
    new Progress(measure(files)),
  );
  for (const file of files) {
    if (examination.isOver) break;
    await examination.add(file);
  }
  return examination.finish();
}

class Examination {
  readonly #options: CheckOptions;
  readonly #output: Output;
  readonly #progress: Progress;
  readonly #faults = new Tally();
  #filesChecked = 0;
  #filesAtFault = 0;
  #hasFailed = false;
  #text = '';

  constructor(options: CheckOptions, output: Output, progress: Progress) {
    this.#options = options;
    this.#output = output;
    this.#progress = progress;
  }

  /** Whether there are as many findings as somebody wants to see. */
  get isOver(): boolean {
    return this.#faults.total >= this.#options.max;
  }

  /** Checks a file. One that cannot be read does not keep the others from being checked. */
  async add(file: string): Promise<void> {
    const before = this.#faults.total;
    let source: Source | undefined;
    try {
      source = await openSource(file);
      this.#filesChecked++;
      await this.#addSource(source);
    } catch (error) {
      if (!(error instanceof InputFailure)) throw error;
      this.#hasFailed = true;
      await this.#print();
      this.#progress.clear();
      await say(`utf8: ${error.message}\n`);
    } finally {
      await source?.close();
    }
    if (this.#faults.total > before) this.#filesAtFault++;
  }

  async #addSource(source: Source): Promise<void> {
    const { codec } = this.#options.as;
    let position = source.size === undefined ? new Position(codec) : undefined;
    for await (const block of blocks(source, codec)) {
      let end = 0;
      for (const fault of codec.faults(block.bytes)) {
        position ??= await locate(source, codec, block.offset);
        position.advance(block.bytes.subarray(end, fault.offset));
        end = fault.offset;
        const reason = findReason(codec, block, fault);
        this.#faults.add(reason);
        const finding = createFinding(source, block, { ...fault, reason }, position);
        this.#text += formatFinding(finding, this.#options.json);
        if (this.#text.length > BATCH) await this.#print();
        if (this.isOver) break;
      }
      await this.#print();
      if (this.isOver) break;
      position?.advance(block.bytes.subarray(end));
      await this.#progress.advance(block.bytes.length);
    }
  }

  async #print(): Promise<void> {
    if (this.#text === '') return;
    if (process.stdout.isTTY) this.#progress.clear();
    const text = this.#text;
    this.#text = '';
    await this.#output.write(Buffer.from(text));
  }

  /** Says what was found, and returns the exit code. */
  async finish(): Promise<number> {
    this.#progress.clear();
    await this.#output.finish();
    const { json, max } = this.#options;
    const faults = this.#faults.total;
    if (this.isOver) {
      await say(
        json
          ? `${JSON.stringify({ stopped: true, max })}\n`
          : `utf8: stopped after ${count(faults, 'finding')}, as --max says; there may be more\n`,
      );
    }
    if (faults > 0) await say(json ? this.#describe() : this.#summarize());
    if (this.#hasFailed) return 3;
    return faults > 0 ? 1 : 0;
  }

  #describe(): string {
    const faults = this.#faults;
    return `${JSON.stringify({ faults, files: this.#filesAtFault, filesChecked: this.#filesChecked })}\n`;
  }

  #summarize(): string {
    const files = `${this.#filesAtFault} of ${count(this.#filesChecked, 'file')}`;
    return `utf8: ${count(this.#faults.total, 'fault')} (${this.#faults}) in ${files}\n`;
  }
}
