/** Compares strings of classes with the output of `javap -v`. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { readStrings } from '@utf8/classfile';
import { expect, it } from 'vitest';
import { choose, isNight, scale, seed } from '../../../tiers/tier.js';
import { Random } from '../../interop/src/random.js';
import { jdks } from '../../src/jdk.js';
import { findClasses } from '../src/folder.js';
import { escapeText, parsePool, printClasses } from '../src/javap.js';

it.each(jdks)('javap of JDK $version reads the same strings in classes of java.base', (jdk) => {
  const folder = jdk.extractBase();
  const all = findClasses(folder);
  const random = new Random(seed);
  const sample = new Set(Array.from({ length: scale(60) }, () => random.pick(all)));
  const read = (file: string) => readFileSync(path.join(folder, file));
  // Only strings that are not ASCII can go wrong.
  const isSpecial = ({ bytes }: { bytes: Uint8Array }) => bytes.some((byte) => byte >= 0x80);
  const special = choose(all, 1000).filter((file) => [...readStrings(read(file))].some(isSpecial));
  expect(special.length).toBeGreaterThan(isNight ? 20 : 1);
  for (const file of choose(special, 40)) sample.add(file);
  const files = [...sample];
  const texts = printClasses(jdk, folder, files);
  expect(texts.length).toBe(files.length);
  let strings = 0;
  for (const [i, file] of files.entries()) {
    const theirs = [...parsePool(texts[i] as string)]
      .filter(([, { tag }]) => tag === 'Utf8')
      .map(([index, { value }]) => `${index} ${value}`);
    const ours = [...readStrings(read(file))].map(
      ({ index, string }) => `${index} ${escapeText(string)}`,
    );
    // Comparing joined lists is fast; only lists that differ take the slow path.
    if (ours.join('\n') !== theirs.join('\n')) expect(ours, file).toEqual(theirs);
    strings += ours.length;
  }
  expect(strings).toBeGreaterThan(25 * files.length);
});
