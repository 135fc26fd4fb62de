/** DEX files in which an instruction loads a string that does not exist: dexlib2 reads the rest, and so do we. */
import { readDex } from '@utf8/classfile/dex';
import { expect, it } from 'vitest';
import { readRecorded } from '../../../../packages/classfile/test/android/recorded.js';
import { choose } from '../../../tiers/tier.js';
import { sign } from '../src/dex.js';
import { askDexlib2 } from '../src/dexlib2.js';
import { printDex } from '../src/print.js';

const CONST_STRING = 0x1a;

const file = Buffer.from(readRecorded('everything.dex'));
/** Offsets of the indices in instructions, each of two bytes. */
const indices = Array.from(readDex(file).uses())
  .filter(({ kind, member }) => kind === 'literal' && member?.type === 'method')
  .map(({ offset }) => offset)
  .filter((offset) => file[offset - 2] === CONST_STRING);

it.each(choose(indices, 3))('at %i', (offset) => {
  const damaged = Buffer.from(file);
  damaged.writeUInt16LE(0xffff, offset);
  sign(damaged);
  const errors: number[] = [];
  const ours = printDex(readDex(damaged, { lenient: (error) => errors.push(error.offset) }));
  expect(errors).toEqual([offset]);
  expect(ours).toEqual(askDexlib2(damaged));
  expect(printDex(readDex(file)).length - ours.length).toBe(1);
});
