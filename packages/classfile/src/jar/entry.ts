/** The bytes of one entry, checked. */
import { crc32 } from 'node:zlib';
import type { Entry, ZipFile } from 'yauzl';
import type { JarReason } from './error.js';
import { inflate } from './inflate.js';
import type { Limits } from './limits.js';
import { MemoryRegion, type Region } from './region.js';
import type { Run } from './run.js';

const STORED = 0;
const DEFLATED = 8;

/** No deflate stream makes more of a byte: 258 bytes of two bits each. RFC 1951 3.2.5. */
const MAX_RATIO = 1032;

/**
 * Reads a whole entry.
 *
 * @param path - What errors call it.
 * @throws {@link JarError} where it is not what it claims to be, or larger than its limit.
 */
export async function readEntry(
  zip: ZipFile,
  archive: Region,
  entry: Entry,
  path: string,
  run: Run,
  limit: 'maxClassBytes' | 'maxJarBytes' = 'maxClassBytes',
): Promise<Uint8Array> {
  checkForm(entry, path, run);
  checkSize(entry, path, run, limit);
  const { compressedSize, uncompressedSize } = entry;
  await run.take(path, Math.max(compressedSize, uncompressedSize));
  const start = await findData(zip, entry, path, run);
  const data = await archive.read(start, compressedSize);
  if (data.length < compressedSize) {
    throw run.fail('header', path, 'ends after the end of the archive; get a whole copy of it');
  }
  const bytes = isStored(entry)
    ? new Uint8Array(data)
    : await inflate(data, uncompressedSize).catch((error) => {
        throw failToInflate(error, entry, path, run);
      });
  if (bytes.length < uncompressedSize) {
    const what = `claims to be ${uncompressedSize} bytes, and is only ${bytes.length}`;
    throw run.fail('size', path, `${what}; make the archive again`);
  }
  const sum = crc32(bytes);
  if (sum !== entry.crc32) {
    const what = `is damaged: its CRC-32 is ${hex(sum)}, and should be ${hex(entry.crc32)}`;
    throw run.fail('checksum', path, `${what}; get a whole copy of the archive`);
  }
  return bytes;
}

/**
 * Opens an entry to be read from any place in it: where it lies if it is stored, and inflated if not.
 *
 * @throws {@link JarError} as {@link readEntry} does.
 */
export async function openEntry(
  zip: ZipFile,
  archive: Region,
  entry: Entry,
  path: string,
  run: Run,
): Promise<Region> {
  checkForm(entry, path, run);
  if (!isStored(entry)) {
    return new MemoryRegion(await readEntry(zip, archive, entry, path, run, 'maxJarBytes'));
  }
  const start = await findData(zip, entry, path, run);
  return archive.slice(start, entry.compressedSize);
}

const isStored = ({ compressionMethod }: Entry): boolean => compressionMethod === STORED;

const hex = (sum: number): string => sum.toString(16).toUpperCase().padStart(8, '0');

/** Refuses what cannot be read, or cannot be. */
function checkForm(entry: Entry, path: string, run: Run): void {
  const { compressionMethod: method, compressedSize, uncompressedSize } = entry;
  if (entry.isEncrypted()) {
    throw run.fail('encrypted', path, 'is encrypted; decrypt the archive first');
  }
  if (method !== STORED && method !== DEFLATED) {
    const what = `is compressed by method ${method}, and only 0 (stored) and 8 (deflate) are read`;
    throw run.fail('method', path, `${what}; make the archive again with one of them`);
  }
  if (method === STORED && compressedSize !== uncompressedSize) {
    const what = `is stored, and claims ${compressedSize} bytes and ${uncompressedSize} bytes`;
    throw run.fail('size', path, `${what}; make the archive again`);
  }
}

/** Refuses what is too large, by its own account; what is larger than that is found when it is read. */
function checkSize(entry: Entry, path: string, run: Run, limit: keyof Limits): void {
  const { compressedSize, uncompressedSize } = entry;
  const size = Math.max(compressedSize, uncompressedSize);
  if (size > run.limits[limit]) {
    const what = `is ${size} bytes, more than the ${run.limits[limit]} of ${limit}`;
    throw run.fail(
      'too-large',
      path,
      `${what}; unpack it if it is to be trusted, or raise the limit`,
    );
  }
  if (!isStored(entry) && uncompressedSize > MAX_RATIO * compressedSize) {
    const what = `claims that ${compressedSize} bytes inflate to ${uncompressedSize}, which they cannot`;
    throw run.fail('size', path, `${what}; make the archive again`);
  }
}

/** Where the bytes of an entry begin, which only the header before them tells. */
async function findData(zip: ZipFile, entry: Entry, path: string, run: Run): Promise<number> {
  try {
    return (await zip.readLocalFileHeaderPromise(entry, { minimal: true })).fileDataStart;
  } catch (error) {
    throw run.wrap(error, 'header', path, 'is not where the directory says');
  }
}

function failToInflate(error: unknown, entry: Entry, path: string, run: Run): Error {
  const { code } = error as NodeJS.ErrnoException;
  let [reason, what]: [JarReason, string] = ['data', 'is damaged: its bytes cannot be inflated'];
  if (code === 'ERR_BUFFER_TOO_LARGE') {
    [reason, what] = [
      'size',
      `inflates to more than the ${entry.uncompressedSize} bytes it claims`,
    ];
  }
  return run.fail(reason, path, `${what}; make the archive again`, error);
}
