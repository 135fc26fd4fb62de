/** Cleanup when a signal or an error ends the program. */

/** Found by its name, since several packages contain a copy of this module. */
const REGISTRY = Symbol.for('@utf8/files: interrupts');

function findRegistry(): Set<() => unknown> {
  const home = globalThis as unknown as Record<symbol, Set<() => unknown> | undefined>;
  home[REGISTRY] ??= new Set();
  return home[REGISTRY];
}

/**
 * Registers a function that removes unfinished files, or returns a sentence about files that it kept, whole
 * or in parts. Returns a function to call when no file is unfinished.
 */
export function whenInterrupted(discard: () => unknown): () => void {
  findRegistry().add(discard);
  return () => void findRegistry().delete(discard);
}

/**
 * Calls all registered functions, the last first, so that a lock is kept to the end, and forgets them.
 *
 * @returns The sentences of the functions about files that were kept.
 */
export function discardUnfinished(): (string | readonly unknown[])[] {
  const discards = findRegistry();
  const sentences: (string | readonly unknown[])[] = [];
  for (const discard of [...discards].reverse()) {
    try {
      const sentence = discard();
      if (typeof sentence === 'string' || Array.isArray(sentence)) sentences.push(sentence);
    } catch {
      // The others still have to go, and nothing can be said about this one.
    }
  }
  discards.clear();
  return sentences;
}
