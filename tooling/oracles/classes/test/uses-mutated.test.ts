/**
 * Where strings are used, in classes with faults that we and the JDK read all the same. `UTF8_SEED=7` makes another
 * run. Differences in it may have reasons: to the JDK a `Signature` is one everywhere, and it reads beyond the end
 * of an attribute whose length is wrong.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { readUses } from '@utf8/classfile';
import { Random } from '@utf8/oracles/interop/random';
import { afterAll, describe, expect, it } from 'vitest';
import { scale, seed } from '../../../tiers/tier.js';
import { compileAsm, compileModern, type Finder, findDifferences } from '../src/compare.js';
import { findFiles } from '../src/corpus.js';
import { makeFolder, removeFolder } from '../src/folder.js';
import { mutate } from '../src/mutate.js';

const inputs = scale(2000);

const byAsm = compileAsm();
const byJdk = compileModern();
const folder = byAsm ? makeFolder() : '';
const mutated = byAsm ? makeFolder() : '';
afterAll(() => {
  byAsm?.program.remove();
  byJdk?.program.remove();
  removeFolder(folder);
  removeFolder(mutated);
});

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

describe.runIf(byAsm && byJdk)(`classes with faults, of seed ${seed}`, { tags: ['slow'] }, () => {
  it('are told as the JDK tells them', () => {
    byAsm?.program.run('Generate', [String(seed), '100', folder]);
    const files = findFiles(folder).map((file) => readFileSync(path.join(folder, file)));
    const random = new Random(seed);
    let read = 0;
    for (let i = 0; i < inputs; i++) {
      const file = mutate(random, files);
      if (!isRead(file)) continue;
      writeFileSync(path.join(mutated, `${i}.class`), file);
      read++;
    }
    expect(read).toBeGreaterThan(inputs / 20);
    const different = findDifferences(byJdk as Finder, mutated, true);
    expect(different).toEqual([]);
  });
});
