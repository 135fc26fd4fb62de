import { execFileSync, spawn } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { describe, expect, it } from 'vitest';
import { finish, gather, runBuilt, start } from './built.js';
import { hex, plainEnv, useFolder, utf8 } from './command.js';

const path = useFolder();
const isPosix = process.platform !== 'win32';
const CONVERT = ['convert', '--from', 'cesu-8'];

/** A folder with one file in it, `out`, that holds what was there before. */
function prepare(name: string): (file: string) => string {
  mkdirSync(path(name));
  writeFileSync(path(`${name}/out`), 'before');
  return (file) => path(`${name}/${file}`);
}

describe('-o', () => {
  it('replaces a file, and leaves nothing else', async () => {
    const at = prepare('replaced');
    const result = await utf8([...CONVERT, '-o', at('out')], 'after');
    expect(result).toEqual({ status: 0, signal: null, stdout: hex(''), stderr: '' });
    expect(readFileSync(at('out'), 'utf8')).toBe('after');
    expect(readdirSync(at('.'))).toEqual(['out']);
  });

  it('makes a file', async () => {
    const at = prepare('made');
    await utf8([...CONVERT, '-o', at('new')], 'new');
    expect(readFileSync(at('new'), 'utf8')).toBe('new');
  });

  it('must not name an input', async () => {
    const at = prepare('input');
    writeFileSync(at('out'), hex('ED A0 BD ED B8 80'));
    const { status, stderr } = await utf8([...CONVERT, at('out'), '-o', at('out')]);
    expect([status, stderr]).toEqual([
      2,
      `utf8: -o and the input are the same file, ${at('out')}; choose another file\n`,
    ]);
    expect(readFileSync(at('out'))).toEqual(hex('ED A0 BD ED B8 80'));
  });

  it('- is stdout', async () => {
    expect((await utf8([...CONVERT, '-o', '-'], 'text')).stdout.toString()).toBe('text');
  });

  it('leaves the file as it was where a fault ends the run', async () => {
    const at = prepare('faulty');
    const { status, stderr } = await utf8([...CONVERT, '-o', at('out')], hex('41 ED A0 BD'));
    expect(status).toBe(1);
    expect(stderr).toContain('offset 1: surrogate: ED A0 BD\n');
    expect(readFileSync(at('out'), 'utf8')).toBe('before');
    expect(readdirSync(at('.'))).toEqual(['out']);
  });

  it('leaves the file as it was where an input fails', async () => {
    const at = prepare('failing');
    const { status } = await utf8([...CONVERT, '-o', at('out'), at('missing')]);
    expect(status).toBe(3);
    expect(readFileSync(at('out'), 'utf8')).toBe('before');
    expect(readdirSync(at('.'))).toEqual(['out']);
  });

  it('leaves the file as it was when killed in mid-run', async () => {
    const at = prepare('killed');
    // All is written: the next step would be to rename it.
    writeFileSync(
      path('killer.cjs'),
      `const fs = require('node:fs');
       const { renameSync } = fs;
       fs.renameSync = (from, to) =>
         String(to).endsWith('/out') ? process.kill(process.pid, 'SIGKILL') : renameSync(from, to);
       require('node:module').syncBuiltinESMExports();`,
    );
    const env = plainEnv({ NODE_OPTIONS: `--require=${path('killer.cjs')}` });
    const { signal } = await runBuilt([...CONVERT, '-o', at('out')], 'part of it\n', { env });
    expect(signal).toBe('SIGKILL');
    expect(readFileSync(at('out'), 'utf8')).toBe('before');
    // Nothing cleans up after SIGKILL, but the name tells what it is.
    const left = readdirSync(at('.')).sort();
    expect(left).toEqual([
      '.out.utf8-checkpoint',
      '.out.utf8-lock',
      expect.stringMatching(/^\.out\.utf8-unfinished-[\da-f]{8}$/),
      'out',
    ]);
    expect(readFileSync(at(left[2] as string), 'utf8')).toBe('part of it\n');
    // The next run does.
    await utf8([...CONVERT, '-o', at('out')], 'after');
    expect(readdirSync(at('.'))).toEqual(['out']);
  });

  it.runIf(isPosix).each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    'leaves the file as it was, and nothing else, on %s',
    async (signal) => {
      const at = prepare(signal);
      const env = plainEnv({ UTF8_TEST_STOP: 'opened', UTF8_TEST_SIGNAL: signal });
      const child = start([...CONVERT, '-o', at('out')], { env });
      // It waits for more of this.
      child.stdin?.write(Buffer.alloc(1 << 16, 'part of it\n'));
      expect(await gather(child)).toMatchObject({ signal, stderr: '' });
      expect(readFileSync(at('out'), 'utf8')).toBe('before');
      expect(readdirSync(at('.'))).toEqual(['out']);
    },
  );

  it.runIf(isPosix)('keeps the mode of the file', async () => {
    const at = prepare('mode');
    for (const mode of [0o600, 0o755]) {
      chmodSync(at('out'), mode);
      await utf8([...CONVERT, '-o', at('out')], 'after');
      expect(statSync(at('out')).mode & 0o777).toBe(mode);
    }
  });

  it.runIf(isPosix)('writes to what a symbolic link points to, be it there or not', async () => {
    const at = prepare('linked');
    mkdirSync(at('elsewhere'));
    symlinkSync('elsewhere/target', at('link'));
    for (const text of ['first', 'second']) {
      await utf8([...CONVERT, '-o', at('link')], text);
      expect(readlinkSync(at('link'))).toBe('elsewhere/target');
      expect(readFileSync(at('elsewhere/target'), 'utf8')).toBe(text);
    }
    expect(readdirSync(at('elsewhere'))).toEqual(['target']);
  });

  it.runIf(isPosix)('writes straight to a device', async () => {
    expect((await utf8([...CONVERT, '-o', '/dev/null'], 'text')).status).toBe(0);
    expect(statSync('/dev/null').isCharacterDevice()).toBe(true);
  });

  it.runIf(isPosix)('writes straight to a named pipe', { tags: ['slow'] }, async () => {
    const at = prepare('pipes');
    execFileSync('mkfifo', [at('fifo')]);
    const reading = finish(spawn('cat', [at('fifo')]));
    const result = await utf8([...CONVERT, '-o', at('fifo')], 'text');
    expect(result).toMatchObject({ status: 0, stderr: '' });
    expect((await reading).stdout.toString()).toBe('text');
    expect(statSync(at('fifo')).isFIFO()).toBe(true);
  });
});
