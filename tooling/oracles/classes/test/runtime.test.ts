/**
 * Every class of the installed JDKs' `java.base`, and of the runtime libraries of Kotlin and Scala: it is
 * read as the JDK itself and ASM read it, and written again as it was.
 *
 * @module-tag night
 */
import { type ClassString, readStrings, replaceStrings, type StringKind } from '@utf8/classfile';
import { afterAll, describe, expect, it } from 'vitest';
import { type Jdk, jdk, jdks } from '../../src/jdk.js';
import { readClasses } from '../src/folder.js';
import { askOracle, digest, removePrograms } from '../src/oracle.js';
import { findLibraries } from '../src/sample.js';

interface Library {
  readonly name: string;
  readonly jdk: Jdk;
  /** Least number of classes. */
  readonly least: number;
  /** Kind of string that occurs only in this library, and a test for an example. */
  readonly special?: readonly [StringKind, (string: ClassString) => boolean];
  readonly extract: () => string;
}

const bases = jdks.map(
  (each): Library => ({
    name: `java.base of JDK ${each.version}`,
    jdk: each,
    least: 5000,
    extract: () => each.extractBase(),
  }),
);

const special: Readonly<Record<string, Library['special']>> = {
  // U+0000 is in two bytes.
  Kotlin: ['kotlin-metadata', ({ bytes }) => Buffer.from(bytes).includes('c080', 0, 'hex')],
  Scala: ['scala-signature', ({ bytes }) => bytes.length > 1000],
};

const libraries = [
  ...bases,
  ...findLibraries().map(
    ({ name, file }): Library => ({
      name: `the library of ${name}`,
      jdk,
      least: 400,
      special: special[name] as NonNullable<Library['special']>,
      extract: () => jdk.extractJar(file),
    }),
  ),
];

describe.each(libraries)('$name', (library) => {
  it('is read as the JDK and ASM read it: all strings, and what each is for', () => {
    const folder = library.extract();
    const answers = askOracle(library.jdk, folder);
    const classes = readClasses(folder);
    expect(classes.size).toBeGreaterThan(library.least);
    expect([...answers.keys()].sort()).toEqual([...classes.keys()]);
    const different: string[] = [];
    for (const [file, bytes] of classes) {
      const strings = [...readStrings(bytes)];
      for (const [aspect, expected] of answers.get(file) ?? []) {
        // ASM knows no ModuleTarget and no ModuleHashes.
        if (file.endsWith('module-info.class') && aspect === 'source') continue;
        if (digest(strings, aspect) !== expected) different.push(`${file}: ${aspect}`);
      }
    }
    expect(different).toEqual([]);
  });

  it('is written as it was where nothing is replaced', () => {
    for (const [file, bytes] of readClasses(library.extract())) {
      const left = replaceStrings(bytes, () => undefined);
      const same = replaceStrings(bytes, ({ string }) => string, { kinds: ['literal', 'name'] });
      if (!bytes.equals(left) || !bytes.equals(same)) expect.fail(file);
      if (left.buffer === bytes.buffer) expect.fail(`${file} shares memory`);
    }
  });

  const { special } = library;
  if (special) {
    it(`has strings of the kind ${special[0]}`, () => {
      const [kind, isExample] = special;
      const all = [...readClasses(library.extract()).values()];
      const strings = all.flatMap((bytes) => [...readStrings(bytes)]);
      const found = strings.filter(({ kinds }) => kinds.includes(kind));
      expect(found.length).toBeGreaterThan(100);
      expect(found.some(isExample)).toBe(true);
    });
  } else {
    it('has no string whose use is unknown', () => {
      for (const [file, bytes] of readClasses(library.extract())) {
        const unused = [...readStrings(bytes)].filter(({ kinds }) => kinds.includes('unused'));
        if (unused.length > 0) expect.fail(`${file}: ${unused.map(({ string }) => string)}`);
      }
    });
  }
});

afterAll(removePrograms);
