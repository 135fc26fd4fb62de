/** Entries whose headers lie: in lenient mode each claim is tried, and the checksum decides. */
import { deflateRawSync } from 'node:zlib';
import { type JarError, type JarSkip, readEntries } from '@utf8/classfile/jar';
import { describe, expect, it } from 'vitest';
import { readRecorded } from './android/recorded.js';
import { useFolder } from './folder.js';
import { classOf, type Item, zip } from './zip.js';

const file = useFolder();

async function list(items: readonly Item[], isLenient = true) {
  const errors: JarError[] = [];
  const tricks: JarError[] = [];
  const skips: JarSkip[] = [];
  const found: [path: string, bytes: Buffer][] = [];
  const lenient = isLenient ? (error: JarError) => tricks.push(error) : undefined;
  const onError = (error: JarError) => errors.push(error);
  const onSkip = (skip: JarSkip) => skips.push(skip);
  const path = file('claims.apk', zip(items));
  for await (const { path: entry, bytes } of readEntries(path, { lenient, onError, onSkip })) {
    found.push([entry, Buffer.from(bytes)]);
  }
  const reasonsOf = (list: readonly { reason: string }[]) => list.map(({ reason }) => reason);
  return {
    found,
    errors: reasonsOf(errors),
    tricks: reasonsOf(tricks),
    skips: reasonsOf(skips),
  };
}

const bytes = classOf(Buffer.from(Array.from({ length: 392 }, (_, i) => (i * i * 31) >> 3)));
const compressed = deflateRawSync(bytes);
const manifest = readRecorded('manifest.axml');
const HUGE = 4_294_967_280;
const tooLarge = { compressed: compressed.length + 9 };
const before: Item = { name: 'Before.class', bytes: classOf('before') };
const after: Item = { name: 'After.class', bytes: classOf('after'), method: 0 };

describe.each([0, 8])('an entry by method %d', (method) => {
  const encrypted: Item = {
    name: 'AndroidManifest.xml',
    bytes: manifest,
    method,
    claims: { flags: 1 },
  };

  it('that is marked as encrypted is read if it is not', async () => {
    expect(await list([before, encrypted, after])).toEqual({
      found: [
        ['Before.class', before.bytes],
        ['AndroidManifest.xml', manifest],
        ['After.class', after.bytes],
      ],
      errors: [],
      tricks: ['encrypted'],
      skips: [],
    });
    const strict = await list([before, encrypted, after], false);
    expect([strict.found.length, strict.errors, strict.skips]).toEqual([2, [], ['encrypted']]);
  });

  it('that is marked as encrypted and of no known form is a trick if it is not', async () => {
    const other: Item = { name: 'a.png', bytes: Buffer.alloc(99, 7), method, claims: { flags: 1 } };
    const { found, tricks, skips } = await list([other, after]);
    expect([found.length, tricks, skips]).toEqual([1, ['encrypted'], []]);
  });

  it('that is encrypted is reported', async () => {
    // What begins like a manifest, and what does not.
    for (const data of [
      Buffer.alloc(200, 0xa5),
      Buffer.concat([manifest.subarray(0, 64), bytes]),
    ]) {
      const items: Item[] = [{ ...encrypted, data }, after];
      const { found, errors, tricks, skips } = await list(items);
      expect([found.length, tricks]).toEqual([1, []]);
      expect([...errors, ...skips]).toEqual(['encrypted']);
    }
  });

  it.each([
    ['size', { size: HUGE }],
    ['compressed size', { compressed: HUGE }],
    ['size, twice', { size: HUGE, compressed: HUGE }],
    ['size of zero', { size: 0 }],
    ['compressed size that is too small', { compressed: 17 }],
    ['compressed size that is too large', tooLarge],
  ])('that claims another %s is read', async (_, claims) => {
    const item: Item = { name: 'A.class', bytes, method, claims };
    const { found, errors, tricks } = await list([before, item, after]);
    expect(errors).toEqual([]);
    expect(found.map(([path]) => path)).toEqual(['Before.class', 'A.class', 'After.class']);
    if (method === 8 || !('compressed' in claims) || claims.compressed !== 17)
      expect(found[1]?.[1]).toEqual(bytes);
    // Bytes after the end of a stream do not matter.
    if (method === 0 || claims !== tooLarge) expect(tricks).toContain('size');
  });

  it.each([1, 9, 8 - method, 0xffff])('that claims the method %d is read', async (other) => {
    const item: Item = { name: 'A.class', bytes, method, claims: { method: other } };
    const { found, errors, tricks } = await list([before, item, after]);
    expect(errors).toEqual([]);
    expect(found[1]).toEqual(['A.class', bytes]);
    expect(tricks).toContain('method');
    const named: Item = { ...item, name: 'AndroidManifest.xml', bytes: manifest };
    expect((await list([named])).found).toEqual([['AndroidManifest.xml', manifest]]);
  });

  it('that is an archive and claims to be larger than the file is read', async () => {
    const inner = zip([after]);
    for (const claims of [{ size: HUGE, compressed: HUGE }, { flags: 1 }]) {
      const { found, errors } = await list([
        { name: 'a.jar', bytes: inner, method, claims },
        before,
      ]);
      expect(errors).toEqual([]);
      expect(found.map(([path]) => path)).toEqual(['a.jar!/After.class', 'Before.class']);
    }
  });
});

it('entries that claim the rest of the file cost no more than the file may inflate to', async () => {
  // Noise, so that each stream would go on to the end of the archive.
  const data = Buffer.concat([Buffer.of(0, 0xff, 0xff, 0, 0), Buffer.alloc(65_535, 1)]);
  const many = Array.from({ length: 200 }, (_, i) => ({
    name: `${i}.class`,
    bytes,
    data: data.subarray(0, 40),
    claims: { compressed: HUGE },
  }));
  const { found, errors } = await list([...many, { ...after, bytes: classOf(data) }]);
  expect(errors.length).toBeGreaterThan(100);
  expect(found.at(-1)?.[0]).toBe('After.class');
});
