/**
 * Writes a large file past the system's cache of files, in its threads, while the program computes what
 * comes next. Linux only.
 *
 * What `write` and then `fsync` cost is mostly the kernel's work on pages of its cache: it allocates each,
 * copies to it, and at the end waits until the disk has them all.
 */
import * as fs from 'node:fs';
import { ioError, OutputError } from '../error.js';
import { writeAll } from '../path/write-all.js';

/** In bytes: what is written at once. With 4 MiB, two threads took over 100 MB for 64 MiB. */
const BLOCK = 3 << 20;

/** Blocks in memory: one is filled while the other is written. */
const BLOCKS = 2;

/** In bytes: the size of a page of WebAssembly's memory. */
const PAGE = 1 << 16;

/** Writes blocks one after the other. An error comes late, with the next call. */
export class DirectWriter {
  readonly #path: string;
  /** The file for what cannot be written in whole blocks, and for everything else. */
  readonly #fd: number;
  #direct: number | undefined;
  /** Blocks to fill. */
  readonly #free: Uint8Array[];
  /** The block to fill, and the number of its bytes so far. */
  #block: Uint8Array | undefined;
  #filled = 0;
  /** Full blocks that wait. */
  readonly #queue: Uint8Array[] = [];
  /** How much of the file is written, in bytes. */
  #written = 0;
  #isWriting = false;
  #failure: Error | undefined;
  #wake = (): void => {};

  private constructor(path: string, fd: number, direct: number, memory: ArrayBuffer) {
    this.#path = path;
    this.#fd = fd;
    this.#direct = direct;
    this.#free = Array.from({ length: BLOCKS }, (_, i) => new Uint8Array(memory, i * BLOCK, BLOCK));
  }

  /**
   * Opens an empty file a second time.
   *
   * @param path - The name that an error carries.
   * @returns Undefined if the system, or the file's, cannot do that.
   */
  static open(path: string, fd: number): DirectWriter | undefined {
    const { O_DIRECT, O_WRONLY } = fs.constants;
    if (!O_DIRECT) return undefined;
    try {
      // The one memory in JavaScript that begins where a page does, as a disk needs it.
      const { buffer } = new WebAssembly.Memory({ initial: (BLOCKS * BLOCK) / PAGE });
      // The very same file, whatever its name denotes by now.
      const direct = fs.openSync(`/proc/self/fd/${fd}`, O_WRONLY | O_DIRECT);
      return new DirectWriter(path, fd, direct, buffer);
    } catch {
      return undefined;
    }
  }

  /** Copies bytes, and waits if all blocks are full. */
  async write(bytes: Uint8Array): Promise<void> {
    for (let rest = bytes; rest.length > 0; ) {
      this.#check();
      this.#block ??= this.#free.pop();
      if (!this.#block) {
        while (this.#free.length === 0 && !this.#failure) await this.#wait();
        continue;
      }
      const part = rest.subarray(0, BLOCK - this.#filled);
      this.#block.set(part, this.#filled);
      this.#filled += part.length;
      rest = rest.subarray(part.length);
      if (this.#filled < BLOCK) continue;
      this.#queue.push(this.#block);
      this.#block = undefined;
      this.#filled = 0;
      if (!this.#isWriting) this.#writeNext();
    }
  }

  /** Waits until the system has everything. The last call before the file is synchronized. */
  async finish(): Promise<void> {
    while (this.#isWriting) await this.#wait();
    this.#check();
    if (this.#block) {
      writeAll(this.#path, this.#fd, this.#block.subarray(0, this.#filled), this.#written);
    }
    this.#close();
  }

  /** Gives up what is not written, and waits until no thread uses the file. */
  async stop(): Promise<void> {
    this.#failure ??= new OutputError(`${this.#path}: was closed before it was complete`);
    this.#wake();
    while (this.#isWriting) await this.#wait();
    this.#close();
  }

  #close(): void {
    if (this.#direct !== undefined) fs.closeSync(this.#direct);
    this.#direct = undefined;
  }

  #check(): void {
    if (this.#failure) throw this.#failure;
  }

  #writeNext(): void {
    const block = this.#failure ? undefined : this.#queue.shift();
    if (block) this.#writePart(block, 0);
  }

  #writePart(block: Uint8Array, done: number): void {
    this.#isWriting = true;
    const fd = this.#direct ?? this.#fd;
    fs.write(fd, block, done, BLOCK - done, this.#written, (error, count) => {
      this.#isWriting = false;
      const isRefused = error?.code === 'EINVAL' && this.#direct !== undefined;
      if (isRefused) this.#close();
      else if (error) this.#failure ??= ioError(this.#path, error, OutputError);
      else this.#written += count;
      const end = error ? done : done + count;
      if (end === BLOCK) {
        this.#free.push(block);
        this.#writeNext();
      } else if (!this.#failure) {
        // A disk that is almost full accepts a part, and fails at the next attempt.
        this.#writePart(block, end);
      }
      this.#wake();
    });
  }

  /** Waits for what comes next: the end of a write, or of everything. */
  #wait(): Promise<void> {
    const before = this.#wake;
    return new Promise((done) => {
      this.#wake = () => {
        this.#wake = () => {};
        before();
        done();
      };
    });
  }
}
