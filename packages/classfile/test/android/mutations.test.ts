/** Files with one wrong number: in lenient mode, it costs the item that has it, and nothing else. */
import { writeFileSync } from 'node:fs';
import { readDex } from '@utf8/classfile/dex';
import { readEntries } from '@utf8/classfile/jar';
import { readResources } from '@utf8/classfile/resources';
import { expect, it } from 'vitest';
import { sign } from '../../../../tooling/oracles/android/src/dex.js';
import { Random } from '../../../../tooling/oracles/interop/src/random.js';
import { choose, isNight, scale, seed } from '../../../../tooling/tiers/tier.js';
import { useFolder } from '../folder.js';
import { classOf, zip } from '../zip.js';
import { type Found, listDexParts, listResourceParts, type Range } from './parts.js';
import { documents, readRecorded, tables } from './recorded.js';

const path = useFolder();

/** Numbers of mutations: 100,000 in all at night, some hundreds in `npm test`. */
const NIGHT = 100_000;
const COUNT = scale(2000);

interface Subject {
  readonly name: string;
  readonly file: Buffer;
  /** Lists what a file has. */
  readonly list: (file: Buffer, isLenient: boolean) => readonly Found[] | Promise<readonly Found[]>;
  /** Returns the bytes that something depends on. */
  readonly measure: (file: Buffer) => (found: Found) => readonly Range[];
  readonly finish?: (file: Buffer) => Buffer;
}

const lenient = (isLenient: boolean) =>
  isLenient ? ({ errors: 'replace', lenient: () => {} } as const) : {};

function listResources(file: Buffer, isLenient: boolean): Found[] {
  const read = readResources(file, lenient(isLenient));
  const strings = Array.from(read.strings, ({ pool, index, offset, bytes }) => ({
    key: `string ${offset}`,
    at: undefined,
    string: { pool, index, offset, length: bytes.length },
  }));
  const uses = Array.from(read.uses(), ({ offset, string, resource, xml, styled }) => {
    void [resource?.name, xml?.element, styled];
    const { pool, index } = string;
    const found = { pool, index, offset: string.offset, length: string.bytes.length };
    return { key: `use ${offset}`, at: offset, string: found };
  });
  return [...strings, ...uses];
}

function listDex(file: Buffer, isLenient: boolean): Found[] {
  const read = readDex(file, lenient(isLenient));
  const strings = Array.from(read.strings, ({ index, offset, bytes }) => ({
    key: `string ${index}`,
    at: undefined,
    string: { pool: 0, index, offset, length: bytes.length },
  }));
  const uses = Array.from(read.uses(), ({ offset, string, className, member, line }) => {
    void [className, member?.descriptor, line];
    const { index } = string;
    const found = { pool: 0, index, offset: string.offset, length: string.bytes.length };
    return { key: `use ${offset}`, at: offset, string: found };
  });
  return [...strings, ...uses];
}

const entries = Array.from({ length: 8 }, (_, i) => ({
  name: `x/Entry${i}.class`,
  bytes: classOf(`entry ${i} ${'0123456789'.repeat(i)}`),
  method: i % 2 === 0 ? 0 : 8,
}));

async function listJar(file: Buffer, isLenient: boolean): Promise<Found[]> {
  const name = path('mutated.jar');
  writeFileSync(name, file);
  const options = isLenient ? { lenient: () => {}, onError: () => {} } : {};
  const found: Found[] = [];
  for await (const { bytes } of readEntries(name, options)) {
    // A damaged name is another one.
    found.push({ key: Buffer.from(bytes).toString('hex'), at: undefined });
  }
  return found;
}

function measureJar(file: Buffer): (found: Found) => readonly Range[] {
  const ranges = entries.map(({ name, bytes }) => {
    const local = file.indexOf(name);
    const record = file.lastIndexOf(name);
    const next = file.indexOf('PK', local);
    return [
      bytes.toString('hex'),
      [
        [local - 30, next],
        [record - 46, record + name.length],
      ],
    ] as const;
  });
  const known = new Map<string, readonly Range[]>(ranges as never);
  return ({ key }) => known.get(key) ?? [];
}

const subjects: readonly Subject[] = [
  ...[...Object.keys(documents), ...Object.keys(tables)].map((name) => ({
    name,
    file: readRecorded(name),
    list: listResources,
    measure: listResourceParts,
  })),
  ...['rare.dex', 'everything.dex'].map((name) => ({
    name,
    file: readRecorded(name),
    list: listDex,
    measure: listDexParts,
    finish: sign,
  })),
  { name: 'a jar', file: zip(entries), list: listJar, measure: measureJar },
];

const lies = [0, 1, 2, 3, 7, 8, 0x7f, 0x80, 0xff, 0x7fff, 0xffff, 0x7fff_ffff, 0xffff_ffff];

/** Returns a copy with another number, and the place of that number. */
function mutate(random: Random, file: Buffer): [Buffer, Range] {
  const width = random.pick([1, 2, 4, 4, 4] as const);
  const at = random.below(file.length - width + 1);
  const old = file.readUIntLE(at, width);
  const from = random.below(file.length - width + 1);
  const value = random.pick([
    random.pick(lies),
    old + random.between(-4, 4),
    random.below(file.length),
    file.readUIntLE(from, width),
    random.below(2 ** 16) * 2 ** 16 + random.below(2 ** 16),
  ]);
  const copy = Buffer.from(file);
  copy.writeUIntLE(((value % 2 ** (8 * width)) + 2 ** (8 * width)) % 2 ** (8 * width), at, width);
  return [copy, [at, at + width]];
}

const touches = (a: Range, b: Range): boolean => a[0] < b[1] && b[0] < a[1];

it.each(subjects)(
  '$name loses only the item that is wrong',
  async ({ name, file, list, measure, finish = (bytes) => bytes }) => {
    const random = new Random(seed);
    const whole = await list(file, false);
    const measured = measure(file);
    const parts = new Map(whole.map((found) => [found.key, measured(found)] as const));
    expect(parts.size).toBeGreaterThan(5);
    let kept = 0;
    const count = Math.ceil((isNight ? NIGHT : COUNT) / subjects.length);
    for (let i = 0; i < count; i++) {
      const [mutated, place] = mutate(random, file);
      const bytes = finish(mutated);
      let found: ReadonlySet<string>;
      try {
        found = new Set((await list(bytes, true)).map(({ key }) => key));
      } catch (error) {
        const isTyped = typeof (error as { code?: unknown }).code === 'string';
        if (!isTyped) throw new Error(`${name} with ${place} of ${i}`, { cause: error });
        found = new Set();
      }
      for (const [key, ranges] of parts) {
        if (found.has(key)) kept++;
        else if (!ranges.some((range) => touches(range, place))) {
          const hex = mutated.subarray(...place).toString('hex');
          throw new Error(
            `${name} with ${hex} at ${place} loses ${key}, which needs ${ranges.join(' ')}`,
          );
        }
      }
    }
    expect(kept).toBeGreaterThan((count * parts.size) / 2);
  },
  isNight ? 3_600_000 : 60_000,
);

it.each(subjects.filter(({ name }) => name !== 'a jar'))(
  '$name loses only the uses of an index that is wrong, whichever it is',
  ({ name, file, list, finish = (bytes) => bytes }) => {
    const isDex = name.endsWith('.dex');
    const whole = list(file, false) as readonly Found[];
    const keys = new Set(whole.map(({ key }) => key));
    const indices = isDex
      ? [...readDex(file).uses()]
          .filter(({ id, kind, member }) => id || (kind === 'literal' && member?.type === 'method'))
          .map(({ offset, id }) => [offset, id ? 4 : 2] as const)
      : [...readResources(file).uses()]
          // The number of a type is no index, and has a single byte.
          .filter(({ kind }) => kind !== 'type')
          .map(({ offset }) => [offset, 4] as const);
    expect(indices.length).toBeGreaterThan(10);
    for (const [offset, width] of choose(indices, COUNT / 10)) {
      const bytes = Buffer.from(file);
      bytes.fill(0xee, offset, offset + width);
      const found = new Set((list(finish(bytes), true) as readonly Found[]).map(({ key }) => key));
      const lost = [...keys].filter((key) => !found.has(key));
      expect(lost).toEqual([`use ${offset}`]);
    }
  },
);
