/** Time, counted in steps: no input takes more than its size accounts for. */
import { writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { choose } from '../../../tooling/tiers/tier.js';
import { countSteps, startCounting } from './count-steps.js';
import { type Growth, growths } from './growths.js';
import { useFolder } from './use-folder.js';

startCounting();
const { convertDump, DumpError, fileHazards, scanDump, verifyDump } = await import(
  '../src/index.js'
);

/** Of what there are so many; and four times as many. */
const COUNT = 150;

const lenient = {
  errors: 'replace',
  unpairedSurrogates: 'replace',
  nul: 'remove',
  equalJsonKeys: 'keep',
} as const;

/** A refusal also takes its time. */
async function runRefusable(run: () => Promise<unknown>): Promise<void> {
  try {
    await run();
  } catch (error) {
    if (!(error instanceof DumpError)) throw error;
  }
}

describe.each(Object.entries(growths))('%s', (format, each) => {
  const at = useFolder();

  /** Counts the steps of all that can be done with an input. */
  async function measure(bytes: Buffer): Promise<Record<string, number>> {
    const input = at('in');
    const [output, undo, rejects, report] = [at('out'), at('undo'), at('rejects'), at('report')];
    writeFileSync(input, bytes);
    writeFileSync(at('target'), bytes);
    const options = { input, from: 'cesu-8+utf-8', format, allow: [...fileHazards] };
    const hasKey = format === 'csv' || format === 'jsonl';
    const keys = hasKey ? ['id'] : undefined;
    const steps: Record<string, number> = {};
    const note = async (name: string, run: () => Promise<unknown>): Promise<void> => {
      steps[name] = await countSteps(() => runRefusable(run));
    };
    await note('convert', () => convertDump({ ...options, ...lenient, output, undo }));
    if (format === 'none') return steps;
    await note('convert with rejects', () => convertDump({ ...options, output, rejects }));
    await note('scan', () => scanDump({ ...options, keys, report }));
    const source = { input, format };
    const target = { input: at('target'), format };
    await note('verify', () => verifyDump({ ...options, source, target, keys, rejects }));
    return steps;
  }

  it.each(choose(Object.entries(each), 3))(
    'four times the %s take at most five times the steps',
    { tags: ['slow'] },
    async (_, grow: Growth) => {
      const [once, fourTimes] = [
        await measure(Buffer.from(grow(COUNT), 'latin1')),
        await measure(Buffer.from(grow(4 * COUNT), 'latin1')),
      ];
      const ratios = Object.entries(fourTimes).map(([name, steps]) => [
        name,
        Number((steps / (once[name] as number)).toFixed(1)),
      ]);
      expect(Object.fromEntries(ratios.filter(([, ratio]) => (ratio as number) > 5))).toEqual({});
    },
  );
});
