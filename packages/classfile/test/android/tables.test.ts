/** Tables of resources and binary XML: by hand, where aapt writes them in one way. */
import { type ResourceError, type ResourceFile, readResources } from '@utf8/classfile/resources';
import { describe, expect, it } from 'vitest';
import { type Bytes, u2, u4 } from '../../../../tooling/oracles/android/src/dex.js';
import { chunk } from '../../../../tooling/oracles/android/src/resources.js';

const NONE = 0xffff_ffff;

/** A pool of strings in UTF-8. */
function poolOf(...strings: string[]): Buffer {
  const data: number[] = [];
  const offsets: number[] = [];
  for (const string of strings) {
    offsets.push(data.length);
    data.push(string.length, string.length, ...Buffer.from(string), 0);
  }
  const start = 28 + 4 * strings.length;
  const head = [...u4(0x1c_0001, start + data.length, strings.length, 0, 256, start, 0)];
  return Buffer.from([...head, ...u4(...offsets), ...data]);
}

/** A value, which is a string of an index. */
const text = (index: number): Bytes => [...u2(8, 0x0300), ...u4(index)];
const number = (value: number): Bytes => [...u2(8, 0x1000), ...u4(value)];

/** A `TypeEntries` of the type 1, with these flags, offsets and entries. */
const typeOf = (count: number, offsets: Bytes, entries: Bytes, flags = 0, type = 1): Buffer =>
  Buffer.from([
    ...u4(0x30_0201, 48 + offsets.length + entries.length, type | (flags << 8), count),
    ...u4(48 + offsets.length),
    ...u4(28, 0, 0, 0, 0, 0, 0),
    ...offsets,
    ...entries,
  ]);

const values = poolOf('zero', 'one', 'two');
const types = poolOf('string', 'array');
const names = poolOf('first', 'second');

function tableOf(...parts: Buffer[]): Buffer {
  const name = Buffer.alloc(256);
  name.write('org.example', 'utf16le');
  const head = [...u4(0x7f), ...name, ...u4(288, 2, 288 + types.length, 2, 0)];
  const body = Buffer.concat([types, names, ...parts]);
  return chunk(0x0c_0002, u4(1), Buffer.concat([values, chunk(0x0120_0200, head, body)]));
}

const listValues = (file: ResourceFile): string[] =>
  Array.from(file.uses())
    .filter(({ kind }) => kind === 'value')
    .map(({ string, resource }) => {
      const { id, type, name, item } = resource ?? {};
      return [id?.toString(16), `${type}/${name}`, item, string.string]
        .filter((each) => each !== undefined)
        .join(' ');
    });

function refuse(file: Buffer): string {
  try {
    readResources(file);
  } catch (error) {
    const { reason, message } = error as ResourceError;
    return `${reason}: ${message.replace(/^Malformed resources at byte \d+: /, '')}`;
  }
  return expect.unreachable();
}

/** Reads a file leniently, and returns its values and the skipped errors. */
function readLeniently(file: Buffer): { values: string[]; told: string[] } {
  const told: string[] = [];
  const read = readResources(file, { lenient: ({ reason }) => void told.push(reason) });
  return { values: listValues(read), told };
}

describe('entries of a type', () => {
  const entry = (key: number, index: number): Bytes => [...u2(8, 0), ...u4(key), ...text(index)];
  const both = [...entry(0, 1), ...entry(1, 2)];
  const expected = ['7f010000 string/first one', '7f010001 string/second two'];

  it('have offsets of 32 bits, of 16 bits, or of their own', () => {
    const read = (...args: Parameters<typeof typeOf>): string[] =>
      listValues(readResources(tableOf(typeOf(...args))));
    expect(read(2, u4(0, 16), both)).toEqual(expected);
    expect(read(3, u4(0, NONE, 16), both)).toEqual([expected[0], '7f010002 string/second two']);
    // In units of four bytes.
    expect(read(2, u2(0, 4), both, 2)).toEqual(expected);
    expect(read(4, u2(0, 0xffff, 4, 0xffff), both, 2)).toEqual([
      expected[0],
      '7f010002 string/second two',
    ]);
    expect(read(2, u2(0, 0, 0x1234, 4), both, 1)).toEqual([
      expected[0],
      '7f011234 string/second two',
    ]);
    expect(read(2, u2(0, 0, 0x1234, 4), both, 3)).toEqual([
      expected[0],
      '7f011234 string/second two',
    ]);
  });

  it('may be compact: their name, type and value in eight bytes', () => {
    const compact = [...u2(1, 0x0308), ...u4(2), ...u2(0, 0x1008), ...u4(2)];
    const file = readResources(tableOf(typeOf(2, u4(0, 8), compact)));
    expect(listValues(file)).toEqual(['7f010000 string/second two']);
    const found = Array.from(file.uses())
      .filter(({ kind }) => kind === 'name')
      .map(({ string, offset, resource }) => [string.string, offset % 8, resource?.id]);
    expect(found.map(([name, , id]) => [name, id])).toEqual([
      ['second', 0x7f01_0000],
      ['first', 0x7f01_0001],
    ]);
  });

  it('may be maps, whose items have values', () => {
    const map = [
      ...u2(16, 1),
      ...u4(1, 0, 3),
      ...u4(5),
      ...text(1),
      ...u4(6),
      ...number(1),
      ...u4(7),
      ...text(2),
    ];
    expect(listValues(readResources(tableOf(typeOf(1, u4(0), map))))).toEqual([
      '7f010000 string/second 5 one',
      '7f010000 string/second 7 two',
    ]);
  });

  it('may be longer than they are known to be, and so may values', () => {
    const longer = [...u2(12, 0), ...u4(0), ...u4(NONE), ...u2(12, 0x0300), ...u4(2, NONE)];
    expect(listValues(readResources(tableOf(typeOf(1, u4(0), longer))))).toEqual([
      '7f010000 string/first two',
    ]);
  });

  it('have types and names that are known, or ?', () => {
    const read = (type: number): string[] =>
      listValues(readResources(tableOf(typeOf(1, u4(0), entry(0, 1), 0, type))));
    expect(read(2)).toEqual(['7f020000 array/first one']);
    expect(read(3)).toEqual(['7f030000 ?/first one']);
    expect(read(0)).toEqual(['7f000000 ?/first one']);
  });

  it.each<[string, Buffer, string]>([
    [
      'a name that there is not',
      typeOf(1, u4(0), entry(2, 1)),
      'invalid-index: the index 2 exceeds the 2 strings.',
    ],
    [
      'a value that there is not',
      typeOf(1, u4(0), entry(1, 3)),
      'invalid-index: the index 3 exceeds the 3 strings.',
    ],
    [
      'a short entry',
      typeOf(1, u4(0), [...u2(7, 0), ...u4(0), ...text(1)]),
      'invalid-value: an entry has a size of 7.',
    ],
    [
      'a short map',
      typeOf(1, u4(0), [...u2(15, 1), ...u4(0, 0, 0)]),
      'invalid-value: an entry has a size of 15.',
    ],
    [
      'a short value',
      typeOf(1, u4(0), [...u2(8, 0), ...u4(0), ...u2(7, 0x0300), ...u4(1)]),
      'invalid-value: a value has a size of 7.',
    ],
    [
      'an offset after the end',
      typeOf(1, u4(12), entry(0, 1)),
      expect.stringMatching(/^truncated: the offset of an entry is invalid: \d+\.$/),
    ],
    [
      'more entries than fit',
      typeOf(6, u4(0), entry(0, 1)),
      'truncated: a chunk of 68 bytes has 6 entries.',
    ],
    [
      'more items than fit',
      typeOf(1, u4(0), [...u2(16, 1), ...u4(0, 0, 2), ...u4(5), ...text(1)]),
      'truncated: 4 bytes needed, but 0 left.',
    ],
  ])('are refused with %s, and leniently passed over', (what, type, message) => {
    const good = typeOf(2, u4(0, 16), both);
    expect(refuse(tableOf(type, good))).toEqual(message);
    const { values, told } = readLeniently(tableOf(type, good));
    expect(values.slice(-2)).toEqual(expected);
    // The count itself, and five entries whose offsets are other bytes of the chunk.
    expect(told).toHaveLength(what === 'more entries than fit' ? 6 : 1);
  });
});

describe('a type', () => {
  const kindsOf = (number_: number): (string | number)[][] => {
    const spec = Buffer.from(u4(0x10_0202, 16, number_, 0));
    return Array.from(readResources(tableOf(spec)).uses(), ({ kind, string }) => [
      kind,
      string.string,
    ]);
  };

  it('has a name by its number, from 1', () => {
    expect(kindsOf(1)).toEqual([['type', 'string']]);
    expect(kindsOf(2)).toEqual([['type', 'array']]);
  });

  it('has none where it is of another package', () => {
    expect(kindsOf(0)).toEqual([]);
    expect(kindsOf(3)).toEqual([]);
  });
});

describe('binary XML', () => {
  const strings = poolOf('element', 'attribute', 'value', 'uri');
  const attribute = [...u4(3, 1, 2), ...text(2)];

  const elementOf = (first: number, size: number, count: number, attributes: Bytes): Buffer =>
    chunk(
      0x10_0102,
      u4(7, NONE),
      Buffer.from([...u4(NONE, 0), ...u2(first, size, count, 0, 0, 0), ...attributes]),
    );
  const xmlOf = (...chunks: Buffer[]): Buffer =>
    chunk(0x08_0003, [], Buffer.concat([strings, ...chunks]));
  const usesOf = (file: Buffer): string[] =>
    Array.from(
      readResources(file).uses(),
      ({ kind, string, xml }) =>
        `${xml?.line} ${xml?.element} ${xml?.attribute}: ${kind} ${string.string}`,
    );
  const whole = [
    '7 element undefined: element element',
    '7 element attribute: namespace uri',
    '7 element attribute: attribute attribute',
    '7 element attribute: value value',
    '7 element attribute: value value',
  ];

  it('may have attributes that are longer than known, or further on', () => {
    expect(usesOf(xmlOf(elementOf(20, 20, 1, attribute)))).toEqual(whole);
    expect(usesOf(xmlOf(elementOf(24, 20, 1, [...u4(1), ...attribute])))).toEqual(whole);
    const longer = [...attribute, ...u4(NONE)];
    expect(usesOf(xmlOf(elementOf(20, 24, 2, [...longer, ...longer])))).toEqual([
      ...whole,
      ...whole.slice(1),
    ]);
    // Without attributes it does not matter where they begin.
    expect(usesOf(xmlOf(elementOf(0, 0, 0, [])))).toEqual(whole.slice(0, 1));
  });

  it.each([
    [19, 20, 'invalid-value: attributes of 20 bytes begin at 19.'],
    [20, 19, 'invalid-value: attributes of 19 bytes begin at 20.'],
    [20, 21, 'invalid-value: 2 attributes of 21 bytes begin at 20, and 41 bytes are left.'],
  ])('is refused where attributes begin at %i, and have %i bytes', (first, size, message) => {
    const bad = elementOf(first, size, size > 20 ? 2 : 1, [...attribute, 0]);
    expect(refuse(xmlOf(bad))).toBe(message);
    const told: string[] = [];
    const good = elementOf(20, 20, 1, attribute);
    const read = readResources(xmlOf(bad, good), {
      lenient: ({ reason }) => void told.push(reason),
    });
    expect([...read.uses()].length).toBeGreaterThan(whole.length);
    expect(told).toHaveLength(1);
  });

  it('has comments, namespaces and text, each with its line', () => {
    const node = (type: number, ...body: number[]): Buffer =>
      chunk(type, u4(9, 2), Buffer.from(u4(...body)));
    expect(
      usesOf(
        xmlOf(
          node(0x10_0100, 0, 3),
          node(0x10_0104, 1, 8, 0),
          node(0x10_0103, 3, 0),
          node(0x10_0101, 0, 3),
        ),
      ),
    ).toEqual(
      [
        ...[
          'comment value',
          'namespace element',
          'namespace uri',
          'comment value',
          'text attribute',
        ],
        ...['comment value', 'namespace uri', 'element element'],
        ...['comment value', 'namespace element', 'namespace uri'],
      ].map((use) => `9 undefined undefined: ${use}`),
    );
    // Others are passed over.
    expect(
      usesOf(xmlOf(node(0x10_00ff, 0, 3), node(0x10_0105, 0, 3), node(0x10_0180, 0, 3))),
    ).toEqual([]);
  });

  it('is refused where a header is too short', () => {
    expect(refuse(xmlOf(chunk(0x0c_0104, u4(1), Buffer.from(u4(0, 0, 0)))))).toBe(
      'truncated: a header of 12 bytes has 16 at least.',
    );
  });
});
