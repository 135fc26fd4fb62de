import { SIZE } from './blocks.js';
import type { Source } from './source.js';

/**
 * Reads a source from beginning to end, in constant memory and one read ahead. Where a chunk ends
 * means nothing, and its memory is used again for a later one.
 */
export async function* chunks(source: Source): AsyncGenerator<Uint8Array, void, undefined> {
  let memory = new Uint8Array(SIZE);
  let spare = new Uint8Array(SIZE);
  let position = 0;
  const read = (into: Uint8Array): Promise<number> => {
    const reading = source.read(into, position);
    // Whoever awaits it learns of an error; nobody may, if the run ends before.
    reading.catch(() => {});
    return reading;
  };
  let reading = read(memory);
  for (;;) {
    const count = await reading;
    if (count === 0) return;
    position += count;
    if (source.isPrompt) reading = read(spare);
    yield memory.subarray(0, count);
    if (!source.isPrompt) reading = read(spare);
    [memory, spare] = [spare, memory];
  }
}
