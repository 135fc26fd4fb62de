/** zstd, of one frame or several, in constant memory: that of the window, which the file names. */
import type { Transform } from 'node:stream';
import * as zlib from 'node:zlib';
import type { Source } from '../source.js';
import { damaged } from './damage.js';
import { type Portion, readFrames } from './frames.js';

/** Unpacks one frame. */
interface Frame {
  /** What a portion unpacks to, once all of it is known. */
  add(portion: Portion): AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
  /** Gives up. */
  stop?(): void;
}

/** Node has it from 22.15 on. */
const { createZstdDecompress } = zlib as {
  createZstdDecompress?: (options: object) => Transform;
};

/** Room for more than a block unpacks to, 128 KiB, so that a stream is never too full to take one. */
const ROOM = { chunkSize: 1 << 18, readableHighWaterMark: 1 << 20 };

/**
 * Unpacks zstd.
 *
 * @param isNative - Whether Node's own is used.
 * @throws {@link InputFailure} where the data is cut short or damaged.
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

/** With Node's own. It is told of one frame only, since it leaves what follows the first. */
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
 * With fzstd, the one streaming decompressor in plain JavaScript (MIT, 8 kB, no dependency). It leaves
 * checksums alone, which xxhash-wasm (MIT, 3 kB) makes.
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
