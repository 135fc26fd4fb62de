/**
 * Memory that loops write to before it becomes a string or a result, and how it becomes a string. All
 * calls use it in turn: no user's code may run between writing and taking.
 */
import type { Engine } from '../read/engine.js';
import { type Scratch, WINDOW } from '../read/kernel.js';
import { SHORT_TEXT, takeShort } from './short-text.js';

let shared: Scratch | undefined;

/** Returns the piece that serves wherever no kernel has any. */
export function shareScratch(): Scratch {
  if (!shared) {
    // Two code units per byte is more than any grammar makes.
    const codeUnits = new Uint16Array(2 * WINDOW);
    shared = { bytes: new Uint8Array(codeUnits.buffer), codeUnits };
  }
  return shared;
}

/** Returns the first `length` code units of a scratch as a string. */
export function takeText({ accelerator }: Engine, scratch: Scratch, length: number): string {
  const { codeUnits } = scratch;
  if (length <= SHORT_TEXT) return takeShort(codeUnits, length);
  const whole = accelerator?.kernel.takeText(scratch, length);
  if (whole !== undefined) return whole;
  let text = '';
  // In pieces, since arguments live on the stack.
  for (let i = 0; i < length; i += 4096) {
    const piece = codeUnits.subarray(i, Math.min(i + 4096, length)) as unknown as number[];
    text += String.fromCharCode.apply(null, piece);
  }
  return text;
}
