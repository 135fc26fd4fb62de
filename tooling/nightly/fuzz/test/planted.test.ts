/** A fuzzer that cannot find is worth nothing: faults that are planted are found, and made small. */
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { fuzz } from '../src/run.js';

const fileOf = (name: string): string =>
  fileURLToPath(new URL(`planted/${name}.ts`, import.meta.url));

// With five seeds, `loss` took 9,500 to 51,300 inputs: it needs three rows, of which the third adds no branch.
it.each([
  ['overlong', 40_000, 'isValid', 3],
  ['length', 40_000, 'where it ends', 40],
  ['loss', 100_000, 'bytes that are lost', 12],
])('%s: within %i inputs', { timeout: 300_000 }, async (name, runs, what, length) => {
  const { failure } = await fuzz({ name, file: fileOf(name), seed: 1, runs, isFresh: true });
  expect(failure?.message).toContain(what);
  expect(Buffer.from(failure?.bytes ?? '', 'base64').length).toBeLessThanOrEqual(length);
});
