import { writeFileSync } from 'node:fs';
import { JarError } from '@utf8/classfile/jar';
import { expect, it } from 'vitest';
import { useFolder } from './folder.js';
import { readAll } from './reading.js';
import { zip } from './zip.js';

const file = useFolder();

const SEED = Number(process.env.SEED ?? Date.now() % 1e9);
const ROUNDS = 2000;

/** A number below a limit, from a generator that gives the same ones for the same seed. */
function createRandom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) % below;
  };
}

/** What numbers in headers are likely to be wrong as. */
const EDGES = [0, 1, 0x7f, 0x80, 0xff];

it(`an archive with some bytes changed gives classes or a JarError (SEED=${SEED})`, async () => {
  const random = createRandom(SEED);
  const inner = zip([
    { name: 'In.class', bytes: Buffer.alloc(300, 'inner') },
    { name: 'Stored.class', bytes: Buffer.from('stored'), method: 0 },
  ]);
  const whole = zip([
    { name: 'A.class', bytes: Buffer.from('a class') },
    { name: 'stored.jar', bytes: inner, method: 0 },
    { name: 'compressed.war', bytes: inner },
    { name: 'B.class', bytes: Buffer.alloc(1000, 'b') },
  ]);
  const originals = (await readAll(file('fuzz.zip', whole))).classes;
  const path = file('fuzz.zip');
  const reasons = new Map<string, number>();
  for (let round = 0; round < ROUNDS; round++) {
    const bytes = Buffer.from(whole);
    for (let changes = 1 + random(4); changes > 0; changes--) {
      // Half of the changes hit the directory and its end, where most can go wrong.
      const from = random(2) === 0 ? bytes.length - 250 : 0;
      bytes[from + random(bytes.length - from)] = EDGES[random(6)] ?? random(256);
    }
    writeFileSync(path, random(10) === 0 ? bytes.subarray(0, random(bytes.length)) : bytes);
    const { classes, errors } = await readAll(path).catch((error) => {
      expect(error, `round ${round}`).toBeInstanceOf(JarError);
      return { classes: new Map<string, Uint8Array>(), errors: [error as JarError] };
    });
    for (const { reason } of errors) reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
    // Whatever name it comes under now, a class that is read is whole.
    for (const value of classes.values()) {
      const isKnown = [...originals.values()].some((bytes) => Buffer.compare(bytes, value) === 0);
      expect(isKnown, `round ${round}`).toBe(true);
    }
  }
  // The changes have come to where it matters.
  for (const reason of ['not-an-archive', 'directory', 'header', 'data', 'size', 'checksum']) {
    expect(reasons.get(reason), reason).toBeGreaterThan(0);
  }
});
