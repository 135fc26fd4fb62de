/** zstd of one frame or several, in constant memory: that of the window, whose size is in the file. */
import type { Transform } from 'node:stream';
import * as zlib from 'node:zlib';
import { InputError } from '../error.js';
import { Intake } from './chunks.js';
import { damaged, truncated } from './damage.js';
import type { Source } from './source.js';

/** A part of a frame (RFC 8878 §3.1): neither Node nor fzstd tells where a frame ends. */
interface Portion {
  /** Each frame has a checksum, which may be empty. */
  readonly kind: 'header' | 'block' | 'checksum';
  readonly bytes: Uint8Array;
}

/** Decompresses one frame: `add` returns the bytes that can be decompressed so far. */
interface Frame {
  add(portion: Portion): AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
  stop?(): void;
}

/** Node has it since 22.15. */
const { createZstdDecompress } = zlib as { createZstdDecompress?: CreateDecompress };

type CreateDecompress = (options: object) => Transform;

/** Decompresses zstd, by default with Node's own decompressor if there is one. */
export async function* unzstd(
  source: Source,
  isNative: boolean = createZstdDecompress !== undefined,
): AsyncGenerator<Uint8Array, void, undefined> {
  const createFrame = isNative ? createNativeFrame : await loadForeign();
  let frame: Frame | undefined;
  try {
    for await (const portion of readFrames(source)) {
      if (portion.kind === 'header') frame = createFrame();
      try {
        yield* (frame as Frame).add(portion);
      } catch (error) {
        throw damaged(source.name, 'zstd', (error as Error).message);
      }
    }
  } finally {
    frame?.stop?.();
  }
}

/** Node's own decompressor, for one frame: it ignores later bytes. */
function createNativeFrame(): Frame {
  // More than a block of 128 KiB, so that the stream always accepts one.
  const room = { chunkSize: 1 << 18, readableHighWaterMark: 1 << 20 };
  const unpacking = (createZstdDecompress as CreateDecompress)(room);
  return {
    async *add({ kind, bytes }) {
      if (bytes.length > 0) {
        await new Promise<void>((done, fail) => {
          unpacking.once('error', fail);
          unpacking.write(bytes, (error) => {
            unpacking.off('error', fail);
            if (error) fail(error);
            else done();
          });
        });
      }
      if (kind === 'checksum') {
        unpacking.end();
        yield* unpacking as AsyncIterable<Uint8Array>;
      } else {
        for (let chunk = unpacking.read(); chunk; chunk = unpacking.read()) yield chunk;
      }
    },
    stop: () => void unpacking.destroy(),
  };
}

/** Loads fzstd, which streams in plain JavaScript. It ignores checksums; xxhash-wasm computes them. */
async function loadForeign(): Promise<() => Frame> {
  const [{ Decompress }, { default: loadHash }] = await Promise.all([
    import('fzstd'),
    import('xxhash-wasm'),
  ]);
  const { create64 } = await loadHash();
  return () => {
    const unpacked: Uint8Array[] = [];
    const hash = create64();
    const unpacking = new Decompress((chunk) => {
      hash.update(chunk);
      unpacked.push(chunk);
    });
    return {
      add({ kind, bytes }) {
        unpacking.push(bytes, kind === 'checksum');
        if (kind === 'checksum' && bytes.length > 0) {
          const wanted = Buffer.from(bytes).readUInt32LE();
          // RFC 8878 §3.1.1: the low four bytes of XXH64.
          if (Number(hash.digest() & 0xffffffffn) !== wanted) throw new Error('wrong checksum');
        }
        return unpacked.splice(0);
      },
    };
  };
}

/** In bytes: what `zstd -d` and Node accept by default. */
const LARGEST_WINDOW = 2 ** 27;

const MAGIC = 0xfd2fb528;
const SKIPPABLE = 0x184d2a5;

type Take = (length: number) => Promise<Buffer>;

/** Reads all frames, except those to skip. */
async function* readFrames(source: Source): AsyncGenerator<Portion, void, undefined> {
  const intake = new Intake(source);
  const take: Take = async (length) => {
    const bytes = await intake.take(length);
    if (bytes.length < length) throw truncated(source.name, 'zstd');
    return Buffer.from(bytes.buffer, 0, length);
  };
  for (;;) {
    const magic = Buffer.from(await intake.take(4));
    if (magic.length === 0) return;
    if (magic.length < 4) throw truncated(source.name, 'zstd');
    const number = magic.readUInt32LE();
    if (number >>> 4 === SKIPPABLE) {
      if (await intake.skip((await take(4)).readUInt32LE())) continue;
      throw truncated(source.name, 'zstd');
    }
    if (number !== MAGIC) throw damaged(source.name, 'zstd', 'followed by other data');
    const header = await readHeader(source.name, take);
    yield { kind: 'header', bytes: Buffer.concat([magic, header]) };
    for (let isLast = false; !isLast; ) {
      const start = await take(3);
      const bits = start.readUIntLE(0, 3);
      isLast = (bits & 1) === 1;
      const type = (bits >> 1) & 3;
      const body = await take(type === 1 ? 1 : bits >> 3);
      yield { kind: 'block', bytes: Buffer.concat([start, body]) };
    }
    const hasChecksum = (header.readUInt8() & 4) !== 0;
    yield { kind: 'checksum', bytes: await take(hasChecksum ? 4 : 0) };
  }
}

/** Reads the rest of a frame's header (RFC 8878 §3.1.1.1). */
async function readHeader(name: string, take: Take): Promise<Buffer> {
  const start = await take(1);
  const descriptor = start.readUInt8();
  const isSingle = (descriptor & 0x20) !== 0;
  const window = await take(isSingle ? 0 : 1);
  const dictionary = await take([0, 1, 2, 4][descriptor & 3] as number);
  const size = await take([isSingle ? 1 : 0, 2, 4, 8][descriptor >> 6] as number);
  if (dictionary.some((byte) => byte !== 0)) {
    throw new InputError(
      `${name}: its zstd data needs a dictionary; decompress it first: zstd -dc -D DICTIONARY FILE | utf8 …`,
    );
  }
  // A frame of one segment has no window: all of it is in memory.
  if ((isSingle ? readSize(size) : readWindow(window.readUInt8())) > LARGEST_WINDOW) {
    throw new InputError(
      `${name}: its zstd data was compressed with --long=28 or more; decompress it first: zstd -dc --long=31 FILE | utf8 …`,
    );
  }
  return Buffer.concat([start, window, dictionary, size]);
}

/** In bytes, RFC 8878 §3.1.1.1.2. */
const readWindow = (descriptor: number): number =>
  2 ** (10 + (descriptor >> 3)) * (1 + (descriptor & 7) / 8);

function readSize(bytes: Buffer): number {
  if (bytes.length === 8) return Number(bytes.readBigUInt64LE());
  return bytes.readUIntLE(0, bytes.length) + (bytes.length === 2 ? 256 : 0);
}
