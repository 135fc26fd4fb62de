import { createCeilBoundary, createFloorBoundary, createTruncate } from './boundary.js';
import {
  createCountCodePoints,
  createDecodeCodePoints,
  createEncodeCodePoints,
} from './code-points.js';
import type { Codec } from './codec/codec.js';
import { createCore } from './codec-core.js';
import { createCompare } from './compare.js';
import { createEncoding } from './create-encoding.js';
import { createDecode } from './decode.js';
import { createEncode } from './encode.js';
import { createEncodeInto } from './encode-into.js';
import type { Grammar } from './grammar/grammar.js';
import { createByteLength, createDecodedLength } from './length.js';
import { createDecoder } from './stream/decoder.js';
import { createEncoder } from './stream/encoder.js';
import { createTextDecoder } from './stream/text-decoder.js';
import { createTextEncoder } from './stream/text-encoder.js';
import {
  createDecoderStream,
  createEncoderStream,
  createTextDecoderStream,
  createTextEncoderStream,
} from './stream/web-streams.js';
import { createFaults, createFindFault, createIsValid } from './validate.js';

/**
 * Creates a codec from a grammar at run time. The published variants are modules instead, whose names
 * can be imported one by one, with loops and kernels compiled from their grammars.
 *
 * @param name - The name that errors contain.
 * @param grammar - The definition.
 * @returns The codec.
 * @example
 * ```ts
 * import { createCodec, defineGrammar } from '@utf8/core';
 *
 * const utf16be = createCodec('UTF-16BE', defineGrammar('scalar values', `
 *   U+0000..U+D7FF    = 00-D7 00-FF
 *   U+E000..U+FFFF    = E0-FF 00-FF
 *   U+10000..U+10FFFF = D8-DB 00-FF + DC-DF 00-FF
 * `));
 * utf16be.encode('é😀'); // => Uint8Array.of(0x00, 0xe9, 0xd8, 0x3d, 0xde, 0x00)
 * ```
 */
export function createCodec(name: string, grammar: Grammar): Codec {
  const encoding = createEncoding(name, grammar);
  const Decoder = createDecoder(encoding);
  const Encoder = createEncoder(encoding);
  const TextDecoder = createTextDecoder(encoding, Decoder);
  const encode = createEncode(encoding);
  const encodeInto = createEncodeInto(encoding);
  return {
    name,
    grammar,
    codec: createCore(encoding, grammar),
    decode: createDecode(encoding),
    encode,
    encodeInto,
    isValid: createIsValid(encoding),
    findFault: createFindFault(encoding),
    faults: createFaults(encoding),
    byteLength: createByteLength(encoding),
    decodedLength: createDecodedLength(encoding),
    decodeCodePoints: createDecodeCodePoints(encoding),
    encodeCodePoints: createEncodeCodePoints(encoding),
    countCodePoints: createCountCodePoints(encoding),
    floorBoundary: createFloorBoundary(encoding),
    ceilBoundary: createCeilBoundary(encoding),
    truncate: createTruncate(encoding),
    compare: createCompare(encoding),
    Decoder,
    Encoder,
    DecoderStream: createDecoderStream(Decoder),
    EncoderStream: createEncoderStream(Encoder),
    TextDecoder,
    TextEncoder: createTextEncoder(name, encode, encodeInto),
    TextDecoderStream: createTextDecoderStream(TextDecoder),
    TextEncoderStream: createTextEncoderStream(Encoder),
  };
}
