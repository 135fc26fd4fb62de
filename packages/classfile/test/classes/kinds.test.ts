/** The kinds of strings in a class that javac compiled from a source with every construct. */
import { kinds, readClass, type StringKind } from '@utf8/classfile';
import { describe, expect, it } from 'vitest';
import { classes, readRecorded, recorded } from './recorded.js';

/** The strings of a class that are for something. */
const stringsOf = (name: string, kind: StringKind): string[] =>
  readClass(readRecorded(`${name}.class`))
    .strings.filter(({ kinds }) => kinds.includes(kind))
    .map(({ string }) => string)
    .sort();

const kindsOf = (name: string, text: string): readonly StringKind[] | undefined =>
  readClass(readRecorded(`${name}.class`)).strings.find(({ string }) => string === text)?.kinds;

/** Prefixes of the fixture's strings, which name their kind. */
const prefixes = {
  'switch-label': 'literal-in-switch',
  literal: 'literal-',
  annotation: 'value-',
};

describe('in classes by javac', () => {
  it('strings that say what they are, are that and nothing else', () => {
    let found = 0;
    for (const file of recorded) {
      for (const { string, kinds } of readClass(readRecorded(`${file}.class`)).strings) {
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
    expect(kindsOf('Everything', text)).toEqual(expected);
  });

  it.each<[string, StringKind, string[]]>([
    ['module-info', 'source', ['1.2.3', '17.0.15', 'module-info.java']],
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
    ['Everything$Circle', 'record-components', ['radius;genericComponent']],
    [
      'Everything',
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
    const found = new Set(recorded.flatMap((file) => stringsOf(file, 'attribute')));
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
    for (const file of recorded) expect(stringsOf(file, 'unused')).toEqual([]);
  });

  it('kinds are in their order', () => {
    for (const bytes of classes) {
      for (const { kinds: own } of readClass(bytes).strings) {
        expect(own).toEqual(kinds.filter((kind) => own.includes(kind)));
        expect(own.length).toBeGreaterThan(0);
      }
    }
  });
});
