/**
 * Offsets of uses in released classes.
 *
 * @module-tag night
 */
import { kinds, readClass, readUses, type StringKind } from '@utf8/classfile';
import { describe, expect, it } from 'vitest';
import { useAsm } from '../src/compare.js';
import { libraries } from '../src/corpus.js';
import { readFiles } from '../src/folder.js';

const { program } = useAsm();

const LDC = 0x12;

/** Finds an error in the uses of a class, and counts their kinds. */
function findFault(bytes: Buffer, counts: Map<StringKind, number>): string | undefined {
  const { constants, strings } = readClass(bytes);
  const used = new Map<number, Set<StringKind>>();
  let last = 0;
  for (const { kind, offset, string } of readUses(bytes)) {
    if (offset <= last) return `${offset} comes after ${last}`;
    last = offset;
    /** Tells whether a constant is the string, or a CONSTANT_String of it. */
    const leads = (index: number): boolean => {
      const constant = constants[index];
      return constant?.tag === 'String' && constant.stringIndex === string.index;
    };
    const index = bytes.readUInt16BE(offset);
    const isNarrow = bytes[offset - 1] === LDC && leads(bytes[offset] as number);
    if (index !== string.index && !leads(index) && !isNarrow) return `${offset} leads elsewhere`;
    used.set(string.index, (used.get(string.index) ?? new Set()).add(kind));
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  for (const string of strings) {
    const own = kinds.filter((kind) => used.get(string.index)?.has(kind));
    const told = string.kinds.filter((kind) => kind !== 'unused');
    if (own.join() !== told.join())
      return `the constant ${string.index} is for ${told}, not ${own}`;
  }
  return undefined;
}

describe('in classes', () => {
  const counts = new Map<StringKind, number>();

  it.each(libraries)(
    'of $name, uses are in order, lead to their strings, and say all that these are for',
    (library) => {
      const faults: string[] = [];
      for (const [file, bytes] of readFiles(library.extract(program))) {
        const fault = findFault(bytes, counts);
        if (fault !== undefined) faults.push(`${file}: ${fault}`);
      }
      expect(faults).toEqual([]);
    },
  );

  it('there are uses of every kind', () => {
    expect([...counts.keys(), 'unused']).toEqual(expect.arrayContaining([...kinds]));
  });
});
