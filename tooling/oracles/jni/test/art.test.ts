/** `artNewStringUTF` beside the algorithm of ART, written in C after its description. */
import path from 'node:path';
import * as mutf8 from '@utf8/mutf8';
import * as android from '@utf8/mutf8/android';
import { artNewStringUTF, hotspotNewStringUTF } from '@utf8/mutf8/jni';
import { generateBytes } from '@utf8/oracles/interop/corpus';
import { Random } from '@utf8/oracles/interop/random';
import { afterAll, describe, expect, it } from 'vitest';
import { choose, scale, seed } from '../../../tiers/tier.js';
import { answerTexts, compareAnswers } from '../src/compare.js';
import { compile, hasCompiler, makeFolder, peers, removeFolder, run } from '../src/compile.js';
import { packFrames } from '../src/frame.js';
import { combine, groups, listArguments, randomTexts, representatives } from '../src/input.js';
import { showText } from '../src/unit.js';

const count = scale(40_000);

if (!hasCompiler) console.log('skipped: ART in C: cc is not installed (Debian: gcc, libc6-dev)');

const folder = makeFolder();
afterAll(() => removeFolder(folder));

describe.runIf(hasCompiler)('artNewStringUTF makes what ART makes', () => {
  const program = hasCompiler ? compile(path.join(peers, 'art.c'), folder) : '';

  const compare = (frames: Buffer): number =>
    compareAnswers(frames, answerTexts(frames, artNewStringUTF), run(program, [], frames));

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

  // F4, F5, F8: a value up to 10FFFF, above it, and with the bit that ART reads into it.
  const bytes = [...representatives, 0x90, 0xf1, 0xf4, 0xf5, 0xf8];

  it.each([3, 4])('of a representative of each kind of bytes, to length %i', (length) => {
    expect(compare(combine(bytes, length))).toBe(bytes.length ** length);
  });

  it('and to length 5', { tags: ['slow'] }, () => {
    expect(compare(combine(bytes, 5))).toBe(bytes.length ** 5);
  });

  it('and to length 6, of those that the grammar tells apart', { tags: ['slow'] }, () => {
    expect(compare(combine(representatives, 6))).toBe(representatives.length ** 6);
  });

  it(`of ${count} that look like text`, () => {
    expect(compare(packFrames([...generateBytes(seed, count)]))).toBe(count);
  });

  it('of long ones of random bytes, and of what is before the first 00', () => {
    const random = new Random(seed);
    const inputs = Array.from({ length: 300 }, (_, i) =>
      Uint8Array.from({ length: random.below(10_000) }, () =>
        i % 3 === 0 ? random.pick(bytes) : random.between(i % 3 === 1 ? 1 : 0, 0xff),
      ),
    );
    expect(compare(packFrames(inputs))).toBe(300);
  });
});

it('what each machine writes, both read', () => {
  const units = Array.from({ length: 0x10000 }, (_, unit) => String.fromCharCode(unit));
  for (const text of [...units, ...randomTexts(seed, count)]) {
    const bytes = mutf8.encode(text);
    if (hotspotNewStringUTF(bytes) !== text) expect.fail(showText(text));
    if (artNewStringUTF(bytes) !== text) expect.fail(showText(text));
    if (artNewStringUTF(android.encode(text)) !== text) expect.fail(showText(text));
  }
});
