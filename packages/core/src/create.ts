import { createCeilBoundary, createFloorBoundary, createTruncate } from './boundary.js';
import {
  createCountCodePoints,
  createDecodeCodePoints,
  createEncodeCodePoints,
} from './code-points.js';
import type { Codec } from './codec.js';
import { createCompare } from './compare.js';
import { createDecodedLength, createFastDecode } from './decode.js';
import { createDecoder } from './decoder.js';
import { createByteLength, createEncodeInto, createFastEncode } from './encode.js';
import { createEncoder } from './encoder.js';
import { Engine } from './engine.js';
import type { Grammar } from './grammar.js';
import type { Kernel } from './kernel.js';
import { takeText } from './scratch.js';
import { createDecoderStream, createEncoderStream } from './streams.js';
import { deriveTables } from './tables.js';
import { createFaults, createFindFault, createIsValid } from './validate.js';

/**
 * Makes a codec from a grammar at run time. The published variants are modules instead, whose names
 * can be imported one by one.
 *
 * @param name - The name that errors carry.
 * @param grammar - The definition.
 * @param kernel - Puts faster loops before the tables', or in their place.
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
export function createCodec(
  name: string,
  grammar: Grammar,
  kernel?: (table: Kernel) => Kernel,
): Codec {
  const engine = new Engine(name, deriveTables(grammar), kernel, takeText);
  const Decoder = createDecoder(engine);
  const Encoder = createEncoder(engine);
  return {
    name,
    grammar,
    decode: createFastDecode(engine),
    encode: createFastEncode(engine),
    encodeInto: createEncodeInto(engine),
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
  };
}
