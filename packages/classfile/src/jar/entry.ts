/** Reading and checking the bytes of one entry. */
import { crc32 } from 'node:zlib';
import { JarError } from './error.js';
import { FORM_LENGTH, recognize } from './form.js';
import { inflate } from './inflate.js';
import type { Limits } from './limits.js';
import { DeflateError, inflatePrefix } from './prefix.js';
import type { Entry } from './record.js';
import { MemoryRegion, type Region } from './region.js';
import type { Run } from './run.js';
import { findEnds } from './scan.js';

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

/** Number of compressed bytes that identify an entry: the first try, and the most. */
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
  if (run.isLenient) return readTried({ archive, entry, path, run, limit });
  checkForm(entry, path, run);
  checkStored(entry, path, run);
  checkLimit(entry, path, run, limit);
  const { compressedSize } = entry;
  await run.take(path, Math.max(compressedSize, entry.size));
  const start = await findData(archive, entry, path, run);
  if (start + compressedSize > archive.size) throw failToEnd(path, run);
  const data = await archive.read(start, compressedSize);
  if (data.length < compressedSize) throw failToEnd(path, run);
  const bytes = isStored(entry)
    ? new Uint8Array(data)
    : await inflate(data, entry.size).catch((error) => {
        throw failToInflate(error, entry, path, run);
      });
  const [fault] = listFaults(bytes, entry, path, run);
  if (fault) throw fault;
  return bytes;
}

/** Lists the differences between an entry and its header. */
function listFaults(bytes: Uint8Array, entry: Entry, path: string, run: Run): JarError[] {
  const { size, checksum } = entry;
  const faults: JarError[] = [];
  if (bytes.length < size && !isStored(entry)) {
    const what = `states a size of ${size} bytes, but has only ${bytes.length}`;
    faults.push(run.fail('size', path, `${what}; create the archive again`));
  }
  if (bytes.length > size && !isStored(entry)) faults.push(failToFit(entry, path, run));
  const sum = crc32(bytes);
  if (sum !== checksum) {
    const what = `is damaged: its CRC-32 is ${hex(sum)}, but should be ${hex(checksum)}`;
    faults.push(run.fail('checksum', path, `${what}; get a complete copy of the archive`));
  }
  return faults;
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
  if (!run.isLenient) checkForm(entry, path, run);
  const start = await findData(archive, entry, path, run);
  const isWhole = start + entry.compressedSize <= archive.size && !isMarkedEncrypted(entry);
  if (!isStored(entry) || (run.isLenient && !isWhole)) {
    return new MemoryRegion(await readEntry(archive, entry, path, run, 'maxJarBytes'));
  }
  const fault = findStoredFault(entry, path, run);
  if (fault) await run.tolerate(fault);
  if (!isWhole) throw failToEnd(path, run);
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
  if (!run.isLenient) {
    checkForm(entry, path, run);
    return peekStated(archive, entry, path, run);
  }
  let head: Uint8Array | undefined;
  let failure: unknown;
  // If another method gives a known form, it is the right one.
  for (const method of entry.method === DEFLATED ? [DEFLATED, STORED] : [STORED, DEFLATED]) {
    try {
      const bytes = await peekStated(archive, { ...entry, method }, path, run);
      if (recognize(bytes) !== 'other') return bytes;
      if (method === entry.method) head = bytes;
    } catch (error) {
      if (!(error instanceof JarError)) throw error;
      if (method === entry.method) failure = error;
    }
  }
  if (head) return head;
  throw failure ?? failMethod(entry, path, run);
}

async function peekStated(
  archive: Region,
  entry: Entry,
  path: string,
  run: Run,
): Promise<Uint8Array> {
  const start = await findData(archive, entry, path, run);
  let most = run.isLenient
    ? Math.min(entry.compressedSize, Math.max(0, archive.size - start))
    : entry.compressedSize;
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
    if (isMarkedEncrypted(entry)) throw failToDecrypt(path, run);
    throw failToInflate(error, entry, path, run);
  }
}

export const isMarkedEncrypted = ({ flags }: Entry): boolean => (flags & IS_ENCRYPTED) !== 0;

const failToDecrypt = (path: string, run: Run): JarError =>
  run.fail('encrypted', path, 'is encrypted; decrypt the archive first');

function failMethod({ method }: Entry, path: string, run: Run): JarError {
  const what = `is compressed with method ${method}; only 0 (stored) and 8 (deflate) are supported`;
  return run.fail('method', path, `${what}; create the archive again with one of them`);
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
function checkForm(entry: Entry, path: string, run: Run): void {
  if (isMarkedEncrypted(entry)) throw failToDecrypt(path, run);
  if (!isStored(entry) && entry.method !== DEFLATED) throw failMethod(entry, path, run);
}

/** Refuses impossible sizes. */
function checkStored(entry: Entry, path: string, run: Run): void {
  const fault = findStoredFault(entry, path, run);
  if (fault) throw fault;
}

function findStoredFault(entry: Entry, path: string, run: Run): JarError | undefined {
  const { compressedSize, size } = entry;
  if (!isStored(entry) || compressedSize === size) return undefined;
  const what = `is stored, but states the sizes ${compressedSize} and ${size}`;
  return run.fail('size', path, `${what}; create the archive again`);
}

/** Refuses an entry whose stated size is too large. A false size is found when the entry is read. */
function checkLimit(entry: Entry, path: string, run: Run, limit: keyof Limits): void {
  const { compressedSize, size: claimed } = entry;
  const size = Math.max(compressedSize, claimed);
  if (size > run.limits[limit]) throw failLimit(size, path, run, limit);
  if (!isStored(entry) && claimed > MAX_RATIO * compressedSize) {
    const what = `states that ${compressedSize} bytes inflate to ${claimed}, which is impossible`;
    throw run.fail('size', path, `${what}; create the archive again`);
  }
}

function failLimit(size: number, path: string, run: Run, limit: keyof Limits): JarError {
  const what = `is ${size} bytes, more than the ${run.limits[limit]} of ${limit}`;
  return run.fail('too-large', path, `${what}; unpack it if you trust it, or raise the limit`);
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

/** An entry that is read regardless of its header. */
interface Reading {
  readonly archive: Region;
  readonly entry: Entry;
  readonly path: string;
  readonly run: Run;
  readonly limit: 'maxClassBytes' | 'maxJarBytes';
}

/** A result, and the errors that were ignored for it. */
interface Tried {
  readonly bytes: Uint8Array;
  readonly faults: readonly JarError[];
}

/**
 * Reads an entry in lenient mode. The method, sizes and encryption of its header are tried first, and then other possibilities:
 * the checksum decides.
 */
async function readTried(reading: Reading): Promise<Uint8Array> {
  const { archive, entry, path, run } = reading;
  const { method, checksum } = entry;
  const start = await findData(archive, entry, path, run);
  const isKnown = isStored(entry) || method === DEFLATED;
  const ways = method === DEFLATED ? [inflateTried, copyTried] : [copyTried, inflateTried];
  let stated: Tried | undefined;
  let error: unknown;
  for (const [i, read] of ways.entries()) {
    let tried: Tried;
    try {
      tried = await read(reading, start);
    } catch (failure) {
      if (!(failure instanceof JarError) || failure.reason === 'bomb') throw failure;
      error ??= failure;
      continue;
    }
    if (crc32(tried.bytes) === checksum) {
      const faults = [...tried.faults, ...listFaults(tried.bytes, entry, path, run)];
      if (isMarkedEncrypted(entry)) {
        faults.push(run.fail('encrypted', path, 'is marked as encrypted, and is not'));
      }
      if (!isKnown || i > 0) {
        const what = `states the compression method ${method}, which it does not have`;
        faults.push(run.fail('method', path, what));
      }
      for (const fault of faults) await run.tolerate(fault);
      return tried.bytes;
    }
    if (i === 0) stated = tried;
  }
  if (isMarkedEncrypted(entry)) throw failToDecrypt(path, run);
  if (!isKnown) throw failMethod(entry, path, run);
  if (!stated) throw error;
  const faults = [...stated.faults, ...listFaults(stated.bytes, entry, path, run)];
  for (const fault of faults) await run.tolerate(fault);
  return stated.bytes;
}

/** Most places where a stored entry may end if its sizes are wrong. */
const MOST_ENDS = 16;

/** Reads the stored bytes of an entry. */
async function copyTried(reading: Reading, start: number): Promise<Tried> {
  const { archive, entry, path, run, limit } = reading;
  const { compressedSize, size, checksum } = entry;
  const room = archive.size - start;
  const fault = findStoredFault(entry, path, run);
  const faults = isStored(entry) && fault ? [fault] : [];
  let first: Tried | undefined;
  const read = async (length: number): Promise<Uint8Array> => {
    if (length > run.limits[limit]) throw failLimit(length, path, run, limit);
    await run.take(path, length);
    return new Uint8Array(await archive.read(start, length));
  };
  for (const length of new Set([compressedSize, size])) {
    if (length > room) continue;
    const bytes = await read(length);
    if (crc32(bytes) === checksum) return { bytes, faults };
    first ??= { bytes, faults };
  }
  if (!isStored(entry)) throw failMethod(entry, path, run);
  // The bytes that its size claims are not there, so it ends before another entry.
  if (first) return first;
  const claims = run.fail('size', path, `claims ${size} bytes, and ${room} are left`);
  let count = 0;
  for await (const end of findEnds(archive, start)) {
    const bytes = await read(end - start);
    if (crc32(bytes) === checksum) return { bytes, faults: [claims] };
    first ??= { bytes, faults: [claims] };
    if (++count === MOST_ENDS) break;
  }
  if (!first) throw failToEnd(path, run);
  return first;
}

/**
 * Inflates an entry: the end of the stream is its end, regardless of its sizes. The bytes that are read and those
 * that they inflate to count, so entries that share bytes cannot take long.
 */
async function inflateTried(reading: Reading, start: number): Promise<Tried> {
  const { archive, entry, path, run, limit } = reading;
  const { compressedSize } = entry;
  const room = archive.size - start;
  let length = Math.min(compressedSize, room);
  // A size that nothing can have says nothing about the length of the stream.
  if (compressedSize > room) length = Math.min(room, CHUNK);
  const isCut = length < compressedSize;
  for (;;) {
    if (length > run.limits[limit]) throw failLimit(length, path, run, limit);
    await run.take(path, length);
    const data = await archive.read(start, length);
    try {
      const bytes = await inflateLeniently(data, reading);
      const faults: JarError[] = [];
      if (isCut || length > compressedSize) {
        const what = isCut ? `and ${room} are left` : 'and has more';
        const claim = `claims ${compressedSize} compressed bytes, ${what}`;
        faults.push(run.fail('size', path, `${claim}; make the archive again`));
      }
      return { bytes, faults };
    } catch (error) {
      if (!isTruncated(error) || length >= room) throw error;
    }
    length = Math.min(room, 2 * length + PEEK);
  }
}

/** Tells whether a deflate stream is truncated. */
const isTruncated = (error: unknown): boolean =>
  error instanceof JarError && (error.cause as NodeJS.ErrnoException)?.code === 'Z_BUF_ERROR';

async function inflateLeniently(
  data: Uint8Array,
  { entry, path, run, limit }: Reading,
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
