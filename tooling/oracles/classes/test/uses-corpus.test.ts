/**
 * Uses of strings in released classes, compared with ASM and the JDK.
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
