/** `utf8 probe` with real readers, and the files made from its output. */
import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { knownReaders } from '../../../../packages/vectors/src/generated/fingerprints.js';
import { isNight } from '../../../tiers/tier.js';
import { makeFolder, removeFolder } from '../../src/program.js';
import { type Probed, printAttacks, printFingerprints } from '../src/collect.js';
import { platforms, prepare, type Reader, readers, title } from '../src/readers.js';
import { probeReader } from '../src/run.js';

const folder = makeFolder();
afterAll(() => removeFolder(folder));

/** All readers at night; otherwise one of each platform that needs no more than the other oracles, and starts once. */
const common = ['perl', 'python', 'java', 'node'];
const wanted = readers.filter(
  ({ platform, column }) => isNight || (common.includes(platform) && column),
);
const versions = new Map(
  Object.keys(platforms)
    .filter((name) => wanted.some(({ platform }) => platform === name))
    .map((name) => [name, prepare(name, folder)]),
);
const versionOf = ({ platform }: Reader): string => versions.get(platform) as string;
const read = (name: string): string =>
  readFileSync(new URL(`../../../${name}`, import.meta.url), 'utf8');

const probed = new Map<Reader, Probed>();

describe('the probe names variant and practice of', () => {
  for (const reader of wanted) {
    it(`${reader.name}: ${reader.how}`, async () => {
      const { variant, mode, practice, column } = reader;
      const report = await probeReader(reader, folder);
      expect(report).toMatchObject({ variant, malformed: { mode } });
      expect(report.malformed.practice).toBe(practice);
      const name = title(reader, versionOf(reader));
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
});

describe('a reader that is started for every input is the same:', () => {
  for (const reader of wanted.filter(({ isProgram }) => !isProgram)) {
    it(`${reader.name}: ${reader.how}`, { tags: ['night'] }, async () => {
      const report = await probeReader(reader, folder, true);
      const { fingerprint, deviations, malformed } = probed.get(reader)?.report ?? {};
      expect(report.fingerprint).toBe(fingerprint);
      expect(report.malformed).toEqual(malformed);
      const kinds = (list: typeof deviations) => list?.map(({ kind, does }) => `${kind}: ${does}`);
      expect(kinds(report.deviations)).toEqual(kinds(deviations));
    });
  }
});

// Versions of others may have other answers.
if (
  readers.every((reader) =>
    knownReaders.some(({ name }) => name === title(reader, versionOf(reader))),
  )
) {
  it('the committed files are what the readers say', () => {
    const all = readers.map((reader) => probed.get(reader) as Probed);
    expect(printFingerprints(all)).toBe(read('packages/vectors/src/generated/fingerprints.ts'));
    expect(printAttacks(all)).toBe(read('apps/site/pages/attacks.md'));
  });
}
