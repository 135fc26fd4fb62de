/** How code units get from a string into memory. */

/** A method of Node's `Buffer` that takes any `Uint8Array` for `this`. */
type Ucs2Write = (this: Uint8Array, text: string, offset: number, bytes: number) => number;

const { Buffer } = globalThis as unknown as { Buffer?: { prototype: { ucs2Write?: Ucs2Write } } };
const isLittleEndian = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;
// Deno has the method too, but a loop is faster there.
const ucs2Write =
  isLittleEndian && !('Deno' in globalThis) ? Buffer?.prototype?.ucs2Write : undefined;

/** Writes `count` code units of a text, from the index `from` on, to memory seen as bytes and as units. */
export function writeUnits(
  text: string,
  from: number,
  count: number,
  bytes: Uint8Array,
  units: Uint16Array,
): void {
  if (ucs2Write) {
    const piece = from === 0 && count === text.length ? text : text.slice(from, from + count);
    ucs2Write.call(bytes, piece, 0, 2 * count);
  } else {
    for (let i = 0; i < count; i++) units[i] = text.charCodeAt(from + i);
  }
}
