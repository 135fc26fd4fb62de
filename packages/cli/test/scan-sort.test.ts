import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BloomFilter } from '../src/scan/bloom.js';
import { Collisions } from '../src/scan/collisions.js';
import { hash } from '../src/scan/hash.js';
import { findPrefixes } from '../src/scan/prefix.js';
import { Sorter } from '../src/scan/sorter.js';
import { unspell } from '../src/scan/unspell.js';
import { createRandom } from './planted.js';

const seed = Date.now() | 0;

describe('Sorter', () => {
  it.each([[100], [2000], [1 << 20]])(
    `sorts through files with %i bytes of memory (seed ${seed})`,
    (memory) => {
      const random = createRandom(seed);
      const items = Array.from({ length: 20_000 }, () => Buffer.alloc(random(9), random(256)));
      const sorter = new Sorter((one, other) => one.compare(other), memory);
      for (const item of items) sorter.add(item);
      const sorted = Array.from(sorter.read(), (item) => item.toString('hex'));
      sorter.remove();
      expect(sorted).toEqual(
        items.sort((a, b) => a.compare(b)).map((item) => item.toString('hex')),
      );
    },
  );
});

describe('Collisions', () => {
  it(`finds what a map finds (seed ${seed})`, () => {
    const record = fc.record({ key: fc.nat(8), spelling: fc.nat(2) });
    fc.assert(
      fc.property(
        fc.array(record, { maxLength: 30 }),
        fc.constantFrom(200, 1 << 20),
        (records, memory) => {
          const collisions = new Collisions(memory);
          // Spelling 0 is that which all become.
          const keyed = records.map(({ key, spelling }, i) => ({
            before: Buffer.from(`${key}.${spelling}`),
            after: Buffer.from(`${key}.0`),
            isChanged: spelling > 0,
            describe: () => ({
              file: '',
              record: i,
              line: i,
              column: 1,
              offset: i,
              becomes: {},
              key: {},
            }),
          }));
          for (const { after, isChanged } of keyed) if (isChanged) collisions.announce(after);
          for (const each of keyed) collisions.add(each);
          const found = Array.from(collisions.find(), ({ record, other }) => [
            record,
            other.record,
          ]);
          collisions.remove();
          const expected = keyed.flatMap(({ before, after, isChanged }, i) => {
            const alike = keyed
              .map((each, j) => ({ ...each, j }))
              .filter((each) => each.after.equals(after));
            const holder = alike.find((each) => !each.isChanged) ?? alike[0];
            return isChanged && holder && !holder.before.equals(before) ? [[i, holder.j]] : [];
          });
          expect(found.sort()).toEqual(expected.sort());
        },
      ),
      { seed, numRuns: 300 },
    );
  });
});

describe('BloomFilter', () => {
  it('has all that is in it, and little else', () => {
    const filter = new BloomFilter();
    const hashes = Array.from({ length: 400_000 }, (_, i) => hash(Buffer.from(`key ${i}`)));
    for (const each of hashes.slice(0, 200_000)) filter.add(each);
    expect(hashes.slice(0, 200_000).every((each) => filter.has(each))).toBe(true);
    expect(hashes.slice(200_000).filter((each) => filter.has(each)).length).toBeLessThan(20);
  });
});

describe('hash', () => {
  it('tells keys apart that differ in one byte or in their order', () => {
    const keys = Array.from({ length: 300_000 }, (_, i) => `k${String(i).padStart(8, '0')}`);
    const seen = new Set(keys.map((key) => Object.values(hash(Buffer.from(key))).join()));
    expect(seen.size).toBe(keys.length);
    for (const half of ['high', 'low'] as const) {
      const some = new Set(keys.map((key) => hash(Buffer.from(key))[half]));
      // By the birthday paradox some 10 of so many meet in 32 bits.
      expect(some.size).toBeGreaterThan(keys.length - 60);
    }
  });
});

describe('unspell', () => {
  it.each([
    ['a\\n\\"\\\\\\/', 'json', undefined, 'a\n"\\/'],
    ['\\u0041\\u00e9\\ud83d\\ude00', 'json', undefined, 'Aé😀'],
    ['\\t\\v\\101\\x41\\x4g\\.', 'postgres', undefined, '\t\vAA\u0004g.'],
    ["\\0\\Z\\%\\'", 'mysql', undefined, "\0\u001a%'"],
    ["it''s", undefined, 0x27, "it's"],
    ['a""b', undefined, 0x22, 'a"b'],
    ['a""b\\n', undefined, undefined, 'a""b\\n'],
    ['\\', 'json', undefined, '\\'],
  ] as const)('%s', (text, escapes, quote, value) => {
    expect(Buffer.from(unspell(Buffer.from(text), escapes, quote)).toString()).toBe(value);
  });

  it('keeps half of a pair', () => {
    const value = unspell(Buffer.from('\\ud83d!'), 'json', undefined);
    expect(Buffer.from(value).toString('hex')).toBe('eda0bd21');
  });
});

describe('findPrefixes', () => {
  it('finds each, one within the other as well', () => {
    expect(findPrefixes(Buffer.from('s:12:"s:3:\\"a\\\\b\\";"; s:2:"abc"'))).toEqual([
      { text: 's:12:', fits: false },
      { text: 's:3:', fits: true },
      { text: 's:2:', fits: false },
    ]);
  });
});
