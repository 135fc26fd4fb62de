/** Small classes of many makers. */
import { readFileSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { classes } from '../../../../packages/classfile/test/classes/recorded.js';
import { isNight } from '../../../tiers/tier.js';
import { Random } from '../../interop/src/random.js';
import { jdk } from '../../src/jdk.js';
import { requireFile } from '../../src/program.js';
import { assembled } from './assemble.js';
import { findClasses } from './folder.js';

const LARGEST = 6000;

/** Some of the small classes below a folder. */
function pickClasses(folder: string, random: Random, count: number): Buffer[] {
  const files = findClasses(folder);
  const picked: Buffer[] = [];
  while (picked.length < count) {
    const file = path.join(folder, random.pick(files));
    if (statSync(file).size <= LARGEST) picked.push(readFileSync(file));
  }
  return picked;
}

/** The runtime libraries of other languages, where Debian has them. */
export const findLibraries = (): { readonly name: string; readonly file: string }[] =>
  [
    { name: 'Kotlin', file: 'kotlinx-coroutines-core.jar', debian: 'libkotlinx-coroutines-java' },
    { name: 'Scala', file: 'scala-library.jar', debian: 'scala-library' },
  ].map(({ name, file, debian }) => ({
    name,
    file: realpathSync(requireFile(path.join('/usr/share/java', file), `Debian: ${debian}`)),
  }));

/** Classes by javac, of java.base and, at night, of Kotlin and Scala. */
export function sampleClasses(seed: number): Buffer[] {
  const random = new Random(seed);
  const files = [assembled, ...classes, ...pickClasses(jdk.extractBase(), random, 200)];
  if (!isNight) return files;
  return files.concat(
    findLibraries().flatMap(({ file }) => pickClasses(jdk.extractJar(file), random, 50)),
  );
}
