/**
 * Functions for other packages of this family and for tests. They may change in any version.
 *
 * @internal
 * @packageDocumentation
 */
export { type Backend, useBackend } from './fast/choice.js';
export type { TranscodeWindow } from './fast/kernel-transcode.js';
export { WINDOW } from './fast/limits.js';
export type { Progress } from './fast/loops.js';
export type { Scratch } from './fast/module.js';
export { decodeByRows, deriveWeights, encodeByRows, sliceRow } from './grammar/arithmetic.js';
export { type Automaton, deriveAutomaton } from './grammar/automaton.js';
export { type ByteRole, deriveByteMap } from './grammar/byte-map.js';
export { hasNumbers, selectText } from './grammar/characters.js';
export { findFirstAscii, packGrammar } from './grammar/pack.js';
export type { PackedCause, PackedRow, PackedRows } from './grammar/packed.js';
export {
  createDecodePart,
  createDecodePrefix,
  createEncodeAt,
  createEncodeText,
  type DecodePart,
  type DecodePrefix,
  type EncodeAt,
  type TextCodec,
} from './part.js';
export { BlockTranscoder } from './stream/block-transcoder.js';
