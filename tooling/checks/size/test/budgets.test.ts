/** The bytes that codecs and detection add to a page stay within the budgets of `.size-limit.mjs`. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

interface Result {
  readonly name: string;
  readonly size: number;
  readonly sizeLimit: number;
}

const cli = fileURLToPath(new URL('bin.js', import.meta.resolve('size-limit')));
const folder = fileURLToPath(new URL('..', import.meta.url));

// It exits with 1 if a budget is exceeded; the tests below name the bundle.
const { stdout } = await promisify(execFile)(process.execPath, [cli, '--json'], {
  cwd: folder,
}).catch((error) => error);
const results: readonly Result[] = JSON.parse(stdout);

console.log(
  [
    '| bundle | bytes, gzipped | budget |',
    '| --- | ---: | ---: |',
    ...results.map(({ name, size, sizeLimit }) => `| ${name} | ${size} | ${sizeLimit} |`),
  ].join('\n'),
);

describe('a minified and gzipped bundle stays within its budget', () => {
  it.each(results.map((result) => [result.name, result] as const))(
    '%s',
    (_, { size, sizeLimit }) => {
      // A bundle that was not created is empty.
      expect(size).toBeGreaterThan(1000);
      expect(size).toBeLessThanOrEqual(sizeLimit);
    },
  );
});
