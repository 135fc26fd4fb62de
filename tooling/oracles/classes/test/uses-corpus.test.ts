/**
 * Where strings are used, in classes that people run: as ASM tells it, and as the JDK does.
 *
 * @module-tag night
 */
import { describe, expect, it } from 'vitest';
import { findDifferences, useAsm, useModern } from '../src/compare.js';
import { libraries } from '../src/corpus.js';

const asm = useAsm();
const modern = useModern();

describe.each(libraries)('$name', (library) => {
  it('is told as ASM tells it', () => {
    expect(findDifferences(asm, library.extract(asm.program))).toEqual([]);
  });

  it('is told as the JDK tells it', () => {
    expect(findDifferences(modern, library.extract(asm.program))).toEqual([]);
  });
});
