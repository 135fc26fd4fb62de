/** Kernels of UTF-8. */
import { wasm } from './generated/utf8.js';
import { type Loops, SimdKernel } from './kernel.js';

export type { Loops, Progress, Scratch, SimdKernel, Transcribe } from './kernel.js';

/**
 * Puts the WebAssembly kernels of UTF-8 before loops that are right, but slower.
 *
 * @param loops - What serves short input, the bytes before a doubt, and everything where there is no
 *   WebAssembly.
 * @returns A kernel for an engine of `@utf8/core`.
 */
export function accelerate(loops: Loops): SimdKernel {
  return new SimdKernel({ wasm, writesUtf8: true, readsUtf8: true }, loops);
}
