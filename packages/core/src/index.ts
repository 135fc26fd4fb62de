/**
 * The definition language of the UTF-8 family, and everything that is derived from a definition.
 *
 * @packageDocumentation
 */
export { type Automaton, deriveAutomaton } from './automaton.js';
export { createCeilBoundary, createFloorBoundary, createTruncate } from './boundary.js';
export { type Bytes, toUint8Array } from './bytes.js';
export {
  createCountCodePoints,
  createDecodeCodePoints,
  createEncodeCodePoints,
} from './code-points.js';
export type { Codec, DecodeOptions, EncodeOptions } from './codec.js';
export type {
  Decoder,
  DecoderOptions,
  DecoderStream,
  Encoder,
  EncoderOptions,
  EncoderStream,
} from './coder.js';
export { createCompare } from './compare.js';
export { createCodec } from './create.js';
export { createDecode, createDecodedLength, createFastDecode } from './decode.js';
export { createDecoder } from './decoder.js';
export { createByteLength, createEncode, createEncodeInto, createFastEncode } from './encode.js';
export { createEncoder } from './encoder.js';
export { Engine } from './engine.js';
export { DecodeError, EncodeError, formatBytes } from './error.js';
export type { Fault, FaultReason } from './fault.js';
export {
  type ByteRange,
  type Domain,
  defineGrammar,
  formatCodePoint,
  formatRow,
  type Grammar,
  GrammarError,
  type Row,
  type Unit,
} from './grammar.js';
export type { Kernel, Progress, Scratch, Transcribe } from './kernel.js';
export type { ErrorPolicy } from './policy.js';
export { createDecodePrefix, type DecodePrefix } from './prefix.js';
export {
  createDecodeRange,
  createEncodeAt,
  type DecodeRange,
  type EncodeAt,
  type TextCodec,
} from './range.js';
export { decodeByRows, encodeByRows, pairSurrogates } from './rows.js';
export { takeText } from './scratch.js';
export { createDecoderStream, createEncoderStream } from './streams.js';
export { deriveTables, type PackedRow, type Tables } from './tables.js';
export { type TranscodeOptions, Transcoder, TranscoderStream, transcode } from './transcode.js';
export { createFaults, createFindFault, createIsValid } from './validate.js';
export { Workbench } from './workbench.js';
