/** The directory of a zip archive. APPNOTE.TXT 4.3. */
import { type Entry, type EntryFields, parseEntry } from './record.js';
import type { Region } from './region.js';
import type { Run } from './run.js';

/** Ends a zip archive, 22 bytes before its end or before its comment. APPNOTE.TXT 4.3.16. */
const END = 0x06054b50;
export const END_LENGTH = 22;
/** The same of a large archive (zip64): more than 65,534 entries, or 4 GiB. APPNOTE.TXT 4.3.14. */
const LARGE_END = 0x06064b50;
export const LARGE_END_LENGTH = 56;
/** Tells where that is, between the two. APPNOTE.TXT 4.3.15. */
const LOCATOR = 0x07064b50;
export const LOCATOR_LENGTH = 20;
/** Begins each record of the directory. APPNOTE.TXT 4.3.12. */
const CENTRAL = 0x02014b50;
export const CENTRAL_LENGTH = 46;
const MAX_COMMENT = 0xffff;

/** Where a field of 16 or 32 bits has no room: see the one of 64 bits. */
const FULL16 = 0xffff;
const FULL32 = 0xffffffff;

/** `JM` and the version of the format, 1.0, before the archive that a jmod is. */
const JMOD = 0x00014d4a;
export const JMOD_LENGTH = 4;

/** A zip archive, and what its end says. Positions count from the start of its region. */
export interface Archive {
  /** Offsets in an archive count from the start of this, and not of the file. */
  readonly region: Region;
  /** Where the region begins in what was searched, in bytes. */
  readonly start: number;
  /** Where its directory begins. */
  readonly directory: number;
  /** Of the directory, in bytes. */
  readonly directorySize: number;
  /** How many entries there are; by an end of 16 bits, of archives with more, what is left of that. */
  readonly count: number;
  /** Where the end record begins, after the large one. */
  readonly end: number;
  /** Where the end of a large archive begins; undefined in others. */
  readonly largeEnd: number | undefined;
  /** Whether the large end says something else, or is not there: the JDK passes over it, others do not. */
  readonly isAmbiguous: boolean;
  /** What is wrong with the end, though it can be read. */
  readonly faults: readonly string[];
}

interface Numbers {
  readonly disk: number;
  readonly count: number;
  readonly size: number;
  readonly offset: number;
}

/**
 * Finds the archive in a region: a jmod has four bytes before it, a jar that can be executed a script.
 *
 * @returns Undefined where there is no end of a zip archive.
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

/** The last end whose comment ends with the region; or else the last one; or else -1. */
function findEnd(tail: DataView): number {
  let last = -1;
  for (let at = tail.byteLength - END_LENGTH; at >= 0; at--) {
    if (tail.getUint32(at, true) !== END) continue;
    if (at + END_LENGTH + tail.getUint16(at + 20, true) === tail.byteLength) return at;
    if (last < 0) last = at;
  }
  return last;
}

/** The end of a large archive, where the locator says, or, after a preamble, directly before that. */
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
 * How many bytes precede the archive. The directory ends where its end begins, so where it begins tells
 * that; but offsets may count from the start of the file.
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

/** Beyond 2⁵³ it is not exact, and nothing is there. */
export const readUint64 = (view: DataView, position: number): number =>
  view.getUint32(position + 4, true) * 2 ** 32 + view.getUint32(position, true);

/**
 * The entries of an archive, in the order of its directory.
 *
 * @throws {@link JarError} where the directory cannot be read on.
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
  // Some tools write archives of more than 65,535 entries whose end has the last 16 bits of the count.
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
  // What ends where it should has all that there is, whatever the numbers are.
  if (size !== limit) throw error;
  await run.tolerate(error);
}

/** A record, and what is wrong with it though it can be read. */
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
