/** The directory of a zip archive, read with yauzl. */
import { isUtf8 } from 'node:buffer';
import {
  type Entry,
  fromRandomAccessReaderPromise,
  getFileNameLowLevel,
  RandomAccessReader,
  type ZipFile,
} from 'yauzl';
import type { Region } from './region.js';

/** Ends a zip archive, 22 bytes before its end or before its comment. APPNOTE.TXT 4.3.16. */
const END = 0x06054b50;
const END_LENGTH = 22;
/** Before it, in archives of more than 65,535 entries or of 4 GiB and more. APPNOTE.TXT 4.3.15. */
const LOCATOR = 0x07064b50;
const LOCATOR_LENGTH = 20;
/** Begins each entry of the directory. APPNOTE.TXT 4.3.12. */
const CENTRAL = 0x02014b50;
const CENTRAL_LENGTH = 46;
const MAX_COMMENT = 0xffff;

/** `JM` and the version of the format, 1.0, before the archive that a jmod is. */
const JMOD = 0x00014d4a;
const JMOD_LENGTH = 4;

/** A zip archive, and what its end says. */
export interface Archive {
  /** Offsets in an archive count from the start of this, and not of the file. */
  readonly region: Region;
  /** Of the directory, in bytes; undefined where that is said elsewhere, as in a large archive (zip64). */
  readonly directorySize: number | undefined;
}

/**
 * Finds the archive in a region: a jmod has four bytes before it, a jar that can be executed a script.
 *
 * @returns Undefined where there is no end of a zip archive.
 */
export async function findArchive(region: Region): Promise<Archive | undefined> {
  const length = Math.min(region.size, LOCATOR_LENGTH + END_LENGTH + MAX_COMMENT);
  const tail = await readView(region, region.size - length, length);
  let end = tail.byteLength - END_LENGTH;
  while (end >= 0 && tail.getUint32(end, true) !== END) end--;
  if (end < 0) return undefined;
  const locator = end - LOCATOR_LENGTH;
  const isLarge = locator >= 0 && tail.getUint32(locator, true) === LOCATOR;
  const size = tail.getUint32(end + 12, true);
  const offset = tail.getUint32(end + 16, true);
  // The directory ends where its end begins, so where it begins tells what lies before the archive.
  const shift = region.size - length + end - size - offset;
  const isJmod = (await readUint32(region, 0)) === JMOD;
  const usual = isJmod ? JMOD_LENGTH : 0;
  const isShifted =
    !isLarge &&
    shift > 0 &&
    (await readUint32(region, usual + offset)) !== CENTRAL &&
    (await readUint32(region, shift + offset)) === CENTRAL;
  const start = isShifted ? shift : usual;
  return {
    region: region.slice(start, region.size - start),
    directorySize: isLarge ? undefined : size,
  };
}

async function readUint32(region: Region, position: number): Promise<number | undefined> {
  const view = await readView(region, position, 4);
  return view.byteLength < 4 ? undefined : view.getUint32(0, true);
}

async function readView(region: Region, position: number, length: number): Promise<DataView> {
  const { buffer, byteOffset, byteLength } = await region.read(position, length);
  return new DataView(buffer, byteOffset, byteLength);
}

/** Has yauzl read a region. */
class RegionReader extends RandomAccessReader {
  readonly #region: Region;

  constructor(region: Region) {
    super();
    this.#region = region;
  }

  override read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
    callback: (error: Error | null, bytesRead?: number) => void,
  ): void {
    this.#region.read(position, length).then(
      (bytes) => {
        buffer.set(bytes, offset);
        callback(null, bytes.length);
      },
      (error) => callback(error),
    );
  }
}

/**
 * Opens the directory of an archive. What yauzl would refuse for the whole archive, such as a path with
 * `..` or one entry with sizes that cannot be, is left to who reads the entries.
 */
export function openDirectory(archive: Region): Promise<ZipFile> {
  return fromRandomAccessReaderPromise(new RegionReader(archive), archive.size, {
    decodeStrings: false,
    validateEntrySizes: false,
  });
}

/** How much of the directory an entry takes, in bytes. */
export const lengthOf = (entry: Entry): number =>
  CENTRAL_LENGTH + entry.fileNameLength + entry.extraFieldLength + entry.fileCommentLength;

/** The name of an entry: UTF-8 whatever its flag says, as the JDK reads it, or else code page 437. */
export function nameOf({ fileNameRaw, generalPurposeBitFlag, extraFields }: Entry): string {
  if (isUtf8(fileNameRaw)) return fileNameRaw.toString();
  return getFileNameLowLevel(generalPurposeBitFlag, fileNameRaw, extraFields, true);
}
