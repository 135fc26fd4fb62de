/**
 * The frames of a file in Zstandard's format (RFC 8878 §3.1), in the portions that a decompressor needs:
 * a header, blocks, a checksum. Neither Node nor fzstd tells where a frame ends.
 */
import { InputError } from '../error.js';
import { damaged, truncated } from './damage.js';
import { Intake } from './intake.js';
import type { Source } from './source.js';

/** A part of a frame. */
export interface Portion {
  readonly kind: 'header' | 'block' | 'checksum';
  /** Empty if a frame has no checksum. */
  readonly bytes: Uint8Array;
}

/** In bytes: what `zstd -d` and Node accept by default. */
const LARGEST_WINDOW = 2 ** 27;

/** The longest frame header: magic number, descriptor, window, dictionary, size. */
const HEADER = 18;

const MAGIC = 0xfd2fb528;
const SKIPPABLE = 0x184d2a5;

/**
 * Reads all frames, except those to skip.
 *
 * @throws {@link InputError} if they are truncated or damaged, or cannot be decompressed here.
 */
export async function* readFrames(source: Source): AsyncGenerator<Portion, void, undefined> {
  const intake = new Intake(source);
  const take = async (length: number): Promise<Uint8Array> => {
    const bytes = await intake.take(length);
    if (bytes.length < length) throw truncated(source.name, 'zstd');
    return bytes;
  };
  for (;;) {
    const magic = await intake.take(4);
    if (magic.length === 0) return;
    if (magic.length < 4) throw truncated(source.name, 'zstd');
    if (view(magic).getUint32(0, true) >>> 4 === SKIPPABLE) {
      const length = view(await take(4)).getUint32(0, true);
      if (!(await intake.skip(length))) throw truncated(source.name, 'zstd');
      continue;
    }
    if (view(magic).getUint32(0, true) !== MAGIC) {
      throw damaged(source.name, 'zstd', 'followed by other data');
    }
    const header = await readHeader(source.name, magic, take);
    yield { kind: 'header', bytes: header };
    for (let isLast = false; !isLast; ) {
      const start = await take(3);
      const bits =
        (start[0] as number) | ((start[1] as number) << 8) | ((start[2] as number) << 16);
      isLast = (bits & 1) === 1;
      const type = (bits >> 1) & 3;
      const body = await take(type === 1 ? 1 : bits >> 3);
      yield { kind: 'block', bytes: Buffer.concat([start, body]) };
    }
    const hasChecksum = ((header[4] as number) & 4) !== 0;
    yield { kind: 'checksum', bytes: await take(hasChecksum ? 4 : 0) };
  }
}

/** RFC 8878 §3.1.1.1. */
async function readHeader(
  name: string,
  magic: Uint8Array,
  take: (length: number) => Promise<Uint8Array>,
): Promise<Uint8Array> {
  const header = Buffer.alloc(HEADER);
  header.set(magic);
  let length = 4;
  const add = async (count: number): Promise<Buffer> => {
    header.set(await take(count), length);
    length += count;
    return header.subarray(length - count, length);
  };
  const descriptor = (await add(1)).readUInt8();
  const isSingle = (descriptor & 0x20) !== 0;
  const window = isSingle ? 0 : deriveWindow((await add(1)).readUInt8());
  const dictionary = await add([0, 1, 2, 4][descriptor & 3] as number);
  const size = await add([isSingle ? 1 : 0, 2, 4, 8][descriptor >> 6] as number);
  if (dictionary.some((byte) => byte !== 0)) {
    throw new InputError(
      `${name}: its zstd data needs a dictionary; decompress it first: zstd -dc -D DICTIONARY FILE | utf8 …`,
    );
  }
  // A frame of one segment has no window: all of it is in memory.
  if ((isSingle ? readSize(size) : window) > LARGEST_WINDOW) {
    throw new InputError(
      `${name}: its zstd data was compressed with --long=28 or more; decompress it first: zstd -dc --long=31 FILE | utf8 …`,
    );
  }
  return header.subarray(0, length);
}

/** In bytes, RFC 8878 §3.1.1.1.2. */
function deriveWindow(descriptor: number): number {
  const base = 2 ** (10 + (descriptor >> 3));
  return base + (base / 8) * (descriptor & 7);
}

function readSize(bytes: Buffer): number {
  if (bytes.length === 8) return Number(bytes.readBigUInt64LE());
  return bytes.readUIntLE(0, bytes.length) + (bytes.length === 2 ? 256 : 0);
}

const view = (bytes: Uint8Array): DataView =>
  new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
