/** The file that readers of NBT are tested with is what Java writes. */
import { execFileSync, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { file, units } from '../src/nbt.js';

const hasJdk = spawnSync('javac', ['-version']).status === 0;
if (!hasJdk)
  console.log('skipped: the NBT file beside DataOutputStream: needs openjdk-17-jdk-headless');

it.skipIf(!hasJdk)('DataOutputStream writes the same bytes', () => {
  const program = fileURLToPath(new URL('../peers/WriteNbt.java', import.meta.url));
  // No file in the system's temporary folder.
  const output = execFileSync('java', ['-XX:-UsePerfData', program, ...units], {
    encoding: 'utf8',
  });
  expect(file.toString('hex')).toBe(output.trim());
});
