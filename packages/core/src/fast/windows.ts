/**
 * The one driver of all functions that convert or check long inputs. A kernel runs as far as it can, loops
 * read the character that stopped the kernel, and the caller reads the character that stopped the loops.
 */
import {
  LEAST_WINDOW_AFTER_FAULT,
  LOOP_WINDOW,
  RETRY_DISTANCE,
  SHORT_TEXT,
  WINDOW,
  WINDOW_AFTER_STOP,
} from './limits.js';

/** Runs from one index of a source to another, and returns the index at which it stopped. */
export type Advance = (from: number, to: number) => number;

/** Converts a window by a kernel or by loops, and returns the index at which it stopped. */
export type Run<Converter> = (converter: Converter, from: number, to: number) => number;

/** A kernel that moves over inputs together with loops. */
export interface Driver<Kernel, Loops> {
  drive(loops: Loops, longest: number, run: Run<Kernel | Loops>): Advance;
}

/**
 * Creates the function that moves over one input, by a kernel as far as it can, and by loops.
 *
 * @param kernel - Undefined if the encoding has none, or it cannot run.
 * @param loops - Undefined if rows read every character.
 * @param longest - Length of the longest character, in bytes or code units.
 * @param run - Converts a window, and returns the index at which it stopped.
 */
export function createAdvance<Kernel extends Driver<Kernel, Loops>, Loops>(
  kernel: Kernel | undefined,
  loops: Loops | undefined,
  longest: number,
  run: Run<Kernel | Loops>,
): Advance {
  if (!loops) return (from) => from;
  return (
    kernel?.drive(loops, longest, run) ??
    ((from, to) => run(loops, from, Math.min(from + LOOP_WINDOW, to)))
  );
}

/**
 * Drives a kernel and loops over one input.
 *
 * @param longest - Length of the longest character, in bytes or code units.
 * @param run - Converts a window by the kernel or by the loops, which stop only at a fault, or at a character
 *   that the window's end cuts.
 * @returns A function that runs from one index to another, or to the first place that stops the loops. It
 *   remembers the distance between faults.
 */
export function createWindows<Kernel, Loops>(
  kernel: Kernel | undefined,
  loops: Loops,
  longest: number,
  run: Run<Kernel | Loops>,
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
