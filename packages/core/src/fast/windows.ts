/**
 * The one driver: every function that converts or checks much input is a use of it. A kernel runs as far as
 * it can, loops read what stopped the kernel, and the caller reads what stopped the loops.
 */
import {
  LEAST_WINDOW_AFTER_FAULT,
  RETRY_DISTANCE,
  SHORT_TEXT,
  WINDOW,
  WINDOW_AFTER_STOP,
} from './limits.js';

/** Runs from one index of a source to another, and returns the index at which it stopped. */
export type Advance = (from: number, to: number) => number;

/**
 * Drives a kernel and loops over one input.
 *
 * @param longest - Length of the longest character, in the units of the input.
 * @param run - Converts a window by the kernel or by the loops, which stop only at a fault, or at a character
 *   that the window's end cuts.
 * @returns A function that runs from one index to another, or to the first place that stops the loops. It
 *   remembers the distance between faults.
 */
export function createWindows<Kernel, Loops>(
  kernel: Kernel | undefined,
  loops: Loops,
  longest: number,
  run: (converter: Kernel | Loops, from: number, to: number) => number,
): Advance {
  let window = WINDOW;
  return (from, to) => {
    const start = from;
    while (from < to) {
      let stop = Math.min(from + WINDOW, to);
      if (kernel) {
        if (window > SHORT_TEXT && to - from > SHORT_TEXT) {
          const end = Math.min(from + window, to);
          from = run(kernel, from, end);
          if (end < to && end - from < longest) {
            window = Math.min(4 * window, WINDOW);
            continue;
          }
        }
        stop = Math.min(from + RETRY_DISTANCE, to);
      }
      from = run(loops, from, stop);
      if (stop === to || stop - from >= longest) break;
      if (kernel) window = WINDOW_AFTER_STOP;
    }
    // Faults come in small groups too, which should not make the window small at once.
    if (from < to) {
      window = Math.max(2 * (from - start), window >> 2, LEAST_WINDOW_AFTER_FAULT);
      window = Math.min(window, WINDOW);
    }
    return from;
  };
}
