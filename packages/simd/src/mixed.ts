import { wasm } from './generated/mixed.js';
import { type Loops, SimdKernel } from './kernel.js';

export type { Loops, Progress, Scratch, SimdKernel, Transcribe } from './kernel.js';

/** The kernels of UTF-8 with pairs in six bytes. */
export class MixedKernel extends SimdKernel {
  /**
   * @param loops - What serves short input, the bytes before a doubt, and everything where there is no
   *   WebAssembly.
   */
  constructor(loops: Loops) {
    super({ wasm, writesUtf8: true, readsUtf8: false, plainNul: true }, loops);
  }
}
