/** Kernels of UTF-8 with pairs in six bytes. */
import { wasm } from './generated/mixed.js';
import { type Loops, SimdKernel } from './kernel.js';

export type { Loops, Progress, Scratch, SimdKernel, Transcribe } from './kernel.js';

/**
 * Puts the WebAssembly kernels of UTF-8 with pairs in six bytes before loops that are right, but slower.
 *
 * @param loops - What serves short input, the bytes before a doubt, and everything where there is no
 *   WebAssembly.
 * @returns A kernel for an engine of `@utf8/core`.
 */
export function accelerate(loops: Loops): SimdKernel {
  return new SimdKernel({ wasm, writesUtf8: true, readsUtf8: false }, loops);
}
