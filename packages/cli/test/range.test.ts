import { readFileSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { hex, sample, useFolder, utf8 } from './command.js';

const path = useFolder();
const CONVERT = ['convert', '--from', 'cesu-8+utf-8'];

const range = async (file: string, text: string, ...more: string[]): Promise<string> => {
  const { status, stdout } = await utf8([...CONVERT, '--range', text, ...more, file]);
  expect(status).toBe(0);
  return stdout.toString('latin1');
};

it('ranges concatenate to the whole', async () => {
  const whole = (await utf8([...CONVERT, sample])).stdout.toString('latin1');
  // 111 and 112 lie in a pair of row 1002, 164 in a four-byte form of row 1003.
  const cuts = [0, 1, 111, 112, 164, 5000, 24_000, readFileSync(sample).length + 7];
  const parts = cuts.map((cut, i) => range(sample, `${cut}-${cuts[i + 1] ?? ''}`));
  expect((await Promise.all(parts)).join('')).toBe(whole);
});

it('a range contains the characters that begin in it', async () => {
  writeFileSync(path('pairs'), hex('41 ED A0 BD ED B8 80 F0 9F 98 80 42'));
  const emoji = hex('F0 9F 98 80').toString('latin1');
  expect(await range(path('pairs'), '0-1')).toBe('A');
  expect(await range(path('pairs'), '0-2')).toBe(`A${emoji}`);
  expect(await range(path('pairs'), '1-2')).toBe(emoji);
  expect(await range(path('pairs'), '2-7')).toBe('');
  expect(await range(path('pairs'), '4-8')).toBe(emoji);
  expect(await range(path('pairs'), '11-')).toBe('B');
  expect(await range(path('pairs'), '12-')).toBe('');
  for (const format of ['none', 'copy', 'csv', 'jsonl']) {
    expect(await range(path('pairs'), '99-100', '--format', format)).toBe('');
  }
  expect(await range(path('pairs'), '3-3')).toBe('');
});

it('a fault belongs to the range that it begins in, with its reason', async () => {
  writeFileSync(path('faults'), hex('41 E0 80 E2 82 42'));
  const repair = ['--errors', 'escape'];
  expect(await range(path('faults'), '0-2', ...repair)).toBe('A\\xe0');
  expect(await range(path('faults'), '2-4', ...repair)).toBe('\\x80\\xe2\\x82');
  expect(await range(path('faults'), '4-', ...repair)).toBe('B');
  const { stderr } = await utf8([...CONVERT, '--range', '0-2', path('faults')]);
  expect(stderr).toContain(':1:2: offset 1: overlong: E0\n');
});

it('findings have the line and the column of the file', async () => {
  writeFileSync(path('lines'), Buffer.concat([Buffer.from('é\né\né한'), hex('FF 0A')]));
  const { status, stderr } = await utf8([...CONVERT, '--range', '8-', path('lines')]);
  expect(status).toBe(1);
  expect(stderr).toContain(`${path('lines')}:3:3: offset 11: invalid-lead: FF\n`);
});

it('only the range that begins at 0 is concerned with a byte order mark', async () => {
  writeFileSync(path('marked'), Buffer.concat([hex('EF BB BF'), Buffer.from('ab')]));
  expect(await range(path('marked'), '0-4', '--bom', 'strip')).toBe('a');
  expect(await range(path('marked'), '4-', '--bom', 'strip')).toBe('b');
  writeFileSync(path('unmarked'), 'ab');
  expect(await range(path('unmarked'), '0-0', '--bom', 'add')).toBe('');
  expect(await range(path('unmarked'), '0-1', '--bom', 'add')).toBe('\xef\xbb\xbfa');
  expect(await range(path('unmarked'), '1-', '--bom', 'add')).toBe('b');
});
