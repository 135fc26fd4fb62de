/** Small classes of many makers. */
import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { Random } from '@utf8/oracles/interop/random';
import { assemble, attribute, list, member, string, u2, u4, utf8 } from './assemble.js';
import { readFixture } from './fixture.js';
import { findClasses } from './folder.js';
import { jars, jdk } from './jdk.js';

/** What there is without a JDK, too: a method, a literal and an annotation. */
const assembled = assemble({
  constants: [
    utf8('main'),
    utf8('()V'),
    utf8('Code'),
    string(5),
    utf8('RuntimeVisibleAnnotations'),
    utf8('Lkotlin/Metadata;'),
    utf8('\0\u0001'),
  ],
  methods: [
    member(5, 6, attribute(7, [...u2(1), ...u2(1), ...u4(3), 0x12, 8, 0xb1, ...list(), ...list()])),
  ],
  attributes: [
    attribute(9, list([...u2(10), ...list([...u2(5), 0x5b, ...list([0x73, ...u2(11)])])])),
  ],
});

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

/** Classes of the fixture, of java.base, of Kotlin and of Scala, as far as they are here. */
export function sampleClasses(seed: number): Buffer[] {
  const random = new Random(seed);
  const files: Buffer[] = [Buffer.from(assembled)];
  if (!jdk) return files;
  files.push(...readFixture(jdk).values());
  files.push(...pickClasses(jdk.extractBase(), random, 200));
  for (const { file } of jars) files.push(...pickClasses(jdk.extractJar(file), random, 50));
  return files;
}
