/**
 * Where strings are used, in classes that no compiler would write: see peers/Generate.java. `UTF8_SEED=1` repeats
 * a run, `UTF8_INPUTS=10000` makes a longer one.
 */
import { afterAll, describe, expect, it } from 'vitest';
import { scale, seed } from '../../../tiers/tier.js';
import { compileAsm, compileModern, type Finder, findDifferences } from '../src/compare.js';
import { makeFolder, removeFolder } from '../src/folder.js';
import { modes, rewriteFolder } from '../src/rewrite.js';

const inputs = scale(300);

const byAsm = compileAsm();
const byJdk = compileModern();
const folder = byAsm ? makeFolder() : '';
byAsm?.program.run('Generate', [String(seed), String(inputs), folder]);
afterAll(() => {
  byAsm?.program.remove();
  byJdk?.program.remove();
  removeFolder(folder);
});

describe.runIf(byAsm)('generated classes', () => {
  it('are told as ASM tells them', () => {
    expect(findDifferences(byAsm as Finder, folder)).toEqual([]);
  });

  it.each(modes)('with %s changed are what ASM makes of them', (_, mode) => {
    const results = makeFolder();
    const { program } = byAsm as Finder;
    const { changed, kept, different } = rewriteFolder(program, mode, folder, results);
    removeFolder(results);
    expect(different).toEqual([]);
    expect(changed).toBeGreaterThan(inputs / 2);
    if (mode === 'some') expect(kept).toBeGreaterThan(0);
  });

  it.runIf(byJdk)('are told as the JDK tells them', () => {
    expect(findDifferences(byJdk as Finder, folder)).toEqual([]);
  });
});
