/**
 * Memory that kernels write to before it becomes a string. One piece serves all codecs: no user's code
 * runs between a kernel's write and the string's making.
 */

/** Bytes per call of a decoding kernel. Longer input goes through in windows of this size. */
export const WINDOW: number = 1 << 14;

const littleEndian = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;

interface NodeBuffer {
  ucs2Slice(start: number, end: number): string;
}

let units: Uint16Array | undefined;
let buffer: NodeBuffer | undefined;

/** Room for the code units of one window: two a byte is more than any grammar makes. */
export function unitScratch(): Uint16Array {
  if (!units) {
    units = new Uint16Array(2 * WINDOW);
    // Node's own copy is 15 to 26 times faster than fromCharCode (16 Ki units of ASCII and CJK, Node
    // 20), and keeps lone surrogates and U+FEFF, which TextDecoder('utf-16le') does not.
    const { Buffer } = globalThis as unknown as {
      Buffer?: { from(memory: ArrayBufferLike): NodeBuffer };
    };
    if (littleEndian && Buffer) buffer = Buffer.from(units.buffer);
  }
  return units;
}

/** The first `length` code units of the scratch as a string. */
export function takeText(length: number): string {
  const source = unitScratch();
  if (buffer && length > 16) return buffer.ucs2Slice(0, 2 * length);
  let text = '';
  // In pieces, since arguments live on the stack.
  for (let i = 0; i < length; i += 4096) {
    const piece = source.subarray(i, Math.min(i + 4096, length));
    text += String.fromCharCode.apply(null, piece as unknown as number[]);
  }
  return text;
}
