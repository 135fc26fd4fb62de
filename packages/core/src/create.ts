import type { Codec } from './codec/codec.js';
import { createCeilBoundary, createFloorBoundary, createTruncate } from './drive/boundary.js';
import {
  createCountCodePoints,
  createDecodeCodePoints,
  createEncodeCodePoints,
} from './drive/code-points.js';
import { createCompare } from './drive/compare.js';
import { createEngine } from './drive/create-engine.js';
import { createDecode, createDecodedLength } from './drive/decode.js';
import { createByteLength, createEncode } from './drive/encode.js';
import { createEncodeInto } from './drive/encode-into.js';
import { createFaults, createFindFault, createIsValid } from './drive/validate.js';
import type { Grammar } from './grammar/grammar.js';
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

/**
 * Makes a codec from a grammar at run time. The published variants are modules instead, whose names
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
  const engine = createEngine(name, grammar);
  const Decoder = createDecoder(engine);
  const Encoder = createEncoder(engine);
  const TextDecoder = createTextDecoder(engine, Decoder);
  const encode = createEncode(engine);
  const encodeInto = createEncodeInto(engine);
  return {
    name,
    grammar,
    engine,
    decode: createDecode(engine),
    encode,
    encodeInto,
    isValid: createIsValid(engine),
    findFault: createFindFault(engine),
    faults: createFaults(engine),
    byteLength: createByteLength(engine),
    decodedLength: createDecodedLength(engine),
    decodeCodePoints: createDecodeCodePoints(engine),
    encodeCodePoints: createEncodeCodePoints(engine),
    countCodePoints: createCountCodePoints(engine),
    floorBoundary: createFloorBoundary(engine),
    ceilBoundary: createCeilBoundary(engine),
    truncate: createTruncate(engine),
    compare: createCompare(engine),
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
