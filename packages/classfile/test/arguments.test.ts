import { describe, expect, it } from 'vitest';
import { kinds, readClass, readStrings, replaceStrings, type StringKind } from '../src/index.js';

/** A class A whose only literal is "Hi", U+0000, and a lone surrogate. */
const file = Buffer.from('yv66vgAAAD0ABQEAAUEHAAEBAAdIacCA7aC9CAADACAAAgAAAAAAAAAAAAA=', 'base64');
const literal = 'Hi\0\ud83d';

function share(bytes: Uint8Array): SharedArrayBuffer {
  const shared = new SharedArrayBuffer(bytes.length);
  new Uint8Array(shared).set(bytes);
  return shared;
}

describe('a class file may be', () => {
  const padded = new Uint8Array(file.length + 7);
  padded.set(file, 3);
  it.each([
    ['a Buffer', file],
    ['a Uint8Array', Uint8Array.from(file)],
    ['an ArrayBuffer', Uint8Array.from(file).buffer],
    ['a view with an offset', padded.subarray(3, 3 + file.length)],
    ['a DataView with an offset', new DataView(padded.buffer, 3, file.length)],
    ['a SharedArrayBuffer', share(file)],
  ])('%s', (_, bytes) => {
    const strings = [...readStrings(bytes)];
    expect(strings.map(({ string }) => string)).toEqual(['A', literal]);
    expect(strings.map(({ offset }) => offset)).toEqual([13, 20]);
    expect(readClass(bytes).name).toBe('A');
    expect(Buffer.from(replaceStrings(bytes, () => undefined))).toEqual(file);
  });

  it('nothing else', () => {
    for (const bytes of [undefined, null, 'class', [1, 2], {}] as unknown[] as Uint8Array[]) {
      for (const read of [readStrings, readClass]) {
        expect(() => read(bytes)).toThrow(/^Expected a buffer or a view, but got/);
      }
    }
  });
});

describe('what is read', () => {
  it('is a view of the file', () => {
    const [, second] = readStrings(file);
    expect(second?.bytes.buffer).toBe(file.buffer);
    expect(second?.bytes.byteOffset).toBe(file.byteOffset + 20);
    expect(second).toEqual({
      index: 3,
      offset: 20,
      bytes: new Uint8Array(file.subarray(20, 27)),
      string: literal,
      kinds: ['literal'],
      fault: undefined,
    });
  });

  it('can be gone through again', () => {
    const strings = readStrings(file);
    expect([...strings]).toEqual([...strings]);
    const parsed = readClass(file);
    expect(parsed.strings).toEqual([...strings]);
    expect(parsed.strings).toBe(parsed.strings);
    expect(parsed.constants).toBe(parsed.constants);
  });

  it('is a class with its constants', () => {
    const { majorVersion, minorVersion, accessFlags, name, superName, interfaces, constants } =
      readClass(file);
    expect({ majorVersion, minorVersion, accessFlags, name, superName, interfaces }).toEqual({
      majorVersion: 61,
      minorVersion: 0,
      accessFlags: 0x20,
      name: 'A',
      superName: undefined,
      interfaces: [],
    });
    const [first, second] = readStrings(file);
    expect(constants).toEqual([
      undefined,
      { tag: 'Utf8', index: 1, offset: 10, string: first },
      { tag: 'Class', index: 2, offset: 14, nameIndex: 1 },
      { tag: 'Utf8', index: 3, offset: 17, string: second },
      { tag: 'String', index: 4, offset: 27, stringIndex: 3 },
    ]);
  });
});

describe('options', () => {
  it('with an unknown policy are refused, whatever the file', () => {
    const errors = 'lenient' as 'strict';
    for (const read of [readStrings, readClass]) {
      expect(() => read(file, { errors })).toThrow(/^Expected one of strict, /);
    }
    expect(() => replaceStrings(file, () => '', { errors })).toThrow(/^Expected one of strict, /);
  });

  it('with an unknown kind are refused', () => {
    const wrong = ['string'] as unknown as StringKind[];
    expect(() => replaceStrings(file, () => '', { kinds: wrong })).toThrow(
      `Unknown kind of strings, string: expected one of ${kinds.join(', ')}.`,
    );
  });

  it('without kinds replace nothing', () => {
    expect(Buffer.from(replaceStrings(file, () => 'new', { kinds: [] }))).toEqual(file);
  });
});

it('replaces by a function alone', () => {
  const replace = 'new' as unknown as () => string;
  expect(() => replaceStrings(file, replace)).toThrow(
    new TypeError('Expected a function that replaces strings, but got string.'),
  );
});

it('lists of kinds are shared, and cannot be changed', () => {
  const [first] = readStrings(file);
  expect(Object.isFrozen(first?.kinds)).toBe(true);
});
