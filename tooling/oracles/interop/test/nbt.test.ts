/** The file that packages/mutf8/test reads with readers of NBT is what Java writes. */
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { file, units } from '../../../../packages/mutf8/test/nbt.js';
import { run } from '../../src/program.js';

it('DataOutputStream writes the same bytes', () => {
  const program = fileURLToPath(new URL('../peers/WriteNbt.java', import.meta.url));
  // No file in the system's temporary folder.
  const output = run(['java', '-XX:-UsePerfData', program, ...units]).toString();
  expect(file.toString('hex')).toBe(output.trim());
});
