import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { beforeEach, expect, it, vi } from 'vitest';
import { zip } from '../../classfile/test/zip.js';
import { finish, need, program } from './built.js';
import { makeClass } from './class.js';
import { useFolder, utf8 } from './command.js';

const path = useFolder();
const CLEAR = '\x1b[2K';

/** Each look at the clock takes a second, so that a bar is due whenever there is progress. */
beforeEach(() => {
  let now = 0;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => {
    now += 1000;
    return now;
  });
  return () => clock.mockRestore();
});

it('a bar shows on a terminal while a file is converted, and is gone afterwards', async () => {
  writeFileSync(path('input'), Buffer.alloc(1 << 20, 'text\n'));
  const args = ['convert', '--from', 'cesu-8', path('input'), '-o', path('out')];
  const { status, stderr } = await utf8(args, '', { terminal: 'stderr' });
  expect(status).toBe(0);
  expect(stderr).toMatch(/\d+ % of 1\.0 MiB, \S+ left/);
  // The last thing is to clear the line.
  expect(stderr.endsWith(CLEAR)).toBe(true);
});

it('a bar shows while many files are looked at', async () => {
  const files = ['a', 'b', 'c', 'd'].map(path);
  for (const file of files) writeFileSync(file, Buffer.alloc(1 << 16));
  const { status, stdout, stderr } = await utf8(['detect', ...files], '', { terminal: 'stderr' });
  expect(status).toBe(0);
  expect(stderr).toMatch(/\d+ % of 256\.0 KiB, \S+ left/);
  expect(stderr.endsWith(CLEAR)).toBe(true);
  expect(stdout.toString().match(/all ASCII, raw 00 ×65536/g)).toHaveLength(4);
});

it('a bar shows while archives in a folder are listed', async () => {
  mkdirSync(path('bar'));
  const jar = zip([{ name: 'A.class', bytes: makeClass('A', ['a']), method: 0 }]);
  for (const name of ['one', 'two']) writeFileSync(path(`bar/${name}.jar`), jar);
  const { status, stderr } = await utf8(['strings', path('bar')], '', { terminal: 'stderr' });
  expect(status).toBe(0);
  expect(stderr).toMatch(new RegExp(`\\d+ % of ${2 * jar.length} bytes, \\S+ left`));
  expect(stderr.endsWith(CLEAR)).toBe(true);
});

it('no bar where stderr is no terminal', async () => {
  writeFileSync(path('input'), Buffer.alloc(1 << 20, 'text\n'));
  const { stderr } = await utf8(['convert', '--from', 'cesu-8', path('input'), '-o', path('out')]);
  expect(stderr).toBe('');
});

it('a real terminal has a bar and colours', { tags: ['slow'] }, async () => {
  need('script');
  writeFileSync(path('input'), Buffer.alloc(1 << 20, 'text\n'));
  writeFileSync(
    path('clock.cjs'),
    'const { performance } = globalThis; let now = 0; performance.now = () => (now += 1000);',
  );
  const words = `--require '${path('clock.cjs')}' '${program}' detect '${path('input')}'`;
  const command = `'${process.execPath}' ${words} 2> /dev/tty`;
  const { CI, NO_COLOR, ...env } = process.env;
  const child = spawn('script', ['-qec', command, '/dev/null'], {
    env: { ...env, TERM: 'xterm-256color' },
  });
  const { status, stdout } = await finish(child);
  expect(status).toBe(0);
  expect(stdout.toString()).toMatch(/\d+ % of 1\.0 MiB, \S+ left/);
  expect(stdout.toString()).toContain('\x1b[1m');
});
