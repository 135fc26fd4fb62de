/** Large files, which are written past the system's cache. */
import { closeSync, constants, openSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { discardUnfinished } from '../src/interrupt.js';
import { DirectWriter } from '../src/sink/direct-writer.js';
import { openOutput } from '../src/sink/output.js';
import { groupIf, useFolder } from './use-folder.js';

type Callback = (error: NodeJS.ErrnoException | null, count: number) => void;
type Write = (fd: number, bytes: Uint8Array, at: number, length: number, to: number) => void;

/** What the system does with writes in threads, instead of writing. */
const system = vi.hoisted(() => ({
  write: undefined as undefined | ((write: Write, done: Callback, args: Parameters<Write>) => void),
}));

vi.mock('node:fs', async (original) => {
  const fs = await original<typeof import('node:fs')>();
  const write = (...args: [...Parameters<Write>, Callback]): void => {
    const done = args[5];
    const rest = args.slice(0, 5) as Parameters<Write>;
    const real = (...real: Parameters<Write>): void => fs.write(...real, done);
    if (system.write) system.write(real, done, rest);
    else real(...rest);
  };
  return { ...fs, write };
});

const path = useFolder();
const MIB = 1 << 20;
const LARGE = 64 * MIB;

/** Bytes of which no two MiB are alike. */
function makeBytes(length: number): Uint8Array {
  const words = new Uint32Array(Math.ceil(length / 4));
  for (let i = 0; i < words.length; i++) words[i] = Math.imul(i, 0x9e3779b1);
  return new Uint8Array(words.buffer, 0, length);
}

/** Writes in parts of 3 MiB and a bit, which fit no block. */
async function write(file: string, bytes: Uint8Array): Promise<void> {
  const output = await openOutput(file, LARGE);
  try {
    for (let i = 0; i < bytes.length; i += 3 * MIB + 7) {
      await output.write(bytes.subarray(i, i + 3 * MIB + 7));
    }
    await output.finish();
    output.commit();
  } finally {
    output.discard();
  }
}

const fail = (code: string): NodeJS.ErrnoException => Object.assign(new Error(code), { code });

// Where the system has no such writes, the same files are written as all others are.
const isDirect = (() => {
  try {
    const fd = openSync('/proc/self/exe', constants.O_RDONLY | (constants.O_DIRECT ?? 0));
    closeSync(fd);
    return constants.O_DIRECT !== undefined;
  } catch {
    return false;
  }
})();

afterEach(() => {
  system.write = undefined;
});

describe('a large file', () => {
  it.each([0, 1, 4096, 4 * MIB, 8 * MIB + 1, 40 * MIB + 4095])('of %i bytes', async (length) => {
    const bytes = makeBytes(length);
    await write(path('out'), bytes);
    expect(Buffer.compare(readFileSync(path('out')), bytes)).toBe(0);
    expect(readdirSync(path('.'))).toEqual(['out']);
  });

  it('is as it was where the run is discarded while it is written', async () => {
    await write(path('out'), Buffer.from('before'));
    for (const end of [(output: { discard(): void }) => output.discard(), discardUnfinished]) {
      const output = await openOutput(path('out'), LARGE);
      await output.write(makeBytes(20 * MIB));
      end(output);
      output.discard();
      await expect(output.write(makeBytes(40 * MIB))).rejects.toThrow();
      expect(readdirSync(path('.'))).toEqual(['out']);
      expect(readFileSync(path('out'), 'utf8')).toBe('before');
    }
  });
});

groupIf(isDirect)('what the system says of a large file', () => {
  const bytes = makeBytes(28 * MIB + 5);

  it('ends the run, even if it says so when all is written', async () => {
    await write(path('out'), Buffer.from('before'));
    for (const failing of [1, 2, 3]) {
      let count = 0;
      system.write = (write, done, args) => {
        if (++count === failing) setImmediate(() => done(fail('ENOSPC'), 0));
        else write(...args);
      };
      await expect(write(path('out'), bytes)).rejects.toThrow(
        `${path('out')}: no space left on the device; free some space, or write elsewhere`,
      );
      expect(count).toBe(failing);
      expect(readdirSync(path('.'))).toEqual(['out']);
      expect(readFileSync(path('out'), 'utf8')).toBe('before');
    }
  });

  it('is heard where it takes a part at a time', async () => {
    system.write = (write, _, [fd, block, at, length, to]) =>
      write(fd, block, at, Math.min(length, 3 * MIB), to);
    await write(path('out'), bytes);
    expect(Buffer.compare(readFileSync(path('out')), bytes)).toBe(0);
  });

  it('is obeyed where it refuses such writes, from the first one on or later', async () => {
    for (const failing of [1, 3]) {
      let count = 0;
      const fds = new Set<number>();
      system.write = (write, done, args) => {
        if (++count === failing) setImmediate(() => done(fail('EINVAL'), 0));
        else write(...args);
        if (count >= failing) fds.add(args[0]);
      };
      await write(path('out'), bytes);
      expect(Buffer.compare(readFileSync(path('out')), bytes)).toBe(0);
      expect(fds.size).toBe(2);
    }
  });

  it('ends the run where it refuses any write', async () => {
    system.write = (_, done) => setImmediate(() => done(fail('EINVAL'), 0));
    await expect(write(path('out'), bytes)).rejects.toThrow('out');
    expect(readdirSync(path('.'))).toEqual(['out']);
  });

  it('is not asked where the file has no second way in', () => {
    expect(DirectWriter.open('out', 1 << 20)).toBeUndefined();
  });

  it('makes a file of the old one’s mode', async () => {
    const { mode } = statSync(path('out'));
    await write(path('out'), bytes);
    expect(statSync(path('out')).mode).toBe(mode);
  });
});
