/** Compares `hotspotNewStringUTF` with `NewStringUTF` of each JDK. */

import { readFileSync, writeFileSync } from 'node:fs';
import { hotspotNewStringUTF } from '@utf8/mutf8/jni';
import { describe, expect, it } from 'vitest';
import { scale, seed } from '../../../tiers/tier.js';
import { formatBytes } from '../../interop/src/answer.js';
import { generateBytes } from '../../interop/src/corpus.js';
import { Random } from '../../interop/src/random.js';
import { answerTexts, compareAnswers } from '../src/compare.js';
import { packFrames, readFrames } from '../src/frame.js';
import { combine, groups, listArguments, representatives } from '../src/input.js';
import { useMachines } from '../src/machine.js';

const count = scale(10_000);

const machines = useMachines();

/** Compares all machines with ours, and returns how many arguments there are. */
function compare(frames: Buffer, ...options: string[]): number {
  const ours = answerTexts(frames, hotspotNewStringUTF);
  const counts = machines.map((machine) => {
    const theirs = machine.askFrames('NewStringUTF', frames, ...options);
    return compareAnswers(frames, ours, theirs);
  });
  return counts[0] as number;
}

/** Arguments, and the code units of little-endian UTF-16 that HotSpot makes of them. */
const recorded = new URL(
  '../../../../packages/mutf8/test/recorded/new-string.txt',
  import.meta.url,
);

const names = machines.map(({ name }) => name).join(', ');

describe(`hotspotNewStringUTF makes what ${names} make`, () => {
  it('of all of no byte, one and two', () => {
    expect(compare(packFrames([new Uint8Array()]))).toBe(1);
    expect(compare(listArguments(1, 1, 0xff))).toBe(255);
    expect(compare(listArguments(2, 1, 0xff))).toBe(255 ** 2);
  });

  it.each(groups)(
    'of all of three bytes, from $first to $last',
    { tags: ['night'] },
    ({ first, last }) => {
      expect(compare(listArguments(3, first, last))).toBe((last - first + 1) * 255 ** 2);
    },
  );

  it.each([3, 4])('of a representative of each class of bytes, to length %i', (length) => {
    expect(compare(combine(representatives, length))).toBe(representatives.length ** length);
  });

  it.each([5, 6])('and to length %i', { tags: ['night'] }, (length) => {
    expect(compare(combine(representatives, length))).toBe(representatives.length ** length);
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
    const sizes = Array.from({ length: 50 }, () => random.below(10_000));
    const bytes = [...sizes, 300_000].map((size) => {
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
  it('the recorded answers are those of each machine', () => {
    const inputs = [
      ...[1, 2, 3].flatMap((length) => [...readFrames(combine(representatives, length))]),
      ...Array.from(generateBytes(1, 300)).filter((bytes) => !bytes.includes(0)),
    ];
    for (const machine of machines) {
      const answers = machine.ask('NewStringUTF', inputs).map(formatBytes);
      const lines = inputs.map((bytes, i) => `${formatBytes(bytes)} ${answers[i]}\n`).join('');
      if (process.env.UTF8_RECORD) writeFileSync(recorded, lines);
      expect(readFileSync(recorded, 'utf8')).toBe(lines);
    }
  });
});
