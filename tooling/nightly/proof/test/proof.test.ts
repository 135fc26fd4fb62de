/** A sample of the proof that runs every night, and checks that it detects errors. */
import { describe, expect, it } from 'vitest';
import { choose } from '../../../tiers/tier.js';
import { change, listConstants } from '../src/changes.mjs';
import { listSample, runPart } from '../src/parts.mjs';
import { listSubjects, readWasm, variants } from '../src/subjects.mjs';

const codecs: string[] = variants;

describe.each(codecs)('%s', async (variant) => {
  const sample = await listSample(variant);
  // Theorems take most of the time.
  const theorems = sample.filter(({ kind }) => kind === 'theorem');
  const parts = [...sample.filter(({ kind }) => kind !== 'theorem'), ...choose(theorems, 1)];
  const names = (await listSubjects(variant)).map(({ name }) => name);
  const cases = parts.map((part) => [part.kind, names[part.subject], part] as const);

  it.each(cases)('is what the rows say: %s, %s', async (_kind, _name, part) => {
    expect((await runPart(part)).difference).toBeUndefined();
  });
});

describe('a changed entry', () => {
  it.each(['strict', 'cesu8', 'mutf8', 'rfc2279', 'wtf8'])(
    'of the lookup tables of %s is noticed',
    async (variant) => {
      const wasm = readWasm(variant);
      const lookup = findLookup(wasm);
      for (const index of lookup) {
        const changed = change(wasm, index, (wasm[index] as number) ^ 0xff);
        const values = [3, 13, 14];
        const part = { variant, subject: 0, kind: 'strings', values } as const;
        const { difference } = await runPart(part, changed);
        expect.soft(difference, `entry ${index - (lookup[0] as number)}`).toBeDefined();
      }
    },
  );

  it('makes the theorem fail, and says for which bytes', async () => {
    const wasm = readWasm('cesu8');
    // The last of the first table, by which F0 to FF are not leads.
    const index = findLookup(wasm)[15] as number;
    const part = { variant: 'cesu8', subject: 0, kind: 'theorem', values: [0] } as const;
    const { difference } = await runPart(part, change(wasm, index, 1));
    expect(difference).toMatch(/^[0-9a-f]{2,}, up to byte \d+ of \d+, is (accepted|doubted) here/);
  });
});

/** Finds the three tables of `validate`: its loads of them are the first of three in a row. */
function findLookup(wasm: Uint8Array): number[] {
  const { tables } = listConstants(wasm as Uint8Array<ArrayBuffer>);
  const bytes = tables.map((index) => wasm[index]);
  // By 0_______ the error of a trail after ASCII, eight times.
  const start = bytes.findIndex(
    (byte, i) => byte === 2 && bytes.slice(i, i + 8).every((b) => b === 2),
  );
  return tables.slice(start, start + 48);
}
