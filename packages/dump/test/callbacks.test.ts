/** Callbacks of options that return promises: every run waits for them, and ends with their errors. */
import { writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { checkDump } from '../src/check/check.js';
import { convertDump } from '../src/convert/convert.js';
import { revertDump } from '../src/revert/revert.js';
import { scanDump } from '../src/scan/scan.js';
import { verifyDump } from '../src/verify/verify.js';
import { useFolder } from './use-folder.js';

const at = useFolder();

const pair = Buffer.from('eda0bdedb880', 'hex');
const from = 'cesu-8+utf-8';

type Run = (callback: Record<string, () => Promise<void>>) => Promise<unknown>;

const input = (): string => {
  const bytes = Buffer.concat([Buffer.from('id,n\n1,'), pair, Buffer.from('\n2,\xff\n', 'latin1')]);
  writeFileSync(at('in'), bytes);
  return at('in');
};

const lenient = { errors: 'replace', from, format: 'csv' } as const;

const runs: Readonly<Record<string, readonly [callbacks: readonly string[], run: Run]>> = {
  convertDump: [
    ['onProgress'],
    (more) => convertDump({ ...lenient, ...more, input: input(), output: at('out') }),
  ],
  scanDump: [
    ['onProgress', 'onFinding'],
    (more) => scanDump({ ...lenient, ...more, input: input() }),
  ],
  checkDump: [['onProgress', 'onFinding'], (more) => checkDump({ ...more, input: input(), from })],
  verifyDump: [
    ['onProgress', 'onFinding'],
    (more) => {
      const source = { input: input(), format: 'csv' };
      return verifyDump({ ...lenient, ...more, source, target: source });
    },
  ],
  revertDump: [
    ['onProgress'],
    async (more) => {
      const undo = at('undo');
      await convertDump({ ...lenient, input: input(), output: at('out'), undo });
      return revertDump({ ...more, input: at('out'), undo, output: at('back') });
    },
  ],
};

const cases = Object.entries(runs).flatMap(([name, [callbacks, run]]) =>
  callbacks.map((callback) => [name, callback, run] as const),
);

describe.each(cases)('%s', (_, callback, run) => {
  it(`ends with the error of a promise of ${callback}`, async () => {
    const fail = async (): Promise<void> => {
      await new Promise((done) => setImmediate(done));
      throw new Error('mine');
    };
    await expect(run({ [callback]: fail })).rejects.toThrow('mine');
  });

  it(`waits for a promise of ${callback}`, async () => {
    let [begun, ended] = [0, 0];
    const wait = async (): Promise<void> => {
      expect(ended).toBe(begun++);
      await new Promise((done) => setImmediate(done));
      ended++;
    };
    await run({ [callback]: wait });
    expect(begun).toBeGreaterThan(0);
    expect(ended).toBe(begun);
  });
});
