/** Structures that a JVM ignores: their errors do not matter, and strings are read up to them. */
import { readStrings, readUses } from '@utf8/classfile';
import { describe, expect, it } from 'vitest';
import { assemble, attribute, u2 } from '../../../../tooling/oracles/classes/src/assemble.js';
import {
  annotations,
  complain,
  constants,
  ignored,
  member,
  PUBLIC_STATIC,
  places,
} from '../../../../tooling/oracles/classes/src/place.js';

describe('ignored', () => {
  it.each(ignored)('%s', (_, name, content, place) => {
    const parts = places[place]?.(attribute(5, content));
    const file = assemble({ constants: constants(name), ...parts });
    const told: unknown[] = [];
    const lenient = (error: unknown): void => void told.push(error);
    expect([...readStrings(file, { lenient })]).toEqual([...readStrings(file)]);
    expect(told).toEqual([]);
    expect([...readUses(file)].length).toBeGreaterThan(0);
    // The same attributes where a JVM reads them.
    if (name === 'RuntimeInvisibleAnnotations') {
      const visible = constants('RuntimeVisibleAnnotations');
      expect(complain(assemble({ constants: visible, ...parts }))).toMatch(/RuntimeVisible/);
    }
    if (name === 'ConstantValue') {
      const looked = assemble({
        constants: constants(name),
        fields: [member(PUBLIC_STATIC, 8, attribute(5, content))],
      });
      expect(complain(looked)).toMatch(
        /, in the attribute ConstantValue of the field m of the class A\.$/,
      );
    }
  });

  it('what is read before the fault stays', () => {
    const file = assemble({
      constants: constants('RuntimeInvisibleAnnotations'),
      attributes: [attribute(5, annotations)],
    });
    const uses = [...readUses(file, { kinds: ['annotation'] })];
    expect(uses.map(({ string, annotation }) => [string.string, annotation])).toEqual([
      ['m', { type: 'I', path: 'm' }],
    ]);
  });

  it('a ConstantValue of an instance field is a use, as javac writes it', () => {
    const [use, ...others] = readUses(
      assemble({
        constants: constants('ConstantValue'),
        ...places['an instance field']?.(attribute(5, u2(12))),
      }),
      { kinds: ['literal'] },
    );
    expect(others).toEqual([]);
    expect(use).toMatchObject({
      string: { string: 'A' },
      member: { type: 'field', name: 'm', descriptor: 'I' },
      constant: undefined,
    });
  });

  it('a Module of a module is looked at', () => {
    const error = complain(
      assemble({ constants: constants('Module'), attributes: [attribute(5, [1])], flags: 0x8000 }),
    );
    expect(error).toMatch(/, in the attribute Module of the class A\.$/);
  });
});
