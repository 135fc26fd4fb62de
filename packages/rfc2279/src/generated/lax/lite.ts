// Generated from grammar.ts by `npm run generate`; a test fails if the two differ.

/** UTF-8 (RFC 2279, lax) without WebAssembly: smaller and slower than `@utf8/rfc2279/lax`, with the same results. @packageDocumentation */

import type * as core from '@utf8/core';
import * as parts from '@utf8/core/parts';
import { loops } from './loops.js';
import { packed } from './packed.js';
import { labels, name } from '../../lax/grammar.js';

const encoding: parts.Encoding = /* @__PURE__ */ new parts.NumberEncoding(
  name,
  labels,
  packed,
  undefined,
  loops,
);

export { DecodeError, EncodeError } from '@utf8/core/parts';
export { labels, name };
export const grammar: core.Grammar = /* @__PURE__ */ parts.unpackGrammar('31 bits', packed);
export const codec: core.CodecCore = /* @__PURE__ */ parts.createCore(encoding, grammar);
export const decode: core.Codec['decode'] = /* @__PURE__ */ parts.createDecode(encoding);
export const encode: core.Codec['encode'] = /* @__PURE__ */ parts.createEncode(encoding);
export const encodeInto: core.Codec['encodeInto'] = /* @__PURE__ */ parts.createEncodeInto(
  encoding,
);
export const isValid: core.Codec['isValid'] = /* @__PURE__ */ parts.createIsValid(encoding);
export const findFault: core.Codec['findFault'] = /* @__PURE__ */ parts.createFindFault(encoding);
export const faults: core.Codec['faults'] = /* @__PURE__ */ parts.createFaults(encoding);
export const byteLength: core.Codec['byteLength'] = /* @__PURE__ */ parts.createByteLength(
  encoding,
);
export const decodedLength: core.Codec['decodedLength'] = /* @__PURE__ */ parts.createDecodedLength(
  encoding,
);
export const decodeCodePoints: core.Codec['decodeCodePoints'] =
  /* @__PURE__ */ parts.createDecodeCodePoints(encoding);
export const encodeCodePoints: core.Codec['encodeCodePoints'] =
  /* @__PURE__ */ parts.createEncodeCodePoints(encoding);
export const countCodePoints: core.Codec['countCodePoints'] =
  /* @__PURE__ */ parts.createCountCodePoints(encoding);
export const floorBoundary: core.Codec['floorBoundary'] = /* @__PURE__ */ parts.createFloorBoundary(
  encoding,
);
export const ceilBoundary: core.Codec['ceilBoundary'] = /* @__PURE__ */ parts.createCeilBoundary(
  encoding,
);
export const truncate: core.Codec['truncate'] = /* @__PURE__ */ parts.createTruncate(encoding);
export const compare: core.Codec['compare'] = /* @__PURE__ */ parts.createCompare(encoding);
export const Decoder: core.DecoderConstructor = /* @__PURE__ */ parts.createDecoder(encoding);
export const Encoder: core.EncoderConstructor = /* @__PURE__ */ parts.createEncoder(encoding);
export const DecoderStream: core.DecoderStreamConstructor =
  /* @__PURE__ */ parts.createDecoderStream(Decoder);
export const EncoderStream: core.EncoderStreamConstructor =
  /* @__PURE__ */ parts.createEncoderStream(Encoder);
export const TextDecoder: core.TextDecoderConstructor = /* @__PURE__ */ parts.createTextDecoder(
  encoding,
  Decoder,
);
export const TextEncoder: core.TextEncoderConstructor = /* @__PURE__ */ parts.createTextEncoder(
  name,
  encode,
  encodeInto,
);
export const TextDecoderStream: core.TextDecoderStreamConstructor =
  /* @__PURE__ */ parts.createTextDecoderStream(TextDecoder);
export const TextEncoderStream: core.TextEncoderStreamConstructor =
  /* @__PURE__ */ parts.createTextEncoderStream(Encoder);
