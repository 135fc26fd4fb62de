/** The entries of an archive without its directory, by the headers before them. APPNOTE.TXT 4.3.7. */
import { readUint64 } from './directory.js';
import { type Entry, type EntryFields, parseEntry } from './record.js';
import type { Region } from './region.js';

const LOCAL_LENGTH = 30;
/** The newest version of the format that a header can need, 6.3, and the last system and method. */
const MAX_VERSION = 63;
const MAX_SYSTEM = 32;
const MAX_METHOD = 99;
/** The flag of an entry whose sizes and checksum come after it. APPNOTE.TXT 4.4.4. */
const HAS_DESCRIPTOR = 1 << 3;

const LOCAL = 0x04034b50;
const DESCRIPTOR = 0x08074b50;
/** Signatures that may follow an entry: another entry, its descriptor, the directory, or an end record. */
const signatures: ReadonlySet<number> = new Set([
  LOCAL,
  DESCRIPTOR,
  0x02014b50,
  0x05054b50,
  0x06054b50,
  0x06064b50,
]);

/** Least bytes that are searched at once: a match is mostly near. */
const LEAST_STEP = 1 << 12;
const MOST_STEP = 1 << 16;
/** Times that all bytes may be searched for the ends of entries, however many there are. */
const PASSES = 4;

/** Searches a region, and counts the bytes searched. */
class Search {
  readonly region: Region;
  /** Number of bytes that may be searched for ends of entries. */
  budget: number;

  constructor(region: Region) {
    this.region = region;
    this.budget = PASSES * region.size;
  }

  /** Yields the positions of signatures from a position on. */
  async *signatures(from: number): AsyncGenerator<[number, number], void, undefined> {
    let step = LEAST_STEP;
    for (let position = from; position + 4 <= this.region.size; ) {
      // A copy, because other reads between two signatures invalidate a view.
      const bytes = Buffer.from(await this.region.read(position, step));
      if (step > LEAST_STEP) this.budget -= bytes.length;
      for (let at = bytes.indexOf('PK'); at >= 0 && at + 4 <= bytes.length; ) {
        const signature = bytes.readUInt32LE(at);
        if (signatures.has(signature)) yield [position + at, signature];
        at = bytes.indexOf('PK', at + 2);
      }
      position += step - 3;
      step = Math.min(2 * step, MOST_STEP);
    }
  }
}

/** Returns some bytes of a region; undefined if it ends first. */
async function view(
  region: Region,
  position: number,
  length: number,
): Promise<DataView | undefined> {
  if (position < 0) return undefined;
  const bytes = await region.read(position, length);
  return bytes.length < length ? undefined : new DataView(bytes.buffer, bytes.byteOffset, length);
}

/**
 * Yields the entries of a region, in the order of the file. Skips entries within a stored entry, if the
 * header of that one is credible.
 */
export async function* scanEntries(region: Region): AsyncGenerator<Entry, void, undefined> {
  const search = new Search(region);
  for (let from = 0; ; ) {
    const found = await findLocal(search, from);
    if (!found) return;
    const { entry, data, next } = await measure(search, found);
    yield entry;
    from = Math.max(next, data);
  }
}

interface Local {
  readonly entry: Entry;
  /** Offset of its bytes. */
  readonly data: number;
}

async function findLocal(search: Search, from: number): Promise<Local | undefined> {
  for await (const [position, signature] of search.signatures(from)) {
    if (signature !== LOCAL) continue;
    const local = await readLocal(search.region, position, false);
    if (local) return local;
  }
  return undefined;
}

/**
 * Reads a local header.
 *
 * @param isStated - True if a directory refers to it, which makes a check of its fields unnecessary.
 * @returns The header; undefined if the bytes are not a local header.
 */
export async function readLocal(
  region: Region,
  position: number,
  isStated: boolean,
): Promise<Local | undefined> {
  const head = await view(region, position, LOCAL_LENGTH);
  if (head?.getUint32(0, true) !== LOCAL || !(isStated || isLikely(head))) return undefined;
  const fields: EntryFields = {
    flags: head.getUint16(6, true),
    method: head.getUint16(8, true),
    checksum: head.getUint32(14, true),
    compressedSize: head.getUint32(18, true),
    size: head.getUint32(22, true),
    offset: position,
  };
  const nameLength = head.getUint16(26, true);
  const extraLength = head.getUint16(28, true);
  const length = LOCAL_LENGTH + nameLength + extraLength;
  const bytes = await region.read(position, length);
  if (bytes.length < length) return undefined;
  const name = bytes.subarray(LOCAL_LENGTH, LOCAL_LENGTH + nameLength);
  const extra = bytes.subarray(LOCAL_LENGTH + nameLength, length);
  return {
    entry: parseEntry(fields, name, extra, { position, length }).entry,
    data: position + length,
  };
}

/** Tells whether the fields of a header are credible. */
const isLikely = (head: DataView): boolean =>
  head.getUint8(4) <= MAX_VERSION &&
  head.getUint8(5) <= MAX_SYSTEM &&
  head.getUint16(8, true) <= MAX_METHOD &&
  head.getUint16(26, true) > 0;

/** Finds the length of an entry, and the position after it. */
async function measure(search: Search, local: Local): Promise<Local & { readonly next: number }> {
  const { entry, data } = local;
  const { size } = search.region;
  const isDescribed = (entry.flags & HAS_DESCRIPTOR) !== 0;
  if (!isDescribed || entry.compressedSize > 0) {
    const next = data + entry.compressedSize;
    const isEnd = next === size || isDescribed || (await isSignature(search.region, next));
    if (isEnd && next <= size) return { ...local, next };
  }
  const described = isDescribed ? await findDescriptor(search, data) : undefined;
  if (described) {
    return { data, entry: { ...entry, ...described.fields }, next: described.next };
  }
  // Unknown or zero size: another entry ends it, but not one of an archive within.
  if (await isArchive(search.region, local)) {
    return { data, entry: { ...entry, compressedSize: size - data }, next: size };
  }
  const next = await findNext(search, data);
  // Only the stream gives the end of deflated data; a stored entry is not shortened to the bytes present.
  const isKnown = entry.method === 0 && entry.compressedSize > 0;
  return isKnown
    ? { ...local, next }
    : { data, entry: { ...entry, compressedSize: next - data }, next };
}

/** Returns the position of the next signature that may follow an entry, or the end. */
async function findNext(search: Search, from: number): Promise<number> {
  for await (const [position] of search.signatures(from)) return position;
  return search.region.size;
}

/** Yields the offsets after a position at which an entry may end, since something else begins there. */
export async function* findEnds(
  region: Region,
  from: number,
): AsyncGenerator<number, void, undefined> {
  for await (const [position] of new Search(region).signatures(from)) yield position;
}

async function isSignature(region: Region, position: number): Promise<boolean> {
  const found = await view(region, position, 4);
  return found !== undefined && signatures.has(found.getUint32(0, true));
}

/** Tells whether a stored entry begins like an archive. */
async function isArchive(region: Region, { entry, data }: Local): Promise<boolean> {
  return entry.method === 0 && (await view(region, data, 4))?.getUint32(0, true) === LOCAL;
}

interface Described {
  readonly fields: Pick<EntryFields, 'checksum' | 'compressedSize' | 'size'>;
  readonly next: number;
}

/** Finds the descriptor after an entry by its size, which equals the distance. APPNOTE.TXT 4.3.9. */
async function findDescriptor(search: Search, data: number): Promise<Described | undefined> {
  if (search.budget <= 0) return undefined;
  const describeBefore = async (end: number): Promise<Described | undefined> =>
    (await describe(search, data, end - 20, end - 20, 8)) ??
    (await describe(search, data, end - 12, end - 12, 4));
  for await (const [position, signature] of search.signatures(data)) {
    const found =
      signature === DESCRIPTOR
        ? ((await describe(search, data, position, position + 4, 8)) ??
          (await describe(search, data, position, position + 4, 4)))
        : await describeBefore(position);
    if (found) return found;
    if (search.budget <= 0) return undefined;
  }
  return describeBefore(search.region.size);
}

/** Reads a descriptor with sizes of 4 or 8 bytes, if it fits the bytes between two positions. */
async function describe(
  search: Search,
  data: number,
  end: number,
  position: number,
  width: 4 | 8,
): Promise<Described | undefined> {
  const found = position < data ? undefined : await view(search.region, position, 4 + 2 * width);
  if (!found) return undefined;
  const read = (at: number): number =>
    width === 4 ? found.getUint32(at, true) : readUint64(found, at);
  const compressedSize = read(4);
  if (compressedSize !== end - data) return undefined;
  return {
    fields: { checksum: found.getUint32(0, true), compressedSize, size: read(4 + width) },
    next: position + 4 + 2 * width,
  };
}
