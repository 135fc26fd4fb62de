// cli-progress: the progress bar that most command line programs use; it writes to any stream, leaves
// stdin and signals alone, and clears its line. (@clack/prompts takes Ctrl+C for itself and exits 0.)
import type { SingleBar } from 'cli-progress';
import { whenInterrupted } from './interrupt.js';

/** In milliseconds; what is done sooner needs no bar. */
const PATIENCE = 500;

/** A progress bar on stderr, where that is a terminal and it is known how much there is to do. */
export class Progress {
  readonly #total: number;
  #started = performance.now();
  #done = 0;
  #bar: SingleBar | undefined;
  #settle = (): void => {};

  /** @param total - In bytes; undefined where there is to be no bar. */
  constructor(total: number | undefined) {
    this.#total = process.stderr.isTTY && total !== undefined ? total : 0;
  }

  /** Says that so many more bytes are done. */
  async advance(bytes: number): Promise<void> {
    this.#done += bytes;
    if (this.#bar) this.#bar.update(Math.min(this.#done, this.#total));
    else if (this.#total > 0 && performance.now() - this.#started > PATIENCE) await this.#show();
  }

  /** Makes room for other lines; the bar comes back when there have been none for a while. */
  clear(): void {
    this.#bar?.stop();
    this.#bar = undefined;
    this.#started = performance.now();
    this.#settle();
    this.#settle = () => {};
  }

  async #show(): Promise<void> {
    const { default: cliProgress } = await import('cli-progress');
    this.#bar = new cliProgress.SingleBar({
      stream: process.stderr,
      format: '{bar} {percentage} % of {size}, {eta_formatted} left',
      clearOnComplete: true,
      // A program that is killed cannot turn wrapping on again.
      linewrap: true,
    });
    this.#bar.start(this.#total, Math.min(this.#done, this.#total), {
      size: formatSize(this.#total),
    });
    this.#settle = whenInterrupted(() => this.clear());
  }
}

function formatSize(bytes: number): string {
  const units = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'];
  const power = Math.min(Math.floor(Math.log2(bytes) / 10), units.length - 1);
  return `${(bytes / 1024 ** power).toFixed(power > 0 ? 1 : 0)} ${units[power]}`;
}
