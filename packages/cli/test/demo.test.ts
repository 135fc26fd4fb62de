import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as mixed from '@utf8/cesu8/mixed';
import { expect, it } from 'vitest';
import { program } from './built.js';
import { sample } from './command.js';

it('the demonstration converts the sample and says where the result lies', {
  tags: ['slow'],
}, () => {
  const cwd = join(dirname(program), '..');
  const demo = join(dirname(program), 'demo.js');
  const { status, stdout, stderr } = spawnSync(process.execPath, [demo], { cwd, encoding: 'utf8' });
  expect([status, stderr]).toEqual([0, '']);
  const result = stdout.trimEnd().split('\n').at(-1) ?? '';
  expect(readFileSync(join(cwd, result), 'utf8')).toBe(mixed.decode(readFileSync(sample)));
  expect(stdout).toContain('ED A0 BD ED B1 A8  U+1F468   👨  pair, 6 bytes → F0 9F 91 A8');
  for (const line of stdout.split('\n')) expect([...line].length, line).toBeLessThanOrEqual(80);
});
