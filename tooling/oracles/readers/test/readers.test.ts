/** `utf8 probe` against the real readers, and the files that were made of what it said. */
import { readFileSync, rmSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { knownReaders } from '../../../../packages/vectors/src/generated/fingerprints.js';
import { isNight } from '../../../tiers/tier.js';
import { attacks } from '../src/attacks.js';
import { makeFolder, type Probed, printAttacks, printFingerprints } from '../src/collect.js';
import { platforms, prepare, type Reader, readers, title } from '../src/readers.js';
import { probeReader } from '../src/run.js';

const folder = makeFolder();
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const prepared = new Map(
  Object.keys(platforms).map((name) => [name, prepare(name, folder)] as const),
);
for (const [name, made] of prepared) {
  if ('missing' in made) console.log(`skipped: ${name}: ${made.missing}`);
}
const versionOf = ({ platform }: Reader): string | undefined => {
  const made = prepared.get(platform);
  return made && 'version' in made ? made.version : undefined;
};
const isHere = (reader: Reader): boolean => versionOf(reader) !== undefined;
const read = (name: string): string =>
  readFileSync(new URL(`../../../${name}`, import.meta.url), 'utf8');

const probed = new Map<Reader, Probed>();

describe('the probe names variant and practice of', () => {
  for (const reader of readers) {
    it.skipIf(!isHere(reader))(`${reader.name}: ${reader.how}`, async () => {
      const { variant, mode, practice, column } = reader;
      const report = await probeReader(reader, folder);
      expect(report).toMatchObject({ variant, malformed: { mode } });
      expect(report.malformed.practice).toBe(practice);
      const version = versionOf(reader) as string;
      const name = title(reader, version);
      probed.set(reader, { title: name, column, report });

      const known = knownReaders.find((each) => each.name === name);
      if (known) {
        expect(report.resembles.map((each) => each.name)).toContain(name);
        expect(report.resembles[0]?.differences).toBe(0);
        return;
      }
      // Another version than the one that was recorded: it should be almost the same.
      const other = knownReaders.find(
        (each) => each.name.startsWith(`${reader.name} `) && each.name.endsWith(`: ${reader.how}`),
      );
      const { length } = report.fingerprint;
      const same = Array.from(
        { length },
        (_, i) => report.fingerprint[i] === other?.fingerprint[i],
      );
      const apart = same.filter((isSame) => !isSame).length;
      console.log(`${name}: recorded was ${other?.name}; ${apart} vectors apart`);
      expect(apart).toBeLessThan(length / 10);
    });
  }

  it('as many platforms as there are columns, and more', () => {
    expect(Object.keys(platforms)).toHaveLength(10);
    for (const name of Object.keys(platforms)) {
      expect(readers.some(({ platform, column }) => platform === name && column)).toBe(true);
    }
  });
});

describe('a reader that is started for every input is the same:', () => {
  // One that starts in a few milliseconds; UTF8_READERS=all has the others.
  const isQuick = ({ platform, args }: Reader): boolean =>
    platform === 'rust' && args[0] === 'lossy';
  for (const reader of readers.filter(({ isProgram }) => !isProgram)) {
    const isWanted = isNight || isQuick(reader);
    it.runIf(isWanted && isHere(reader))(`${reader.name}: ${reader.how}`, async () => {
      const report = await probeReader(reader, folder, true);
      const { fingerprint, deviations, malformed } = probed.get(reader)?.report ?? {};
      expect(report.fingerprint).toBe(fingerprint);
      expect(report.malformed).toEqual(malformed);
      const kinds = (list: typeof deviations) => list?.map(({ kind, does }) => `${kind}: ${does}`);
      expect(kinds(report.deviations)).toEqual(kinds(deviations));
    });
  }
});

describe('the committed files', () => {
  const isComplete = readers.every((reader) =>
    knownReaders.some(({ name }) => name === title(reader, versionOf(reader) ?? '')),
  );

  it.runIf(isComplete)('are what the readers say', () => {
    const all = readers.map((reader) => probed.get(reader) as Probed);
    expect(printFingerprints(all)).toBe(read('packages/vectors/src/generated/fingerprints.ts'));
    expect(printAttacks(all)).toBe(read('apps/site/pages/attacks.md'));
  });

  it('have all readers, and all attacks', () => {
    expect(knownReaders).toHaveLength(readers.length);
    const table = read('apps/site/pages/attacks.md');
    for (const [, name] of attacks) expect(table).toContain(name);
  });
});
