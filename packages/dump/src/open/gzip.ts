/** gzip of one member or several, in constant memory. */
import { createGunzip, type Gunzip } from 'node:zlib';
import { DumpError } from '../error.js';
import { damaged, truncated } from './damage.js';
import type { Source } from './source.js';

/** Bytes to read, and to decompress, at once. */
const SIZE = 1 << 17;

/**
 * Decompresses gzip.
 *
 * @throws {@link InputError} if the data is truncated or damaged.
 */
export async function* gunzip(source: Source): AsyncGenerator<Uint8Array, void, undefined> {
  const unpacking = createGunzip({ chunkSize: SIZE });
  const feed = new Feed(source, unpacking);
  feed.run().catch((error) => unpacking.destroy(error));
  try {
    yield* unpacking as AsyncIterable<Uint8Array>;
  } catch (error) {
    throw explain(source.name, error);
  }
  // zlib reads a zero as the start of padding, and ignores everything after it.
  if (await feed.hasMore()) throw damaged(source.name, 'gzip', 'followed by other data');
}

function explain(name: string, error: unknown): unknown {
  if (error instanceof DumpError) return error;
  const { code, message } = error as NodeJS.ErrnoException;
  return code === 'Z_BUF_ERROR' ? truncated(name, 'gzip') : damaged(name, 'gzip', message);
}

/** Feeds a source to zlib, one chunk at a time, and knows what zlib left of it. */
class Feed {
  readonly #source: Source;
  readonly #unpacking: Gunzip;
  readonly #memory = new Uint8Array(SIZE);
  #position = 0;
  #chunk: Uint8Array = new Uint8Array();

  constructor(source: Source, unpacking: Gunzip) {
    this.#source = source;
    this.#unpacking = unpacking;
  }

  async run(): Promise<void> {
    while (!this.#unpacking.destroyed && !this.#unpacking.readableEnded) {
      if (!(await this.#read())) {
        this.#unpacking.end();
        return;
      }
      // zlib never calls back for a chunk that contains padding.
      await new Promise<unknown>((done) => {
        this.#unpacking.once('end', done);
        this.#unpacking.write(this.#chunk, () => {
          this.#unpacking.off('end', done);
          done(undefined);
        });
      });
    }
  }

  /** Checks whether anything except zeros is left. */
  async hasMore(): Promise<boolean> {
    const left = this.#position - this.#unpacking.bytesWritten;
    let rest = this.#chunk.subarray(this.#chunk.length - left);
    while (rest.every((byte) => byte === 0)) {
      if (!(await this.#read())) return false;
      rest = this.#chunk;
    }
    return true;
  }

  async #read(): Promise<boolean> {
    const count = await this.#source.read(this.#memory, this.#position);
    if (count === 0) return false;
    this.#position += count;
    this.#chunk = this.#memory.subarray(0, count);
    return true;
  }
}
