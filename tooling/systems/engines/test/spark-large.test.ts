/**
 * `utf8_spark.py` with 256 MiB in splits of 100 MB.
 *
 * @module-tag night
 */

import { spawnSync } from 'node:child_process';
import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { COPY, root } from '../src/comparison.js';
import { writeLauncher } from '../src/launcher.js';
import { readSplits, runCases } from '../src/spark.js';

const SIZE = 256 << 20;
const PAIR = Buffer.from('eda0bdedb880', 'hex');

/** Writes rows of about 100 bytes: one in ten with a pair, one in 5000 with half of one. */
function writeDump(path: string): void {
  const fd = openSync(path, 'w');
  for (let size = 0, id = 0; size < SIZE; ) {
    const parts: Buffer[] = [];
    for (const end = id + 20_000; id < end; ) {
      id++;
      parts.push(
        Buffer.from(`${id}\tGrün 漢字 ${(id * 7919) % 1_000_003}\tshipped, and paid by card\t`),
      );
      if (id % 10 === 0) parts.push(PAIR);
      if (id % 5000 === 0) parts.push(PAIR.subarray(0, 3));
      parts.push(Buffer.from('\t2026-11-23 02:18:04\t\\N\n'));
    }
    size += writeSync(fd, Buffer.concat(parts));
  }
  closeSync(fd);
}

const compareFiles = (glob: string, file: string): number | null =>
  spawnSync('sh', ['-c', `cat ${glob} | cmp - ${file}`]).status;

it('256 MiB in splits of 100 MB', { timeout: 600_000 }, () => {
  const dump = join(root, 'large.copy');
  writeDump(dump);
  const command = writeLauncher(join(root, 'large'));
  const [output = '', rejects = ''] = ['output', 'rejects'].map((name) => join(root, name));
  const words = ['convert', ...COPY.split(' '), '--rejects', rejects, '-o', output, dump];
  expect([0, 1]).toContain(spawnSync(command, words).status);
  const out = join(root, 'large.out');
  const split = 100_000_000;
  const job = { name: 'large', inputs: [dump], out, options: COPY, utf8: command, split };
  const result = runCases(root, { master: 'local[2]' }, [job]).get('large');
  expect(result?.message).toBeUndefined();
  expect(readSplits(out).map((each) => each.split)).toEqual([0, split, 2 * split]);
  expect(compareFiles(`${out}/kind=out/part-*`, output)).toBe(0);
  expect(compareFiles(`${out}/kind=rejects/part-*`, rejects)).toBe(0);
  rmSync(dump);
});
