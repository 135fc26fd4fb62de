/** A file that is written sequentially. */
import { read } from 'node:fs';
import { promisify } from 'node:util';
import { crc32 } from 'node:zlib';
import { FileRegion, type Region } from './region.js';

const readFile = promisify(read);

/** Bytes that are gathered before they are written. */
const BUFFER = 1 << 16;
/** Bytes that are copied at once. */
const CHUNK = 1 << 18;

/** Thrown if a file ends too early. */
export class CutError extends Error {}

/** An open file that is written in order. */
interface Written {
  readonly fd: number;
  write(bytes: Uint8Array): Promise<void>;
}

export class Sink {
  readonly #file: Written;
  readonly #buffer = new Uint8Array(BUFFER);
  #buffered = 0;
  /** CRC-32 of the bytes written since it was last set to 0. */
  checksum = 0;
  /** Number of bytes written. */
  position = 0;

  constructor(file: Written) {
    this.#file = file;
  }

  async write(bytes: Uint8Array): Promise<void> {
    this.checksum = crc32(bytes, this.checksum);
    this.position += bytes.length;
    if (bytes.length > BUFFER - this.#buffered) await this.flush();
    if (bytes.length > BUFFER) {
      await this.#file.write(bytes);
      return;
    }
    this.#buffer.set(bytes, this.#buffered);
    this.#buffered += bytes.length;
  }

  /** Copies a part of a region. */
  async copy(region: Region, start: number, end: number): Promise<void> {
    for await (const chunk of chunksOf(region, start, end)) await this.write(chunk);
  }

  /** Writes the gathered bytes. */
  async flush(): Promise<void> {
    const bytes = this.#buffer.subarray(0, this.#buffered);
    this.#buffered = 0;
    await this.#file.write(bytes);
  }

  /** Returns the written bytes, for reading. */
  async toRegion(): Promise<Region> {
    await this.flush();
    const { fd } = this.#file;
    return new FileRegion({ read: (...where) => readFile(fd, ...where) }, 0, this.position);
  }
}

/**
 * Yields a part of a region in chunks. Each is a view that is valid until the next one.
 *
 * @throws {@link CutError} if the region ends before the part does.
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
