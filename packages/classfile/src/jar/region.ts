/** Stretches of bytes that can be read from any place: of a file, or in memory. */
import type { FileHandle } from 'node:fs/promises';

/** A stretch of bytes, which count from its own start. */
export interface Region {
  /** In bytes. */
  readonly size: number;
  /**
   * Reads bytes; fewer where the region ends first.
   *
   * @returns A view, which is valid until the next read.
   */
  read(position: number, length: number): Promise<Uint8Array>;
  /** A part of it, which ends where it does. */
  slice(start: number, size: number): Region;
}

/** How much is read at once, in bytes: a directory has some 700 entries in that, a jar some 20 classes. */
const WINDOW = 1 << 16;

class Window {
  /** Made when it is first needed, which not all are. */
  memory: Uint8Array = new Uint8Array();
  position = 0;
  length = 0;

  has(position: number, length: number): boolean {
    return position >= this.position && position + length <= this.position + this.length;
  }
}

/** A part of an open file. */
export class FileRegion implements Region {
  readonly size: number;
  readonly #handle: FileHandle;
  readonly #start: number;
  /** One for the directory and one for the entries: each of them is read from front to back. */
  #window = new Window();
  #other = new Window();

  constructor(handle: FileHandle, start: number, size: number) {
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

  /** A read may give fewer bytes than there are; only none at all means the end. */
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
