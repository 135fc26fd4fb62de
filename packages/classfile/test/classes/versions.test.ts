/** The rule by which class files of different versions spell strings. */
import { readClass, readStrings } from '@utf8/classfile';
import { describe, expect, it } from 'vitest';
import {
  assemble,
  attribute,
  member,
  utf8,
} from '../../../../tooling/oracles/classes/src/assemble.js';
import { readConstant, withConstant } from '../../../../tooling/oracles/classes/src/version.js';

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
