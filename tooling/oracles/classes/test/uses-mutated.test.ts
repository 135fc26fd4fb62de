/**
 * Uses of strings in classes with errors that both we and the JDK tolerate. `UTF8_SEED=7` selects another
 * run. Differences in it may be legitimate: to the JDK a `Signature` is one everywhere, and it reads past the
 * end of an attribute whose length is wrong.
 *
 * @module-tag night
 */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { readUses } from '@utf8/classfile';
import { expect, it } from 'vitest';
import { scale, seed } from '../../../tiers/tier.js';
import { Random } from '../../interop/src/random.js';
import { inFolder } from '../../src/program.js';
import { findDifferences, useAsm, useModern } from '../src/compare.js';
import { findFiles } from '../src/folder.js';
import { mutate } from '../src/mutate.js';

const inputs = scale(2000);

const asm = useAsm();
const modern = useModern();

/** From 17 to 25: to the JDK, attributes are known in older versions, too. */
const isRecent = (file: Buffer): boolean =>
  file.readUInt16BE(6) >= 61 && file.readUInt16BE(6) <= 69;

function isRead(file: Buffer): boolean {
  try {
    readUses(file);
    return isRecent(file);
  } catch {
    return false;
  }
}

it(`classes with faults, of seed ${seed}, are told as the JDK tells them`, () => {
  const files = inFolder((folder) => {
    asm.program.run('Generate', [String(seed), '100', folder]);
    return findFiles(folder).map((file) => readFileSync(path.join(folder, file)));
  });
  inFolder((mutated) => {
    const random = new Random(seed);
    let read = 0;
    for (let i = 0; i < inputs; i++) {
      const file = mutate(random, files);
      if (!isRead(file)) continue;
      writeFileSync(path.join(mutated, `${i}.class`), file);
      read++;
    }
    expect(read).toBeGreaterThan(inputs / 20);
    expect(findDifferences(modern, mutated, true)).toEqual([]);
  });
});
