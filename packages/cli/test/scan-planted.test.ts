import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import type { ScanFinding as Finding } from '@utf8/dump';
import { findFormat } from '@utf8/dump/internal';
import { describe, expect, it } from 'vitest';
import { isNight, seed } from '../../../tooling/tiers/tier.js';
import { runBuilt } from './built.js';
import { plainEnv, splitJson, useFolder, utf8 } from './command.js';
import { MOST, mixedKinds, plant, type Writer, writers } from './planted.js';

const path = useFolder();

/** By place, since keys that become equal are known only at the end. */
const inOrder = (findings: readonly Finding[]): Finding[] =>
  [...findings].sort((a, b) => a.offset - b.offset || (a.kind < b.kind ? -1 : 1));

/** Has the program say how much memory it took, on any platform. */
function measurePeak(): NodeJS.ProcessEnv {
  const file = JSON.stringify(path('peak'));
  writeFileSync(
    path('report.mjs'),
    `import { writeFileSync } from 'node:fs';
process.on('exit', () => writeFileSync(${file}, String(process.resourceUsage().maxRSS * 1024)));`,
  );
  return plainEnv({ NODE_OPTIONS: `--import ${pathToFileURL(path('report.mjs'))}` });
}

/** Rows of files that are scanned in this process. */
const SMALL = 1000;

/** Returns how many there are of each kind. */
async function expectAll(
  writer: Writer,
  rows: number,
  kinds: readonly string[] = mixedKinds,
  flags: readonly string[] = [],
): Promise<Record<string, number>> {
  const file = path(writer.name);
  const hasKeys = writer.name !== 'lines' && kinds === mixedKinds;
  const planted = plant(file, writer, { rows, seed, hasKeys, kinds });
  const key = String(writer.columns[0]);
  const asked = hasKeys ? ['--key', key, '--limit', `${writer.columns[2]}=${MOST}c`] : [];
  const args = [
    'scan',
    file,
    '--format',
    writer.name,
    ...writer.args,
    ...asked,
    ...flags,
    '--json',
  ];
  const { status, stdout, stderr } =
    rows > SMALL ? await runBuilt(args, '', { env: measurePeak() }) : await utf8(args);
  expect(status, stderr).toBe(1);
  const { findings, summary } = splitJson(stdout.toString());
  const found = findings
    .trimEnd()
    .split('\n')
    .map((line): Finding => {
      const { type, ...finding } = JSON.parse(renameKey(line, key));
      return finding;
    });
  const expected = inOrder(planted.findings);
  // One by one: a difference of a hundred thousand lines is unreadable.
  for (const [i, finding] of inOrder(found).entries()) {
    if (JSON.stringify(finding) !== JSON.stringify(expected[i]))
      expect(finding).toEqual(expected[i]);
  }
  expect(found).toHaveLength(planted.findings.length);
  const { changed, rejected } = planted;
  expect(summary).toMatchObject({ records: rows, changed, rejected });
  const counts: Record<string, number> = {};
  for (const { kind } of planted.findings) counts[kind] = (counts[kind] ?? 0) + 1;
  expect(summary.findings).toEqual(counts);
  return counts;
}

/** Keys are called what they are asked for, which is a number where columns have no names. */
const renameKey = (line: string, key: string): string =>
  key === 'code' ? line : line.replaceAll(`{"${key}":`, '{"code":');

/** Rows of the largest file. */
const ROWS = isNight ? 1_000_000 : 40_000;

/** Rows of the others. */
const MANY = isNight ? 100_000 : 10_000;

describe(`planted faults (seed ${seed})`, () => {
  it(`${ROWS / 100} of each kind in ${ROWS} rows of CSV`, { tags: ['slow'] }, async () => {
    const [csv] = writers;
    const counts = await expectAll(csv as Writer, ROWS);
    expect(Object.keys(counts).sort()).toEqual([...mixedKinds].sort());
    for (const [kind, count] of Object.entries(counts)) {
      expect(count, kind).toBeGreaterThan(ROWS / 100);
    }
    expect(statSync(path('csv')).size).toBeGreaterThan(((50 << 20) * ROWS) / 1_000_000);
    const peak = Number(readFileSync(path('peak'), 'utf8'));
    expect(peak).toBeGreaterThan(1 << 20);
    expect(peak).toBeLessThan(300 << 20);
  });

  it('four-byte forms, where CESU-8 is wanted', { tags: ['slow'] }, async () => {
    const [csv] = writers;
    const flags = ['--from', 'utf-8', '--to', 'cesu-8'];
    const counts = await expectAll(csv as Writer, MANY, ['four-byte'], flags);
    expect(counts['four-byte']).toBeGreaterThan(MANY / 10);
  });

  it.each(writers.map((writer) => [writer.name, writer] as const))(
    `${MANY / 100} of each kind in ${MANY} rows of %s`,
    { tags: ['slow'] },
    async (name, writer) => {
      expect(findFormat(name).name).toBe(name);
      await expectAll(writer, MANY);
    },
  );

  it.each(writers.map((writer) => [writer.name, writer] as const))(
    `some in ${SMALL} rows of %s`,
    async (_, writer) => {
      await expectAll(writer, SMALL);
    },
  );
});
