/**
 * The recorded classes of packages/classfile/test/classes, as javap, ASM and the JDK's class-file API tell of them.
 * `UTF8_RECORD=1` compiles and records them again.
 */
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { kinds, readClass, type StringKind } from '@utf8/classfile';
import { afterAll, describe, expect, it } from 'vitest';
import {
  folder,
  readRecorded,
  readRecordedUses,
  recorded,
} from '../../../../packages/classfile/test/classes/recorded.js';
import { jdk, jdks } from '../../src/jdk.js';
import { inFolder, makeFolder, removeFolder } from '../../src/program.js';
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
import { findDifferences, useAsm, useModern } from '../src/compare.js';
import { compileFixture } from '../src/fixture.js';
import { parsePool, printClasses, printPool } from '../src/javap.js';
import { askOracle, digest, removePrograms } from '../src/oracle.js';

if (process.env.UTF8_RECORD) {
  for (const [file, bytes] of compileFixture()) writeFileSync(folder + path.basename(file), bytes);
}

// The classes without their recorded output.
const classes = makeFolder();
afterAll(() => {
  removeFolder(classes);
  removePrograms();
});
const files = recorded.map((name) => `${name}.class`);
for (const file of files) copyFileSync(folder + file, path.join(classes, file));

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

describe.each(jdks)('javap of JDK $version', (jdk) => {
  it('reads the same constants, of all kinds', () => {
    inFolder((temporary) => {
      const assembled = path.join(temporary, 'A.class');
      writeFileSync(assembled, dynamicConstant);
      const paths = [...files.map((file) => path.join(classes, file)), assembled];
      const texts = printClasses(jdk, '', paths);
      const tags = new Set<string>();
      for (const [i, file] of paths.entries()) {
        const ours = printPool(readClass(readFileSync(file)));
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
    });
  });

  it('prints indices of literals and of values in annotations', () => {
    const texts = printClasses(jdk, classes, files);
    let found = 0;
    for (const [i, file] of files.entries()) {
      const text = texts[i] as string;
      const { strings } = readClass(readRecorded(file));
      const indicesOf = (isWanted: (kind: StringKind) => boolean): number[] =>
        strings.filter((string) => string.kinds.some(isWanted)).map(({ index }) => index);
      const literals = [...parsePool(text).values()].filter(({ tag }) => tag === 'String');
      expect(
        indicesOf((kind) => loads.includes(kind)),
        file,
      ).toEqual(sort(literals.map(({ value }) => Number(value.slice(1)))));
      // `0: #12(#13=s#14,#15=[s#16,s#17])`, `default_value: s#18`
      const values = text
        .split('\n')
        .filter((line) => /^ *(\d+: #\d+\(|default_value: )/.test(line))
        .flatMap((line) => [...line.matchAll(/\bs#(\d+)/g)].map(([, index]) => Number(index)));
      expect(
        indicesOf((kind) => kind === 'annotation'),
        file,
      ).toEqual(sort(values));
      found += literals.length + values.length;
    }
    expect(found).toBeGreaterThan(40);
  });
});

/** Kinds that `CONSTANT_String` may have. */
const loads = kinds.slice(0, kinds.indexOf('name'));

const sort = (indices: readonly number[]): number[] => [...new Set(indices)].sort((a, b) => a - b);

it('each string is for what ASM tells of it', () => {
  for (const [file, aspects] of askOracle(jdk, classes)) {
    const { strings } = readClass(readRecorded(file));
    for (const [aspect, expected] of aspects) {
      expect(digest(strings, aspect), `${file}: ${aspect}`).toBe(expected);
    }
  }
});

it('uses are told as ASM tells them', () => {
  expect(findDifferences(useAsm(), classes)).toEqual([]);
});

it('the recorded uses are what the JDK tells', { tags: ['night'] }, () => {
  const { program, name } = useModern();
  for (const each of recorded) {
    const file = path.join(classes, `${each}.class`);
    const lines = program.run('Uses', [name, file]).sort();
    if (process.env.UTF8_RECORD) writeFileSync(`${folder}${each}.txt`, `${lines.join('\n')}\n`);
    expect(readRecordedUses(each), each).toEqual(lines);
  }
});
