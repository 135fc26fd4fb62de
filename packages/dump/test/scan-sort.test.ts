import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { scale, seed, tier } from '../../../tooling/tiers/tier.js';
import { BloomFilter, hash } from '../src/scan/bloom.js';
import { Collisions, packCandidate } from '../src/scan/collisions.js';
import { Sorter } from '../src/scan/sorter.js';
import { createRandom } from './random-dump.js';

const folder = mkdtempSync(join(tmpdir(), 'scan-sort-'));
const { TMPDIR } = process.env;

beforeAll(() => {
  process.env.TMPDIR = folder;
});

afterAll(() => {
  if (TMPDIR === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = TMPDIR;
  rmSync(folder, { recursive: true });
});

describe('Sorter', () => {
  it.each([[100], [2000], [1 << 20]])('sorts by way of files with %i bytes of memory', (memory) => {
    const random = createRandom(seed);
    const items = Array.from({ length: 2000 }, () =>
      Buffer.from(Array.from({ length: 4 + random(6) }, () => random(256))),
    );
    const sorter = new Sorter(memory);
    for (const item of items) sorter.add(item);
    if (memory < 1 << 20) expect(readdirSync(folder)).toHaveLength(1);
    const sorted = Array.from(sorter.read(), (item) => item.toString('hex'));
    sorter.remove();
    expect(sorted).toEqual(items.sort((a, b) => a.compare(b)).map((item) => item.toString('hex')));
    expect(readdirSync(folder)).toEqual([]);
  });

  it('sorts items that are longer than a block of a file', () => {
    const items = [3, 1, 2].map((byte) => Buffer.alloc(200_000, byte));
    const sorter = new Sorter(1);
    for (const item of items) sorter.add(item);
    expect(Array.from(sorter.read(), (item) => [item.length, item[0]])).toEqual([
      [200_000, 1],
      [200_000, 2],
      [200_000, 3],
    ]);
    sorter.remove();
  });

  it('fails with an OutputError if there is no temporary folder', () => {
    process.env.TMPDIR = join(folder, 'none');
    try {
      const sorter = new Sorter(1);
      expect(() => sorter.add(Buffer.from('item'))).toThrow(
        expect.objectContaining({ code: 'ERR_UTF8_OUTPUT' }),
      );
      expect(existsSync(join(folder, 'none'))).toBe(false);
    } finally {
      process.env.TMPDIR = folder;
    }
  });
});

describe('Collisions', () => {
  it('finds what a map finds', () => {
    const record = fc.record({ key: fc.nat(8), spelling: fc.nat(2) });
    fc.assert(
      fc.property(
        fc.array(record, { maxLength: 30 }),
        fc.constantFrom(200, 1 << 20),
        (records, memory) => {
          const collisions = new Collisions(memory);
          // All spellings become spelling 0.
          const keyed = records.map(({ key, spelling }) => ({
            before: Buffer.from(`${key}.${spelling}`),
            after: Buffer.from(`${key}.0`),
            isChanged: spelling > 0,
          }));
          for (const { after, isChanged } of keyed) {
            if (isChanged) collisions.announce(hash(after));
          }
          for (const [i, { before, after }] of keyed.entries()) {
            const place = { file: '', record: i, line: i, column: 1, offset: i, key: {} };
            collisions.add(packCandidate(before, after, { ...place, becomes: {} }));
          }
          const found = Array.from(collisions.find(), (finding) => [
            finding.record,
            finding.kind === 'equal-keys' && finding.other.record,
          ]);
          collisions.remove();
          const expected = keyed.flatMap(({ before, after, isChanged }, i) => {
            const alike = keyed
              .map((each, j) => ({ ...each, j }))
              .filter((each) => each.after.equals(after));
            const first = alike.find((each) => !each.isChanged) ?? alike[0];
            return isChanged && first && !first.before.equals(before) ? [[i, first.j]] : [];
          });
          expect(found.sort()).toEqual(expected.sort());
        },
      ),
      { seed, numRuns: scale(300) },
    );
  });
});

describe('BloomFilter', () => {
  const members = tier === 'test' ? 20_000 : 200_000;
  const hashes = Array.from({ length: 2 * members }, (_, i) => hash(Buffer.from(`key ${i}`)));
  const filter = new BloomFilter();
  for (const each of hashes.slice(0, members)) filter.add(each);

  it('passes all members, and few others', () => {
    expect(hashes.slice(0, members).every((each) => filter.has(each))).toBe(true);
    expect(hashes.slice(members).filter((each) => filter.has(each)).length).toBeLessThan(
      members / 10_000,
    );
  });

  it('is the same over the same memory', () => {
    const shared = new BloomFilter(filter.memory);
    expect(hashes.every((each) => shared.has(each) === filter.has(each))).toBe(true);
  });
});

describe('hash', () => {
  it('tells keys apart that differ in one byte or in their order', () => {
    const count = tier === 'test' ? 30_000 : 300_000;
    const keys = Array.from({ length: count }, (_, i) => `k${String(i).padStart(8, '0')}`);
    const hashes = keys.map((key) => hash(Buffer.from(key)));
    expect(new Set(hashes).size).toBe(keys.length);
    // By the birthday paradox some 10 of 300,000 meet in 32 bits.
    for (const reduce of [
      (bits: number) => Math.floor(bits / 2 ** 20),
      (bits: number) => bits % 2 ** 32,
    ]) {
      expect(new Set(hashes.map(reduce)).size).toBeGreaterThan(count - count / 5000);
    }
  });
});
