/** Class files with errors: each is read or refused with a typed error, and each that is read can be written. */
import { expect, it } from 'vitest';
import { assembled } from '../../../../tooling/oracles/classes/src/assemble.js';
import { mutate } from '../../../../tooling/oracles/classes/src/mutate.js';
import { visit } from '../../../../tooling/oracles/classes/src/visit.js';
import { Random } from '../../../../tooling/oracles/interop/src/random.js';
import { scale, seed } from '../../../../tooling/tiers/tier.js';
import { classes } from './recorded.js';

const count = scale(3000);

it(`${count} class files with faults are read, or refused`, () => {
  const files = [assembled, ...classes];
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
