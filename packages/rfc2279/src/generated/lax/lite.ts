// Generated from grammar.ts by `npm run generate`; a test fails if the two differ.

/**
 * Encodes and decodes UTF-8 (RFC 2279, lax): functions, coders and streams, to be imported one by one.
 * This module is smaller and slower than the one without `/lite`; the results are the same.
 *
 * @packageDocumentation
 */
import type * as core from '@utf8/core';
import * as make from '@utf8/core/make';
import { labels, name } from '../../lax/grammar.js';
import { packed } from './packed.js';

const prepared: make.Engine = /* @__PURE__ */ new make.NumberEngine(name, labels, packed);
/**
 * The prepared grammar, which functions of two codecs share.
 *
 * @internal
 */
export const engine: unknown = prepared;

export type {
  Bytes,
  Codec,
  CodePoints,
  DecodeOptions,
  DecoderConstructor,
  DecoderOptions,
  DecoderStreamConstructor,
  EncodeOptions,
  EncoderConstructor,
  EncoderOptions,
  EncoderStreamConstructor,
  ErrorPolicy,
  Fault,
  FaultReason,
  Grammar,
  OwnBytes,
} from '@utf8/core';
export { DecodeError, EncodeError } from '@utf8/core/make';
export { labels, name };

/**
 * Numbers of 31 bits in the scheme of RFC 2279, surrogates included, as Perl and Lua have them. Surrogates
 * are numbers here: no two are a pair, and strings contain none of them. `decodeCodePoints` and
 * `encodeCodePoints` handle them.
 *
 * @see RFC 2279, section 2; perlunicode, "Security Implications of Unicode"; Lua 5.4 manual, section 6.5
 */
export const grammar: core.Grammar = /* @__PURE__ */ make.unpackGrammar('31 bits', packed);

/**
 * Decodes UTF-8 (RFC 2279, lax) bytes to a string.
 *
 * @param bytes - Any buffer, or any view of one.
 * @param options - `errors`: what to do about faults; `bom`: `strip` drops a byte order mark.
 * @returns The text.
 * @throws DecodeError at the first fault under `strict`, the default.
 * @throws RangeError if the text is longer than a string can be; `Decoder` returns it in pieces.
 * @throws TypeError if an argument is of the wrong type.
 * @see Unicode 16.0, section 3.9, D93b, "maximal subpart"
 * @example
 * ```ts
 * import { decode } from '@utf8/rfc2279/lax';
 *
 * decode(Uint8Array.of(0xf0, 0x9f, 0x98, 0x80)); // => '😀'
 * decode(Uint8Array.of(0x41, 0xff), { errors: 'replace' }); // => 'A\ufffd'
 * ```
 * @function
 */
export const decode: core.Codec['decode'] = /* @__PURE__ */ make.createDecode(prepared);

/**
 * Encodes a string as UTF-8 (RFC 2279, lax).
 *
 * @param text - Any string.
 * @param options - `errors`: what to do about characters that the encoding lacks.
 * @returns A new `Uint8Array`.
 * @throws EncodeError under `strict`, the default, at the first code point that the encoding does
 *   not contain.
 * @throws RangeError if the result is larger than the platform can allocate.
 * @throws TypeError if an argument is of the wrong type.
 * @example
 * ```ts
 * import { encode } from '@utf8/rfc2279/lax';
 *
 * encode('😀'); // => Uint8Array.of(0xf0, 0x9f, 0x98, 0x80)
 * ```
 * @function
 */
export const encode: core.Codec['encode'] = /* @__PURE__ */ make.createEncode(prepared);

/**
 * Encodes as much of a string as fits into a target: whole characters of UTF-8 (RFC 2279, lax) only.
 *
 * @param text - Any string.
 * @param target - Where to write, from its start.
 * @param options - `errors`: what to do about characters that the encoding lacks.
 * @returns How many UTF-16 code units were read, and how many bytes written.
 * @throws EncodeError as `encode` does; the text before that code point is written.
 * @throws TypeError if an argument is of the wrong type.
 * @example
 * ```ts
 * import { encodeInto } from '@utf8/rfc2279/lax';
 *
 * encodeInto('a😀', new Uint8Array(4)); // => { read: 1, written: 1 }
 * ```
 * @function
 */
export const encodeInto: core.Codec['encodeInto'] = /* @__PURE__ */ make.createEncodeInto(prepared);

/**
 * Tells whether bytes are well-formed UTF-8 (RFC 2279, lax) from beginning to end.
 *
 * @param bytes - Any buffer, or any view of one.
 * @returns True if there is no fault.
 * @throws TypeError if the argument is neither a buffer nor a view of one.
 * @example
 * ```ts
 * import { isValid } from '@utf8/rfc2279/lax';
 *
 * isValid(Uint8Array.of(0x61, 0xf0, 0x9f, 0x98, 0x80)); // => true
 * isValid(Uint8Array.of(0x41, 0xff)); // => false
 * ```
 * @function
 */
export const isValid: core.Codec['isValid'] = /* @__PURE__ */ make.createIsValid(prepared);

/**
 * Finds the first fault of UTF-8 (RFC 2279, lax) at or after an index.
 *
 * @param bytes - Any buffer, or any view of one.
 * @param from - Where to begin, in bytes: a boundary. 0 by default.
 * @returns The fault, its offset in bytes from the start of the input; undefined if there is none.
 * @throws RangeError if `from` is not an index into the bytes.
 * @throws TypeError if an argument is of the wrong type.
 * @see Unicode 16.0, section 3.9, D93b, "maximal subpart"
 * @example
 * ```ts
 * import { findFault } from '@utf8/rfc2279/lax';
 *
 * findFault(Uint8Array.of(0x41, 0xff));
 * // => { offset: 1, length: 1, reason: 'invalid-lead', incomplete: false }
 * ```
 * @function
 */
export const findFault: core.Codec['findFault'] = /* @__PURE__ */ make.createFindFault(prepared);

/**
 * Finds every fault of UTF-8 (RFC 2279, lax), in order, while the caller iterates.
 *
 * @param bytes - Any buffer, or any view of one.
 * @returns Faults, with offsets in bytes from the start of the input.
 * @throws TypeError if the argument is neither a buffer nor a view of one.
 * @see Unicode 16.0, section 3.9, D93b, "maximal subpart"
 * @example
 * ```ts
 * import { faults } from '@utf8/rfc2279/lax';
 *
 * Array.from(faults(Uint8Array.of(0xff, 0x41, 0xfe)), ({ offset }) => offset); // => [0, 2]
 * ```
 * @function
 */
export const faults: core.Codec['faults'] = /* @__PURE__ */ make.createFaults(prepared);

/**
 * Counts the bytes that `encode` would write, without storing them.
 *
 * @param text - Any string.
 * @param options - Those of `encode`.
 * @returns A number of bytes.
 * @throws EncodeError as `encode` does.
 * @throws TypeError if an argument is of the wrong type.
 * @example
 * ```ts
 * import { byteLength } from '@utf8/rfc2279/lax';
 *
 * byteLength('a😀'); // => 5
 * ```
 * @function
 */
export const byteLength: core.Codec['byteLength'] = /* @__PURE__ */ make.createByteLength(prepared);

/**
 * Counts the UTF-16 code units of what `decode` would return, without creating it.
 *
 * @param bytes - Any buffer, or any view of one.
 * @param options - Those of `decode`.
 * @returns A number of UTF-16 code units.
 * @throws DecodeError at the first fault under `strict`, the default.
 * @throws TypeError if an argument is of the wrong type.
 * @example
 * ```ts
 * import { decodedLength } from '@utf8/rfc2279/lax';
 *
 * decodedLength(Uint8Array.of(0xf0, 0x9f, 0x98, 0x80)); // => 2
 * ```
 * @function
 */
export const decodedLength: core.Codec['decodedLength'] = /* @__PURE__ */ make.createDecodedLength(
  prepared,
);

/**
 * Decodes UTF-8 (RFC 2279, lax) bytes to code points, also above U+10FFFF if the encoding has those.
 *
 * @param bytes - Any buffer, or any view of one.
 * @param options - Those of `decode`.
 * @returns A new `Uint32Array`.
 * @throws DecodeError at the first fault under `strict`, the default.
 * @throws TypeError if an argument is of the wrong type.
 * @example
 * ```ts
 * import { decodeCodePoints } from '@utf8/rfc2279/lax';
 *
 * decodeCodePoints(Uint8Array.of(0xf0, 0x9f, 0x98, 0x80)); // => Uint32Array.of(0x1f600)
 * ```
 * @function
 */
export const decodeCodePoints: core.Codec['decodeCodePoints'] =
  /* @__PURE__ */ make.createDecodeCodePoints(prepared);

/**
 * Encodes code points as UTF-8 (RFC 2279, lax).
 *
 * @param codePoints - Any iterable of numbers.
 * @returns A new `Uint8Array`.
 * @throws EncodeError at a number that the encoding does not contain; its offset is an index of the
 *   numbers.
 * @throws TypeError if the argument is not iterable.
 * @example
 * ```ts
 * import { encodeCodePoints } from '@utf8/rfc2279/lax';
 *
 * encodeCodePoints([0x41, 0xe9]); // => Uint8Array.of(0x41, 0xc3, 0xa9)
 * ```
 * @function
 */
export const encodeCodePoints: core.Codec['encodeCodePoints'] =
  /* @__PURE__ */ make.createEncodeCodePoints(prepared);

/**
 * Counts the characters of UTF-8 (RFC 2279, lax) bytes; a fault counts as one.
 *
 * @param bytes - Any buffer, or any view of one.
 * @returns A number of characters.
 * @throws TypeError if the argument is neither a buffer nor a view of one.
 * @example
 * ```ts
 * import { countCodePoints } from '@utf8/rfc2279/lax';
 *
 * countCodePoints(Uint8Array.of(0x61, 0xf0, 0x9f, 0x98, 0x80)); // => 2
 * ```
 * @function
 */
export const countCodePoints: core.Codec['countCodePoints'] =
  /* @__PURE__ */ make.createCountCodePoints(prepared);

/**
 * Finds the greatest character boundary that is not above an index.
 *
 * @param bytes - Any buffer, or any view of one.
 * @param index - In bytes. Below 0 it counts as 0, beyond the end as the end.
 * @returns An index in bytes.
 * @throws TypeError if an argument is of the wrong type.
 * @example
 * ```ts
 * import { floorBoundary } from '@utf8/rfc2279/lax';
 *
 * floorBoundary(Uint8Array.of(0x61, 0xf0, 0x9f, 0x98, 0x80), 4); // => 1
 * ```
 * @function
 */
export const floorBoundary: core.Codec['floorBoundary'] = /* @__PURE__ */ make.createFloorBoundary(
  prepared,
);

/**
 * Finds the least character boundary that is not below an index.
 *
 * @param bytes - Any buffer, or any view of one.
 * @param index - In bytes. Below 0 it counts as 0, beyond the end as the end.
 * @returns An index in bytes.
 * @throws TypeError if an argument is of the wrong type.
 * @example
 * ```ts
 * import { ceilBoundary } from '@utf8/rfc2279/lax';
 *
 * ceilBoundary(Uint8Array.of(0x61, 0xf0, 0x9f, 0x98, 0x80, 0x62), 4); // => 5
 * ```
 * @function
 */
export const ceilBoundary: core.Codec['ceilBoundary'] = /* @__PURE__ */ make.createCeilBoundary(
  prepared,
);

/**
 * Shortens UTF-8 (RFC 2279, lax) bytes to whole characters.
 *
 * @param bytes - Any `Uint8Array`.
 * @param maxBytes - The maximum length of the result, in bytes.
 * @returns A view of the same memory.
 * @throws TypeError if an argument is of the wrong type.
 * @example
 * ```ts
 * import { truncate } from '@utf8/rfc2279/lax';
 *
 * truncate(Uint8Array.of(0x61, 0xf0, 0x9f, 0x98, 0x80), 4).length; // => 1
 * ```
 * @function
 */
export const truncate: core.Codec['truncate'] = /* @__PURE__ */ make.createTruncate(prepared);

/**
 * Compares two byte strings by code points or by UTF-16 code units, not by bytes. A fault counts as U+FFFD.
 *
 * @param a - Any buffer, or any view of one.
 * @param b - Any buffer, or any view of one.
 * @param order - `code points`, the default; `code units` is the order of `<` for strings, and of DEX files:
 *   U+FF21 follows U+1F600.
 * @returns -1, 0 or 1.
 * @throws TypeError if an argument is of the wrong type.
 * @example
 * ```ts
 * import { compare } from '@utf8/rfc2279/lax';
 *
 * compare(Uint8Array.of(0x41), Uint8Array.of(0xf0, 0x9f, 0x98, 0x80)); // => -1
 * ```
 * @function
 */
export const compare: core.Codec['compare'] = /* @__PURE__ */ make.createCompare(prepared);

/**
 * Decodes UTF-8 (RFC 2279, lax) chunk by chunk, with the shape and the defaults of `TextDecoder`.
 *
 * The constructor accepts options, or a label of the codec and then options: `fatal`, `ignoreBOM`, and
 * `errors`, which overrides `fatal`. A sequence cut by the end of a chunk continues in the next one.
 *
 * @see https://encoding.spec.whatwg.org/#interface-textdecoder
 * @example
 * ```ts
 * import { Decoder } from '@utf8/rfc2279/lax';
 *
 * const decoder = new Decoder({ fatal: true });
 * let text = decoder.decode(Uint8Array.of(0xf0), { stream: true });
 * text += decoder.decode(Uint8Array.of(0x9f, 0x98, 0x80));
 * text; // => '😀'
 * ```
 * @class
 */
export const Decoder: core.DecoderConstructor<Decoder> = /* @__PURE__ */ make.createDecoder(
  prepared,
);
export interface Decoder extends core.Decoder {}

/**
 * Encodes UTF-8 (RFC 2279, lax) chunk by chunk, with the default of `TextEncoder`: `replace`.
 *
 * The constructor accepts options, or a label of the codec and then options: `errors`. A high surrogate
 * at the end of a chunk is kept for the next one.
 *
 * @see https://encoding.spec.whatwg.org/#interface-textencoder
 * @example
 * ```ts
 * import { Encoder } from '@utf8/rfc2279/lax';
 *
 * const encoder = new Encoder();
 * encoder.encode('\ud83d', { stream: true }).length; // => 0
 * encoder.encode('\ude00'); // => Uint8Array.of(0xf0, 0x9f, 0x98, 0x80)
 * ```
 * @class
 */
export const Encoder: core.EncoderConstructor<Encoder> = /* @__PURE__ */ make.createEncoder(
  prepared,
);
export interface Encoder extends core.Encoder {}

/**
 * Decodes UTF-8 (RFC 2279, lax) as a web stream, with the shape of `TextDecoderStream`.
 *
 * The constructor accepts the same arguments as that of `Decoder`.
 *
 * @see https://encoding.spec.whatwg.org/#interface-textdecoderstream
 * @example
 * ```ts
 * import { DecoderStream } from '@utf8/rfc2279/lax';
 *
 * const stream = new Blob([Uint8Array.of(0xf0, 0x9f, 0x98, 0x80)]).stream().pipeThrough(new DecoderStream());
 * let text = '';
 * for await (const chunk of stream) text += chunk;
 * text; // => '😀'
 * ```
 * @class
 */
export const DecoderStream: core.DecoderStreamConstructor<DecoderStream> =
  /* @__PURE__ */ make.createDecoderStream(Decoder);
export interface DecoderStream extends core.DecoderStream {}

/**
 * Encodes UTF-8 (RFC 2279, lax) as a web stream, with the shape of `TextEncoderStream`.
 *
 * The constructor accepts the same arguments as that of `Encoder`.
 *
 * @see https://encoding.spec.whatwg.org/#interface-textencoderstream
 * @example
 * ```ts
 * import { EncoderStream } from '@utf8/rfc2279/lax';
 *
 * const stream = new EncoderStream();
 * const writer = stream.writable.getWriter();
 * void writer.write('😀').then(() => writer.close());
 * new Uint8Array(await new Response(stream.readable).arrayBuffer()); // => Uint8Array.of(0xf0, 0x9f, 0x98, 0x80)
 * ```
 * @class
 */
export const EncoderStream: core.EncoderStreamConstructor<EncoderStream> =
  /* @__PURE__ */ make.createEncoderStream(Encoder);
export interface EncoderStream extends core.EncoderStream {}
