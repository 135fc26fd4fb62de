/** Where strings are used, in classes that people run: as ASM tells it, and as the JDK does. */
import { afterAll, describe, expect, it } from 'vitest';
import { compileAsm, compileModern, type Finder, findDifferences } from '../src/compare.js';
import { libraries } from '../src/corpus.js';

const byAsm = compileAsm();
const byJdk = compileModern();
afterAll(() => {
  byAsm?.program.remove();
  byJdk?.program.remove();
});

describe.runIf(byAsm).each(libraries)(
  '$name',
  { tags: ['slow'], timeout: 1_800_000 },
  (library) => {
    const asm = byAsm as Finder;

    it('is told as ASM tells it', () => {
      expect(findDifferences(asm, library.extract(asm.program))).toEqual([]);
    });

    it.runIf(byJdk)('is told as the JDK tells it', () => {
      expect(findDifferences(byJdk as Finder, library.extract(asm.program))).toEqual([]);
    });
  },
);
