/** Class files with other strings, read again. */
import {
  type ClassString,
  kinds,
  readStrings,
  replaceStrings,
  type StringKind,
} from '@utf8/classfile';
import { describe, expect, it } from 'vitest';
import {
  assemble,
  attribute,
  type Bytes,
  list,
  member,
  string,
  u2,
  utf8,
} from '../../../../tooling/oracles/classes/src/assemble.js';
import { classes, recorded } from './recorded.js';

/** Returns the text and the kinds of each string by its index. */
const listStrings = (file: Uint8Array): Record<number, string> =>
  Object.fromEntries(
    Array.from(readStrings(file), ({ index, string, kinds }) => [index, `${string}: ${kinds}`]),
  );

describe('a string is replaced', () => {
  it('where it is, if it is for nothing else', () => {
    const file = assemble({ constants: [utf8('old'), string(5)] });
    const changed = replaceStrings(file, () => 'newer');
    expect(changed).toEqual(assemble({ constants: [utf8('newer'), string(5)] }));
  });

  it('by one at the end of the pool, if it is for something else too', () => {
    // A method old, and a literal "old" that two constants refer to.
    const parts = (first: number, ...added: Bytes[]) =>
      assemble({
        constants: [utf8('old'), utf8('()V'), string(first), string(first), ...added],
        methods: [member(5, 6)],
      });
    expect(replaceStrings(parts(5), () => 'new')).toEqual(parts(9, utf8('new')));
  });

  it('and no constant moves, nor anything that may hold an index', () => {
    const unknown = [0, 5, 0, 7, 0, 9];
    const parts = (text: string) =>
      assemble({
        constants: [utf8('Unknown'), utf8(text), string(6)],
        attributes: [attribute(5, unknown)],
      });
    expect(replaceStrings(parts('a'), () => 'long\0😀')).toEqual(parts('long\0😀'));
  });

  it('for the kinds that are wanted, and no others', () => {
    const file = assemble({
      constants: [
        utf8('RuntimeVisibleAnnotations'),
        utf8('LV;'),
        utf8('both'),
        string(7),
        utf8('SourceFile'),
      ],
      attributes: [
        attribute(5, list([...u2(6), ...list([...u2(7), 0x73, ...u2(7)])])),
        attribute(9, u2(7)),
      ],
    });
    const all: StringKind[] = ['literal', 'name', 'annotation', 'source'];
    expect(listStrings(file)[7]).toBe(`both: ${all}`);
    for (const kind of all) {
      const changed = listStrings(replaceStrings(file, () => 'new', { kinds: [kind] }));
      if (kind === 'name') expect(changed).toMatchObject({ 1: 'new: name', 3: 'new: name' });
      expect(changed[7]).toBe(`both: ${all.filter((other) => other !== kind)}`);
      expect(Object.values(changed)).toContain(`new: ${kind}`);
    }
    const replace = ({ string }: ClassString): string => (string === 'both' ? 'new' : string);
    expect(listStrings(replaceStrings(file, replace, { kinds: all }))[7]).toBe(`new: ${all}`);
  });

  it('also where nothing is known to refer to it', () => {
    const file = assemble({ constants: [utf8('alone')] });
    const changed = replaceStrings(file, () => 'new', { kinds: ['unused'] });
    expect(changed).toEqual(assemble({ constants: [utf8('new')] }));
    expect(replaceStrings(file, () => 'new')).toEqual(file);
  });
});

describe('the function that replaces', () => {
  const file = assemble({ constants: [utf8('first'), string(5), utf8('second'), string(7)] });

  it('gets each string of the wanted kinds once, in the order of the pool', () => {
    const seen: ClassString[] = [];
    replaceStrings(file, (string) => {
      seen.push(string);
      return undefined;
    });
    expect(seen).toEqual([...readStrings(file)].filter(({ kinds }) => kinds.includes('literal')));
    expect(seen.map(({ index }) => index)).toEqual([5, 7]);
  });

  it('leaves the file as it is by undefined, and by the same text', () => {
    for (const replace of [() => undefined, ({ string }: ClassString) => string]) {
      const same = replaceStrings(file, replace, { kinds });
      expect(same).toEqual(file);
      expect(same.buffer).not.toBe(file.buffer);
    }
  });

  it('may not change the input, nor return anything but texts', () => {
    const before = file.slice();
    replaceStrings(file, () => 'other');
    expect(file).toEqual(before);
    const wrong = (() => 7) as unknown as () => string;
    expect(() => replaceStrings(file, wrong)).toThrow(
      new TypeError(
        'Expected a string or undefined as the new text of the constant 5, but got number.',
      ),
    );
  });
});

describe('limits', () => {
  const file = assemble({ constants: [utf8('text'), string(5)] });

  it('65,535 bytes are written, one more is a RangeError', () => {
    // Three bytes each.
    const most = '中'.repeat(21_845);
    expect([...readStrings(replaceStrings(file, () => most))][2]?.string).toBe(most);
    expect(() => replaceStrings(file, () => `${most}x`)).toThrow(
      new RangeError(
        'The new text of the constant 5 has 65536 bytes in Modified UTF-8; a class file allows at most 65535.',
      ),
    );
    // U+0000 is in two bytes, and a pair in six.
    expect(() => replaceStrings(file, () => '\0'.repeat(32_768))).toThrow(RangeError);
    expect(() => replaceStrings(file, () => '😀'.repeat(10_923))).toThrow(RangeError);
  });

  it('a pool is filled up to the last constant, and one more is a RangeError', () => {
    // The literal is the name of the class, too.
    const fill = (count: number) =>
      assemble({ constants: [string(1), ...new Array<Bytes>(count).fill(utf8(''))] });
    const changed = replaceStrings(fill(65_528), () => 'new');
    expect([...readStrings(changed)].at(-1)).toMatchObject({ index: 65_534, string: 'new' });
    expect(() => replaceStrings(fill(65_529), () => 'new')).toThrow(
      new RangeError(
        'The new text of the constant 1 needs a constant of its own, but the pool is full: a class file has at most 65534.',
      ),
    );
  });
});

describe('in every class by javac', () => {
  // An attribute of another name is an unknown one, whose strings are for nothing.
  it.each(kinds.filter((kind) => kind !== 'attribute'))(
    'all of the kind %s are replaced',
    (kind) => {
      for (const [i, bytes] of classes.entries()) {
        const changed = replaceStrings(bytes, ({ string }) => `${string}\u20ac`, { kinds: [kind] });
        // Names, types and hash codes determine the kinds of loads.
        const isTold = !['name', 'descriptor', 'switch-label'].includes(kind);
        const lists = [listUses(changed), listUses(bytes, kind)].map((uses) =>
          isTold ? uses : uses.map(forgetLoad).sort(),
        );
        expect(lists[0], recorded[i]).toEqual(lists[1]);
      }
    },
  );

  it('an attribute gets another name, and is unknown then', () => {
    for (const [i, bytes] of classes.entries()) {
      const replace = ({ string }: ClassString): string =>
        string === 'SourceFile' ? 'Source' : string;
      const changed = listUses(replaceStrings(bytes, replace, { kinds: ['attribute'] }));
      const expected = listUses(bytes).map((use) =>
        use === 'attribute: SourceFile'
          ? 'attribute: Source'
          : use.replace(/^source: (.*\.java)$/, 'unused: $1'),
      );
      expect(changed, recorded[i]).toEqual(expected.sort());
    }
  });
});

/** The kinds of what is loaded, taken for one. */
const forgetLoad = (use: string): string => {
  const loads = kinds.slice(0, kinds.indexOf('name'));
  return use.replace(new RegExp(`^(${loads.join('|')}): `), 'load: ');
};

/** Lists the uses of strings, with a euro sign after the strings of one kind. */
function listUses(file: Uint8Array, changed?: StringKind): string[] {
  return Array.from(readStrings(file), ({ string, kinds }) =>
    kinds.map((kind) => `${kind}: ${string}${kind === changed ? '\u20ac' : ''}`),
  )
    .flat()
    .sort();
}
