/** A sorted run: items in a temporary file, each behind its length. */
import { closeSync, openSync, readSync, rmSync } from 'node:fs';
import { ioFailure, OutputFailure } from '../failure.js';
import { writeAll } from '../output.js';

/** How much is read or written at once, in bytes. */
const BLOCK = 1 << 16;

const PREFIX = 4;

/**
 * Writes items to a file.
 *
 * @throws {@link OutputFailure} where that fails.
 */
export function writeRun(path: string, items: Iterable<Uint8Array>): void {
  const fd = guard(path, () => openSync(path, 'wx', 0o600));
  try {
    let parts: Uint8Array[] = [];
    let length = 0;
    for (const item of items) {
      const prefix = Buffer.alloc(PREFIX);
      prefix.writeUInt32LE(item.length);
      parts.push(prefix, item);
      length += PREFIX + item.length;
      if (length < BLOCK) continue;
      writeAll(path, fd, Buffer.concat(parts));
      parts = [];
      length = 0;
    }
    writeAll(path, fd, Buffer.concat(parts));
  } finally {
    closeSync(fd);
  }
}

/**
 * Reads the items of a file, and removes it.
 *
 * @throws {@link OutputFailure} where that fails.
 */
export function* readRun(path: string): Generator<Buffer, void> {
  const fd = guard(path, () => openSync(path, 'r'));
  try {
    let rest: Buffer = Buffer.alloc(0);
    for (;;) {
      const memory = Buffer.alloc(BLOCK);
      const count = guard(path, () => readSync(fd, memory));
      if (count === 0) return;
      rest = Buffer.concat([rest, memory.subarray(0, count)]);
      let start = 0;
      while (start + PREFIX <= rest.length) {
        const end = start + PREFIX + rest.readUInt32LE(start);
        if (end > rest.length) break;
        yield rest.subarray(start + PREFIX, end);
        start = end;
      }
      rest = rest.subarray(start);
    }
  } finally {
    closeSync(fd);
    rmSync(path, { force: true });
  }
}

function guard<T>(path: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    throw ioFailure(path, error, OutputFailure);
  }
}
