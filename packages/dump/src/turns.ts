/** Turns for signals and timers during work that waits for nothing. */
import { patience } from './test-hook.js';

/** Lets the event loop have a turn now and then, so that a signal ends a run within a second. */
export class Turns {
  #last = performance.now();

  /** Whether it is time for a turn. */
  get isDue(): boolean {
    return performance.now() - this.#last >= patience();
  }

  /** Waits while signals and timers have their turn. */
  async take(): Promise<void> {
    await new Promise((done) => setImmediate(done));
    this.#last = performance.now();
  }
}
