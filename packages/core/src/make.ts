/**
 * The parts of codecs: all that they load at their start. It may change in any version.
 *
 * @internal
 * @packageDocumentation
 */
import { createKernel as createSimdKernel } from '@utf8/simd';
import type { KernelFacts } from './compile/kernel-plan.js';
import type { Kernel } from './read/kernel.js';

export { isUint8Array, lengthOf, viewOf } from './argument/bytes.js';
export { createCeilBoundary, createFloorBoundary, createTruncate } from './drive/boundary.js';
export {
  createCountCodePoints,
  createDecodeCodePoints,
  createEncodeCodePoints,
} from './drive/code-points.js';
export { createCompare } from './drive/compare.js';
export { createDecode, createDecodedLength } from './drive/decode.js';
export { decodeWay } from './drive/decode-way.js';
export { createByteLength, createEncode } from './drive/encode.js';
export { createEncodeInto } from './drive/encode-into.js';
export { encodeWay } from './drive/encode-way.js';
export { createFaults, createFindFault, createIsValid } from './drive/validate.js';
export { validateWay } from './drive/validate-way.js';
export { DecodeError, EncodeError } from './fault/error.js';
export {
  type PackedCause,
  type PackedGrammar,
  type PackedRow,
  type PackedRows,
  unpackGrammar,
} from './grammar/packed.js';
export { type Accelerator, Engine } from './read/engine.js';
export type { Kernel, Loops } from './read/kernel.js';
export { NumberEngine } from './read/number-engine.js';
export { RefusingEngine } from './read/refusing-engine.js';
export { useWays } from './read/ways.js';
export { createDecoder } from './stream/decoder.js';
export { createEncoder } from './stream/encoder.js';
export { createDecoderStream, createEncoderStream } from './stream/web-streams.js';

/**
 * Makes the kernel of an encoding, from a module in hexadecimal digits. The code of `@utf8/simd` is in the file of
 * this entry: another package costs each start 0.3 to 1 ms.
 */
export const createKernel: (wasm: string, facts: KernelFacts) => Kernel = createSimdKernel;
