/** The header before an entry, and the descriptor after it. APPNOTE.TXT 4.3.7 and 4.3.9. */
import { readUint64 } from './directory.js';
import { findData } from './entry.js';
import type { Entry } from './record.js';
import type { Region } from './region.js';
import type { Run } from './run.js';

/** The flag of an entry whose sizes and checksum come after it. */
const HAS_DESCRIPTOR = 1 << 3;
const DESCRIPTOR = 0x08074b50;

/** The layout of an entry in its archive, in bytes from the start of the archive. */
export interface Extent {
  readonly header: Uint8Array;
  /** Offset of its bytes. */
  readonly data: number;
  /** Offset of the end of its bytes. */
  readonly dataEnd: number;
}

/**
 * Reads the header before an entry.
 *
 * @throws {@link JarError} if it is missing, or the entry runs past a limit.
 */
export async function readExtent(
  archive: Region,
  entry: Entry,
  limit: number,
  path: string,
  run: Run,
): Promise<Extent> {
  const data = await findData(archive, entry, path, run);
  const dataEnd = data + entry.compressedSize;
  if (dataEnd > limit) {
    throw run.fail(
      'overlap',
      path,
      `ends at ${dataEnd}, but another part begins at ${limit}; do not trust it`,
    );
  }
  const header = new Uint8Array(await archive.read(entry.offset, data - entry.offset));
  return { header, data, dataEnd };
}

/** Layout of a descriptor. */
export interface Descriptor {
  readonly isMarked: boolean;
  readonly width: 4 | 8;
  readonly length: number;
}

const shapes: readonly Descriptor[] = [
  { isMarked: true, width: 4, length: 16 },
  { isMarked: true, width: 8, length: 24 },
  { isMarked: false, width: 4, length: 12 },
  { isMarked: false, width: 8, length: 20 },
];

/**
 * Finds the layout of an entry's descriptor; undefined if it has none.
 *
 * @throws {@link JarError} if the entry has no local header.
 */
export async function findDescriptor(
  archive: Region,
  entry: Entry,
  dataEnd: number,
  path: string,
  run: Run,
): Promise<Descriptor | undefined> {
  if ((entry.flags & HAS_DESCRIPTOR) === 0) return undefined;
  const bytes = await archive.read(dataEnd, 24);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  for (const shape of shapes) {
    if (shape.length > bytes.length) continue;
    const at = shape.isMarked ? 4 : 0;
    const read = (position: number): number =>
      shape.width === 4 ? view.getUint32(position, true) : readUint64(view, position);
    const isIt =
      (!shape.isMarked || view.getUint32(0, true) === DESCRIPTOR) &&
      view.getUint32(at, true) === entry.checksum &&
      read(at + 4) === entry.compressedSize &&
      read(at + 4 + shape.width) === entry.size;
    if (isIt) return shape;
  }
  const what = 'is not followed by its sizes, as its flags say';
  throw run.fail('header', path, `${what}; create the archive again`);
}

/** Writes a descriptor in the layout of another one. */
export function writeDescriptor(
  { isMarked, width, length }: Descriptor,
  { checksum, compressedSize, size }: Pick<Entry, 'checksum' | 'compressedSize' | 'size'>,
): Uint8Array {
  const bytes = new Uint8Array(length);
  const view = new DataView(bytes.buffer);
  if (isMarked) view.setUint32(0, DESCRIPTOR, true);
  let at = isMarked ? 4 : 0;
  view.setUint32(at, checksum, true);
  at += 4;
  for (const value of [compressedSize, size]) {
    view.setUint32(at, value % 2 ** 32, true);
    if (width === 8) view.setUint32(at + 4, Math.floor(value / 2 ** 32), true);
    at += width;
  }
  return bytes;
}
