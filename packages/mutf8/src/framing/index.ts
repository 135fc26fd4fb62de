/**
 * Texts as binary formats contain them: after a length, or before a 00. Readers return the text and the index
 * after it; writers write into a target and return the index after the text.
 *
 * @packageDocumentation
 */
export type { FrameOptions } from './codec.js';
export { encodeCString, readCString, writeCString } from './cstring.js';
export { encodeDexString, readDexString, writeDexString } from './dex.js';
export { FrameError } from './error.js';
export type { TextFrame } from './frame.js';
export type { LengthOptions } from './length.js';
export { encodeLongUTF, readLongUTF, writeLongUTF } from './long.js';
export {
  type EncodedUnits,
  encodeUnits,
  readUnits,
  type WrittenUnits,
  writeUnits,
} from './units.js';
export { encodeUTF, readUTF, type UTFOptions, writeUTF } from './utf.js';
