/**
 * What the other packages of this family are made with. It may change in any version.
 *
 * @packageDocumentation
 */
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
export {
  createDecodePart,
  createDecodePrefix,
  createEncodeAt,
  type DecodePart,
  type DecodePrefix,
  type EncodeAt,
  type TextCodec,
} from './drive/part.js';
export { createFaults, createFindFault, createIsValid } from './drive/validate.js';
export { validateWay } from './drive/validate-way.js';
export type { DecodeWay, EncodeWay, ValidateWay } from './drive/way.js';
export type { PackedCause, PackedGrammar, PackedRow, PackedRows } from './grammar/packed.js';
export { type Accelerator, Engine } from './read/engine.js';
export {
  type Kernel,
  LEAST_WINDOW,
  type Loops,
  type Progress,
  type Scratch,
  STRETCH,
  type TranscodeWindow,
  WINDOW,
} from './read/kernel.js';
export { RefusingEngine } from './read/refusing-engine.js';
export { BlockTranscoder } from './stream/block-transcoder.js';
export { createDecoder } from './stream/decoder.js';
export { createEncoder } from './stream/encoder.js';
export { createDecoderStream, createEncoderStream } from './stream/web-streams.js';
