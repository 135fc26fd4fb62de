/**
 * Memory that kernels write to before it becomes a string or a result, and how it becomes a string. It
 * is used by all calls in turn: nobody may run a user's code between a kernel's write and the taking.
 */
import type { Kernel, Scratch } from './kernel.js';
import { bufferMethods } from './platform.js';

/** Bytes per call of a decoding kernel. Longer input goes through in windows of this size. */
export const WINDOW: number = 1 << 15;

/** What follows a fault goes through in smaller windows, of this many bytes at least: a few characters. */
export const LEAST_WINDOW = 14;

/** Up to how many code units a text is made by the engine itself. */
export const SHORT_TEXT = 12;

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
  if (bufferMethods) return bufferMethods.ucs2Slice.call(bytes, 0, 2 * length);
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

/** Without a call out of the engine, which alone costs 55 ns; 12 units take 20 (Node 20). */
function takeShort(u: Uint16Array, length: number): string {
  const make = String.fromCharCode as (...units: (number | undefined)[]) => string;
  // What is left of an earlier use must not make two bytes a unit of what needs only one.
  for (let i = length; i < SHORT_TEXT; i++) u[i] = 0;
  const text = make(u[0], u[1], u[2], u[3], u[4], u[5], u[6], u[7], u[8], u[9], u[10], u[11]);
  return text.slice(0, length);
}
