/** A file that is written from front to back. */
import type { FileHandle } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import { FileRegion, type Region } from './region.js';

/** How many bytes are gathered before they are written. */
const BUFFER = 1 << 16;
/** How much is copied at once, in bytes. */
const CHUNK = 1 << 18;

/** A file ends before its end. */
export class CutError extends Error {}

export class Sink {
  readonly #handle: FileHandle;
  readonly #buffer = new Uint8Array(BUFFER);
  #buffered = 0;
  /** Of all that has been written since it was last set to 0. */
  checksum = 0;
  /** How many bytes have been written. */
  position = 0;

  constructor(handle: FileHandle) {
    this.#handle = handle;
  }

  async write(bytes: Uint8Array): Promise<void> {
    this.checksum = crc32(bytes, this.checksum);
    this.position += bytes.length;
    if (bytes.length > BUFFER - this.#buffered) await this.flush();
    if (bytes.length > BUFFER) {
      await this.#writeAll(bytes);
      return;
    }
    this.#buffer.set(bytes, this.#buffered);
    this.#buffered += bytes.length;
  }

  /** Copies a part of a region. */
  async copy(region: Region, start: number, end: number): Promise<void> {
    for await (const chunk of chunksOf(region, start, end)) await this.write(chunk);
  }

  /** Writes what has been gathered. */
  async flush(): Promise<void> {
    const bytes = this.#buffer.subarray(0, this.#buffered);
    this.#buffered = 0;
    await this.#writeAll(bytes);
  }

  /** What has been written, to be read. */
  async toRegion(): Promise<Region> {
    await this.flush();
    return new FileRegion(this.#handle, 0, this.position);
  }

  async #writeAll(bytes: Uint8Array): Promise<void> {
    for (let done = 0; done < bytes.length; ) {
      const { bytesWritten } = await this.#handle.write(bytes, done, bytes.length - done);
      done += bytesWritten;
    }
  }
}

/**
 * A part of a region, chunk by chunk. Each is a view that is valid until the next one.
 *
 * @throws {@link CutError} where the region ends before the part does.
 */
export async function* chunksOf(
  region: Region,
  start: number,
  end: number,
): AsyncGenerator<Uint8Array, void, undefined> {
  for (let position = start; position < end; ) {
    const chunk = await region.read(position, Math.min(CHUNK, end - position));
    if (chunk.length === 0) throw new CutError(`the file ends before byte ${end}`);
    yield chunk;
    position += chunk.length;
  }
}
