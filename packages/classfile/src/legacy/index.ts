// Generated from grammar.ts by `npm run generate`; a test fails where the two differ.
import * as core from '@utf8/core';
import { grammar, name } from './grammar.js';
import { tables } from './tables.js';

const engine = /* @__PURE__ */ new core.Engine(name, tables, undefined, core.takeText);

export { DecodeError, EncodeError } from '@utf8/core';
export { grammar, name };

/**
 * Decodes Modified UTF-8 (class files to version 47) bytes to a string.
 *
 * @see {@link core.Codec.decode} for parameters, errors and an example
 */
export const decode: core.Codec['decode'] = /* @__PURE__ */ core.createFastDecode(engine);

/**
 * Encodes a string as Modified UTF-8 (class files to version 47), in memory of its own.
 *
 * @see {@link core.Codec.encode} for parameters, errors and an example
 */
export const encode: core.Codec['encode'] = /* @__PURE__ */ core.createFastEncode(engine);

/**
 * Encodes as much of a string as fits into a target, whole characters only.
 *
 * @see {@link core.Codec.encodeInto} for parameters, errors and an example
 */
export const encodeInto: core.Codec['encodeInto'] = /* @__PURE__ */ core.createEncodeInto(engine);

/**
 * Tells whether bytes are well-formed Modified UTF-8 (class files to version 47) from beginning to end.
 *
 * @see {@link core.Codec.isValid} for parameters, errors and an example
 */
export const isValid: core.Codec['isValid'] = /* @__PURE__ */ core.createIsValid(engine);

/**
 * Finds the first fault at or after an index in bytes.
 *
 * @see {@link core.Codec.findFault} for parameters, errors and an example
 */
export const findFault: core.Codec['findFault'] = /* @__PURE__ */ core.createFindFault(engine);

/**
 * Finds every fault, in order and lazily.
 *
 * @see {@link core.Codec.faults} for parameters, errors and an example
 */
export const faults: core.Codec['faults'] = /* @__PURE__ */ core.createFaults(engine);

/**
 * Counts the bytes that `encode` would write.
 *
 * @see {@link core.Codec.byteLength} for parameters, errors and an example
 */
export const byteLength: core.Codec['byteLength'] = /* @__PURE__ */ core.createByteLength(engine);

/**
 * Counts the UTF-16 code units of what `decode` would return.
 *
 * @see {@link core.Codec.decodedLength} for parameters, errors and an example
 */
export const decodedLength: core.Codec['decodedLength'] = /* @__PURE__ */ core.createDecodedLength(
  engine,
);

/**
 * Decodes Modified UTF-8 (class files to version 47) bytes to code points.
 *
 * @see {@link core.Codec.decodeCodePoints} for parameters, errors and an example
 */
export const decodeCodePoints: core.Codec['decodeCodePoints'] =
  /* @__PURE__ */ core.createDecodeCodePoints(engine);

/**
 * Encodes code points as Modified UTF-8 (class files to version 47).
 *
 * @see {@link core.Codec.encodeCodePoints} for parameters, errors and an example
 */
export const encodeCodePoints: core.Codec['encodeCodePoints'] =
  /* @__PURE__ */ core.createEncodeCodePoints(engine);

/**
 * Counts characters; a fault is one.
 *
 * @see {@link core.Codec.countCodePoints} for parameters, errors and an example
 */
export const countCodePoints: core.Codec['countCodePoints'] =
  /* @__PURE__ */ core.createCountCodePoints(engine);

/**
 * Finds the greatest character boundary that is not above an index in bytes.
 *
 * @see {@link core.Codec.floorBoundary} for parameters, errors and an example
 */
export const floorBoundary: core.Codec['floorBoundary'] = /* @__PURE__ */ core.createFloorBoundary(
  engine,
);

/**
 * Finds the least character boundary that is not below an index in bytes.
 *
 * @see {@link core.Codec.ceilBoundary} for parameters, errors and an example
 */
export const ceilBoundary: core.Codec['ceilBoundary'] = /* @__PURE__ */ core.createCeilBoundary(
  engine,
);

/**
 * Shortens bytes to whole characters: a view.
 *
 * @see {@link core.Codec.truncate} for parameters, errors and an example
 */
export const truncate: core.Codec['truncate'] = /* @__PURE__ */ core.createTruncate(engine);

/**
 * Compares two byte strings by code points: -1, 0 or 1.
 *
 * @see {@link core.Codec.compare} for parameters, errors and an example
 */
export const compare: core.Codec['compare'] = /* @__PURE__ */ core.createCompare(engine);

/**
 * Decodes Modified UTF-8 (class files to version 47) chunk by chunk, with the shape of `TextDecoder`.
 *
 * @see {@link core.Codec.Decoder} for parameters, errors and an example
 */
export type Decoder = core.Decoder;
export const Decoder: core.Codec['Decoder'] = /* @__PURE__ */ core.createDecoder(engine);

/**
 * Encodes Modified UTF-8 (class files to version 47) chunk by chunk, with the default of `TextEncoder`.
 *
 * @see {@link core.Codec.Encoder} for parameters, errors and an example
 */
export type Encoder = core.Encoder;
export const Encoder: core.Codec['Encoder'] = /* @__PURE__ */ core.createEncoder(engine);

/**
 * Decodes Modified UTF-8 (class files to version 47) as a web stream, with the shape of `TextDecoderStream`.
 *
 * @see {@link core.Codec.DecoderStream} for parameters, errors and an example
 */
export type DecoderStream = core.DecoderStream;
export const DecoderStream: core.Codec['DecoderStream'] = /* @__PURE__ */ core.createDecoderStream(
  Decoder,
);

/**
 * Encodes Modified UTF-8 (class files to version 47) as a web stream, with the shape of `TextEncoderStream`.
 *
 * @see {@link core.Codec.EncoderStream} for parameters, errors and an example
 */
export type EncoderStream = core.EncoderStream;
export const EncoderStream: core.Codec['EncoderStream'] = /* @__PURE__ */ core.createEncoderStream(
  Encoder,
);
