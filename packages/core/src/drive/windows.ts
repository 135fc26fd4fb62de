/**
 * The one driver: it takes an input through windows, and every function that reads or writes much is a use
 * of it. A kernel runs as far as it can, loops read what it doubts, and the caller decides what they doubt
 * too, and continues after it.
 */
import { LEAST_WINDOW, STRETCH, WINDOW } from '../read/kernel.js';
import type { Advance } from './way.js';

/** After a doubt of the kernel alone the next window is small, for where there is one there may be many. */
const AFTER_DOUBT = 1 << 9;

/** After a fault the next one is probably as far away, and a larger window would be loaded for nothing. */
const LEAST_AFTER_FAULT = 14;

/**
 * Drives loops and a kernel over one input.
 *
 * @param runKernel - False if there is none.
 * @param runLoops - Stops at a doubt, or at a character that the window's end cuts.
 * @param longest - No character is longer, in the units of the source.
 * @returns A function that runs from one index to another, or to the first place that loops doubt or
 *   that the end cuts. It remembers how far apart faults are.
 */
export function createWindows(
  runKernel: Advance | false,
  runLoops: Advance,
  longest: number,
): Advance {
  let size = WINDOW;
  return (from, to) => {
    const start = from;
    while (from < to) {
      let stop = Math.min(from + WINDOW, to);
      if (runKernel) {
        if (size >= LEAST_WINDOW && to - from >= LEAST_WINDOW) {
          const end = Math.min(from + size, to);
          from = runKernel(from, end);
          if (end < to && end - from < longest) {
            size = Math.min(4 * size, WINDOW);
            continue;
          }
        }
        stop = Math.min(from + STRETCH, to);
      }
      from = runLoops(from, stop);
      if (stop === to || stop - from >= longest) break;
      if (runKernel) size = AFTER_DOUBT;
    }
    // Faults come in small groups, too, which should not make the window small at once.
    if (from < to)
      size = Math.min(Math.max(2 * (from - start), size >> 2, LEAST_AFTER_FAULT), WINDOW);
    return from;
  };
}
