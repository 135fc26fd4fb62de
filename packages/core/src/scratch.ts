/**
 * Memory that kernels write to before it becomes a string or a result, and how it becomes a string. It
 * is used by all calls in turn: nobody may run a user's code between a kernel's write and the taking.
 */
import type { Kernel, Scratch } from './kernel.js';
import { ucs2Slice } from './platform.js';
import { SHORT_TEXT, takeShort } from './short-text.js';

/** Bytes per call of a decoding kernel. Longer input goes through in windows of this size. */
export const WINDOW: number = 0x8000;

/** What follows a fault goes through in smaller windows, of this many bytes at least: a few characters. */
export const LEAST_WINDOW = 14;

let shared: Scratch | undefined;

/** The kernel's own memory, or else the piece for all. */
export function scratchOf(kernel: Kernel): Scratch {
  return kernel.scratch ?? shareScratch();
}

/** The piece for all kernels. */
export function shareScratch(): Scratch {
  if (!shared) {
    // Two units a byte is more than any grammar makes.
    const units = new Uint16Array(2 * WINDOW);
    shared = { bytes: new Uint8Array(units.buffer), units };
  }
  return shared;
}

/** The first `length` code units of the scratch as a string. */
export function takeText({ bytes, units }: Scratch, length: number): string {
  if (length <= SHORT_TEXT) return takeShort(units, length);
  // Node's own copy is 15 to 26 times faster than fromCharCode (16 Ki units of ASCII and CJK, Node 20),
  // and keeps lone surrogates and U+FEFF, which TextDecoder('utf-16le') does not.
  if (ucs2Slice) return ucs2Slice.call(bytes, 0, 2 * length);
  return joinPieces({ bytes, units }, length);
}

/** As {@link takeText}, with nothing but the language. */
export function joinPieces({ units }: Scratch, length: number): string {
  let text = '';
  // In pieces, since arguments live on the stack.
  for (let i = 0; i < length; i += 4096) {
    const piece = units.subarray(i, Math.min(i + 4096, length)) as unknown as number[];
    text += String.fromCharCode.apply(null, piece);
  }
  return text;
}
