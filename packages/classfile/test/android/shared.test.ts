/** Small files whose items share others so often that reading them would take more than linear time. */
import { type DexOptions, readDex } from '@utf8/classfile/dex';
import { type ResourceOptions, readResources } from '@utf8/classfile/resources';
import { describe, expect, it } from 'vitest';
import {
  assembleSharedAnnotations,
  assembleSharedCode,
  assembleSharedDebug,
  section,
} from '../../../../tooling/oracles/android/src/class.js';
import {
  adler32,
  assembleDex,
  repeat,
  u2,
  u4,
  uleb128,
} from '../../../../tooling/oracles/android/src/dex.js';
import {
  assembleSharedMap,
  chunk,
  pool,
} from '../../../../tooling/oracles/android/src/resources.js';

const COUNT = 400;
const NONE = 0xffff_ffff;

type Read = (file: Buffer, options: DexOptions & ResourceOptions) => unknown;

/** Returns the errors of a file: the strict one, and in lenient mode the skipped and the thrown ones. */
function refuse(read: Read, file: Buffer): { strict: string; told: string[]; thrown?: string } {
  const messageOf = (action: () => unknown): string | undefined => {
    try {
      action();
      return undefined;
    } catch (error) {
      const { reason, message } = error as Error & { reason: string };
      return `${reason}: ${message}`;
    }
  };
  const told: string[] = [];
  const lenient = ({ reason, message }: Error & { reason: string }): void =>
    void told.push(`${reason}: ${message}`);
  const strict = messageOf(() => read(file, {})) as string;
  const thrown = messageOf(() => read(file, { lenient }));
  return { strict, told, ...(thrown === undefined ? {} : { thrown }) };
}

const readAllDex: Read = (file, options) => [...readDex(file, options).uses()];
const readAllResources: Read = (file, options) => [...readResources(file, options).uses()];

describe('a DEX file', () => {
  it('with all strings in one place', () => {
    const text = [...uleb128(COUNT), ...Buffer.alloc(COUNT, 0x61), 0];
    const file = assembleDex({ strings: 4 * COUNT }, (start) => ({
      strings: section(COUNT, repeat(u4(start), COUNT)),
      data: Buffer.from(text),
    }));
    expect(refuse(readAllDex, file)).toMatchInlineSnapshot(`
      {
        "strict": "overlap: Malformed DEX file at byte 132: the string 1 shares bytes with others.",
        "thrown": "overlap: Malformed DEX file at byte 152: the string 6 shares bytes with others.",
        "told": [
          "overlap: Malformed DEX file at byte 132: the string 1 shares bytes with others.",
          "overlap: Malformed DEX file at byte 136: the string 2 shares bytes with others.",
          "overlap: Malformed DEX file at byte 140: the string 3 shares bytes with others.",
          "overlap: Malformed DEX file at byte 144: the string 4 shares bytes with others.",
          "overlap: Malformed DEX file at byte 148: the string 5 shares bytes with others.",
        ],
      }
    `);
  });

  it('with strings that only just share no bytes is read', () => {
    // Only the header and the map remain.
    const file = assembleDex({ strings: 8 }, (start) => ({
      strings: section(2, Buffer.from(u4(start, start))),
      data: Buffer.from([...uleb128(40), ...Buffer.alloc(40, 0x61), 0]),
    }));
    expect([...readDex(file).strings]).toHaveLength(2);
  });

  it('with methods that share code', () => {
    const file = assembleSharedCode(COUNT);
    expect(refuse(readAllDex, file)).toMatchInlineSnapshot(`
      {
        "strict": "overlap: Malformed DEX file at byte 228: items share others so often that reading them takes too long, in text()La; of the class a.",
        "told": [
          "overlap: Malformed DEX file at byte 228: items share others so often that reading them takes too long, in text()La; of the class a.",
          "overlap: Malformed DEX file at byte 2617: items share others so often that reading them takes too long, in the class a.",
        ],
      }
    `);
    // The part that was read before the error is available.
    expect([...readDex(file, { lenient: () => {} }).uses()].length).toBeGreaterThan(COUNT);
  });

  it('with methods that share debug information', () => {
    const file = assembleSharedDebug(COUNT);
    expect(refuse(readAllDex, file)).toMatchInlineSnapshot(`
      {
        "strict": "overlap: Malformed DEX file at byte 312: items share others so often that reading them takes too long, in text()La; of the class a.",
        "told": [
          "overlap: Malformed DEX file at byte 783: items share others so often that reading them takes too long, in text()La; of the class a.",
          "overlap: Malformed DEX file at byte 2236: items share others so often that reading them takes too long, in the class a.",
        ],
      }
    `);
  });

  it('with members that share annotations', () => {
    const file = assembleSharedAnnotations(COUNT);
    expect(refuse(readAllDex, file)).toMatchInlineSnapshot(`
      {
        "strict": "overlap: Malformed DEX file at byte 5032: items share others so often that reading them takes too long, in text()La; of the class a.",
        "told": [
          "overlap: Malformed DEX file at byte 5036: items share others so often that reading them takes too long, in text()La; of the class a.",
        ],
      }
    `);
  });
});

/** A container: headers one after another, whose fields are given, and what follows them. */
function assembleContainer(
  headers: number,
  fields: Readonly<Record<number, number>>,
  rest: Uint8Array,
  own: readonly Readonly<Record<number, number>>[] = [],
): Buffer {
  const size = headers * 0x78 + rest.length;
  const file = Buffer.concat([Buffer.alloc(headers * 0x78), rest]);
  for (let i = 0; i < headers; i++) {
    const start = i * 0x78;
    const end = i === headers - 1 ? size : start + 0x78;
    file.write('dex\n041\0', start, 'latin1');
    for (const [at, value] of Object.entries({
      32: end - start,
      36: 0x78,
      40: 0x1234_5678,
      112: size,
      116: start,
      ...fields,
      ...own[i],
    })) {
      file.writeUInt32LE(value, start + Number(at));
    }
    file.writeUInt32LE(adler32(file.subarray(start + 12, end)), start + 8);
  }
  return file;
}

describe('a container', () => {
  const map = u4(1, 0, 1, 0);
  /** After so many headers a map, an offset of a string, the string, an offset of a type. */
  const assembleParts = (
    headers: number,
    fields: Readonly<Record<number, number>> = {},
  ): Buffer => {
    const at = headers * 0x78;
    const ids = { 52: at, 56: 1, 60: at + 16, 64: 1, 68: at + 24 };
    const rest = Buffer.from([...map, ...u4(at + 20), 2, 0x48, 0x69, 0, ...u4(0)]);
    return assembleContainer(headers, { ...ids, ...fields }, rest);
  };

  it('has the strings that its parts share once, and the uses of each', () => {
    for (const headers of [1, 2, 5]) {
      const dex = readDex(assembleParts(headers));
      expect(dex.version).toBe(41);
      expect(Array.from(dex.strings, ({ string, kinds }) => [string, kinds])).toEqual([
        ['Hi', ['descriptor']],
      ]);
      expect(Array.from(dex.uses(), ({ kind, offset }) => [kind, offset])).toEqual(
        new Array(headers).fill(['descriptor', headers * 0x78 + 24]),
      );
    }
  });

  it('has the strings of parts that have their own one after another', () => {
    const at = 2 * 0x78;
    const texts = [2, 0x48, 0x69, 0, 2, 0x48, 0x6f, 0];
    const rest = Buffer.from([...map, ...u4(at + 28, at + 32, 0), ...texts]);
    const ids = { 52: at, 64: 1, 68: at + 24 };
    const listStrings = (...own: Record<number, number>[]): string[] => {
      const file = readDex(assembleContainer(2, ids, rest, own));
      const uses = Array.from(file.uses(), ({ string }) => string.string);
      return [...Array.from(file.strings, ({ string }) => string), '/', ...uses];
    };
    const [first, second] = [at + 16, at + 20].map((offset) => ({ 56: 1, 60: offset }));
    expect(listStrings(first ?? {}, second ?? {})).toEqual(['Hi', 'Ho', '/', 'Hi', 'Ho']);
    expect(listStrings(second ?? {}, second ?? {})).toEqual(['Ho', '/', 'Ho', 'Ho']);
  });

  it.each<[string, Record<number, number>, string]>([
    ['where its header is', { 116: 0 }, 'the header is not at the offset that it states.'],
    ['how long its header is', { 36: 0x70 }, 'the header does not state its length, 120 bytes.'],
    ['how long each part is', { 32: 0x77 }, 'the header states a file size of 119 bytes.'],
  ])('must say %s', (_, fields, message) => {
    expect(refuse(readAllDex, assembleParts(2, fields)).strict).toMatch(
      new RegExp(`^invalid-value: Malformed DEX file at byte \\d+: ${message}$`),
    );
  });

  it('that ends before it says', () => {
    const file = assembleParts(2, { 112: 2 * 0x78 + 29 });
    expect(refuse(readAllDex, file)).toMatchInlineSnapshot(`
      {
        "strict": "truncated: Malformed DEX file at byte 112: the container ends early.",
        "told": [
          "truncated: Malformed DEX file at byte 112: the container ends early.",
          "truncated: Malformed DEX file at byte 232: the container ends early.",
        ],
      }
    `);
    expect(refuse(readAllDex, assembleParts(2).subarray(0, 0x100 - 20))).toMatchInlineSnapshot(`
      {
        "strict": "truncated: Malformed DEX file at byte 112: the container ends early.",
        "thrown": "truncated: Malformed DEX file at byte 236: the header at byte 120 has 120 bytes.",
        "told": [
          "truncated: Malformed DEX file at byte 112: the container ends early.",
          "truncated: Malformed DEX file at byte 52: there is no map at byte 240.",
          "truncated: Malformed DEX file at byte 56: the 1 strings at byte 256 exceed the file.",
          "truncated: Malformed DEX file at byte 64: the 1 types at byte 264 exceed the file.",
        ],
      }
    `);
    expect(refuse(readAllDex, assembleParts(1).subarray(0, 0x77))).toMatchInlineSnapshot(`
      {
        "strict": "truncated: Malformed DEX file at byte 119: the header at byte 0 has 120 bytes.",
        "thrown": "truncated: Malformed DEX file at byte 119: the header at byte 0 has 120 bytes.",
        "told": [],
      }
    `);
  });

  it('whose headers share a map', () => {
    const items = 1000;
    const rest = Buffer.concat([Buffer.from(u4(items)), Buffer.alloc(12 * items)]);
    const file = assembleContainer(100, { 52: 100 * 0x78 }, rest);
    expect(refuse(readAllDex, file)).toMatchInlineSnapshot(`
      {
        "strict": "overlap: Malformed DEX file at byte 12000: headers share a map too often.",
        "thrown": "overlap: Malformed DEX file at byte 12000: headers share a map too often.",
        "told": [],
      }
    `);
  });

  it('whose parts share a section', () => {
    const types = 1000;
    const at = 100 * 0x78;
    const rest = Buffer.concat([
      Buffer.from([...map, ...u4(at + 20), 2, 0x48, 0x69, 0]),
      Buffer.alloc(4 * types),
    ]);
    const ids = { 52: at, 56: 1, 60: at + 16, 64: types, 68: at + 24 };
    expect(refuse(readAllDex, assembleContainer(100, ids, rest))).toMatchInlineSnapshot(`
      {
        "strict": "overlap: Malformed DEX file at byte 12024: parts share sections so often that reading them takes too long.",
        "told": [],
      }
    `);
  });
});

describe('resources', () => {
  const text = pool(1, 0, Buffer.from([1, 1, 0x61, 0]));

  it('with all strings in one place', () => {
    const data = Buffer.concat([
      Buffer.from([0x81, 0xfe, 0x81, 0xfe]),
      Buffer.alloc(0x1fe, 0x61),
      Buffer.alloc(2),
    ]);
    const xml = chunk(0x08_0003, [], pool(COUNT, 0, data));
    expect(refuse(readAllResources, xml)).toMatchInlineSnapshot(`
      {
        "strict": "overlap: Malformed resources at byte 612: strings share bytes too often.",
        "thrown": "overlap: Malformed resources at byte 612: strings share bytes too often.",
        "told": [],
      }
    `);
  });

  it('with styles that share tags', () => {
    const tags = Buffer.concat([repeat(u4(0, 0, 0), COUNT), Buffer.from(u4(NONE))]);
    const start = 28 + 4 + 4 * COUNT;
    const styled = Buffer.concat([
      Buffer.from(u4(0x1c_0001, start + 4 + tags.length, 1, COUNT, 256, start, start + 4)),
      Buffer.from(u4(0)),
      repeat(u4(0), COUNT),
      Buffer.from([1, 1, 0x61, 0]),
      tags,
    ]);
    expect(refuse(readAllResources, chunk(0x08_0003, [], styled))).toMatchInlineSnapshot(`
      {
        "strict": "overlap: Malformed resources at byte 112: styles share bytes too often.",
        "told": [
          "overlap: Malformed resources at byte 112: styles share bytes too often.",
        ],
      }
    `);
  });

  it('with entries that share a map', () => {
    const table = assembleSharedMap(COUNT, COUNT);
    expect(refuse(readAllResources, table)).toMatchInlineSnapshot(`
      {
        "strict": "overlap: Malformed resources at byte 3396: items share others so often that reading them takes too long.",
        "told": [
          "overlap: Malformed resources at byte 3396: items share others so often that reading them takes too long.",
        ],
      }
    `);
  });

  it('with attributes that share bytes', () => {
    const attribute = [...u4(NONE, 0, 0), ...u2(0x800, 0x0300), ...u4(0)];
    const element = chunk(
      0x10_0102,
      u4(1, NONE),
      Buffer.from([...u4(NONE, 0), ...u2(20, 20, 100, 0, 0, 0), ...repeat(attribute, 205)]),
    );
    const xml = chunk(0x08_0003, [], Buffer.concat([text, repeat([...element], 10)]));
    expect(refuse(readAllResources, xml)).toMatchInlineSnapshot(`
      {
        "strict": "overlap: Malformed resources at byte 4450: items share others so often that reading them takes too long.",
        "told": [
          "unusual: Malformed resources at byte 2080: a chunk has 2100 bytes after its content.",
          "unusual: Malformed resources at byte 6216: a chunk has 2100 bytes after its content.",
          "overlap: Malformed resources at byte 4450: items share others so often that reading them takes too long.",
        ],
      }
    `);
  });
});
