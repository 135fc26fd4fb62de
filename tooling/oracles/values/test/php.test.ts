/**
 * Lengths in serialized values, and what PHP makes of them.
 *
 * @module-tag night
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createRepairer } from '@utf8/repair';
import { expect, it } from 'vitest';
import { parseSerialized } from '../../../../packages/repair/src/php.js';
import { scale, seed } from '../../../tiers/tier.js';
import { Random } from '../../interop/src/random.js';
import { areRead, makePairs, record } from '../src/php.js';

const recorded = fileURLToPath(
  new URL('../../../../packages/repair/test/recorded/php.txt', import.meta.url),
);

const pairs = makePairs(seed, scale(1000));
const repair = createRepairer({ from: 'cesu-8+utf-8', nul: 'keep' });

it('the recorded answers are those of this PHP', () => {
  const answers = record();
  if (process.env.UTF8_RECORD) writeFileSync(recorded, answers);
  expect(answers).toBe(readFileSync(recorded, 'utf8'));
});

it(`a repaired value is what PHP writes of the repaired texts (seed ${seed})`, () => {
  const wrong = pairs.flatMap(([before, after]) => {
    const result = Buffer.from(repair(before).bytes);
    return result.equals(after) ? [] : [`${show(before)} became ${show(result)}`];
  });
  expect(wrong).toEqual([]);
  expect(pairs.filter(([before, after]) => !before.equals(after)).length).toBeGreaterThan(
    pairs.length / 10,
  );
});

it(`a damaged value is not made worse (seed ${seed})`, () => {
  const random = new Random(seed);
  const damaged = pairs.map(([before]) => damage(before, random));
  const results = damaged.map((value) => repair(value));
  const isRead = areRead(damaged);
  const isStillRead = areRead(results.map(({ bytes }) => bytes));
  const wrong = damaged.flatMap((value, i) => {
    const isParsed = parseSerialized(value) !== undefined;
    if (isRead[i] && !isParsed) return [`${show(value)} is read by PHP`];
    const isLost = isRead[i] && !isStillRead[i] && results[i]?.status !== 'rejected';
    return isLost ? [`${show(value)} is lost`] : [];
  });
  expect(wrong).toEqual([]);
  expect(isRead).toContain(true);
  expect(isRead).toContain(false);
});

const show = (value: Uint8Array): string => JSON.stringify(Buffer.from(value).toString('latin1'));

/** Changes, removes or adds a byte, or cuts off the end. */
function damage(value: Buffer, random: Random): Buffer {
  const at = random.below(value.length);
  const byte = value.subarray(random.below(value.length)).subarray(0, 1);
  const [before, after] = [value.subarray(0, at), value.subarray(at)];
  const ways = [
    [before, byte, after.subarray(1)],
    [before, after.subarray(1)],
    [before, byte, after],
    [before],
  ];
  return Buffer.concat(ways[random.below(ways.length)] as Buffer[]);
}
