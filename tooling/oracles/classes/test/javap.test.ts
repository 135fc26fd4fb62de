/** Constant pools beside what `javap -v` prints of them. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { readClass, readStrings } from '@utf8/classfile';
import { Random } from '@utf8/oracles/interop/random';
import { describe, expect, it } from 'vitest';
import { seed } from '../../../tiers/tier.js';
import {
  assemble,
  attribute,
  dynamic,
  list,
  methodHandle,
  methodref,
  nameAndType,
  u2,
  utf8,
} from '../src/assemble.js';
import { compileFixture } from '../src/fixture.js';
import { findClasses, makeFolder, removeFolder } from '../src/folder.js';
import { escapeText, parsePool, printClasses, printPool } from '../src/javap.js';
import { jdks } from '../src/jdk.js';

// No compiler writes these of itself up to Java 20.
const dynamicConstant = assemble({
  constants: [
    utf8('BootstrapMethods'),
    utf8('()I'),
    nameAndType(1, 6),
    methodref(2, 7),
    methodHandle(6, 8),
    utf8('I'),
    nameAndType(1, 10),
    dynamic(0, 11),
  ],
  attributes: [attribute(5, list([...u2(9), ...list()]))],
});

it.skipIf(jdks.length === 0)('there is a JDK to compare with', () => {
  expect(jdks[0]?.run('javap', ['-version']).toString()).toMatch(/^\d+/);
});

describe.each(jdks)('javap of JDK $version', { tags: ['slow'] }, (jdk) => {
  it('reads the same strings in 350 classes of java.base', () => {
    const folder = jdk.extractBase();
    const all = findClasses(folder);
    const random = new Random(seed);
    const sample = new Set(Array.from({ length: 300 }, () => random.pick(all)));
    const read = (file: string) => readFileSync(path.join(folder, file));
    // What can go wrong, goes wrong in strings that are not ASCII.
    const isSpecial = ({ bytes }: { bytes: Uint8Array }) => bytes.some((byte) => byte >= 0x80);
    const special = all.filter((file) => [...readStrings(read(file))].some(isSpecial));
    expect(special.length).toBeGreaterThan(20);
    for (const file of special.slice(0, 60)) sample.add(file);
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
      // Long lists are compared quickly by hand, and slowly where they differ.
      if (ours.join('\n') !== theirs.join('\n')) expect(ours, file).toEqual(theirs);
      strings += ours.length;
    }
    expect(strings).toBeGreaterThan(10_000);
  });

  it('reads the same constants, of all kinds', () => {
    const folder = makeFolder();
    try {
      compileFixture(jdk, folder);
      mkdirSync(path.join(folder, 'assembled'));
      writeFileSync(path.join(folder, 'assembled', 'A.class'), dynamicConstant);
      const files = findClasses(folder);
      const texts = printClasses(jdk, folder, files);
      const tags = new Set<string>();
      for (const [i, file] of files.entries()) {
        const ours = printPool(readClass(readFileSync(path.join(folder, file))));
        const theirs = parsePool(texts[i] as string);
        for (const [index, { tag, value }] of ours) {
          tags.add(tag);
          // The javap of JDK 25 knows no names for these.
          const isNameless = theirs.get(index)?.tag === 'Unknown' && /Module|Package/.test(tag);
          const expected = isNameless
            ? { tag, value: theirs.get(index)?.value }
            : theirs.get(index);
          expect({ tag, value }, `${file}: ${index}`).toEqual(expected);
        }
        expect([...ours.keys()], file).toEqual([...theirs.keys()]);
      }
      expect(tags.size).toBe(17);
    } finally {
      removeFolder(folder);
    }
  });
});
