// Generated from grammar.ts by `npm run generate`; a test fails if the two differ.

/**
 * CESU-8 (lenient): functions, coders and streams. Each is an export of its own, so bundlers keep only those in use.
 * The interface `Codec` of `@utf8/core` documents parameters, results, errors and examples of all of them.
 *
 * @example
 * ```ts
 * import { decode, encode, isValid } from '@utf8/cesu8/lenient';
 *
 * encode('😀'); // => Uint8Array.of(0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80)
 * decode(Uint8Array.of(0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80)); // => '😀'
 * isValid(Uint8Array.of(0x41, 0xff)); // => false
 * ```
 * @packageDocumentation
 */
import type * as core from '@utf8/core';
import * as parts from '@utf8/core/parts';
import { kernel } from './kernel.js';
import { loops } from './loops.js';
import { packed, scalars } from './packed.js';
import { labels, name } from '../../lenient/grammar.js';

const encoding: parts.Encoding = /* @__PURE__ */ new parts.Encoding(
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
 * CESU-8 as Java's and ICU's decoders accept it: lone surrogates are decoded and encoded.
 *
 * @see UTR #26, section 2, with each surrogate as a character
 */
export const grammar: core.Grammar = /* @__PURE__ */ parts.unpackGrammar('code units', packed);

/** CESU-8 (lenient) for functions of two codecs, such as `transcode`. */
export const codec: core.CodecCore = /* @__PURE__ */ parts.createCore(encoding, grammar);

/** Decodes CESU-8 (lenient) bytes to a string. @function */
export const decode: core.Codec['decode'] = /* @__PURE__ */ parts.createDecode(encoding);

/** Encodes a string as CESU-8 (lenient). @function */
export const encode: core.Codec['encode'] = /* @__PURE__ */ parts.createEncode(encoding);

/** Encodes as many characters of a string as fit into a target. @function */
export const encodeInto: core.Codec['encodeInto'] = /* @__PURE__ */ parts.createEncodeInto(
  encoding,
);

/** Tells whether bytes are well-formed CESU-8 (lenient). @function */
export const isValid: core.Codec['isValid'] = /* @__PURE__ */ parts.createIsValid(encoding);

/** Finds the first fault of CESU-8 (lenient) at or after an index. @function */
export const findFault: core.Codec['findFault'] = /* @__PURE__ */ parts.createFindFault(encoding);

/** Finds every fault of CESU-8 (lenient), in order, while the caller iterates. @function */
export const faults: core.Codec['faults'] = /* @__PURE__ */ parts.createFaults(encoding);

/** Counts the bytes that `encode` would write. @function */
export const byteLength: core.Codec['byteLength'] = /* @__PURE__ */ parts.createByteLength(
  encoding,
);

/** Counts the UTF-16 code units that `decode` would return. @function */
export const decodedLength: core.Codec['decodedLength'] = /* @__PURE__ */ parts.createDecodedLength(
  encoding,
);

/** Decodes CESU-8 (lenient) bytes to code points. @function */
export const decodeCodePoints: core.Codec['decodeCodePoints'] =
  /* @__PURE__ */ parts.createDecodeCodePoints(encoding);

/** Encodes code points as CESU-8 (lenient). @function */
export const encodeCodePoints: core.Codec['encodeCodePoints'] =
  /* @__PURE__ */ parts.createEncodeCodePoints(encoding);

/** Counts the characters of CESU-8 (lenient) bytes; a fault counts as one. @function */
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

/** Shortens CESU-8 (lenient) bytes to whole characters. @function */
export const truncate: core.Codec['truncate'] = /* @__PURE__ */ parts.createTruncate(encoding);

/** Compares two byte strings by code points or by UTF-16 code units. @function */
export const compare: core.Codec['compare'] = /* @__PURE__ */ parts.createCompare(encoding);

/**
 * Decodes CESU-8 (lenient) chunk by chunk.
 *
 * @example
 * ```ts
 * import { Decoder } from '@utf8/cesu8/lenient';
 *
 * const decoder = new Decoder();
 * let text = decoder.decode(Uint8Array.of(0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80).subarray(0, 1), { stream: true });
 * text += decoder.decode(Uint8Array.of(0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80).subarray(1));
 * text; // => '😀'
 * ```
 * @class
 */
export const Decoder: core.DecoderConstructor<Decoder> = /* @__PURE__ */ parts.createDecoder(
  encoding,
);
export interface Decoder extends core.Decoder {}

/**
 * Encodes CESU-8 (lenient) chunk by chunk.
 *
 * @example
 * ```ts
 * import { Encoder } from '@utf8/cesu8/lenient';
 *
 * const encoder = new Encoder({ errors: 'replace' });
 * encoder.encode('\ud83d', { stream: true }).length; // => 0
 * encoder.encode('\ude00').length; // => 6
 * ```
 * @class
 */
export const Encoder: core.EncoderConstructor<Encoder> = /* @__PURE__ */ parts.createEncoder(
  encoding,
);
export interface Encoder extends core.Encoder {}

/**
 * Decodes CESU-8 (lenient) as a web stream.
 *
 * @example
 * ```ts
 * import { DecoderStream } from '@utf8/cesu8/lenient';
 *
 * const bytes = new Blob([Uint8Array.of(0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80)]).stream();
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
 * Encodes CESU-8 (lenient) as a web stream.
 *
 * @example
 * ```ts
 * import { EncoderStream } from '@utf8/cesu8/lenient';
 *
 * const stream = new EncoderStream();
 * const writer = stream.writable.getWriter();
 * void writer.write('😀').then(() => writer.close());
 * new Uint8Array(await new Response(stream.readable).arrayBuffer()); // => Uint8Array.of(0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80)
 * ```
 * @class
 */
export const EncoderStream: core.EncoderStreamConstructor<EncoderStream> =
  /* @__PURE__ */ parts.createEncoderStream(Encoder);
export interface EncoderStream extends core.EncoderStream {}

/**
 * Replaces the platform's `TextDecoder` by one of CESU-8 (lenient).
 *
 * @example
 * ```ts
 * import { TextDecoder } from '@utf8/cesu8/lenient';
 *
 * new TextDecoder().decode(Uint8Array.of(0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80)); // => '😀'
 * new TextDecoder('cesu-8 (lenient)', { fatal: true }).fatal; // => true
 * ```
 * @class
 */
export const TextDecoder: core.TextDecoderConstructor<TextDecoder> =
  /* @__PURE__ */ parts.createTextDecoder(encoding, Decoder);
export interface TextDecoder extends core.TextDecoder {}

/**
 * Replaces the platform's `TextEncoder` by one of CESU-8 (lenient).
 *
 * @example
 * ```ts
 * import { TextEncoder } from '@utf8/cesu8/lenient';
 *
 * new TextEncoder().encode('😀'); // => Uint8Array.of(0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80)
 * ```
 * @class
 */
export const TextEncoder: core.TextEncoderConstructor<TextEncoder> =
  /* @__PURE__ */ parts.createTextEncoder(name, encode, encodeInto);
export interface TextEncoder extends core.TextEncoder {}

/**
 * Replaces the platform's `TextDecoderStream` by one of CESU-8 (lenient).
 *
 * @example
 * ```ts
 * import { TextDecoderStream } from '@utf8/cesu8/lenient';
 *
 * const bytes = new Blob([Uint8Array.of(0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80)]).stream();
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
 * Replaces the platform's `TextEncoderStream` by one of CESU-8 (lenient).
 *
 * @example
 * ```ts
 * import { TextEncoderStream } from '@utf8/cesu8/lenient';
 *
 * const stream = new TextEncoderStream();
 * const writer = stream.writable.getWriter();
 * void writer.write('😀').then(() => writer.close());
 * new Uint8Array(await new Response(stream.readable).arrayBuffer()); // => Uint8Array.of(0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80)
 * ```
 * @class
 */
export const TextEncoderStream: core.TextEncoderStreamConstructor<TextEncoderStream> =
  /* @__PURE__ */ parts.createTextEncoderStream(Encoder);
export interface TextEncoderStream extends core.TextEncoderStream {}
