/**
 * Class files with faults: each is read, or refused with a typed error, and what is read can be written.
 * `UTF8_SEED=1` repeats a run, `UTF8_INPUTS=1000000` makes a longer one.
 */
import { ClassFileError, readClass, readStrings, replaceStrings } from '@utf8/classfile';
import { Random } from '@utf8/interop/random';
import { expect, it } from 'vitest';
import { mutate } from '../src/mutate.js';
import { sampleClasses } from '../src/sample.js';

const seed = Number(process.env.UTF8_SEED ?? Date.now() % 2 ** 31);
const count = Number(process.env.UTF8_INPUTS ?? 100_000);
console.log(`seed: UTF8_SEED=${seed} repeats this run`);

/** The result, or undefined where the file is refused. */
function orRefused<T>(action: () => T): T | undefined {
  try {
    return action();
  } catch (error) {
    if (error instanceof ClassFileError) return undefined;
    throw error;
  }
}

/** What a class file cannot hold; not what an engine throws, when its stack is full. */
const isLimit = (error: unknown): boolean =>
  error instanceof RangeError && /a class file holds up to|the pool is full/.test(error.message);

/** Reads a file in every way. */
function visit(file: Uint8Array): boolean {
  const lossy = orRefused(() => [...readStrings(file, { errors: 'backslashreplace' })]);
  const strings = orRefused(() => [...readStrings(file)]);
  const parsed = orRefused(() => readClass(file));
  if ((strings === undefined) !== (parsed === undefined)) throw new Error('one way reads it only');
  if (strings && strings.length !== lossy?.length) throw new Error('a policy loses strings');
  if (!parsed || !strings) return false;
  if (parsed.constants.length === 0 || typeof parsed.name !== 'string') throw new Error('no class');
  if (!Buffer.from(file).equals(replaceStrings(file, () => undefined))) throw new Error('differs');
  let changed: Uint8Array;
  try {
    changed = replaceStrings(file, ({ string }) => `${string}😀`);
  } catch (error) {
    if (isLimit(error)) return true;
    throw error;
  }
  const literals = (list: typeof strings): string[] =>
    list.filter(({ kinds }) => kinds.includes('literal')).map(({ string }) => string);
  const expected = literals(strings).map((text) => `${text}😀`);
  const written = literals([...readStrings(changed)]);
  // Those for which a constant was added come last.
  if (expected.sort().join('\n') !== written.sort().join('\n')) throw new Error('other literals');
  return true;
}

it(`${count} class files with faults are read, or refused`, { tags: ['slow'] }, () => {
  const files = sampleClasses(seed);
  const random = new Random(seed);
  let read = 0;
  for (let i = 0; i < count; i++) {
    const file = mutate(random, files);
    try {
      if (visit(file)) read++;
    } catch (error) {
      throw new Error(`input ${i} of seed ${seed}: ${file.toString('hex')}`, { cause: error });
    }
  }
  expect(read).toBeGreaterThan(count / 20);
  expect(read).toBeLessThan(count / 2);
});
