/**
 * Archives with faults: read, strictly and leniently, and rewritten, or refused with a typed error.
 */
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { crc32, deflateRawSync, inflateRawSync } from 'node:zlib';
import { JarError, rewriteJar } from '@utf8/classfile/jar';
import { describe, expect, it } from 'vitest';
import { seed as SEED, scale, tier } from '../../../tooling/tiers/tier.js';
import { dissect, type Part } from './dissect.js';
import { useFolder } from './folder.js';
import { createRandom } from './random.js';
import { readAll } from './reading.js';
import { classOf, type Item, zip } from './zip.js';

const file = useFolder();

const ROUNDS = scale(2000);

/** Wrong values that numbers in headers are likely to have. */
const EDGES = [0, 1, 0x7f, 0x80, 0xff];

/** An entry whose sizes come after it. */
function streamed(name: string, bytes: Buffer): Item {
  const data = deflateRawSync(bytes);
  const descriptor = Buffer.alloc(16);
  for (const [i, value] of [0x08074b50, crc32(bytes), data.length, bytes.length].entries()) {
    descriptor.writeUInt32LE(value, 4 * i);
  }
  return { name, bytes, data, claims: { flags: 8, descriptor } };
}

const inner = zip([
  { name: 'In.class', bytes: classOf(Buffer.alloc(300, 'inner')) },
  { name: 'Stored.class', bytes: classOf('stored'), method: 0 },
]);
const items: Item[] = [
  { name: 'A.class', bytes: classOf('a class') },
  { name: 'stored.jar', bytes: inner, method: 0 },
  { name: 'compressed.war', bytes: inner },
  streamed('S.class', classOf('streamed')),
  { name: 'text.txt', bytes: Buffer.from('text') },
  { name: 'B.class', bytes: classOf(Buffer.alloc(1000, 'b')) },
];
const archives = [
  zip(items),
  zip(items, { isLarge: true }),
  Buffer.concat([Buffer.from('#!/bin/sh\n'), zip(items)]),
  Buffer.concat([Buffer.from('JM\x01\x00', 'latin1'), zip([...items, { name: 'META-INF/A.SF' }])]),
];
const originals: ReadonlySet<string> = new Set(
  [...items.map(({ bytes }) => bytes), classOf(Buffer.alloc(300, 'inner')), classOf('stored')].map(
    (bytes) => Buffer.from(bytes as Uint8Array).toString('latin1'),
  ),
);

/** An archive with some bytes changed, removed, or doubled. */
function mutate(random: (below: number) => number): Buffer {
  const whole = archives[random(archives.length)] as Buffer;
  let bytes = Buffer.from(whole);
  for (let changes = 1 + random(4); changes > 0; changes--) {
    // Half of the changes hit the directory and its end, where most can go wrong.
    const from = random(2) === 0 ? Math.max(0, bytes.length - 400) : 0;
    bytes[from + random(bytes.length - from)] = EDGES[random(6)] ?? random(256);
  }
  const [start, end] = [random(bytes.length), random(bytes.length)].sort((a, b) => a - b) as [
    number,
    number,
  ];
  const kind = random(20);
  if (kind === 0) bytes = bytes.subarray(0, end);
  else if (kind === 1) bytes = Buffer.concat([bytes.subarray(0, start), bytes.subarray(end)]);
  else if (kind === 2) bytes = Buffer.concat([bytes.subarray(0, end), bytes.subarray(start)]);
  return bytes;
}

/** Returns the result of a promise, or the JarError that rejects it. Other errors are thrown. */
async function settle<T>(promise: Promise<T>): Promise<T | JarError> {
  try {
    return await promise;
  } catch (error) {
    if (error instanceof JarError) return error;
    throw error;
  }
}

const isKnown = (bytes: Uint8Array): boolean =>
  originals.has(Buffer.from(bytes).toString('latin1'));

describe(`${ROUNDS} archives with faults`, { timeout: 120_000 + 60 * ROUNDS }, () => {
  it('give classes that are whole, or a JarError', async () => {
    const random = createRandom(SEED);
    const path = file('fuzz.zip');
    const reasons = new Map<string, number>();
    for (let round = 0; round < ROUNDS; round++) {
      writeFileSync(path, mutate(random));
      const result = await settle(readAll(path));
      const errors = result instanceof JarError ? [result] : result.errors;
      for (const { reason } of errors) reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
      if (result instanceof JarError) continue;
      // Whatever name it comes under now, a class that is read is whole.
      for (const bytes of result.classes.values()) {
        expect(isKnown(bytes), `round ${round} of seed ${SEED}`).toBe(true);
      }
    }
    // The changes have come to where it matters, if they are many.
    if (tier === 'test') return;
    for (const reason of ['not-an-archive', 'directory', 'header', 'data', 'size', 'checksum']) {
      expect(reasons.get(reason), reason).toBeGreaterThan(0);
    }
  });

  it('give leniently what they give strictly, and tell where it is not whole', async () => {
    const random = createRandom(SEED + 1);
    const path = file('lenient.zip');
    let more = 0;
    for (let round = 0; round < ROUNDS / 4; round++) {
      writeFileSync(path, mutate(random));
      const strict = await settle(readAll(path, { onError: undefined }));
      const told: JarError[] = [];
      const lenient = await settle(readAll(path, { lenient: (error) => told.push(error) }));
      const where = `round ${round} of seed ${SEED}`;
      if (lenient instanceof JarError) {
        // A limit holds, leniently too, where headers that are found claim more than there is.
        if (lenient.reason !== 'overlap') expect(strict, where).toBeInstanceOf(JarError);
        continue;
      }
      for (const [path, bytes] of lenient.classes) {
        const isTold = told.some((error) => error.path === path);
        expect(isTold || isKnown(bytes), where).toBe(true);
      }
      if (strict instanceof JarError) {
        if (lenient.classes.size > 0) more++;
        expect(told.length + lenient.errors.length, where).toBeGreaterThan(0);
      } else if (told.length === 0) expect(lenient.classes, where).toEqual(strict.classes);
    }
    expect(more).toBeGreaterThan(ROUNDS / 40);
  });

  it('are rewritten with all else as it was, or refused without a trace', async () => {
    const random = createRandom(SEED + 2);
    const [input, output] = [file('in.zip'), file('out.zip')];
    let written = 0;
    for (let round = 0; round < ROUNDS / 4; round++) {
      const bytes = mutate(random);
      writeFileSync(input, bytes);
      rmSync(output, { force: true });
      const before = readdirSync(dirname(output)).length;
      const options = { signatures: round % 2 === 0 ? ('drop' as const) : ('refuse' as const) };
      const by = ({ bytes }: { bytes: Uint8Array }) => Buffer.concat([bytes, Buffer.from('more')]);
      const report = await settle(rewriteJar(input, output, by, options));
      const where = `round ${round} of seed ${SEED}`;
      expect(readdirSync(dirname(output)).length, where).toBe(
        before + (existsSync(output) ? 1 : 0),
      );
      expect(existsSync(output), where).toBe(!(report instanceof JarError));
      if (report instanceof JarError) continue;
      written++;
      const old = await readAll(input, { onError: undefined });
      const now = await readAll(output, { onError: undefined });
      expect([...now.classes.keys()], where).toEqual([...old.classes.keys()]);
      for (const [path, bytes] of now.classes) {
        expect(`${Buffer.from(bytes)}`, where).toBe(
          `${Buffer.from(old.classes.get(path) as Uint8Array)}more`,
        );
      }
      compare(bytes, readFileSync(output), where);
    }
    expect(written).toBeGreaterThan(ROUNDS / 100);
  });
});

/** Tells whether an entry is neither a class nor an archive. */
function isOther({ data, method }: Part): boolean {
  let bytes = data;
  try {
    if (method === 8) bytes = inflateRawSync(data);
  } catch {}
  return !/^(?:cafebabe|504b)/.test(bytes.toString('hex', 0, 4));
}

/** Checks that entries other than classes and archives are unchanged, if the archive can be parsed at all. */
function compare(before: Buffer, after: Buffer, where: string): void {
  const base = [0, 4, 10].find((base) => {
    try {
      return dissect(before, base);
    } catch {
      return false;
    }
  });
  if (base === undefined) return;
  const parts = dissect(before, base).parts;
  const others = new Set(parts.flatMap((part, i) => (isOther(part) ? [i] : [])));
  const isDropped = (name: string): boolean => /^META-INF\//.test(name);
  const list = (bytes: Buffer) =>
    dissect(bytes, base)
      .parts.filter(({ name }, i) => others.has(i) && !isDropped(name))
      .map(({ name, header, record, data }) => [name, header, record, data.toString('hex')]);
  expect(list(after), where).toEqual(list(before));
}
