/** Uses of strings in classes that no compiler would write: see peers/Generate.java. */
import { afterAll, expect, it } from 'vitest';
import { scale, seed } from '../../../tiers/tier.js';
import { inFolder, makeFolder, removeFolder } from '../../src/program.js';
import { findDifferences, useAsm, useModern } from '../src/compare.js';
import { modes, rewriteFolder } from '../src/rewrite.js';

const inputs = scale(200);

const asm = useAsm();
const folder = makeFolder();
asm.program.run('Generate', [String(seed), String(inputs), folder]);
afterAll(() => removeFolder(folder));

it('generated classes are told as ASM tells them', () => {
  expect(findDifferences(asm, folder)).toEqual([]);
});

it.each(modes)('generated classes with %s changed are what ASM makes of them', (_, mode) => {
  const { changed, kept, different } = inFolder((results) =>
    rewriteFolder(asm.program, mode, folder, results),
  );
  expect(different).toEqual([]);
  expect(changed).toBeGreaterThan(inputs / 2);
  if (mode === 'some') expect(kept).toBeGreaterThan(0);
});

it('generated classes are told as the JDK tells them', { tags: ['night'] }, () => {
  expect(findDifferences(useModern(), folder)).toEqual([]);
});
