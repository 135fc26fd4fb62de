/** Text without a format: a segment is any number of whole characters, malformed ones too. */
import type { Codec } from '@utf8/core';
import type { Source } from '../open/source.js';
import { floorSequence } from '../sequence.js';
import type { Format, Reader, ReaderState } from './format.js';

/** The name of the format of plain text, which has no records. */
export const RAW = 'none';

const LF = 0x0a;

/** Bytes around an offset that decide the boundary next to it. No character has more than six. */
const REACH = 64;

/** Bytes after a cut that must be known: nothing later moves a boundary that is this far back. */
const AHEAD = 16;

const STATE: ReaderState = { line: 1, record: 1, context: null };

/**
 * Creates the format for text in an encoding.
 *
 * @param ceilBoundary - Finds the first place at an index or after it where a range may begin; by default,
 * a character of the encoding, or a fault.
 */
export function createRawFormat(
  codec: Codec,
  ceilBoundary: Codec['ceilBoundary'] = codec.ceilBoundary,
): Format {
  const reader: Reader = {
    state: STATE,
    skip(bytes, isLast) {
      // A line that is typed comes out at once.
      if (isLast || bytes[bytes.length - 1] === LF) return bytes.length;
      return floorSequence(bytes, Math.max(0, bytes.length - AHEAD));
    },
    *read() {},
  };
  return {
    name: RAW,
    isLineBased: false,
    isOpaqueAscii: true,
    createReader: () => reader,
    // Any part of a text is as good as a unit.
    createScanner: () => ({ push: (chunk) => chunk.length, state: STATE }),
    findBoundary: (source, offset) => findBoundary(source, ceilBoundary, offset),
    quote: (text) => text,
    nuls: [],
    readValue: (bytes, field, text = bytes.subarray(field.start, field.end)) => text,
  };
}

/** Finds the first character boundary of a file at an offset or after it. */
async function findBoundary(
  source: Source,
  ceilBoundary: Codec['ceilBoundary'],
  offset: number,
): Promise<number> {
  const { size = 0 } = source;
  if (offset === 0 || offset === Number.POSITIVE_INFINITY) return offset;
  if (offset >= size) return size;
  const start = Math.max(0, offset - REACH);
  const window = new Uint8Array(offset + REACH - start);
  let length = 0;
  for (let count = -1; count !== 0 && length < window.length; length += count) {
    count = await source.read(window.subarray(length), start + length);
  }
  return start + ceilBoundary(window.subarray(0, length), offset - start);
}
