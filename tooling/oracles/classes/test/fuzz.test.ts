/**
 * Class files with faults: each is read, or refused with a typed error, and what is read can be written.
 * `UTF8_SEED=1` repeats a run, `UTF8_INPUTS=1000000` makes a longer one.
 */
import { Random } from '@utf8/oracles/interop/random';
import { expect, it } from 'vitest';
import { scale, seed } from '../../../tiers/tier.js';
import { mutate } from '../src/mutate.js';
import { sampleClasses } from '../src/sample.js';
import { visit } from '../src/visit.js';

const count = scale(30_000);

/** In milliseconds; a machine may have other things to do. */
const timeout = Math.max(300_000, 10 * count);

it(`${count} class files with faults are read, or refused`, { tags: ['slow'], timeout }, () => {
  const files = sampleClasses(seed);
  const random = new Random(seed);
  let read = 0;
  for (let i = 0; i < count; i++) {
    const file = mutate(random, files);
    try {
      if (visit(file, random)) read++;
    } catch (error) {
      throw new Error(`input ${i} of seed ${seed}: ${file.toString('hex')}`, { cause: error });
    }
  }
  expect(read).toBeGreaterThan(count / 20);
  expect(read).toBeLessThan(count / 2);
});
