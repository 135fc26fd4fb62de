/** Some uses of a string get another text, and the others keep it, whatever they share. */
import { readUses, replaceStrings, type StringUse } from '@utf8/classfile';
import { describe, expect, it } from 'vitest';
import {
  assemble,
  attribute,
  type Bytes,
  integer,
  list,
  member,
  methodHandle,
  methodref,
  nameAndType,
  string,
  u2,
  u4,
  utf8,
} from '../../../../tooling/oracles/classes/src/assemble.js';
import { Random } from '../../../../tooling/oracles/interop/src/random.js';
import { scale, seed } from '../../../../tooling/tiers/tier.js';
import { classes } from './recorded.js';

/** Indices of the names of members, of the `CONSTANT_String` of "x", and more. */
const M = 5;
const N = 6;
const STRING = 10;
const BOOTSTRAP_METHODS = 14;

const ldc = (index: number): Bytes => [0x12, index];
const ldcWide = (index: number): Bytes => [0x13, ...u2(index)];

const code = (...instructions: Bytes[]): Bytes => {
  const all = instructions.flat();
  return attribute(8, [...u2(9), ...u2(9), ...u4(all.length), ...all, ...list(), ...list()]);
};

/** A class with methods m and n, which load what they load, and maybe with an argument that is the same. */
function load(
  m: Bytes,
  n: Bytes,
  { padding = 300, isArgument = false, added = [] as Bytes[] } = {},
) {
  return assemble({
    constants: [
      utf8('m'),
      utf8('n'),
      utf8('()V'),
      utf8('Code'),
      utf8('x'),
      string(9),
      nameAndType(M, 7),
      methodref(2, 11),
      methodHandle(6, 12),
      utf8('BootstrapMethods'),
      ...new Array<Bytes>(padding).fill(integer(7)),
      ...added,
    ],
    methods: [member(M, 7, code(m)), member(N, 7, code(n))],
    attributes: isArgument
      ? [attribute(BOOTSTRAP_METHODS, list([...u2(13), ...list(u2(STRING))]))]
      : [],
  });
}

const inM = ({ member }: StringUse): boolean => member?.name === 'm';

/** Lists the member and the text of each place. */
const listLoads = (file: Uint8Array): string[] =>
  Array.from(readUses(file, { kinds: ['literal', 'bootstrap-argument'] }), (use) => {
    const place = use.member?.name ?? (use.bootstrap ? 'argument' : 'alone');
    return `${place} ${use.string.string}`;
  });

const translate = () => 'other';

describe('a string that m and n share', () => {
  it.each<[string, Bytes, Bytes, boolean, string[]]>([
    ['ldc and ldc_w', ldc(STRING), ldcWide(STRING), false, ['m other', 'n x']],
    ['ldc_w and ldc', ldcWide(STRING), ldc(STRING), false, ['m other', 'n x']],
    ['ldc_w and ldc_w', ldcWide(STRING), ldcWide(STRING), false, ['m other', 'n x']],
    ['ldc and an argument', ldc(STRING), [], true, ['m other', 'argument x']],
    [
      'both and ldc_w',
      [...ldc(STRING), ...ldcWide(STRING)],
      ldcWide(STRING),
      false,
      ['m other', 'm other', 'n x'],
    ],
    [
      'ldc_w, both and an argument',
      ldcWide(STRING),
      [...ldc(STRING), ...ldcWide(STRING)],
      true,
      ['m other', 'n x', 'n x', 'argument x'],
    ],
  ])('is parted: %s', (_, m, n, isArgument, expected) => {
    const file = load(m, n, { isArgument });
    const changed = replaceStrings(file, translate, { where: inM });
    expect(listLoads(changed)).toEqual(expected);
    // No instruction becomes longer: two constants come.
    expect(changed.length - file.length).toBe(3 + 3 + 'other'.length);
  });

  it('is parted where the new constant has an index that fits into ldc', () => {
    const file = (padding: number) => load(ldc(STRING), ldc(STRING), { padding });
    // The String gets the last index of one byte, and the text the next one.
    const changed = replaceStrings(file(240), translate, { where: inM });
    expect(listLoads(changed)).toEqual(['m other', 'n x']);
    expect(() => replaceStrings(file(241), translate, { where: inM })).toThrow(RangeError);
  });

  it('stays where two ldc share it, and onKept is told', () => {
    const file = load(ldc(STRING), ldc(STRING));
    const kept: StringUse[] = [];
    const options = { where: inM, onKept: (use: StringUse) => void kept.push(use) };
    expect(replaceStrings(file, translate, options)).toEqual(file);
    expect(kept.map(({ string, member }) => `${member?.name} ${string.string}`)).toEqual(['m x']);
    expect(() => replaceStrings(file, translate, { where: inM })).toThrow(
      new RangeError(
        `The constant 9 cannot be replaced at byte ${kept[0]?.offset} (m()V of A): another use shares its CONSTANT_String, and ldc has no room for the index of a new one; set the option onKept to leave such strings as they are.`,
      ),
    );
  });

  it('is parted as far as it goes, and the rest told', () => {
    const file = load([...ldc(STRING), ...ldcWide(STRING)], ldc(STRING));
    const kept: number[] = [];
    const changed = replaceStrings(file, translate, {
      where: inM,
      onKept: ({ offset }) => void kept.push(offset),
    });
    expect(listLoads(changed)).toEqual(['m x', 'm other', 'n x']);
    expect(kept.length).toBe(1);
    expect(file[(kept[0] as number) - 1]).toBe(0x12);
  });

  it('is replaced where it is, if all uses are wanted', () => {
    const file = load(ldc(STRING), ldc(STRING));
    const changed = replaceStrings(file, translate);
    expect(changed.length - file.length).toBe('other'.length - 'x'.length);
    expect(listLoads(changed)).toEqual(['m other', 'n other']);
  });

  it('has constants of its own for each, which are parted without new ones', () => {
    const own = load(ldc(STRING), ldcWide(314), { padding: 299, added: [string(9)] });
    const changed = replaceStrings(own, translate, { where: inM });
    expect(listLoads(changed)).toEqual(['m other', 'n x']);
    expect(changed.length - own.length).toBe(3 + 'other'.length);
  });
});

describe('options', () => {
  const file = load(ldc(STRING), []);

  it('where gets each use of the wanted kinds, in the order of the file', () => {
    const seen: StringUse[] = [];
    const where = (use: StringUse) => seen.push(use) < 0;
    expect(replaceStrings(file, translate, { kinds: ['literal', 'name'], where })).toEqual(file);
    expect(seen).toEqual([...readUses(file, { kinds: ['literal', 'name'] })]);
  });

  it('where leaves strings that are not used', () => {
    const unused = assemble({ constants: [utf8('unused')] });
    const options = { kinds: ['unused'] as const, where: () => true };
    expect(replaceStrings(unused, translate, options)).toEqual(unused);
  });

  it.each(['where', 'onKept', 'lenient'])('%s that is no function is refused', (name) => {
    expect(() => replaceStrings(file, translate, { [name]: 7 })).toThrow(
      new TypeError(`Expected a function as option ${name}, but got number.`),
    );
  });
});

/** Describes a use without its offset and its constants. */
const spell = ({ member, line, annotation, bootstrap, kind }: StringUse, text: string): string =>
  JSON.stringify([member, line, annotation, bootstrap, kind, text]);

it('any uses of any strings are replaced, and no others', () => {
  const random = new Random(seed);
  let replaced = 0;
  for (const file of Array.from({ length: scale(40) }, () => classes).flat()) {
    const kinds = [
      'literal',
      'recipe',
      'record-components',
      'lambda',
      'enum-constant',
      'bootstrap-argument',
      'annotation',
      'kotlin-metadata',
      'scala-signature',
      'source',
    ] as const;
    const chosen = new Map<number, string>();
    const where = ({ offset, string }: StringUse): boolean => {
      if (random.below(2) === 0) return false;
      chosen.set(offset, `${string.string}\u20ac`);
      return true;
    };
    const onKept = ({ offset }: StringUse): void => {
      expect(chosen.delete(offset)).toBe(true);
    };
    const changed = replaceStrings(file, ({ string }) => `${string}\u20ac`, {
      kinds,
      where,
      onKept,
    });
    const expected = Array.from(readUses(file), (use) =>
      spell(use, chosen.get(use.offset) ?? use.string.string),
    );
    const found = Array.from(readUses(changed), (use) => spell(use, use.string.string));
    expect(found).toEqual(expected);
    replaced += chosen.size;
  }
  expect(replaced).toBeGreaterThan(100);
});
