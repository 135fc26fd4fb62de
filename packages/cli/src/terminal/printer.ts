/** Lines for stdout: escaped, gathered before they are written, and kept apart from the progress bar. */
import { fstatSync, writeSync } from 'node:fs';
import { isatty } from 'node:tty';
import { OutputError } from '@utf8/dump';
import { ioError } from '@utf8/dump/internal';
import { escapeText } from './escape.js';
import { clearProgress } from './progress.js';
import { say } from './say.js';
import { escapePainted, paintLine, type Style } from './style.js';

/** Length of text to gather before writing it, in characters, and the longest wait, in milliseconds. */
const BATCH = 1 << 16;
const PATIENCE = 100;

/** Prints on stdout and reports on stderr, in the order of the calls. */
export class Printer {
  readonly #escape: (text: string) => string;
  #text = '';
  #printed = 0;

  /**
   * @param style - Whose colours the lines may have.
   * @param isReport - True if the lines are those of a report, without colours yet.
   */
  constructor(style?: Style, isReport = false) {
    this.#escape = !style?.hasColor
      ? escapeText
      : isReport
        ? (line) => paintLine(line, style)
        : escapePainted;
  }

  /** Adds a line. Its fields, if several, are separated by tabs. */
  add(...fields: readonly string[]): void {
    this.#text += `${fields.map(this.#escape).join('\t')}\n`;
  }

  /** True if there is enough text to write. */
  get isFull(): boolean {
    return this.#text.length > BATCH;
  }

  /** True if a reader may be waiting for the lines so far. */
  get isDue(): boolean {
    return this.isFull || process.stdout.isTTY || performance.now() - this.#printed > PATIENCE;
  }

  /** Writes the lines so far. */
  async print(): Promise<void> {
    const text = this.#text;
    this.#text = '';
    if (text === '') return;
    this.#printed = performance.now();
    await writeOut(text);
  }

  /** Writes the lines so far, and then a line to stderr. */
  async say(line: string): Promise<void> {
    await this.print();
    await say(line);
  }
}

/** Writes to stdout, and waits until that is done. */
export async function writeOut(text: string): Promise<void> {
  const bytes = Buffer.from(text);
  if (process.stdout.isTTY) clearProgress();
  try {
    // Node's stream for files and devices reports a partial write as done.
    const stats = fstatSync(1);
    if (stats.isFile() || (stats.isCharacterDevice() && !isatty(1))) {
      for (let done = 0; done < bytes.length; ) done += writeSync(1, bytes, done);
      return;
    }
    await new Promise<void>((resolve, reject) => {
      process.stdout.write(bytes, (error) => (error ? reject(error) : resolve()));
    });
  } catch (error) {
    throw ioError('stdout', error, OutputError);
  }
}
