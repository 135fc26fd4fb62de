/** The rule by which class files of different versions spell strings. */
import { readClass, readStrings, readUses, replaceStrings } from '@utf8/classfile';
import { describe, expect, it } from 'vitest';
import {
  assemble,
  attribute,
  member,
  utf8,
} from '../../../../tooling/oracles/classes/src/assemble.js';
import {
  readConstant,
  withCode,
  withConstant,
} from '../../../../tooling/oracles/classes/src/version.js';

describe('overlong forms', () => {
  const C181 = Uint8Array.of(0xc1, 0x81);
  const E080AF = Uint8Array.of(0xe0, 0x80, 0xaf);

  it.each([45, 46, 47])('are read in version %i', (major) => {
    expect(readConstant(major, C181)).toBe('ok 0041');
    expect(readConstant(major, E080AF)).toBe('ok 002f');
  });

  it.each([48, 49, 52, 61, 69, 70, 99])('are refused in version %i', (major) => {
    expect(readConstant(major, C181)).toBe('fault');
    expect(readConstant(major, E080AF)).toBe('fault');
  });

  it.each([45, 47, 48, 61])('a raw 00, and four bytes, are refused in version %i', (major) => {
    expect(readConstant(major, Uint8Array.of(0))).toBe('fault');
    expect(readConstant(major, Uint8Array.of(0xf0, 0x9f, 0x98, 0x80))).toBe('fault');
    expect(readConstant(major, Uint8Array.of(0xc0, 0x80))).toBe('ok 0000');
    expect(readConstant(major, Uint8Array.of(0xed, 0xa0, 0xbd))).toBe('ok d83d');
  });

  it('keep their bytes in view', () => {
    const strings = [...readStrings(withConstant(47, C181))];
    expect(strings[5]).toMatchObject({ string: 'A', bytes: C181, fault: undefined });
  });

  it('in names of attributes are other names, as they are to a JVM', () => {
    // "Code", in which C is C1 83, would be truncated.
    const name = [0xc1, 0x83, 0x6f, 0x64, 0x65];
    const file = assemble({
      major: 47,
      constants: [utf8(name), utf8('m'), utf8('()V')],
      methods: [member(6, 7, attribute(5, [1, 2, 3]))],
    });
    expect(readClass(file).strings[2]).toMatchObject({ string: 'Code', kinds: ['attribute'] });
  });
});

describe.each([
  [0, false],
  [1, false],
  [2, false],
  [0, true],
  [2, true],
  [3, true],
])('the attribute Code in version 45.%i, long: %s,', (minor, isLong) => {
  const create = (text: string): Uint8Array => withCode(minor, isLong, text);

  it('is read: the kind, the member and the line of a literal', () => {
    const file = create('old');
    expect(readClass(file).strings[5]).toMatchObject({ string: 'old', kinds: ['literal'] });
    expect([...readUses(file, { kinds: ['literal'] })]).toMatchObject([
      { className: 'A', member: { name: 'texts' }, line: 7 },
    ]);
  });

  it('stays as it is if its literal is replaced', () => {
    expect(replaceStrings(create('old'), () => 'newer')).toEqual(create('newer'));
    // A literal that is also a name moves to another constant, whose index the instruction receives.
    const changed = replaceStrings(create('texts'), () => 'other');
    expect([...readUses(changed, { kinds: ['literal'] })]).toMatchObject([
      { string: { string: 'other' }, line: 7 },
    ]);
  });
});

it('a short attribute Code is malformed from version 45.3 on', () => {
  expect(() => readClass(withCode(3, false, 'old'))).toThrow(/in the attribute Code/);
});
