/** Frames in arrays with false properties. Without modules of Node, so that all runtimes can run it. */
import {
  type UTFOptions,
  writeCString,
  writeDexString,
  writeLongUTF,
  writeUnits,
  writeUTF,
} from '@utf8/mutf8/framing';
import { expect, it } from 'vitest';
import { outcomeOf } from '../../../tooling/conformance/test/calls.js';
import { type Disguise, disguises } from '../../../tooling/conformance/test/disguises.js';

it.each(Object.entries(disguises))(
  'frames are written to arrays with false properties: %s',
  (_, disguise) => {
    const as =
      (options: UTFOptions): typeof writeUTF =>
      (text, target, offset) =>
        writeUTF(text, target, offset, options);
    for (const write of [
      writeUTF,
      as({ length: 1, lengthIn: 'units' }),
      as({ length: 4, endian: 'le' }),
      as({ length: 'uleb128' }),
      as({ length: 'hadoop-vint', lengthIn: 'units' }),
      writeLongUTF,
      writeUnits,
      writeCString,
      writeDexString,
    ]) {
      for (const [text, size] of [
        ['aé中', 6] as const,
        ['aé中', 20] as const,
        ['x'.repeat(300), 100] as const,
      ]) {
        const run = (change: Disguise) => {
          const memory = new Uint8Array(size + 4096).fill(0xaa);
          const target = change(memory.subarray(64, 64 + size));
          const next = outcomeOf(() => write(text, target, 1));
          return { next, memory: Buffer.from(memory).toString('hex') };
        };
        expect(run(disguise)).toEqual(run((target) => target));
      }
    }
  },
);
