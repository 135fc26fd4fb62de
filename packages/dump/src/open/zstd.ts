/** zstd of one frame or several, in constant memory: that of the window, whose size is in the file. */
import type { Transform } from 'node:stream';
import * as zlib from 'node:zlib';
import { damaged } from './damage.js';
import type { Source } from './source.js';
import { type Portion, readFrames } from './zstd-frames.js';

/** Decompresses one frame. */
interface Frame {
  /** Returns what can be decompressed so far. */
  add(portion: Portion): AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
  stop?(): void;
}

/** Node has it since 22.15. */
const { createZstdDecompress } = zlib as {
  createZstdDecompress?: (options: object) => Transform;
};

/** More than a block of 128 KiB, so that a stream always accepts one. */
const ROOM = { chunkSize: 1 << 18, readableHighWaterMark: 1 << 20 };

/**
 * Decompresses zstd.
 *
 * @param isNative - Whether to use Node's own decompressor.
 * @throws {@link InputError} if the data is truncated or damaged.
 */
export async function* unzstd(
  source: Source,
  isNative: boolean = createZstdDecompress !== undefined,
): AsyncGenerator<Uint8Array, void, undefined> {
  const createFrame = isNative ? () => new NativeFrame() : await loadForeign();
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

/** Node's own decompressor, for one frame: it ignores what follows. */
class NativeFrame implements Frame {
  readonly #unpacking: Transform = (
    createZstdDecompress as NonNullable<typeof createZstdDecompress>
  )(ROOM);

  async *add({ kind, bytes }: Portion): AsyncGenerator<Uint8Array, void, undefined> {
    if (kind !== 'checksum') {
      await this.#write(bytes);
      yield* this.#take();
      return;
    }
    if (bytes.length > 0) await this.#write(bytes);
    this.#unpacking.end();
    yield* this.#unpacking as AsyncIterable<Uint8Array>;
  }

  stop(): void {
    this.#unpacking.destroy();
  }

  async #write(bytes: Uint8Array): Promise<void> {
    await new Promise<void>((done, fail) => {
      this.#unpacking.once('error', fail);
      this.#unpacking.write(bytes, (error) => {
        this.#unpacking.off('error', fail);
        if (error) fail(error);
        else done();
      });
    });
  }

  *#take(): Generator<Uint8Array, void, undefined> {
    for (;;) {
      const chunk: Uint8Array | null = this.#unpacking.read();
      if (!chunk) return;
      yield chunk;
    }
  }
}

/**
 * Loads fzstd, the one streaming decompressor in plain JavaScript (MIT, 8 kB, no dependency). It ignores
 * checksums, so xxhash-wasm (MIT, 3 kB) computes them.
 */
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
