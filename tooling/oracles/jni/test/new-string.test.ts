/** `hotspotNewStringUTF` beside `NewStringUTF` of each JDK that is here. */

import { hotspotNewStringUTF } from '@utf8/mutf8/jni';
import { generateBytes } from '@utf8/oracles/interop/corpus';
import { Random } from '@utf8/oracles/interop/random';
import { afterAll, describe, expect, it } from 'vitest';
import { choose, scale, seed } from '../../../tiers/tier.js';
import { answerTexts, compareAnswers } from '../src/compare.js';
import { packFrames } from '../src/frame.js';
import { combine, groups, listArguments, representatives } from '../src/input.js';
import { openMachines } from '../src/machine.js';

const count = scale(40_000);

const machines = openMachines();
afterAll(() => {
  for (const machine of machines) machine.close();
});

/** Compares all machines with ours, and returns how many arguments there are. */
function compare(frames: Buffer, ...options: string[]): number {
  const ours = answerTexts(frames, hotspotNewStringUTF);
  const counts = machines.map((machine) => {
    const theirs = machine.askFrames('NewStringUTF', frames, ...options);
    return compareAnswers(frames, ours, theirs);
  });
  return counts[0] as number;
}

const names = machines.map(({ name }) => name).join(', ');

describe.runIf(machines.length > 0)(`hotspotNewStringUTF makes what ${names} make`, () => {
  it('of all of no byte, one and two', () => {
    expect(compare(packFrames([new Uint8Array()]))).toBe(1);
    expect(compare(listArguments(1, 1, 0xff))).toBe(255);
    expect(compare(listArguments(2, 1, 0xff))).toBe(255 ** 2);
  });

  it.each(choose(groups, 3))(
    'of all of three bytes, from $first to $last',
    { tags: ['slow'] },
    ({ first, last }) => {
      expect(compare(listArguments(3, first, last))).toBe((last - first + 1) * 255 ** 2);
    },
  );

  it.each([3, 4, 5])('of a representative of each class of bytes, to length %i', (length) => {
    expect(compare(combine(representatives, length))).toBe(representatives.length ** length);
  });

  it('and to length 6', { tags: ['slow'] }, () => {
    expect(compare(combine(representatives, 6))).toBe(representatives.length ** 6);
  });

  it(`of ${count} that look like text`, () => {
    expect(compare(packFrames([...generateBytes(seed, count)]))).toBe(count);
  });

  it.each([
    { name: 'by default', options: [] },
    { name: 'with all strings in UTF-16', options: ['-XX:-CompactStrings'] },
    // It looks for errors of programs, but not at the bytes.
    { name: 'with -Xcheck:jni', options: ['-Xcheck:jni'] },
  ])('of long ones of random bytes, $name', ({ options }) => {
    const random = new Random(seed);
    const sizes = Array.from({ length: 200 }, () => random.below(10_000));
    const bytes = [...sizes, 3_000_000].map((size) => {
      // Of few kinds of bytes more is well-formed.
      const pick = random.below(2)
        ? () => random.pick(representatives)
        : () => random.between(1, 0xff);
      return Uint8Array.from({ length: size }, pick);
    });
    expect(compare(packFrames(bytes), ...options)).toBe(bytes.length);
  });

  it('of what is before the first 00', () => {
    const random = new Random(seed + 1);
    const bytes = Array.from({ length: 1000 }, () =>
      Uint8Array.from({ length: random.below(20) }, () => random.pick([0, ...representatives])),
    );
    expect(compare(packFrames(bytes))).toBe(1000);
  });
});
