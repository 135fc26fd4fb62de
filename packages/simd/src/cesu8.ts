import { wasm } from './generated/cesu8.js';
import { type Loops, SimdKernel } from './kernel.js';

export type { Loops, Progress, Scratch, SimdKernel, Transcribe } from './kernel.js';

/** The kernels of CESU-8, and between it and UTF-8. */
export class Cesu8Kernel extends SimdKernel {
  /**
   * @param loops - What serves short input, the bytes before a doubt, and everything where there is no
   *   WebAssembly.
   */
  constructor(loops: Loops) {
    super({ wasm, writesUtf8: false, readsUtf8: false, plainNul: true }, loops);
  }
}
