/** How code units get from a string into memory. */
import { ucs2Write } from './platform.js';

// Deno has the method too, but a loop is faster there.
const write = 'Deno' in globalThis ? undefined : ucs2Write;

/** Writes `count` code units of a text, from the index `from` on, to memory seen as bytes and as units. */
export function writeUnits(
  text: string,
  from: number,
  count: number,
  bytes: Uint8Array,
  units: Uint16Array,
): void {
  if (write) {
    const piece = from === 0 && count === text.length ? text : text.slice(from, from + count);
    write.call(bytes, piece, 0, 2 * count);
  } else {
    for (let i = 0; i < count; i++) units[i] = text.charCodeAt(from + i);
  }
}
