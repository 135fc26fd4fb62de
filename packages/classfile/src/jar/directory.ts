/** The directory of a zip archive. APPNOTE.TXT 4.3. */
import { type Entry, type EntryFields, parseEntry } from './record.js';
import type { Region } from './region.js';
import type { Run } from './run.js';

/**
 * Signature of the end record, 22 bytes before the end of the archive or before its comment. APPNOTE.TXT
 * 4.3.16.
 */
const END = 0x06054b50;
export const END_LENGTH = 22;
/** Signature of the zip64 end record, for more than 65,534 entries, or 4 GiB. APPNOTE.TXT 4.3.14. */
const LARGE_END = 0x06064b50;
export const LARGE_END_LENGTH = 56;
/** Signature of the locator of the zip64 end record, which is between the two. APPNOTE.TXT 4.3.15. */
const LOCATOR = 0x07064b50;
export const LOCATOR_LENGTH = 20;
/** Signature of a record of the directory. APPNOTE.TXT 4.3.12. */
const CENTRAL = 0x02014b50;
export const CENTRAL_LENGTH = 46;
const MAX_COMMENT = 0xffff;

/** Value of a 16- or 32-bit field whose number is in the 64-bit field instead. */
const FULL16 = 0xffff;
const FULL32 = 0xffffffff;

/** `JM` and the version of the format, 1.0, which precede the archive in a jmod. */
const JMOD = 0x00014d4a;
export const JMOD_LENGTH = 4;

/** A zip archive, as its end record describes it. Positions count from the start of its region. */
export interface Archive {
  /** The bytes of the archive, from which its offsets count. It may start later than the file. */
  readonly region: Region;
  /** Offset of the region in the searched bytes. */
  readonly start: number;
  /** Offset of the directory. */
  readonly directory: number;
  /** Size of the directory, in bytes. */
  readonly directorySize: number;
  /** Number of entries. A 16-bit end record of an archive with more contains only the low 16 bits. */
  readonly count: number;
  /** Offset of the end record, after the zip64 one. */
  readonly end: number;
  /** Offset of the zip64 end record; undefined without one. */
  readonly largeEnd: number | undefined;
  /** True if the zip64 end record disagrees or is missing: the JDK ignores it, others do not. */
  readonly isAmbiguous: boolean;
  /** Errors of the end record that do not prevent reading. */
  readonly faults: readonly string[];
}

interface Numbers {
  readonly disk: number;
  readonly count: number;
  readonly size: number;
  readonly offset: number;
}

/**
 * Finds the archive in a region. A jmod has four bytes before it, an executable jar a script.
 *
 * @returns The archive; undefined if the region has no end record.
 */
export async function findArchive(region: Region): Promise<Archive | undefined> {
  const length = Math.min(region.size, LOCATOR_LENGTH + END_LENGTH + MAX_COMMENT);
  const tail = await readView(region, region.size - length, length);
  const at = findEnd(tail);
  if (at < 0) return undefined;
  const faults: string[] = [];
  const stated = tail.getUint16(at + 20, true);
  const comment = tail.byteLength - at - END_LENGTH;
  if (stated !== comment) {
    faults.push(`its end record states a comment of ${stated} bytes, but ${comment} follow`);
  }
  const small: Numbers = {
    disk: tail.getUint16(at + 4, true),
    count: tail.getUint16(at + 10, true),
    size: tail.getUint32(at + 12, true),
    offset: tail.getUint32(at + 16, true),
  };
  const end = region.size - length + at;
  const locator = at - LOCATOR_LENGTH;
  const isLarge = locator >= 0 && tail.getUint32(locator, true) === LOCATOR;
  const target = isLarge ? readUint64(tail, locator + 8) : 0;
  const large = isLarge ? await findLargeEnd(region, end, target, small) : undefined;
  const { disk, count, size, offset } = large?.agrees ? large : small;
  if (disk !== 0) faults.push(`it is disk ${disk} of several`);
  const directoryEnd = large?.position ?? end;
  const start = await findStart(region, directoryEnd - size, offset);
  return {
    region: region.slice(start, region.size - start),
    start,
    directory: offset,
    directorySize: size,
    count,
    end: end - start,
    largeEnd: large?.agrees ? large.position - start : undefined,
    isAmbiguous: isLarge && !large?.agrees,
    faults,
  };
}

/**
 * Returns the position of the last end record whose comment ends with the region; otherwise of the last one;
 * otherwise -1.
 */
function findEnd(tail: DataView): number {
  let last = -1;
  for (let at = tail.byteLength - END_LENGTH; at >= 0; at--) {
    if (tail.getUint32(at, true) !== END) continue;
    if (at + END_LENGTH + tail.getUint16(at + 20, true) === tail.byteLength) return at;
    if (last < 0) last = at;
  }
  return last;
}

/** Finds the zip64 end record: at the locator's offset, or, after a preamble, directly before the locator. */
async function findLargeEnd(
  region: Region,
  end: number,
  target: number,
  small: Numbers,
): Promise<(Numbers & { position: number; agrees: boolean }) | undefined> {
  for (const position of [target, end - LOCATOR_LENGTH - LARGE_END_LENGTH, target + JMOD_LENGTH]) {
    if (position < 0 || position + LARGE_END_LENGTH > end) continue;
    const view = await readView(region, position, LARGE_END_LENGTH);
    if (view.byteLength < LARGE_END_LENGTH || view.getUint32(0, true) !== LARGE_END) continue;
    const [count, size, offset] = [
      readUint64(view, 32),
      readUint64(view, 40),
      readUint64(view, 48),
    ];
    const agrees =
      isSame(count, small.count, FULL16) &&
      isSame(size, small.size, FULL32) &&
      isSame(offset, small.offset, FULL32);
    return { disk: view.getUint32(16, true), count, size, offset, position, agrees };
  }
  return undefined;
}

const isSame = (large: number, small: number, full: number): boolean =>
  small === full || large === small;

/**
 * Returns the number of bytes before the archive. The directory ends at the end record, so the directory's
 * start gives that number, unless offsets count from the start of the file.
 */
async function findStart(region: Region, directory: number, offset: number): Promise<number> {
  const usual = (await readUint32(region, 0)) === JMOD ? JMOD_LENGTH : 0;
  const isShifted =
    directory > offset &&
    (await readUint32(region, usual + offset)) !== CENTRAL &&
    (await readUint32(region, directory)) === CENTRAL;
  return isShifted ? directory - offset : usual;
}

async function readUint32(region: Region, position: number): Promise<number | undefined> {
  const view = await readView(region, position, 4);
  return view.byteLength < 4 ? undefined : view.getUint32(0, true);
}

async function readView(region: Region, position: number, length: number): Promise<DataView> {
  const { buffer, byteOffset, byteLength } = await region.read(position, length);
  return new DataView(buffer, byteOffset, byteLength);
}

/** Reads a 64-bit number. It is inexact beyond 2⁵³, but no file is that long. */
export const readUint64 = (view: DataView, position: number): number =>
  view.getUint32(position + 4, true) * 2 ** 32 + view.getUint32(position, true);

/**
 * Yields the entries of an archive, in the order of its directory.
 *
 * @throws {@link JarError} if reading of the directory cannot continue.
 */
export async function* readDirectory(
  archive: Archive,
  path: string,
  run: Run,
): AsyncGenerator<Entry, void, undefined> {
  const { region, directory, directorySize, count: stated, largeEnd } = archive;
  let count = 0;
  let size = 0;
  const fail = (what: string) =>
    run.fail(
      'directory',
      path,
      `its directory cannot be read after entry ${count}: ${what}; get a complete copy of it`,
    );
  for (const fault of archive.faults) await run.tolerate(fail(fault));
  // Some tools write more than 65,535 entries, and the low 16 bits of the count in the end record.
  const mayOverflow =
    largeEnd === undefined && directorySize >= CENTRAL_LENGTH * (stated + FULL16 + 1);
  const limit = run.isLenient ? (largeEnd ?? archive.end) - directory : directorySize;
  while (size < limit && (count < stated || mayOverflow || run.isLenient)) {
    const found = await readRecord(region, directory + size, fail);
    for (const fault of found.faults) await run.tolerate(fail(fault));
    yield found.entry;
    count++;
    size += found.entry.record.length;
  }
  const isCount = mayOverflow ? (count - stated) % (FULL16 + 1) === 0 : count === stated;
  if (isCount && size === directorySize) return;
  const what =
    size === directorySize
      ? `the number of entries is ${count} in its directory, but ${stated} in its end record`
      : `its directory has ${directorySize} bytes, but its entries (${count}) have ${size}`;
  const error = run.fail('directory', path, `${what}; create it again`);
  // A directory that ends at the right place is complete, even if its numbers are wrong.
  if (size !== limit) throw error;
  await run.tolerate(error);
}

/** A record, and errors of it that do not prevent reading. */
interface Found {
  readonly entry: Entry;
  readonly faults: readonly string[];
}

export async function readRecord(
  region: Region,
  position: number,
  fail: (what: string) => Error,
): Promise<Found> {
  const head = await readView(region, position, CENTRAL_LENGTH);
  if (head.byteLength < CENTRAL_LENGTH) throw fail('the file ends before the next one');
  const signature = head.getUint32(0, true);
  if (signature !== CENTRAL) {
    const what = `0x${signature.toString(16).padStart(8, '0')} at ${position}`;
    throw fail(`expected a record that begins with 0x02014b50, found ${what}`);
  }
  const fields: EntryFields = {
    flags: head.getUint16(8, true),
    method: head.getUint16(10, true),
    checksum: head.getUint32(16, true),
    compressedSize: head.getUint32(20, true),
    size: head.getUint32(24, true),
    offset: head.getUint32(42, true),
  };
  const nameLength = head.getUint16(28, true);
  const extraLength = head.getUint16(30, true);
  const length = CENTRAL_LENGTH + nameLength + extraLength + head.getUint16(32, true);
  const bytes = await region.read(position, length);
  if (bytes.length < length) throw fail('the file ends within the next one');
  const name = bytes.subarray(CENTRAL_LENGTH, CENTRAL_LENGTH + nameLength);
  const extra = bytes.subarray(
    name.length + CENTRAL_LENGTH,
    CENTRAL_LENGTH + nameLength + extraLength,
  );
  const { entry, fault } = parseEntry(fields, name, extra, { position, length });
  return { entry, faults: fault === undefined ? [] : [fault] };
}
