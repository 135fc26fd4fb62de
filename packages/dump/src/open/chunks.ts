import type { Source } from './source.js';

/** In bytes: half of a processor's own cache. */
const SIZE = 1 << 17;

/**
 * Reads a source from beginning to end, in constant memory. Chunks end anywhere, and the next one
 * overwrites the memory of the last.
 */
export async function* chunks(source: Source): AsyncGenerator<Uint8Array, void, undefined> {
  const memory = new Uint8Array(SIZE);
  for (let position = 0; ; ) {
    const count = await source.read(memory, position);
    if (count === 0) return;
    position += count;
    yield memory.subarray(0, count);
  }
}
