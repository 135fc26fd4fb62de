import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { finish, program, useFolder, utf8 } from './command.js';

const path = useFolder();

it('a bar shows on a terminal while a file is converted, and is gone afterwards', async ({
  skip,
}) => {
  const hasScript = spawnSync('script', ['-qec', 'true', '/dev/null']).status === 0;
  if (!hasScript) skip('the program script, which makes a terminal, is not here');
  // A reader that takes its time makes the conversion long enough, however fast the machine is.
  execFileSync('mkfifo', [path('fifo')]);
  writeFileSync(path('input'), Buffer.alloc(8 << 20, 'text\n'));
  const reader = spawn('sh', ['-c', '(sleep 1; cat) < "$0" > /dev/null', path('fifo')]);
  const command = `'${process.execPath}' '${program}' convert --from cesu-8 -o '${path('fifo')}' '${path('input')}'`;
  const { status, stdout } = await finish(spawn('script', ['-qec', command, '/dev/null']));
  reader.kill();
  expect(status).toBe(0);
  expect(stdout.toString()).toMatch(/\d+ % of 8\.0 MiB, \S+ left/);
  // The last thing is to clear the line.
  expect(stdout.toString().endsWith('\x1b[2K')).toBe(true);
});

it('a bar shows while many files are looked at', async ({ skip }) => {
  const hasScript = spawnSync('script', ['-qec', 'true', '/dev/null']).status === 0;
  if (!hasScript) skip('the program script, which makes a terminal, is not here');
  // Holes take no room, and long enough: each 00 is counted.
  const files = ['a', 'b', 'c', 'd'].map(path);
  for (const file of files) {
    writeFileSync(file, '');
    truncateSync(file, 50 << 20);
  }
  const command = `'${process.execPath}' '${program}' detect '${files.join("' '")}' > '${path('reports')}'`;
  const { status, stdout } = await finish(spawn('script', ['-qec', command, '/dev/null']));
  expect(status).toBe(0);
  expect(stdout.toString()).toMatch(/\d+ % of 200\.0 MiB, \S+ left/);
  expect(stdout.toString().endsWith('\x1b[2K')).toBe(true);
  expect(readFileSync(path('reports'), 'utf8').match(/all ASCII, raw 00 ×52428800/g)).toHaveLength(
    4,
  );
});

it('no bar where stderr is no terminal', async () => {
  writeFileSync(path('input'), Buffer.alloc(8 << 20, 'text\n'));
  const { stderr } = await utf8(['convert', '--from', 'cesu-8', path('input'), '-o', path('out')]);
  expect(stderr).toBe('');
});
