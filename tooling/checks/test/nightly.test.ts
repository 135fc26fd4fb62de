/** What `npm test` tries in part, `.ci/nightly` tries whole. */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../src/packages.js';

const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');

/** Every test file, by its path in this repository. */
const tests = ['apps', 'packages', 'tooling'].flatMap((folder) =>
  readdirSync(path.join(root, folder)).flatMap((name) => {
    const test = `${folder}/${name}/test`;
    if (!existsSync(path.join(root, test))) return [];
    return readdirSync(path.join(root, test)).map((file) => `${test}/${file}`);
  }),
);

it.skipIf(process.platform === 'win32')('names each test that picks some cases by day', () => {
  const commands = read('.ci/nightly').matchAll(/^UTF8_CASES=all .*?check ((?:.*\\\n)*.*)$/gm);
  const words = Array.from(commands, ([, files]) => files).join(' ');
  const expanded = execFileSync('bash', ['-c', `printf '%s\\n' ${words}`], { encoding: 'utf8' });
  const prefixes = expanded.trim().split('\n');
  const picking = tests.filter(
    (file) => file.endsWith('.test.ts') && /by-day\.js'|testCodec\(/.test(read(file)),
  );
  expect(picking.length).toBeGreaterThan(10);
  for (const prefix of prefixes) expect(tests.some((file) => file.startsWith(prefix))).toBe(true);
  const left = picking.filter((file) => !prefixes.some((prefix) => file.startsWith(prefix)));
  expect(left).toEqual([]);
});
