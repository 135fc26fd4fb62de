/** DEX files are read as dexlib2 reads them: every string, every place that refers to one, every line. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { readDex } from '@utf8/classfile/dex';
import { describe, expect, it } from 'vitest';
import { isNight } from '../../../tiers/tier.js';
import { inFolder } from '../../src/program.js';
import { askDexlib2 } from '../src/dexlib2.js';
import { compareLines, printDex, printUses } from '../src/print.js';
import { assemble, compile, type D8Options, findJar, peers, translate } from '../src/tools.js';

/** The class that has something of everything. */
const translateFixture = (options: D8Options): Buffer[] =>
  inFolder((folder) =>
    translate(compile([path.join(peers, 'fixture', 'Everything.java')], folder), options),
  );

/** The kinds of the uses, and how many there are. */
function countKinds(lines: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const line of lines) {
    const kind = line.split('\t')[1] as string;
    if (line.startsWith('use\t')) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  return counts;
}

interface Subject {
  readonly name: string;
  readonly make: () => Buffer[];
  readonly version: number;
  /** Least number of lines. */
  readonly least: number;
}

const subjects: readonly Subject[] = [
  {
    name: 'the fixture for Android 5',
    make: () => translateFixture({ minApi: 21 }),
    version: 35,
    least: 500,
  },
  {
    name: 'the fixture for Android 8, without local variables',
    make: () => translateFixture({ minApi: 26, isRelease: true }),
    version: 38,
    least: 400,
  },
  {
    name: 'the fixture for Android 14',
    make: () => translateFixture({ minApi: 34 }),
    version: 39,
    least: 500,
  },
  {
    name: 'what D8 seldom writes',
    make: () => [assemble('rare.smali', 28)],
    version: 39,
    least: 100,
  },
  ...(isNight
    ? [
        {
          name: 'the library of Kotlin',
          make: () => translate([findJar('kotlin-stdlib')], { minApi: 26 }),
          version: 38,
          least: 100_000,
        },
        {
          name: 'Guava, by the optimising mode',
          make: () => translate([findJar('guava')], { minApi: 21, isRelease: true }),
          version: 35,
          least: 50_000,
        },
      ]
    : []),
];

/** In milliseconds: D8 takes its time where the machine has other work. */
const PATIENCE = 600_000;

describe('dexlib2', { tags: ['night'] }, () => {
  it.each(subjects)(
    'agrees on $name',
    ({ make, version, least }) => {
      const files = make();
      let lines = 0;
      for (const file of files) {
        const dex = readDex(file);
        expect(dex.version).toBe(version);
        const ours = printDex(dex);
        const theirs = askDexlib2(file);
        expect(compareLines(ours, theirs)).toEqual([]);
        lines += ours.length;
      }
      expect(lines).toBeGreaterThan(least);
    },
    PATIENCE,
  );

  it('sees every kind that there is in DEX files', () => {
    const all = [...translateFixture({ minApi: 26 }), assemble('rare.smali', 28)];
    const kinds = countKinds(all.flatMap((file) => printDex(readDex(file))));
    expect([...kinds.keys()].sort()).toEqual([
      'annotation',
      'bootstrap-argument',
      'descriptor',
      'kotlin-metadata',
      'literal',
      'name',
      'recipe',
      'record-components',
      'signature',
      'source',
      'switch-label',
    ]);
  });
});

/** Number of fields that code can refer to in a DEX file. */
const FIELDS = 65_536;
const CLASSES = 70;

/** Sources that one DEX file has no room for. */
function writeMany(folder: string): string[] {
  const each = Math.ceil((FIELDS * 1.05) / CLASSES);
  return Array.from({ length: CLASSES }, (_, i) => {
    const fields = Array.from({ length: each }, (__, j) => `f${j}`).join(', ');
    const method = `static String say(String in) { return in.equals("${i} 😀") ? "all" : "${i}"; }`;
    const file = path.join(folder, `C${i}.java`);
    writeFileSync(file, `class C${i} { static int ${fields}; ${method} }`);
    return file;
  });
}

describe('a container', { tags: ['night'] }, () => {
  it(
    'has the strings and uses of the files that it contains',
    () => {
      inFolder((folder) => {
        const classes = path.join(folder, 'classes');
        const inputs = compile(writeMany(folder), classes);
        const separate = translate(inputs, { minApi: 36 });
        const [container, ...others] = translate(inputs, { minApi: 36, isContainer: true });
        expect(separate.length).toBeGreaterThan(1);
        expect(others).toEqual([]);
        const dex = readDex(container as Buffer);
        expect(dex.version).toBe(41);
        const texts = separate.flatMap((file) => [...readDex(file).strings]).map((s) => s.string);
        // One file says how it was made, in a string of its own.
        const isOwn = (text: string): boolean => !text.startsWith('~~D8');
        const own = Array.from(dex.strings, ({ string }) => string).filter(isOwn);
        expect(own).toEqual([...new Set(texts.filter(isOwn))].sort(compareUnits));
        const theirs = separate.flatMap((file) => [...printUses(readDex(file), false)]).sort();
        const ours = [...printUses(dex, false)].sort();
        expect(compareLines(ours, theirs)).toEqual([]);
        expect(ours.length).toBeGreaterThan(3 * CLASSES);
      });
    },
    PATIENCE,
  );
});

/** By code units, as `string_ids` are sorted. */
const compareUnits = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
