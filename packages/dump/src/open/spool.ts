import { closeSync, openSync, readSync } from 'node:fs';
import { writeAll } from '@utf8/files';
import { attempt } from '../error.js';
import { TemporaryFolder } from '../path/temporary-folder.js';
import type { Source } from './source.js';

/** Bytes that were read from a source: the source itself if it can be read again, or a temporary file. */
export class Spool {
  readonly isNeeded: boolean;
  /** Bytes in the temporary file. */
  length = 0;
  readonly #source: Pick<Source, 'read' | 'size'> | undefined;
  readonly #offset: number;
  readonly #folder = new TemporaryFolder();
  #path = '';
  #fd = -1;

  constructor(source?: Pick<Source, 'read' | 'size'>, offset = 0) {
    this.#source = source;
    this.#offset = offset;
    this.isNeeded = source?.size === undefined;
  }

  add(bytes: Uint8Array): void {
    if (!this.isNeeded) return;
    if (this.#fd === -1) {
      this.#path = this.#folder.nameFile();
      this.#fd = openSync(this.#path, 'wx+', 0o600);
    }
    attempt(this.#path, () => writeAll(this.#fd, bytes, this.length));
    this.length += bytes.length;
  }

  /** Reads bytes that follow those read so far. */
  async readNext(position: number, size: number): Promise<Uint8Array> {
    const memory = new Uint8Array(size);
    const bytes = memory.subarray(0, await (this.#source as Source).read(memory, position));
    this.add(bytes);
    return bytes;
  }

  /** Reads bytes once more, from an index in the unit. */
  async read(index: number, length: number): Promise<Uint8Array> {
    const memory = new Uint8Array(length);
    let done = 0;
    while (done < length) {
      const room = memory.subarray(done);
      const count = this.isNeeded
        ? readSync(this.#fd, room, 0, room.length, index + done)
        : await (this.#source as Source).read(room, this.#offset + index + done);
      if (count === 0) break;
      done += count;
    }
    return memory.subarray(0, done);
  }

  readAll(): Promise<Uint8Array> {
    return this.read(0, this.length);
  }

  close(): void {
    if (this.#fd !== -1) closeSync(this.#fd);
    this.#folder.remove();
  }
}
