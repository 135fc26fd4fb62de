/** Chunks: the parts of resources, each with a type and a length. */
import { readU2, readU4 } from '../android/cursor.js';
import { ResourceError, refuse, type Tell } from './error.js';

/** @see frameworks/base/libs/androidfw/include/androidfw/ResourceTypes.h in the Android Open Source Project */
export const Type = {
  StringPool: 0x0001,
  Table: 0x0002,
  Xml: 0x0003,
  StartNamespace: 0x0100,
  EndNamespace: 0x0101,
  StartElement: 0x0102,
  EndElement: 0x0103,
  Text: 0x0104,
  Package: 0x0200,
  TypeEntries: 0x0201,
  TypeSpec: 0x0202,
} as const;

/** The extent of a chunk, in bytes from the start of the file. */
export interface Chunk {
  readonly type: number;
  readonly start: number;
  /** Offset of the end of its header. */
  readonly body: number;
  readonly end: number;
}

const HEAD = 8;

/** Reads the head of a chunk. */
export function readChunk(bytes: Uint8Array, start: number, end: number): Chunk {
  if (end - start < HEAD) {
    refuse('truncated', end, `a chunk begins with ${HEAD} bytes, and ${end - start} are left`);
  }
  const headerSize = readU2(bytes, start + 2);
  const size = readU4(bytes, start + 4);
  if (headerSize < HEAD || size < headerSize) {
    refuse('invalid-value', start + 2, `a chunk of ${size} bytes has a header of ${headerSize}`);
  }
  if (size > end - start) {
    const what = `a chunk of ${size} bytes begins ${end - start} bytes before the end`;
    refuse('truncated', start + 4, what);
  }
  return { type: readU2(bytes, start), start, body: start + headerSize, end: start + size };
}

/** Yields the chunks between two offsets. One that does not fit is the last. */
export function* readChunks(
  bytes: Uint8Array,
  start: number,
  end: number,
  tell: Tell,
): Generator<Chunk, undefined> {
  for (let at = start; at < end; ) {
    let chunk: Chunk;
    try {
      chunk = readChunk(bytes, at, end);
    } catch (error) {
      if (!(error instanceof ResourceError)) throw error;
      tell(error);
      return;
    }
    yield chunk;
    at = chunk.end;
  }
}

/** Refuses a chunk whose header is too short for its content. */
export function checkHeader(chunk: Chunk, least: number): void {
  const size = chunk.body - chunk.start;
  if (size >= least) return;
  refuse('truncated', chunk.start + 2, `a header of ${size} bytes has ${least} at least`);
}
