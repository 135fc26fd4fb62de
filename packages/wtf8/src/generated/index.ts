// Generated from grammar.ts by `npm run generate`; a test fails if the two differ.

/**
 * WTF-8: functions, coders and streams. Each is an export of its own, so bundlers keep only those in use.
 * The interface `Codec` of `@utf8/core` documents parameters, results, errors and examples of all of them.
 *
 * @example
 * ```ts
 * import { decode, encode, isValid } from '@utf8/wtf8';
 *
 * encode('😀'); // => Uint8Array.of(0xf0, 0x9f, 0x98, 0x80)
 * decode(Uint8Array.of(0xf0, 0x9f, 0x98, 0x80)); // => '😀'
 * isValid(Uint8Array.of(0x41, 0xff)); // => false
 * ```
 * @packageDocumentation
 */
import type * as core from '@utf8/core';
import * as parts from '@utf8/core/parts';
import { kernel } from './kernel.js';
import { loops } from './loops.js';
import { packed, scalars } from './packed.js';
import { labels, name } from '../grammar.js';

const encoding: parts.Encoding = /* @__PURE__ */ new parts.RefusingEncoding(
  name,
  labels,
  packed,
  /* @__PURE__ */ new parts.Encoding(name, labels, scalars),
  loops,
  kernel,
);

export type {
  Bytes,
  Codec,
  CodecCore,
  CodePoints,
  DecodeOptions,
  DecoderConstructor,
  DecoderStreamConstructor,
  EncodeOptions,
  EncoderConstructor,
  EncoderStreamConstructor,
  ErrorPolicy,
  Fault,
  FaultReason,
  Grammar,
  OwnBytes,
  StreamOptions,
  TextDecoderConstructor,
  TextDecoderOptions,
  TextDecoderStreamConstructor,
  TextEncoderConstructor,
  TextEncoderStreamConstructor,
} from '@utf8/core';
export { DecodeError, EncodeError } from '@utf8/core/parts';
export { labels, name };

/**
 * WTF-8: UTF-8 that accepts lone surrogates, so it can encode every UTF-16 string. A pair is always four
 * bytes; in six bytes, it is one fault.
 *
 * @see https://simonsapin.github.io/wtf-8/#generalized-utf8 and #wtf-8
 */
export const grammar: core.Grammar = /* @__PURE__ */ parts.unpackGrammar('code points', packed);

/** WTF-8 for functions of two codecs, such as `transcode`. */
export const codec: core.CodecCore = /* @__PURE__ */ parts.createCore(encoding, grammar);

/** Decodes WTF-8 bytes to a string. @function */
export const decode: core.Codec['decode'] = /* @__PURE__ */ parts.createDecode(encoding);

/** Encodes a string as WTF-8. @function */
export const encode: core.Codec['encode'] = /* @__PURE__ */ parts.createEncode(encoding);

/** Encodes as many characters of a string as fit into a target. @function */
export const encodeInto: core.Codec['encodeInto'] = /* @__PURE__ */ parts.createEncodeInto(
  encoding,
);

/** Tells whether bytes are well-formed WTF-8. @function */
export const isValid: core.Codec['isValid'] = /* @__PURE__ */ parts.createIsValid(encoding);

/** Finds the first fault of WTF-8 at or after an index. @function */
export const findFault: core.Codec['findFault'] = /* @__PURE__ */ parts.createFindFault(encoding);

/** Finds every fault of WTF-8, in order, while the caller iterates. @function */
export const faults: core.Codec['faults'] = /* @__PURE__ */ parts.createFaults(encoding);

/** Counts the bytes that `encode` would write. @function */
export const byteLength: core.Codec['byteLength'] = /* @__PURE__ */ parts.createByteLength(
  encoding,
);

/** Counts the UTF-16 code units that `decode` would return. @function */
export const decodedLength: core.Codec['decodedLength'] = /* @__PURE__ */ parts.createDecodedLength(
  encoding,
);

/** Decodes WTF-8 bytes to code points. @function */
export const decodeCodePoints: core.Codec['decodeCodePoints'] =
  /* @__PURE__ */ parts.createDecodeCodePoints(encoding);

/** Encodes code points as WTF-8. @function */
export const encodeCodePoints: core.Codec['encodeCodePoints'] =
  /* @__PURE__ */ parts.createEncodeCodePoints(encoding);

/** Counts the characters of WTF-8 bytes; a fault counts as one. @function */
export const countCodePoints: core.Codec['countCodePoints'] =
  /* @__PURE__ */ parts.createCountCodePoints(encoding);

/** Finds the greatest character boundary at or before an index. @function */
export const floorBoundary: core.Codec['floorBoundary'] = /* @__PURE__ */ parts.createFloorBoundary(
  encoding,
);

/** Finds the least character boundary at or after an index. @function */
export const ceilBoundary: core.Codec['ceilBoundary'] = /* @__PURE__ */ parts.createCeilBoundary(
  encoding,
);

/** Shortens WTF-8 bytes to whole characters. @function */
export const truncate: core.Codec['truncate'] = /* @__PURE__ */ parts.createTruncate(encoding);

/** Compares two byte strings by code points or by UTF-16 code units. @function */
export const compare: core.Codec['compare'] = /* @__PURE__ */ parts.createCompare(encoding);

/**
 * Decodes WTF-8 chunk by chunk.
 *
 * @example
 * ```ts
 * import { Decoder } from '@utf8/wtf8';
 *
 * const decoder = new Decoder();
 * let text = decoder.decode(Uint8Array.of(0xf0, 0x9f, 0x98, 0x80).subarray(0, 1), { stream: true });
 * text += decoder.decode(Uint8Array.of(0xf0, 0x9f, 0x98, 0x80).subarray(1));
 * text; // => '😀'
 * ```
 * @class
 */
export const Decoder: core.DecoderConstructor<Decoder> = /* @__PURE__ */ parts.createDecoder(
  encoding,
);
export interface Decoder extends core.Decoder {}

/**
 * Encodes WTF-8 chunk by chunk.
 *
 * @example
 * ```ts
 * import { Encoder } from '@utf8/wtf8';
 *
 * const encoder = new Encoder({ errors: 'replace' });
 * encoder.encode('\ud83d', { stream: true }).length; // => 0
 * encoder.encode('\ude00').length; // => 4
 * ```
 * @class
 */
export const Encoder: core.EncoderConstructor<Encoder> = /* @__PURE__ */ parts.createEncoder(
  encoding,
);
export interface Encoder extends core.Encoder {}

/**
 * Decodes WTF-8 as a web stream.
 *
 * @example
 * ```ts
 * import { DecoderStream } from '@utf8/wtf8';
 *
 * const bytes = new Blob([Uint8Array.of(0xf0, 0x9f, 0x98, 0x80)]).stream();
 * let text = '';
 * for await (const chunk of bytes.pipeThrough(new DecoderStream())) text += chunk;
 * text; // => '😀'
 * ```
 * @class
 */
export const DecoderStream: core.DecoderStreamConstructor<DecoderStream> =
  /* @__PURE__ */ parts.createDecoderStream(Decoder);
export interface DecoderStream extends core.DecoderStream {}

/**
 * Encodes WTF-8 as a web stream.
 *
 * @example
 * ```ts
 * import { EncoderStream } from '@utf8/wtf8';
 *
 * const stream = new EncoderStream();
 * const writer = stream.writable.getWriter();
 * void writer.write('😀').then(() => writer.close());
 * new Uint8Array(await new Response(stream.readable).arrayBuffer()); // => Uint8Array.of(0xf0, 0x9f, 0x98, 0x80)
 * ```
 * @class
 */
export const EncoderStream: core.EncoderStreamConstructor<EncoderStream> =
  /* @__PURE__ */ parts.createEncoderStream(Encoder);
export interface EncoderStream extends core.EncoderStream {}

/**
 * Replaces the platform's `TextDecoder` by one of WTF-8.
 *
 * @example
 * ```ts
 * import { TextDecoder } from '@utf8/wtf8';
 *
 * new TextDecoder().decode(Uint8Array.of(0xf0, 0x9f, 0x98, 0x80)); // => '😀'
 * new TextDecoder('wtf-8', { fatal: true }).fatal; // => true
 * ```
 * @class
 */
export const TextDecoder: core.TextDecoderConstructor<TextDecoder> =
  /* @__PURE__ */ parts.createTextDecoder(encoding, Decoder);
export interface TextDecoder extends core.TextDecoder {}

/**
 * Replaces the platform's `TextEncoder` by one of WTF-8.
 *
 * @example
 * ```ts
 * import { TextEncoder } from '@utf8/wtf8';
 *
 * new TextEncoder().encode('😀'); // => Uint8Array.of(0xf0, 0x9f, 0x98, 0x80)
 * ```
 * @class
 */
export const TextEncoder: core.TextEncoderConstructor<TextEncoder> =
  /* @__PURE__ */ parts.createTextEncoder(name, encode, encodeInto);
export interface TextEncoder extends core.TextEncoder {}

/**
 * Replaces the platform's `TextDecoderStream` by one of WTF-8.
 *
 * @example
 * ```ts
 * import { TextDecoderStream } from '@utf8/wtf8';
 *
 * const bytes = new Blob([Uint8Array.of(0xf0, 0x9f, 0x98, 0x80)]).stream();
 * let text = '';
 * for await (const chunk of bytes.pipeThrough(new TextDecoderStream())) text += chunk;
 * text; // => '😀'
 * ```
 * @class
 */
export const TextDecoderStream: core.TextDecoderStreamConstructor<TextDecoderStream> =
  /* @__PURE__ */ parts.createTextDecoderStream(TextDecoder);
export interface TextDecoderStream extends core.TextDecoderStream {}

/**
 * Replaces the platform's `TextEncoderStream` by one of WTF-8.
 *
 * @example
 * ```ts
 * import { TextEncoderStream } from '@utf8/wtf8';
 *
 * const stream = new TextEncoderStream();
 * const writer = stream.writable.getWriter();
 * void writer.write('😀').then(() => writer.close());
 * new Uint8Array(await new Response(stream.readable).arrayBuffer()); // => Uint8Array.of(0xf0, 0x9f, 0x98, 0x80)
 * ```
 * @class
 */
export const TextEncoderStream: core.TextEncoderStreamConstructor<TextEncoderStream> =
  /* @__PURE__ */ parts.createTextEncoderStream(Encoder);
export interface TextEncoderStream extends core.TextEncoderStream {}
