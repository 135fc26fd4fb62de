/** The rule by which class files of different versions spell strings, beside HotSpot's. */
import { expect, it } from 'vitest';
import { choose, scale, seed } from '../../../tiers/tier.js';
import { formatBytes } from '../../interop/src/answer.js';
import { generateBytes, shortBytes } from '../../interop/src/corpus.js';
import { useJvm } from '../src/jvm.js';
import { readConstant } from '../src/version.js';

const jvm = await useJvm();

it.each([47, 48, 61])(
  'HotSpot takes the same strings in version %i, for the same',
  async (major) => {
    const inputs = [...choose([...shortBytes()], 5000), ...generateBytes(seed, scale(3000))];
    let accepted = 0;
    for (let i = 0; i < inputs.length; i += 5000) {
      const block = inputs.slice(i, i + 5000);
      const answers = await jvm.ask(`class${major}`, block.map(formatBytes));
      for (const [at, bytes] of block.entries()) {
        const theirs = answers[at]?.startsWith('ok') ? answers[at] : 'fault';
        const ours = readConstant(major, bytes);
        if (ours !== theirs)
          expect.fail(`${formatBytes(bytes)}: they say ${answers[at]}, we: ${ours}`);
        if (ours !== 'fault') accepted++;
      }
    }
    expect(accepted).toBeGreaterThan(inputs.length / 50);
    expect(accepted).toBeLessThan(inputs.length);
  },
);
