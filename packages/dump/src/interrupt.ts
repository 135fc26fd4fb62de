/** What to remove when a signal or an error ends the program. */

const cleanups = new Set<() => unknown>();

/**
 * Registers a function that removes unfinished files, or returns a sentence that says what it kept. Returns
 * a function to call when no file is unfinished.
 */
export function whenInterrupted(discard: () => unknown): () => void {
  cleanups.add(discard);
  return () => void cleanups.delete(discard);
}

/**
 * Removes all temporary files of this process, except what `--resume` needs. A program calls it when a
 * signal ends it.
 *
 * @returns What was kept, one sentence each.
 * @example
 * ```ts
 * import { discardUnfinished } from '@utf8/dump';
 *
 * const end = () => {
 *   for (const sentence of discardUnfinished()) console.error(sentence);
 *   process.exit(143);
 * };
 * process.once('SIGTERM', end);
 * // Run convertDump here.
 * process.off('SIGTERM', end);
 * ```
 */
export function discardUnfinished(): string[] {
  const sentences: string[] = [];
  for (const discard of [...cleanups]) {
    try {
      const sentence = discard();
      if (typeof sentence === 'string') sentences.push(sentence);
    } catch {
      // The others still have to go, and nothing can be said about this one.
    }
  }
  cleanups.clear();
  return sentences;
}
