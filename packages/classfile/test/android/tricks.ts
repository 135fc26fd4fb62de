/** Files that Android reads although they are not what the format says: as packed and obfuscated apps have them. */
import { readRecorded } from './recorded.js';

const manifest = readRecorded('manifest.axml');
const table = readRecorded('utf-8.arsc');

/** A chunk of a file: its type, and where it is. */
interface Chunk {
  readonly type: number;
  readonly start: number;
  readonly body: number;
  readonly end: number;
}

/** Lists the chunks after a header. */
export function listChunks(file: Buffer, start: number, end: number = file.length): Chunk[] {
  const found: Chunk[] = [];
  for (let at = start; at < end; at += file.readUInt32LE(at + 4)) {
    found.push({
      type: file.readUInt16LE(at),
      start: at,
      body: at + file.readUInt16LE(at + 2),
      end: at + file.readUInt32LE(at + 4),
    });
  }
  return found;
}

/** Returns a copy with other numbers: of four bytes, or of two. */
function set(file: Buffer, numbers: Readonly<Record<number, number>>, width: 2 | 4 = 4): Buffer {
  const copy = Buffer.from(file);
  for (const [at, value] of Object.entries(numbers)) copy.writeUIntLE(value, Number(at), width);
  return copy;
}

/** Inserts bytes, and adds their number to the sizes at some offsets, all before them. */
function insert(file: Buffer, at: number, bytes: Uint8Array, sizes: readonly number[]): Buffer {
  const grown = sizes.map((size) => [size, file.readUInt32LE(size) + bytes.length]);
  const copy = set(file, Object.fromEntries(grown));
  return Buffer.concat([copy.subarray(0, at), bytes, copy.subarray(at)]);
}

const chunks = listChunks(manifest, 8);
const pool = chunks[0] as Chunk;
const elements = chunks.filter(({ type }) => type === 0x102);

/** Gives each attribute some bytes more. */
function widenAttributes(file: Buffer, more: number): Buffer {
  let copy = file;
  for (const { start, body } of [...elements].reverse()) {
    const count = file.readUInt16LE(body + 12);
    for (let i = count; i > 0; i--) {
      copy = insert(copy, body + 20 + 20 * i, Buffer.alloc(more, 0xee), [4, start + 4]);
    }
    copy = set(copy, { [body + 10]: 20 + more }, 2);
  }
  return copy;
}

/** Puts bytes between each element and its attributes. */
function delayAttributes(file: Buffer, more: number): Buffer {
  let copy = file;
  for (const { start, body } of [...elements].reverse()) {
    copy = insert(copy, body + 20, Buffer.alloc(more, 0xee), [4, start + 4]);
    copy = set(copy, { [body + 8]: 20 + more }, 2);
  }
  return copy;
}

/** Writes a number into each attribute. */
function setAttributes(file: Buffer, position: number, value: number, width: 2 | 4 = 4): Buffer {
  let copy = file;
  for (const { body } of elements) {
    const count = file.readUInt16LE(body + 12);
    for (let i = 0; i < count; i++) {
      copy = set(copy, { [body + 20 + 20 * i + position]: value }, width);
    }
  }
  return copy;
}

const junk = Buffer.from([0x77, 0x07, 8, 0, 16, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8]);
/** A pool of as many strings as the manifest has, all of them "decoy". */
const decoy = (() => {
  const count = manifest.readUInt32LE(pool.start + 8);
  const start = 28 + 4 * count;
  const head = Buffer.alloc(start + 8);
  head.write('\x05\x05decoy', start);
  head.writeUInt32LE(0x1c_0001, 0);
  head.writeUInt32LE(start + 8, 4);
  head.writeUInt32LE(count, 8);
  head.writeUInt32LE(256, 16);
  head.writeUInt32LE(start, 20);
  return head;
})();

/** Manifests, each with one trick. */
export const manifests: Readonly<Record<string, Buffer>> = {
  'type 0': set(manifest, { 0: 0 }, 2),
  'the type of a table': set(manifest, { 0: 2 }, 2),
  'the type of a string pool': set(manifest, { 0: 1 }, 2),
  'an unknown type': set(manifest, { 0: 0x7777 }, 2),
  'a type that text begins with': set(manifest, { 0: 0x3c }, 2),
  'a header of 12 bytes': set(insert(manifest, 8, Buffer.alloc(4, 0xee), [4]), { 2: 12 }, 2),
  'a header of 64 bytes': set(insert(manifest, 8, Buffer.alloc(56, 0xee), [4]), { 2: 64 }, 2),
  'bytes after its end': Buffer.concat([manifest, Buffer.alloc(64, 0xee)]),
  'a pool with a longer header': set(
    set(insert(manifest, pool.start + 28, Buffer.alloc(4, 0xee), [4, pool.start + 4]), {
      [pool.start + 20]: manifest.readUInt32LE(pool.start + 20) + 4,
    }),
    { [pool.start + 2]: 32 },
    2,
  ),
  'an unknown chunk before the pool': insert(manifest, 8, junk, [4]),
  'another pool before its own': insert(manifest, 8, decoy, [4]),
  'another pool after its own': insert(manifest, pool.end, decoy, [4]),
  'another pool between nodes': insert(manifest, (elements[1] as Chunk).start, decoy, [4]),
  'attributes of 24 bytes': widenAttributes(manifest, 4),
  'bytes before attributes': delayAttributes(manifest, 8),
  'values without a size': setAttributes(manifest, 12, 0, 2),
  'values with a large size': setAttributes(manifest, 12, 0x7fff, 2),
  'namespaces without a string': setAttributes(manifest, 0, 0x7fff_fff0),
  'comments without a string': set(
    manifest,
    Object.fromEntries(
      chunks
        .slice(1)
        .filter(({ type }) => type >= 0x100 && type < 0x180)
        .map(({ start }) => [start + 12, 0x7fff_fff0]),
    ),
  ),
};

const tablePool = listChunks(table, 12)[0] as Chunk;

/** Tables of resources, each with one trick. */
export const tables: Readonly<Record<string, Buffer>> = {
  'type 0': set(table, { 0: 0 }, 2),
  'a header of 16 bytes': set(insert(table, 12, Buffer.alloc(4, 0xee), [4]), { 2: 16 }, 2),
  'a header of 64 bytes': set(insert(table, 12, Buffer.alloc(52, 0xee), [4]), { 2: 64 }, 2),
  'bytes after its end': Buffer.concat([table, Buffer.alloc(64, 0xee)]),
  'an unknown chunk before the pool': insert(table, 12, junk, [4]),
  'another pool after its own': insert(table, tablePool.end, decoy, [4]),
};

/** What aapt prints of each file, if that differs from what it prints of the file without the trick. */
export type Answers = Readonly<
  Record<'manifests' | 'tables', Readonly<Record<string, readonly string[]>>>
>;

export const readAnswers = (): Answers => JSON.parse(readRecorded('tricks.json').toString());
