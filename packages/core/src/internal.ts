/**
 * What other packages of this family use besides codecs. It may change in any version.
 *
 * @internal
 * @packageDocumentation
 */
export {
  createDecodePart,
  createDecodePrefix,
  createEncodeAt,
  type DecodePart,
  type DecodePrefix,
  type EncodeAt,
  type TextCodec,
} from './drive/part.js';
export type { DecodeWay, EncodeWay, ValidateWay } from './drive/way.js';
export {
  LEAST_WINDOW,
  type Progress,
  type Scratch,
  STRETCH,
  type TranscodeWindow,
  WINDOW,
} from './read/kernel.js';
export { BlockTranscoder } from './stream/block-transcoder.js';
