/**
 * Malformed class files, given to HotSpot: files that it accepts, we accept. There is one exception: parts that HotSpot
 * passes over until a program asks for it by reflection.
 */
import { type ClassFileError, readClass } from '@utf8/classfile';
import { expect, it } from 'vitest';
import { scale, seed } from '../../../tiers/tier.js';
import { formatBytes } from '../../interop/src/answer.js';
import { Random } from '../../interop/src/random.js';
import { useJvm } from '../src/jvm.js';
import { mutate } from '../src/mutate.js';
import { sampleClasses } from '../src/sample.js';

/** Attributes whose errors reflection reports: AnnotationFormatError, MalformedParametersException. */
const reflected =
  /the attribute "?(RuntimeVisible\w*Annotations|AnnotationDefault|MethodParameters)\b/;

const COUNT = scale(5000);
const BLOCK = 500;

const jvm = await useJvm();

const define = (files: readonly Uint8Array[]): Promise<string[]> =>
  jvm.ask('define', files.map(formatBytes));

/** Returns our error for a file, or undefined if we accept it. */
function complain(file: Uint8Array): string | undefined {
  try {
    readClass(file);
    return undefined;
  } catch (error) {
    return (error as ClassFileError).message;
  }
}

it(`what HotSpot takes of ${COUNT} classes with faults is taken`, async () => {
  const random = new Random(seed);
  const sample = sampleClasses(seed);
  // Classes that need others are no good: of those HotSpot looks for the others first.
  const taken = await define(sample);
  const files = sample.filter((_, i) => taken[i]?.startsWith('ok'));
  expect(files.length).toBeGreaterThan(10);
  let accepted = 0;
  const different: string[] = [];
  for (let done = 0; done < COUNT; done += BLOCK) {
    const block = Array.from({ length: BLOCK }, () => mutate(random, files));
    const answers = await define(block);
    for (const [i, file] of block.entries()) {
      if (!answers[i]?.startsWith('ok')) continue;
      accepted++;
      const complaint = complain(file);
      if (!complaint) continue;
      if (reflected.test(complaint)) continue;
      different.push(`${complaint} ${formatBytes(file)}`);
    }
  }
  // The shortest ones say as much as all.
  expect(different.sort((a, b) => a.length - b.length).slice(0, 5)).toEqual([]);
  expect(accepted).toBeGreaterThan(COUNT / 20);
});
