/** Regions of bytes with random access, in a file or in memory. */

/** A region of bytes, with positions from its own start. */
export interface Region {
  /** Size in bytes. */
  readonly size: number;
  /**
   * Reads bytes; fewer if the region ends first.
   *
   * @returns A view, which is valid until the next read.
   */
  read(position: number, length: number): Promise<Uint8Array>;
  /** Returns a part of the region, which cannot extend beyond it. */
  slice(start: number, size: number): Region;
}

/** Bytes that are read at once: some 700 entries of a directory, or 20 classes of a jar. */
const WINDOW = 1 << 16;

class Window {
  /** Allocated on first use, since not all windows are used. */
  memory: Uint8Array = new Uint8Array();
  position = 0;
  length = 0;

  has(position: number, length: number): boolean {
    return position >= this.position && position + length <= this.position + this.length;
  }
}

/** An open file. */
interface Readable {
  read(
    bytes: Uint8Array,
    at: number,
    length: number,
    position: number,
  ): Promise<{ readonly bytesRead: number }>;
}

/** A part of an open file. */
export class FileRegion implements Region {
  readonly size: number;
  readonly #handle: Readable;
  readonly #start: number;
  /** Two windows, for the directory and for the entries: each of them is read sequentially. */
  #window = new Window();
  #other = new Window();

  constructor(handle: Readable, start: number, size: number) {
    this.size = size;
    this.#handle = handle;
    this.#start = start;
  }

  async read(position: number, length: number): Promise<Uint8Array> {
    const wanted = Math.max(0, Math.min(length, this.size - position));
    if (wanted > WINDOW) {
      const bytes = new Uint8Array(wanted);
      return bytes.subarray(0, await this.#fill(bytes, position));
    }
    if (!this.#window.has(position, wanted)) {
      [this.#window, this.#other] = [this.#other, this.#window];
      if (!this.#window.has(position, wanted)) await this.#move(this.#window, position);
    }
    const window = this.#window;
    const from = position - window.position;
    return window.memory.subarray(from, Math.min(from + wanted, window.length));
  }

  slice(start: number, size: number): FileRegion {
    const room = Math.max(0, Math.min(size, this.size - start));
    return new FileRegion(this.#handle, this.#start + start, room);
  }

  async #move(window: Window, position: number): Promise<void> {
    const room = Math.max(0, Math.min(WINDOW, this.size - position));
    if (window.memory.length === 0) window.memory = new Uint8Array(WINDOW);
    window.position = position;
    window.length = 0;
    window.length = await this.#fill(window.memory.subarray(0, room), position);
  }

  /** Fills memory from the file. A read may return fewer bytes than exist; only 0 bytes mean the end. */
  async #fill(bytes: Uint8Array, position: number): Promise<number> {
    let done = 0;
    while (done < bytes.length) {
      const at = this.#start + position + done;
      const { bytesRead } = await this.#handle.read(bytes, done, bytes.length - done, at);
      if (bytesRead === 0) break;
      done += bytesRead;
    }
    return done;
  }
}

/** Bytes in memory. */
export class MemoryRegion implements Region {
  readonly #bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get size(): number {
    return this.#bytes.length;
  }

  async read(position: number, length: number): Promise<Uint8Array> {
    return this.#bytes.subarray(position, position + length);
  }

  slice(start: number, size: number): MemoryRegion {
    return new MemoryRegion(this.#bytes.subarray(start, start + size));
  }
}
