import { wasm } from './generated/utf8.js';
import { type Loops, SimdKernel } from './kernel.js';

export type { Loops, Progress, Scratch, SimdKernel, Transcribe } from './kernel.js';

/** The kernels of UTF-8. */
export class Utf8Kernel extends SimdKernel {
  /**
   * @param loops - What serves short input, the bytes before a doubt, and everything where there is no
   *   WebAssembly.
   */
  constructor(loops: Loops) {
    super({ wasm, writesUtf8: true, readsUtf8: true }, loops);
  }
}
