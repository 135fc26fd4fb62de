/** Archives with errors that lenient mode reports and reads despite them. */
import { crc32, deflateRawSync } from 'node:zlib';
import { type JarError, type JarOptions, type JarSkip, readJar } from '@utf8/classfile/jar';
import { describe, expect, it, vi } from 'vitest';
import { choose, scale } from '../../../tooling/tiers/tier.js';
import { inflate } from '../src/jar/inflate.js';
import { FileRegion } from '../src/jar/region.js';
import { dissect } from './dissect.js';
import { useFolder } from './folder.js';
import { readAll } from './reading.js';
import { classOf, type Item, zip } from './zip.js';

vi.mock('../src/jar/inflate.js', { spy: true });

const file = useFolder();

/** Reads an archive leniently, and returns its classes, the reported errors and the entries that failed. */
async function readLeniently(path: string, options: JarOptions = {}) {
  const told: JarError[] = [];
  const errors: JarError[] = [];
  const classes: [string, Uint8Array][] = [];
  const onError = (error: JarError) => errors.push(error);
  const lenient = (error: JarError) => told.push(error);
  for await (const { path: name, bytes } of readJar(path, { onError, lenient, ...options })) {
    classes.push([name, bytes]);
  }
  return { told, errors, classes, paths: classes.map(([name]) => name) };
}

const good: Item = { name: 'Good.class', bytes: classOf('good') };
const last: Item = { ...good, name: 'Last.class' };
const bytes = classOf('a class, a class.');

describe('an entry is read in spite of', () => {
  it.each<[string, Item, string]>([
    ['a wrong checksum', { name: 'B.class', bytes, claims: { crc: 1 } }, 'checksum'],
    [
      'a wrong checksum, stored',
      { name: 'B.class', bytes, method: 0, claims: { crc: 1 } },
      'checksum',
    ],
    ['a size too small', { name: 'B.class', bytes, claims: { size: 3 } }, 'size'],
    ['no size', { name: 'B.class', bytes, claims: { size: 0 } }, 'size'],
    ['a size too large', { name: 'B.class', bytes, claims: { size: 300 } }, 'size'],
    ['a size that cannot be', { name: 'B.class', bytes, claims: { size: 0xfffffff0 } }, 'size'],
    ['too few compressed bytes', { name: 'B.class', bytes, claims: { compressed: 5 } }, 'size'],
    ['no compressed bytes', { name: 'B.class', bytes, claims: { compressed: 0 } }, 'size'],
    ['two sizes, stored', { name: 'B.class', bytes, method: 0, claims: { size: 9 } }, 'size'],
  ])('%s', async (name, item, reason) => {
    for (const nested of [false, true]) {
      const archive = zip([good, item, last]);
      const whole = nested ? zip([{ name: 'n.jar', bytes: archive }]) : archive;
      const path = file(`${name}.jar`, whole);
      const { told, errors, classes } = await readLeniently(path);
      const prefix = nested ? 'n.jar!/' : '';
      expect(errors).toEqual([]);
      expect(classes.map(([name]) => name)).toEqual(
        ['Good.class', 'B.class', 'Last.class'].map((name) => prefix + name),
      );
      expect(classes[1]?.[1]).toEqual(new Uint8Array(bytes));
      expect(told.map(({ reason, path }) => [reason, path])).toEqual([
        [reason, `${prefix}B.class`],
      ]);
      // It is the error that ends the reading, or costs the entry, without.
      const strict = await readAll(path);
      expect(strict.classes.size).toBe(2);
    }
  });

  it('compressed bytes that are too few to tell what it is', async () => {
    const items = [{ name: 'B.classdata', bytes, claims: { compressed: 1 } }, last];
    const path = file('few.jar', zip(items));
    const skipped: string[] = [];
    const onSkip = ({ path, reason }: JarSkip) => skipped.push(`${path} ${reason}`);
    const { paths } = await readLeniently(path, { onSkip });
    expect([paths, skipped]).toEqual([['B.classdata', 'Last.class'], []]);
    const strict: string[] = [];
    for await (const each of readJar(path, { onSkip })) strict.push(each.path);
    expect([strict, skipped]).toEqual([['Last.class'], ['B.classdata unreadable']]);
  });

  it('but no more than the limits allow, where entries share a stream and claim next to none of it', async () => {
    const stream = deflateRawSync(Buffer.concat([classOf(), Buffer.alloc(60 << 20)]));
    const claims = { compressed: 1, size: 60 << 20 };
    const items: Item[] = Array.from({ length: 2000 }, (_, i) => ({
      name: 'A.class',
      bytes,
      data: i === 1999 ? stream : Buffer.from('\x02'),
      claims: { ...claims, offset: 0 },
    }));
    const whole = zip([{ name: 'A.class', bytes, data: stream, claims }, ...items]);
    vi.mocked(inflate).mockClear();
    const { reason } = await readLeniently(file('shared.jar', whole), {
      maxJarBytes: 64 << 20,
    }).catch((error) => error);
    expect(reason).toBe('bomb');
    expect(vi.mocked(inflate).mock.calls.length).toBeLessThan(20);
  });

  it('sizes that cannot be, however many', async () => {
    const items = Array.from({ length: 50 }, (_, i) => ({
      name: `${i}.class`,
      bytes,
      claims: { size: 0xfffffff0 - i },
    }));
    const { errors, told, classes } = await readLeniently(file('sizes.jar', zip(items)));
    expect([errors.length, told.length, classes.length]).toEqual([0, 50, 50]);
  });

  it('but not of what cannot be known or inflated, nor above a limit', async () => {
    const items: Item[] = [
      good,
      { name: 'Encrypted.class', bytes, data: Buffer.alloc(30, 7), claims: { flags: 1 } },
      { name: 'Method.class', bytes, data: Buffer.alloc(30, 7), claims: { method: 99 } },
      { name: 'Data.class', bytes, data: Buffer.from('no deflate stream') },
      { name: 'Large.class', bytes: classOf(Buffer.alloc(2000)), claims: { size: 10 } },
      last,
    ];
    const { errors, told, paths } = await readLeniently(file('still.jar', zip(items)), {
      maxClassBytes: 1000,
    });
    expect(errors.map(({ reason, path }) => [reason, path])).toEqual([
      ['encrypted', 'Encrypted.class'],
      ['method', 'Method.class'],
      ['data', 'Data.class'],
      ['too-large', 'Large.class'],
    ]);
    expect([told, paths]).toEqual([[], ['Good.class', 'Last.class']]);
  });
});

describe('a directory is read in spite of', () => {
  const three = [good, { name: 'B.class', bytes }, last];
  const all = ['Good.class', 'B.class', 'Last.class'];
  const whole = zip(three);
  const records = whole.indexOf('PK\x01\x02');

  it.each<[string, Buffer, string[]]>([
    ['a count too small', zip(three, { count: 1 }), ['directory']],
    ['a count too large', zip(three, { count: 9 }), ['directory']],
    ['a size too small', zip(three, { size: 1 }), ['directory']],
    ['a size too large', zip(three, { size: 1000 }), ['directory']],
    ['several disks', zip(three, { disk: 3 }), ['directory']],
    ['a comment that is longer', zip(three, { comment: Buffer.from('more') }), ['directory']],
    ['a place elsewhere', zip(three, { offset: 3 }), ['not-an-archive']],
    ['a place beyond the end', zip(three, { offset: 0xfffffff0 }), ['directory']],
    ['no end', whole.subarray(0, -22), ['not-an-archive']],
    ['half an end', whole.subarray(0, -5), ['not-an-archive']],
    ['nothing of it', whole.subarray(0, records), ['not-an-archive']],
    [
      'a record that is none',
      Buffer.concat([
        whole.subarray(0, records + 80),
        Buffer.alloc(8),
        whole.subarray(records + 88),
      ]),
      ['header'],
    ],
    [
      'extra fields that run over',
      zip([good, { name: 'B.class', bytes, claims: { extra: Buffer.from([1, 0, 9, 0]) } }, last]),
      ['directory'],
    ],
    [
      'an offset that is wrong',
      zip([good, { name: 'B.class', bytes, claims: { offset: 7 } }, last]),
      ['header'],
    ],
  ])('%s', async (name, archive, reasons) => {
    for (const [method, prefix] of [
      [undefined, ''],
      [0, 'n.jar!/'],
      [8, 'n.jar!/'],
    ] as const) {
      const nested =
        method === undefined ? archive : zip([{ name: 'n.jar', bytes: archive, method }]);
      const { told, errors, paths } = await readLeniently(file(`${name}.jar`, nested));
      expect(errors).toEqual([]);
      expect(paths.sort()).toEqual(all.map((name) => prefix + name).sort());
      expect(told.map(({ reason }) => reason)).toEqual(reasons);
    }
  });

  it('bytes before it, if it is empty', async () => {
    const path = file('empty.jar', Buffer.concat([Buffer.from('a\0'), zip([])]));
    expect(await readLeniently(path)).toEqual({ told: [], errors: [], classes: [], paths: [] });
  });

  it('nothing at all, if there are no entries either', async () => {
    for (const bytes of [
      Buffer.alloc(0),
      Buffer.from('text'),
      Buffer.alloc(100_000, 'PK\x03\x04'),
    ]) {
      const told: JarError[] = [];
      const reading = readAll(file('none.jar', bytes), { lenient: (error) => told.push(error) });
      await expect(reading).rejects.toMatchObject({ reason: 'not-an-archive' });
      expect(told).toEqual([]);
    }
  });
});

/** Entries of all kinds, those whose sizes come after them included. */
function describeItem(
  name: string,
  bytes: Buffer,
  isMarked: boolean,
  width: 4 | 8,
  method = 8,
): Item {
  const data = method === 8 ? deflateRawSync(bytes) : bytes;
  const values = [
    crc32(bytes),
    ...[data.length, bytes.length].flatMap((n) => (width === 8 ? [n, 0] : [n])),
  ];
  const descriptor = Buffer.alloc(4 * values.length);
  for (const [i, value] of values.entries()) descriptor.writeUInt32LE(value, 4 * i);
  const mark = Buffer.from(isMarked ? 'PK\x07\x08' : '', 'latin1');
  return {
    name,
    bytes,
    data,
    method,
    claims: { flags: 8, descriptor: Buffer.concat([mark, descriptor]) },
  };
}

describe('without its directory', () => {
  const inner = zip([{ name: 'In.class', bytes: classOf('in') }]);
  const whole = zip([
    good,
    describeItem('D1.class', classOf('d1'), true, 4),
    describeItem('D2.class', classOf('d2'), false, 4),
    { name: 'stored.jar', bytes: inner, method: 0 },
    describeItem('described.jar', inner, true, 4, 0),
    describeItem('D3.class', classOf('d3'), true, 8),
    { name: 'text.txt', bytes: Buffer.from('text PK\x03\x04 PK\x01\x02 PK\x07\x08'), method: 0 },
    describeItem('D4.class', classOf('d4'), false, 8),
    { name: 'Stored.class', bytes: classOf('stored'), method: 0 },
    { name: 'deflated.jar', bytes: inner },
    last,
  ]);

  it('an archive gives what it gives with it', async () => {
    const { classes, errors } = await readAll(file('with.jar', whole));
    expect(errors).toEqual([]);
    const cut = whole.subarray(0, whole.lastIndexOf('PK\x01\x02', whole.length) - 600);
    expect(cut.length).toBeGreaterThan(0);
    const start = dissect(whole).parts.at(-1);
    const end = (start?.start ?? 0) + (start?.data.length ?? 0);
    for (const bytes of [
      whole.subarray(0, end),
      Buffer.concat([Buffer.from('#!/bin/sh\n'), whole.subarray(0, end)]),
    ]) {
      const scanned = await readLeniently(file('without.jar', bytes));
      expect(scanned.errors).toEqual([]);
      expect(scanned.classes).toEqual([...classes]);
      expect(scanned.told.map(({ reason }) => reason)).toEqual(['not-an-archive']);
    }
  });

  it('an archive cut anywhere gives all classes before that place, and no other bytes', async () => {
    const { classes } = await readAll(file('with.jar', whole));
    const { parts } = dissect(whole);
    const ends = new Map(parts.map(({ name, start, data }) => [name, start + data.length]));
    const edges = [...ends.values()].flatMap((end) => [end - 1, end, end + 23, end + 24]);
    const lengths = choose([...whole.keys()], scale(250));
    for (const length of new Set([...edges, ...lengths])) {
      const path = file('cut.jar', whole.subarray(0, length));
      const { paths, classes: found } = await readLeniently(path).catch(() => ({
        paths: [],
        classes: [],
      }));
      expect(new Set(paths).size).toBe(paths.length);
      for (const [name, value] of found) {
        expect(
          Buffer.from(classes.get(name) as Uint8Array).equals(value),
          `${length} ${name}`,
        ).toBe(true);
      }
      for (const name of classes.keys()) {
        const [outer = ''] = name.split('!/');
        // The descriptor of an entry may be missing together with the entry.
        if ((ends.get(outer) as number) + 24 <= length) expect(paths, `${length}`).toContain(name);
      }
    }
  });

  it('takes reads in proportion to its size, though no entry has an end', async () => {
    // Headers of entries whose sizes come after them, and do not come.
    const count = 2000;
    const header = Buffer.alloc(31);
    header.writeUInt32LE(0x04034b50, 0);
    header.writeUInt16LE(20, 4);
    header.writeUInt16LE(8, 6);
    header.writeUInt16LE(8, 8);
    header.writeUInt16LE(1, 26);
    header.write('a', 30);
    const bytes = Buffer.concat(Array.from({ length: count }, () => header));
    const read = vi.spyOn(FileRegion.prototype, 'read');
    const { paths } = await readLeniently(file('headers.jar', bytes));
    expect(paths).toEqual([]);
    const lengths = read.mock.calls.map(([, length]) => length);
    read.mockRestore();
    expect(lengths.length).toBeLessThan(20 * count);
    expect(lengths.reduce((sum, length) => sum + length)).toBeLessThan(400 * bytes.length);
  });

  it('has nested archives to a depth, and bombs end', async () => {
    let bytes = zip([good]);
    for (let i = 0; i < 6; i++) bytes = zip([{ name: 'n.jar', bytes, method: 0 }]).subarray(0, -22);
    const { errors, told } = await readLeniently(file('deep.jar', bytes));
    expect(errors.map(({ reason }) => reason)).toEqual(['depth']);
    expect(told).toHaveLength(4);
    const item = (_: unknown, i: number) => ({
      name: `${i}.class`,
      bytes: classOf(Buffer.alloc(1 << 16)),
      claims: { size: 1 },
    });
    const bomb = zip(Array.from({ length: 100 }, item)).subarray(0, -22);
    const limits = { maxClassBytes: 1 << 20, maxJarBytes: 1 << 20, maxRatio: 2 };
    await expect(readLeniently(file('bomb.jar', bomb), limits)).rejects.toMatchObject({
      reason: 'bomb',
    });
  });
});
