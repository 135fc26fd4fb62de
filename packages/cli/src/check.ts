/** `utf8 check`: every fault of some files. */
import { blocks } from './blocks.js';
import type { Encoding } from './codecs.js';
import { createFinding, findReason, formatFinding } from './finding.js';
import { openOutput, STDOUT } from './output.js';
import { locate, Position } from './position.js';
import { Printer } from './printer.js';
import { Progress } from './progress.js';
import { measure, type Source } from './source.js';
import { count, Tally } from './tally.js';
import { visit } from './visit.js';

/** What the command line asks for. */
export interface CheckOptions {
  readonly as: Encoding;
  readonly json: boolean;
  /** After how many findings to stop. */
  readonly max: number;
}

/**
 * Prints every fault of some files.
 *
 * @returns The exit code: 0 where there is none, 1 where there are, 3 where a file could not be read.
 * @throws {@link OutputFailure} where the output fails.
 */
export async function check(files: readonly string[], options: CheckOptions): Promise<number> {
  const progress = new Progress(measure(files));
  const printer = new Printer(await openOutput(STDOUT), progress);
  const examination = new Examination(options, printer, progress);
  for (const file of files) {
    if (examination.isOver) break;
    await examination.add(file);
  }
  return examination.finish();
}

class Examination {
  readonly #options: CheckOptions;
  readonly #printer: Printer;
  readonly #progress: Progress;
  readonly #faults = new Tally();
  #filesChecked = 0;
  #filesAtFault = 0;
  #hasFailed = false;

  constructor(options: CheckOptions, printer: Printer, progress: Progress) {
    this.#options = options;
    this.#printer = printer;
    this.#progress = progress;
  }

  /** Whether there are as many findings as somebody wants to see. */
  get isOver(): boolean {
    return this.#faults.total >= this.#options.max;
  }

  /** Checks a file. One that cannot be read does not keep the others from being checked. */
  async add(file: string): Promise<void> {
    const before = this.#faults.total;
    const isRead = await visit(file, this.#printer, async (source) => {
      this.#filesChecked++;
      await this.#addSource(source);
    });
    if (!isRead) this.#hasFailed = true;
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
        this.#printer.add(formatFinding(finding, this.#options.json));
        if (this.#printer.isFull) await this.#printer.print();
        if (this.isOver) break;
      }
      await this.#printer.print();
      if (this.isOver) break;
      position?.advance(block.bytes.subarray(end));
      await this.#progress.advance(block.bytes.length);
    }
  }

  /** Says what was found, and returns the exit code. */
  async finish(): Promise<number> {
    await this.#printer.finish();
    const { json, max } = this.#options;
    const faults = this.#faults.total;
    if (this.isOver) {
      await this.#printer.say(
        json
          ? `${JSON.stringify({ stopped: true, max })}\n`
          : `utf8: stopped after ${count(faults, 'finding')}, as --max says; there may be more\n`,
      );
    }
    if (faults > 0) await this.#printer.say(json ? this.#describe() : this.#summarize());
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
