/** Reading and checking the bytes of one entry. */
import { crc32 } from 'node:zlib';
import { JarError } from './error.js';
import { FORM_LENGTH } from './form.js';
import { inflate } from './inflate.js';
import type { Limits } from './limits.js';
import { DeflateError, inflatePrefix } from './prefix.js';
import type { Entry } from './record.js';
import { MemoryRegion, type Region } from './region.js';
import type { Run } from './run.js';

const STORED = 0;
const DEFLATED = 8;
const IS_ENCRYPTED = 1 << 0;

/** Signature of the header before the bytes of an entry. APPNOTE.TXT 4.3.7. */
const LOCAL = 0x04034b50;
export const LOCAL_LENGTH = 30;

/** Most bytes that deflate makes of one: 258 bytes take two bits. RFC 1951 3.2.5. */
const MAX_RATIO = 1032;

/** Bytes of memory that are allocated at once if the size is unknown. */
const CHUNK = 1 << 18;

/** Number of compressed bytes that identify an entry: at first, and at most. */
const PEEK = 512;
const MAX_PEEK = 1 << 16;

/**
 * Reads a whole entry.
 *
 * @param path - The entry's name in errors.
 * @throws {@link JarError} if the entry differs from its header, or exceeds its limit.
 */
export async function readEntry(
  archive: Region,
  entry: Entry,
  path: string,
  run: Run,
  limit: 'maxClassBytes' | 'maxJarBytes' = 'maxClassBytes',
): Promise<Uint8Array> {
  checkForm(entry, path, run);
  await checkSizes(entry, path, run);
  checkLimit(entry, path, run, limit);
  const { compressedSize } = entry;
  // A stated size that is not trusted costs nothing; the inflated bytes count.
  await run.take(path, run.isLenient ? compressedSize : Math.max(compressedSize, entry.size));
  const start = await findData(archive, entry, path, run);
  if (start + compressedSize > archive.size) throw failToEnd(path, run);
  const data = await archive.read(start, compressedSize);
  if (data.length < compressedSize) throw failToEnd(path, run);
  const bytes = isStored(entry)
    ? new Uint8Array(data)
    : await inflateEntry(data, entry, path, run, limit).catch((error) =>
        inflateBeyond(archive, start, error, entry, path, run, limit),
      );
  if (bytes.length < entry.size && !isStored(entry)) {
    const what = `states a size of ${entry.size} bytes, but has only ${bytes.length}`;
    await run.tolerate(run.fail('size', path, `${what}; create the archive again`));
  }
  const sum = crc32(bytes);
  if (sum !== entry.checksum) {
    const what = `is damaged: its CRC-32 is ${hex(sum)}, but should be ${hex(entry.checksum)}`;
    await run.tolerate(run.fail('checksum', path, `${what}; get a complete copy of the archive`));
  }
  return bytes;
}

/**
 * Opens an entry for reads at any position: in place if it is stored, otherwise inflated.
 *
 * @throws {@link JarError} as {@link readEntry} does.
 */
export async function openEntry(
  archive: Region,
  entry: Entry,
  path: string,
  run: Run,
): Promise<Region> {
  checkForm(entry, path, run);
  if (!isStored(entry)) {
    return new MemoryRegion(await readEntry(archive, entry, path, run, 'maxJarBytes'));
  }
  await checkSizes(entry, path, run);
  const start = await findData(archive, entry, path, run);
  if (start + entry.compressedSize > archive.size) throw failToEnd(path, run);
  return archive.slice(start, entry.compressedSize);
}

/**
 * Reads the first {@link FORM_LENGTH} bytes of an entry, and inflates no more than these.
 *
 * @returns Fewer if the entry ends first.
 * @throws {@link JarError} if they cannot be read.
 */
export async function peekEntry(
  archive: Region,
  entry: Entry,
  path: string,
  run: Run,
): Promise<Uint8Array> {
  checkForm(entry, path, run);
  const start = await findData(archive, entry, path, run);
  let most = entry.compressedSize;
  const isShort = (bytes: Uint8Array): boolean => bytes.length < Math.min(FORM_LENGTH, entry.size);
  if (isStored(entry)) {
    const bytes = await archive.read(start, Math.min(most, FORM_LENGTH));
    if (isShort(bytes)) throw failToFill(entry, path, run);
    return bytes;
  }
  for (let length = PEEK; ; length = Math.min(8 * length, MAX_PEEK)) {
    let data = await archive.read(start, Math.min(most, length));
    let bytes = beginInflating(data, entry, path, run);
    if (isShort(bytes) && data.length === most && most < archive.size - start) {
      if (!run.isLenient) throw failToFill(entry, path, run);
      // It is longer than it states, as its size says.
      most = archive.size - start;
      data = await archive.read(start, Math.min(most, length));
      bytes = beginInflating(data, entry, path, run);
    }
    const isEnough = bytes.length === FORM_LENGTH || data.length === most;
    if (isEnough) return bytes;
    if (data.length < length) throw failToEnd(path, run);
    if (length === MAX_PEEK) {
      const what = `does not begin in its first ${MAX_PEEK} compressed bytes`;
      throw run.fail('data', path, `${what}; create the archive again`);
    }
  }
}

function beginInflating(data: Uint8Array, entry: Entry, path: string, run: Run): Uint8Array {
  try {
    return inflatePrefix(data, FORM_LENGTH);
  } catch (error) {
    if (!(error instanceof DeflateError)) throw error;
    throw failToInflate(error, entry, path, run);
  }
}

const failToFill = ({ compressedSize, size }: Entry, path: string, run: Run): JarError => {
  const what = `claims ${size} bytes, and has fewer in its ${compressedSize} compressed ones`;
  return run.fail('size', path, `${what}; make the archive again`);
};

export const isStored = ({ method }: Entry): boolean => method === STORED;

const hex = (sum: number): string => sum.toString(16).toUpperCase().padStart(8, '0');

const failToEnd = (path: string, run: Run): JarError =>
  run.fail('header', path, 'ends after the end of the archive; get a complete copy of it');

/** Refuses an entry that cannot be read. */
function checkForm({ flags, method }: Entry, path: string, run: Run): void {
  if (flags & IS_ENCRYPTED) {
    throw run.fail('encrypted', path, 'is encrypted; decrypt the archive first');
  }
  if (method !== STORED && method !== DEFLATED) {
    const what = `is compressed with method ${method}; only 0 (stored) and 8 (deflate) are supported`;
    throw run.fail('method', path, `${what}; create the archive again with one of them`);
  }
}

/** Refuses impossible sizes. */
async function checkSizes(entry: Entry, path: string, run: Run): Promise<void> {
  const { compressedSize, size } = entry;
  if (isStored(entry) && compressedSize !== size) {
    const what = `is stored, but states the sizes ${compressedSize} and ${size}`;
    await run.tolerate(run.fail('size', path, `${what}; create the archive again`));
  }
}

/** Refuses an entry whose stated size is too large. A false size is found when the entry is read. */
function checkLimit(entry: Entry, path: string, run: Run, limit: keyof Limits): void {
  const { compressedSize, size: claimed } = entry;
  // In lenient mode stated sizes are not trusted; the limit applies when the entry is read.
  const size = run.isLenient ? compressedSize : Math.max(compressedSize, claimed);
  if (size > run.limits[limit]) {
    const what = `is ${size} bytes, more than the ${run.limits[limit]} of ${limit}`;
    throw run.fail('too-large', path, `${what}; unpack it if you trust it, or raise the limit`);
  }
  if (!isStored(entry) && claimed > MAX_RATIO * compressedSize && !run.isLenient) {
    const what = `states that ${compressedSize} bytes inflate to ${claimed}, which is impossible`;
    throw run.fail('size', path, `${what}; create the archive again`);
  }
}

/** Finds the offset of an entry's bytes, which only the header before them gives. */
export async function findData(
  archive: Region,
  { offset }: Entry,
  path: string,
  run: Run,
): Promise<number> {
  const { buffer, byteOffset, byteLength } = await archive.read(offset, LOCAL_LENGTH);
  const fail = (what: string) =>
    run.fail(
      'header',
      path,
      `is not at the offset in the directory: ${what}; get a complete copy of the archive`,
    );
  if (byteLength < LOCAL_LENGTH)
    throw fail(`the archive ends before byte ${offset + LOCAL_LENGTH}`);
  const view = new DataView(buffer, byteOffset, byteLength);
  const signature = view.getUint32(0, true);
  if (signature !== LOCAL) {
    const what = `0x${signature.toString(16).padStart(8, '0')}`;
    throw fail(`expected a header that begins with 0x04034b50, found ${what} at ${offset}`);
  }
  return offset + LOCAL_LENGTH + view.getUint16(26, true) + view.getUint16(28, true);
}

/** Inflates an entry to its stated size, or in lenient mode to its real one, up to its limit. */
async function inflateEntry(
  data: Uint8Array,
  entry: Entry,
  path: string,
  run: Run,
  limit: 'maxClassBytes' | 'maxJarBytes',
): Promise<Uint8Array> {
  if (run.isLenient) return inflateLeniently(data, entry, path, run, limit);
  return inflate(data, entry.size).catch((error) => {
    throw failToInflate(error, entry, path, run);
  });
}

/**
 * Inflates an entry whose compressed bytes continue after their stated end: the end of the stream is the end
 * of the entry. The output counts, and is at most as long as stated, so entries that share bytes cannot take
 * long.
 *
 * @throws The first error if that does not help, or errors are not tolerated.
 */
async function inflateBeyond(
  archive: Region,
  start: number,
  error: unknown,
  entry: Entry,
  path: string,
  run: Run,
  limit: 'maxClassBytes' | 'maxJarBytes',
): Promise<Uint8Array> {
  const { compressedSize, size } = entry;
  const length = 2 * size + PEEK;
  const isPossible = compressedSize < length && size <= run.limits[limit];
  if (!run.isLenient || !isCut(error) || !isPossible) throw error;
  await run.take(path, size);
  const data = await archive.read(start, length);
  const bytes = await inflate(data, size).catch(() => {
    throw error;
  });
  const what = `claims ${compressedSize} compressed bytes, and has more`;
  await run.tolerate(run.fail('size', path, `${what}; make the archive again`));
  return bytes;
}

/** Tells whether a deflate stream is truncated. */
const isCut = (error: unknown): boolean =>
  error instanceof JarError && (error.cause as NodeJS.ErrnoException)?.code === 'Z_BUF_ERROR';

async function inflateLeniently(
  data: Uint8Array,
  entry: Entry,
  path: string,
  run: Run,
  limit: 'maxClassBytes' | 'maxJarBytes',
): Promise<Uint8Array> {
  const allowed = Math.min(run.limits[limit], MAX_RATIO * data.length);
  await run.take(path, allowed);
  const bytes = await inflate(data, allowed, CHUNK).catch((error) => {
    if (isTooLarge(error)) {
      const what = `inflates to more than the ${run.limits[limit]} bytes of ${limit}`;
      throw run.fail('too-large', path, `${what}; unpack it if you trust it`, error);
    }
    run.giveBack(allowed);
    throw failToInflate(error, entry, path, run);
  });
  run.giveBack(allowed);
  await run.take(path, Math.max(0, bytes.length - data.length));
  if (bytes.length > entry.size) await run.tolerate(failToFit(entry, path, run));
  return bytes;
}

const isTooLarge = (error: unknown): boolean =>
  (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE';

const failToFit = ({ size }: Entry, path: string, run: Run, cause?: unknown): JarError => {
  const what = `inflates to more than the ${size} bytes that it states`;
  return run.fail('size', path, `${what}; create the archive again`, cause);
};

function failToInflate(error: unknown, entry: Entry, path: string, run: Run): JarError {
  if (isTooLarge(error)) return failToFit(entry, path, run, error);
  const what = 'is damaged: its bytes cannot be inflated';
  return run.fail('data', path, `${what}; create the archive again`, error);
}
