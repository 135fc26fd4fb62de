/**
 * The parts that the modules of codecs consist of. They may change in any version.
 *
 * @internal
 * @packageDocumentation
 */
export { isUint8Array, lengthOf, viewOf } from './argument/bytes.js';
export { createCeilBoundary, createFloorBoundary, createTruncate } from './boundary.js';
export {
  createCountCodePoints,
  createDecodeCodePoints,
  createEncodeCodePoints,
} from './code-points.js';
export { createCore } from './codec-core.js';
export { createCompare } from './compare.js';
export { createDecode } from './decode.js';
export { createEncode } from './encode.js';
export { createEncodeInto } from './encode-into.js';
export { Encoding } from './encoding.js';
export { decodeAscii, skipAscii } from './fast/ascii.js';
export { type Facts, Kernel } from './fast/kernel.js';
export type { Loops } from './fast/loops.js';
export { DecodeError, EncodeError } from './fault/error.js';
export {
  type PackedCause,
  type PackedGrammar,
  type PackedRow,
  type PackedRows,
  unpackGrammar,
} from './grammar/packed.js';
export { createByteLength, createDecodedLength } from './length.js';
export { NumberEncoding } from './number-encoding.js';
export { RefusingEncoding } from './refusing-encoding.js';
export { createDecoder } from './stream/decoder.js';
export { createEncoder } from './stream/encoder.js';
export { createTextDecoder } from './stream/text-decoder.js';
export { createTextEncoder } from './stream/text-encoder.js';
export {
  createDecoderStream,
  createEncoderStream,
  createTextDecoderStream,
  createTextEncoderStream,
} from './stream/web-streams.js';
export { createFaults, createFindFault, createIsValid } from './validate.js';
