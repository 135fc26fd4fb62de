/** Assembly of an archive with changed entries: everything else is copied unchanged. */
import {
  type Archive,
  END_LENGTH,
  LARGE_END_LENGTH,
  LOCATOR_LENGTH,
  readDirectory,
  readRecord,
} from './directory.js';
import { isStored } from './entry.js';
import { type Extent, findDescriptor, readExtent, writeDescriptor } from './local.js';
import { Overlap } from './overlap.js';
import {
  alignLocal,
  type EndNumbers,
  patchCentral,
  patchEnd,
  patchLargeEnd,
  patchLocal,
  patchLocator,
  RoomError,
  readChecksum,
} from './patch.js';
import type { Entry } from './record.js';
import type { Region } from './region.js';
import type { Run } from './run.js';
import type { Sink } from './sink.js';

/** The new content of an entry; its bytes, compressed as before, are in a file. */
export interface Change extends Pick<Entry, 'checksum' | 'compressedSize' | 'size'> {
  readonly position: number;
}

/** The changes of an archive. */
export interface Plan {
  readonly archive: Archive;
  /** The path of the archive, empty for the file itself. */
  readonly path: string;
  /** Changes by the position of an entry in the directory; `drop` removes it. */
  readonly changes: ReadonlyMap<number, Change | 'drop'>;
  /** Offset of an APK's signing block, which is removed. */
  readonly block: number | undefined;
}

/** The entries of an archive in the order of the directory, by the places of their records. */
interface Order {
  readonly records: number[];
  /** Offsets of their headers. */
  readonly offsets: number[];
  /** Their places in the directory, in the order of the file. */
  readonly sorted: Uint32Array;
  readonly isAligned: boolean;
}

/** The alignment that Android's tools give to stored entries, and to programs in them, in bytes. */
const ALIGNMENT = 4;
const PAGES = [16384, 4096];

/** Writes an archive with its changes. */
export class Assembly {
  readonly #plan: Plan;
  readonly #archive: Region;
  readonly #changed: Region;
  readonly #sink: Sink;
  readonly #run: Run;
  /** Offset of the archive in the output. */
  #base = 0;
  /** End of the part of the archive that is copied already. */
  #cursor = 0;

  /** @param changed - The region with the bytes of the changes. */
  constructor(plan: Plan, changed: Region, sink: Sink, run: Run) {
    this.#plan = plan;
    this.#archive = plan.archive.region;
    this.#changed = changed;
    this.#sink = sink;
    this.#run = run;
  }

  /**
   * @param whole - The region around the archive, including the bytes before it.
   * @throws {@link JarError} if entries overlap, or a number no longer fits its field.
   */
  async write(whole: Region): Promise<void> {
    const { start, directory } = this.#plan.archive;
    await this.#sink.copy(whole, 0, start);
    this.#base = this.#sink.position;
    try {
      const order = await this.#findOrder();
      const offsets = await this.#writeEntries(order);
      await this.#copyTo(this.#plan.block ?? directory);
      this.#cursor = directory;
      await this.#writeDirectory(order, offsets);
    } catch (error) {
      if (!(error instanceof RoomError)) throw error;
      const what = 'with the changes it would need 64-bit fields (zip64) instead of 32-bit ones';
      throw this.#run.fail('too-large', this.#plan.path, `${what}; create it again with zip64`);
    }
  }

  /** The offset of the next byte in the new archive. */
  get #position(): number {
    return this.#sink.position - this.#base;
  }

  async #copyTo(end: number): Promise<void> {
    if (end < this.#cursor) {
      throw new Overlap(this.#plan.path, this.#run).fail(`two things lie at ${end}`);
    }
    await this.#sink.copy(this.#archive, this.#cursor, end);
    this.#cursor = end;
  }

  async #findOrder(): Promise<Order> {
    const { archive, path } = this.#plan;
    const records: number[] = [];
    const offsets: number[] = [];
    for await (const { record, offset } of readDirectory(archive, path, this.#run)) {
      records.push(record.position);
      offsets.push(offset);
    }
    const sorted = Uint32Array.from(offsets.keys());
    sorted.sort((a, b) => (offsets[a] as number) - (offsets[b] as number));
    const order = { records, offsets, sorted, isAligned: false };
    return { ...order, isAligned: await this.#isAligned(order) };
  }

  /** Yields the entries in the order of the file, each with the offset of its end. */
  async *#entries({
    records,
    offsets,
    sorted,
  }: Order): AsyncGenerator<[number, Entry, Extent], void, undefined> {
    const end = this.#plan.block ?? this.#plan.archive.directory;
    for (const [i, place] of sorted.entries()) {
      const next = sorted[i + 1];
      const limit = next === undefined ? end : (offsets[next] as number);
      const entry = await this.#readRecord(records[place] as number);
      const path = this.#pathOf(entry);
      yield [place, entry, await readExtent(this.#archive, entry, limit, path, this.#run)];
    }
  }

  /** Tells whether all stored entries are aligned, which is then no coincidence. */
  async #isAligned(order: Order): Promise<boolean> {
    let isAny = false;
    for await (const [, entry, { data }] of this.#entries(order)) {
      if (!isStored(entry) || entry.size === 0) continue;
      if (data % ALIGNMENT !== 0) return false;
      isAny = true;
    }
    return isAny;
  }

  /** @returns The new offsets of the entries' headers; NaN for removed ones. */
  async #writeEntries(order: Order): Promise<Float64Array> {
    const written = new Float64Array(order.offsets.length);
    for await (const [place, entry, extent] of this.#entries(order)) {
      const change = this.#plan.changes.get(place);
      const alignment = order.isAligned ? findAlignment(entry, extent.data) : 1;
      await this.#copyTo(entry.offset);
      written[place] = change === 'drop' ? Number.NaN : this.#position;
      if (change === 'drop') this.#cursor = await this.#endOf(entry, extent);
      else if (change) await this.#writeChange(entry, extent, change, alignment);
      else await this.#writeHeader(extent, alignment);
    }
    return written;
  }

  /** Writes the header before an entry, aligned as it was. Its bytes are copied with those after them. */
  async #writeHeader({ header, data }: Extent, alignment: number): Promise<void> {
    const isSame = (this.#position + header.length) % alignment === 0;
    await this.#sink.write(isSame ? header : alignLocal(header, this.#position, alignment));
    this.#cursor = data;
  }

  async #writeChange(
    entry: Entry,
    extent: Extent,
    change: Change,
    alignment: number,
  ): Promise<void> {
    const { data, dataEnd } = extent;
    const path = this.#pathOf(entry);
    const descriptor = await findDescriptor(this.#archive, entry, dataEnd, path, this.#run);
    const header = extent.header.slice();
    // Entries with a descriptor mostly have zeros in their headers.
    const isElsewhere = descriptor && readChecksum(header) !== entry.checksum;
    if (!isElsewhere) patchLocal(header, change);
    await this.#writeHeader({ header, data, dataEnd }, alignment);
    const { position, compressedSize } = change;
    await this.#sink.copy(this.#changed, position, position + compressedSize);
    if (descriptor) await this.#sink.write(writeDescriptor(descriptor, change));
    this.#cursor = dataEnd + (descriptor?.length ?? 0);
  }

  async #endOf(entry: Entry, { dataEnd }: Extent): Promise<number> {
    const path = this.#pathOf(entry);
    const descriptor = await findDescriptor(this.#archive, entry, dataEnd, path, this.#run);
    return dataEnd + (descriptor?.length ?? 0);
  }

  async #writeDirectory({ records }: Order, offsets: Float64Array): Promise<void> {
    const { directory, directorySize, largeEnd, end } = this.#plan.archive;
    const offset = this.#position;
    let count = 0;
    for (const [place, position] of records.entries()) {
      const moved = offsets[place] as number;
      if (Number.isNaN(moved)) continue;
      const { record } = await this.#readRecord(position);
      const bytes = new Uint8Array(await this.#archive.read(position, record.length));
      const change = this.#plan.changes.get(place);
      const numbers = change === undefined || change === 'drop' ? {} : change;
      patchCentral(bytes, { ...numbers, offset: moved });
      await this.#sink.write(bytes);
      count++;
    }
    const size = this.#position - offset;
    this.#cursor = directory + directorySize;
    const numbers = { count, size, offset };
    if (largeEnd !== undefined) await this.#writeLargeEnd(largeEnd, numbers);
    await this.#copyTo(end);
    const bytes = new Uint8Array(await this.#archive.read(end, END_LENGTH));
    patchEnd(bytes, numbers, largeEnd !== undefined);
    await this.#sink.write(bytes);
    this.#cursor = end + END_LENGTH;
    await this.#copyTo(this.#archive.size);
  }

  /** Writes the end of a zip64 archive, and the locator of that end. */
  async #writeLargeEnd(largeEnd: number, numbers: EndNumbers): Promise<void> {
    const { start, end } = this.#plan.archive;
    await this.#copyTo(largeEnd);
    const position = this.#position;
    const bytes = new Uint8Array(await this.#archive.read(largeEnd, LARGE_END_LENGTH));
    patchLargeEnd(bytes, numbers);
    await this.#sink.write(bytes);
    this.#cursor = largeEnd + LARGE_END_LENGTH;
    await this.#copyTo(end - LOCATOR_LENGTH);
    const locator = new Uint8Array(await this.#archive.read(end - LOCATOR_LENGTH, LOCATOR_LENGTH));
    // The new offset counts from the same start as the old one.
    const stated = new DataView(locator.buffer).getUint32(8, true);
    patchLocator(locator, position + (stated === (largeEnd + start) % 2 ** 32 ? start : 0));
    await this.#sink.write(locator);
    this.#cursor = end;
  }

  async #readRecord(position: number): Promise<Entry> {
    const fail = (what: string) => this.#run.fail('changed', '', `${what}: it changed meanwhile`);
    return (await readRecord(this.#archive, position, fail)).entry;
  }

  #pathOf({ name }: Entry): string {
    return this.#plan.path ? `${this.#plan.path}!/${name}` : name;
  }
}

/** Returns the number of bytes that the offset of a stored entry is a multiple of. */
function findAlignment(entry: Entry, data: number): number {
  if (!isStored(entry) || entry.size === 0) return 1;
  const pages = /\.so$/.test(entry.name) ? PAGES : [];
  return pages.find((each) => data % each === 0) ?? ALIGNMENT;
}
