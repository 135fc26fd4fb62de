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
  ResourceMap: 0x0180,
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

/** Receives errors, and tells whether reading continues after them. */
export interface Reading {
  readonly tell: Tell;
  readonly isLenient: boolean;
}

/** Reports something that no tool writes and Android reads, as in files that mislead other readers. */
export function tellUnusual({ tell, isLenient }: Reading, offset: number, what: string): void {
  if (isLenient) tell(new ResourceError('unusual', offset, what));
}

/** Reports a chunk that has none of some types: Android skips it. */
export function tellUnknown(reading: Reading, chunk: Chunk, known: readonly number[]): void {
  if (known.includes(chunk.type)) return;
  tellUnusual(reading, chunk.start, `a chunk has the unknown type 0x${chunk.type.toString(16)}`);
}

/**
 * Yields the chunks between two offsets. After one that does not fit, finds the next one that does.
 *
 * @param measure - Returns the end of a chunk's content, which may be before the end that it states.
 */
export function* readChunks(
  bytes: Uint8Array,
  start: number,
  end: number,
  reading: Reading,
  measure = (chunk: Chunk): number => findInner(bytes, chunk),
): Generator<Chunk, undefined> {
  let from = start;
  for (let at = start; at < end; ) {
    let chunk: Chunk | undefined;
    let inner = end;
    let next: number;
    try {
      chunk = readChunk(bytes, at, end);
      next = chunk.end;
      if (reading.isLenient) inner = findWithin(bytes, chunk, measure(chunk), reading);
    } catch (error) {
      if (!(error instanceof ResourceError)) throw error;
      reading.tell(error);
      // The size of this chunk is wrong, or that of the one before.
      next = findChunk(bytes, from, end, at);
      chunk = next > at ? repairChunk(bytes, at, next) : undefined;
    }
    if (chunk) yield chunk;
    // Not measured themselves, so that their levels remain two.
    if (inner < next) yield* readChunks(bytes, inner, next, reading, ({ end }) => end);
    // The parts of a package belong to it.
    from = chunk?.type === Type.Package ? next : at + HEAD;
    at = next;
  }
}

/**
 * Returns the start of a chunk within another one that states too large a size, or the stated end.
 *
 * @param known - The end of its content.
 */
function findWithin(bytes: Uint8Array, chunk: Chunk, known: number, reading: Reading): number {
  if (known >= chunk.end) return chunk.end;
  if (!isCredible(bytes, known, chunk.end)) {
    tellUnusual(reading, known, `a chunk has ${chunk.end - known} bytes after its content`);
    return chunk.end;
  }
  const what = `a chunk of ${chunk.end - chunk.start} bytes contains another one`;
  reading.tell(new ResourceError('invalid-value', chunk.start + 4, what));
  return known;
}

/** Returns the offset of the first chunk within another one, other than a package; its end if there is none. */
function findInner(bytes: Uint8Array, chunk: Chunk): number {
  const { type, body, end } = chunk;
  if (type === Type.Package) return end;
  return findChunk(bytes, type === Type.StringPool ? findLastString(bytes, chunk) : body, end);
}

/** Returns the offset of the last string of a pool. Bytes before it that look like a chunk are part of the pool. */
function findLastString(bytes: Uint8Array, { start, body, end }: Chunk): number {
  const most = Math.floor((end - body) / 4);
  if (body - start < POOL_HEADER) return body;
  const count = Math.min(most, readU4(bytes, start + 8));
  const strings = start + readU4(bytes, start + 20);
  let last = body + 4 * Math.min(most, count + readU4(bytes, start + 12));
  for (let i = 0; i < count; i++) {
    const offset = strings + readU4(bytes, body + 4 * i);
    if (offset < end) last = Math.max(last, offset);
  }
  return last;
}

/** Size of the header of a string pool. */
export const POOL_HEADER = 28;

/** The size of the header by type; that of entries depends on their configuration. */
const headers: ReadonlyMap<number, number> = new Map([
  [Type.StringPool, POOL_HEADER],
  [Type.StartNamespace, 16],
  [Type.EndNamespace, 16],
  [Type.StartElement, 16],
  [Type.EndElement, 16],
  [Type.Text, 16],
  [Type.ResourceMap, 8],
  [Type.Package, 288],
  [Type.TypeSpec, 16],
]);

/** Size of the header of entries before the configuration, which states its own size. */
const ENTRIES = 20;
const MOST_CONFIGURATION = 256;

/** Returns the usual size of a header; 0 for an unknown type, and beyond the end. */
function findHeader(bytes: Uint8Array, start: number, end: number): number {
  const type = readU2(bytes, start);
  const usual = headers.get(type);
  if (usual !== undefined) return usual;
  if (type !== Type.TypeEntries || end - start < ENTRIES + 4) return 0;
  const configuration = readU4(bytes, start + ENTRIES);
  return configuration <= MOST_CONFIGURATION ? ENTRIES + configuration : 0;
}

/** Tells whether a chunk of a known type may begin at an offset. */
export function isCredible(bytes: Uint8Array, start: number, end: number): boolean {
  if (end - start < HEAD) return false;
  const header = findHeader(bytes, start, end);
  const size = readU4(bytes, start + 4);
  const isSized = header > 0 && readU2(bytes, start + 2) === header;
  return isSized && size >= header && size <= end - start && size % 4 === 0;
}

/** Returns the offset of the first credible chunk; the end if there is none. */
export function findChunk(bytes: Uint8Array, start: number, end: number, except = -1): number {
  for (let at = Math.ceil(start / 4) * 4; at < end; at += 4) {
    if (at !== except && isCredible(bytes, at, end)) return at;
  }
  return end;
}

/** Gives a chunk of a known type the usual size of its header, and another end. */
function repairChunk(bytes: Uint8Array, start: number, end: number): Chunk | undefined {
  if (end - start < HEAD) return undefined;
  const header = findHeader(bytes, start, end);
  if (header === 0 || header > end - start) return undefined;
  return { type: readU2(bytes, start), start, body: start + header, end };
}

/** Refuses a chunk whose header is too short for its content. */
export function checkHeader(chunk: Chunk, least: number): void {
  const size = chunk.body - chunk.start;
  if (size >= least) return;
  refuse('truncated', chunk.start + 2, `a header of ${size} bytes has ${least} at least`);
}
