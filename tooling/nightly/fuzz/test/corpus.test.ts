/** Each input of a committed corpus, and each that made a target fail once, is run again. */
import { describe, expect, it } from 'vitest';
import { fileOf, targetNames } from '../src/bundle.js';
import { check } from '../src/check.js';
import { readCorpus, readFindings } from '../src/packed.js';
import type { Target } from '../src/target.js';

describe.each(targetNames)('%s', (name) => {
  it('holds for its corpus', { tags: ['slow'] }, async () => {
    const { target }: { target: Target } = await import(/* @vite-ignore */ fileOf(name));
    const inputs = readCorpus(name);
    expect(inputs.length, 'a corpus').toBeGreaterThan(0);
    for (const bytes of inputs) {
      try {
        await check(target, bytes);
      } catch (error) {
        throw new Error(`${name}: ${bytes.toString('base64')}`, { cause: error });
      }
    }
  });

  it.each([...readFindings(name)].map(([file, bytes]) => ({ file, bytes })))(
    'holds for $file',
    async ({ bytes }) => {
      const { target }: { target: Target } = await import(/* @vite-ignore */ fileOf(name));
      await check(target, bytes);
    },
  );
});
