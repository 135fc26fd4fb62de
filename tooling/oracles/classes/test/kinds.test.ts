/** What strings are for, in a class that javac compiles from a source with something of everything. */
import { kinds, readClass, type StringKind } from '@utf8/classfile';
import { afterAll, describe, expect, it } from 'vitest';
import { compileFixture } from '../src/fixture.js';
import { findClasses, makeFolder, readClasses, removeFolder } from '../src/folder.js';
import { parsePool, printClasses } from '../src/javap.js';
import { type Jdk, jdk } from '../src/jdk.js';
import { askOracle, asm, digest, removePrograms } from '../src/oracle.js';

// Without a JDK nothing runs that would remove it.
const folder = jdk ? makeFolder() : '';
afterAll(() => {
  removeFolder(folder);
  removePrograms();
});
if (jdk) compileFixture(jdk, folder);
const classes = jdk ? readClasses(folder) : new Map<string, Buffer>();

/** The strings of a class that are for something. */
const stringsOf = (name: string, kind: StringKind): string[] =>
  readClass(classes.get(`${name}.class`) as Buffer)
    .strings.filter(({ kinds }) => kinds.includes(kind))
    .map(({ string }) => string)
    .sort();

const kindsOf = (name: string, text: string): readonly StringKind[] | undefined =>
  readClass(classes.get(`${name}.class`) as Buffer).strings.find(({ string }) => string === text)
    ?.kinds;

/** How strings of the fixture begin that say what they are. */
const prefixes = {
  'switch label': 'literal-in-switch',
  literal: 'literal-',
  annotation: 'value-',
};

/** What `CONSTANT_String` may be for. */
const loads = kinds.slice(0, kinds.indexOf('name'));

describe.runIf(jdk)('in the fixture', () => {
  it('strings that say what they are, are that and nothing else', () => {
    let found = 0;
    for (const [file, bytes] of classes) {
      for (const { string, kinds } of readClass(bytes).strings) {
        const [kind] = Object.entries(prefixes).find(([, it]) => string.startsWith(it)) ?? [];
        if (!kind) continue;
        expect([file, string, ...kinds]).toEqual([file, string, kind]);
        found++;
      }
    }
    expect(found).toBeGreaterThanOrEqual(20);
  });

  it.each<[string, StringKind[]]>([
    ['run', ['literal', 'name']],
    ['everything/Everything', ['literal', 'name']],
    ['Code', ['literal', 'attribute']],
    ['()V', ['literal', 'descriptor']],
    ['shared', ['literal', 'name', 'annotation']],
    ['[[I', ['name', 'descriptor']],
    ['[Ljava/lang/String;', ['name']],
    ['DARK_GREEN', ['name']],
    ['namedParameter', ['name']],
    ['localVariable', ['name']],
    ['CONSTANT_FIELD', ['name']],
    ['Leverything/Everything$Color;', ['descriptor']],
    ['TParam;', ['signature']],
    ['Everything.java', ['source']],
    ['shared\u0001', ['recipe']],
  ])('%j is for %j', (text, expected) => {
    expect(kindsOf('everything/Everything', text)).toEqual(expected);
  });

  it.each<[string, StringKind, string[]]>([
    [
      'module-info',
      'source',
      ['1.2.3', (jdk as Jdk | undefined)?.version ?? '', 'module-info.java'],
    ],
    [
      'module-info',
      'name',
      [
        'everything',
        'everything/Everything',
        'fixture.everything',
        'java.base',
        'java.logging',
        'java.sql',
        'java/lang/Runnable',
        'java/util/function/Supplier',
        'module-info',
      ],
    ],
    ['module-info', 'literal', []],
    ['everything/Everything$Circle', 'record components', ['radius;genericComponent']],
    [
      'everything/Everything',
      'attribute',
      [
        'BootstrapMethods',
        'Code',
        'ConstantValue',
        'Deprecated',
        'Exceptions',
        'InnerClasses',
        'LineNumberTable',
        'LocalVariableTable',
        'LocalVariableTypeTable',
        'MethodParameters',
        'NestMembers',
        'RuntimeInvisibleTypeAnnotations',
        'RuntimeVisibleAnnotations',
        'RuntimeVisibleParameterAnnotations',
        'Signature',
        'SourceFile',
        'StackMapTable',
      ],
    ],
  ])('%s has as %s just these', (name, kind, expected) => {
    expect(stringsOf(name, kind)).toEqual(expected);
  });

  it('each attribute that refers to strings is somewhere', () => {
    const found = new Set(
      [...classes.keys()].flatMap((file) => stringsOf(file.slice(0, -6), 'attribute')),
    );
    const expected = [
      'AnnotationDefault',
      'EnclosingMethod',
      'Module',
      'NestHost',
      'PermittedSubclasses',
      'Record',
    ];
    expect([...found]).toEqual(expect.arrayContaining(expected));
  });

  it('no string is for nothing', () => {
    for (const file of classes.keys()) expect(stringsOf(file.slice(0, -6), 'unused')).toEqual([]);
  });

  it('kinds are in their order', () => {
    for (const bytes of classes.values()) {
      for (const { kinds: own } of readClass(bytes).strings) {
        expect(own).toEqual(kinds.filter((kind) => own.includes(kind)));
        expect(own.length).toBeGreaterThan(0);
      }
    }
  });
});

describe.runIf(jdk)('beside the tools of the JDK', { tags: ['slow'] }, () => {
  it('literals and values in annotations are what javap prints indices of', () => {
    const files = findClasses(folder);
    const texts = printClasses(jdk as Jdk, folder, files);
    let found = 0;
    for (const [i, file] of files.entries()) {
      const text = texts[i] as string;
      const { strings } = readClass(classes.get(file) as Buffer);
      const indicesOf = (...some: StringKind[]): number[] =>
        strings
          .filter(({ kinds }) => some.some((kind) => kinds.includes(kind)))
          .map(({ index }) => index);
      const literals = [...parsePool(text).values()].filter(({ tag }) => tag === 'String');
      expect(indicesOf(...loads), file).toEqual(
        sort(literals.map(({ value }) => Number(value.slice(1)))),
      );
      // `0: #12(#13=s#14,#15=[s#16,s#17])`, `default_value: s#18`
      const values = text
        .split('\n')
        .filter((line) => /^ *(\d+: #\d+\(|default_value: )/.test(line))
        .flatMap((line) => [...line.matchAll(/\bs#(\d+)/g)].map(([, index]) => Number(index)));
      expect(indicesOf('annotation'), file).toEqual(sort(values));
      found += literals.length + values.length;
    }
    expect(found).toBeGreaterThan(40);
  });

  it.runIf(asm)('each is what ASM tells of it', () => {
    for (const [file, aspects] of askOracle(jdk as Jdk, folder)) {
      const { strings } = readClass(classes.get(file) as Buffer);
      for (const [aspect, expected] of aspects) {
        expect(digest(strings, aspect), `${file}: ${aspect}`).toBe(expected);
      }
    }
  });
});

const sort = (indices: readonly number[]): number[] => [...new Set(indices)].sort((a, b) => a - b);
