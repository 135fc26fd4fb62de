/**
 * WebAssembly SIMD kernels for encodings of the UTF-8 family, put together by `@utf8/core/compile`.
 *
 * @internal
 * @packageDocumentation
 */
import { type Facts, SimdKernel } from './kernel.js';

export type { Facts, Progress, SimdKernel, TranscodeWindow } from './kernel.js';
export type { Scratch } from './module.js';
export { useWays, type Way } from './ways.js';

/**
 * Makes the kernel of an encoding. Nothing is compiled and nothing of the platform is touched before
 * the kernel is first used.
 *
 * @param wasm - The module, in hexadecimal digits.
 * @param facts - What the kernel knows of the grammar.
 */
export function createKernel(wasm: string, facts: Facts): SimdKernel {
  return new SimdKernel(wasm, facts);
}
