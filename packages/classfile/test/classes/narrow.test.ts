/** Instructions `ldc`, whose index has one byte, where the pool has just enough room for it, or not. */
import { readUses, replaceStrings, type StringUse } from '@utf8/classfile';
import { describe, expect, it } from 'vitest';
import {
  assemble,
  attribute,
  list,
  member,
  string,
  u2,
  u4,
  utf8,
} from '../../../../tooling/oracles/classes/src/assemble.js';

/** A class in which methods a and b load one constant; with so many constants, and one. */
function load(count: number): Uint8Array {
  const code = attribute(8, [...u2(1), ...u2(1), ...u4(3), 0x12, 10, 0x57, ...list(), ...list()]);
  const own = [utf8('a'), utf8('b'), utf8('()V'), utf8('Code'), utf8('text'), string(9)];
  const others = Array.from({ length: count - own.length - 5 }, () => utf8('filler'));
  return assemble({
    constants: [...own, ...others],
    methods: [member(5, 7, code), member(6, 7, code)],
  });
}

const texts = (file: Uint8Array): string[] =>
  Array.from(readUses(file, { kinds: ['literal'] }), ({ string }) => string.string);

const where = ({ member }: StringUse): boolean => member?.name === 'a';

describe('one of two loads of a constant', () => {
  it.each([100, 254, 255])('changes where the pool has %i constants, and one', (count) => {
    const changed = replaceStrings(load(count), () => 'new', { where });
    expect(texts(changed)).toEqual(['new', 'text']);
  });

  it.each([256, 257, 1000])('stays where the pool has %i constants, and one', (count) => {
    const file = load(count);
    const kept: number[] = [];
    const onKept = (use: StringUse): void => {
      kept.push(use.offset);
    };
    const changed = replaceStrings(file, () => 'new', { where, onKept });
    expect(changed).toEqual(file);
    expect(kept.length).toBe(1);
    expect(() => replaceStrings(file, () => 'new', { where })).toThrow(RangeError);
  });
});
