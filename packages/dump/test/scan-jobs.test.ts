/** Scans with several threads. */
import { writeFileSync } from 'node:fs';
import type { WorkerOptions } from 'node:worker_threads';
import { beforeAll, expect, it, vi } from 'vitest';
import { type ScanOptions, scanDump } from '../src/scan/scan.js';
import type { ScanFinding } from '../src/scan/scan-finding.js';
import { bundle } from './bundle.js';
import { useFolder } from './use-folder.js';

const path = useFolder();
/** Number of threads that were started. */
let threads = 0;

vi.mock('node:worker_threads', async (original) => {
  const real = await original<typeof import('node:worker_threads')>();
  return {
    ...real,
    Worker: class extends real.Worker {
      constructor(_: URL, options: WorkerOptions) {
        super(path('thread.mjs'), options);
        threads++;
      }
    },
  };
});

/** A character for each byte: U+1F600 as a pair and in UTF-8, and U+FFEE. */
const PAIR = '\xed\xa0\xbd\xed\xb8\x80';
const SMILE = '\xf0\x9f\x98\x80';
const UNASSIGNED = '\xef\xbf\xae';

beforeAll(async () => {
  await bundle('thread.ts', path('thread.mjs'));
  const rows = Array.from(
    { length: 800 },
    (_, i) =>
      `${[`a${i}`, `a${i - 1}${UNASSIGNED}`, `"c${i}\n\xff"`, `a${i - 3}${PAIR}`][i % 4]},${'x'.repeat(250)}`,
  );
  writeFileSync(
    path('rows.csv'),
    `name,note\n${rows.join('\n')}\na1${PAIR},\na1${SMILE},\n`,
    'latin1',
  );
});

const base = {
  format: 'csv',
  from: 'cesu-8+utf-8',
  get input(): string {
    return path('rows.csv');
  },
};

/** Expects a scan to find the same in several threads as in none. */
async function expectSame(kinds: readonly string[], rules: Partial<ScanOptions>): Promise<void> {
  const scan = async (jobs: number) => {
    let findings = '';
    const onFinding = (finding: ScanFinding): void => {
      findings += `${JSON.stringify(finding)}\n`;
    };
    const report = await scanDump({ ...base, ...rules, jobs, onFinding });
    return { findings, report: JSON.stringify(report) };
  };
  threads = 0;
  const expected = await scan(1);
  expect(threads).toBe(0);
  expect(await scan(2)).toEqual(expected);
  expect(threads).toBeGreaterThan(1);
  for (const kind of kinds) expect(expected.findings).toContain(`"kind":"${kind}"`);
}

it('a scan whose findings nobody takes reports the same in several threads', async () => {
  const reports: string[] = [];
  for (const jobs of [1, 2]) {
    reports.push(JSON.stringify(await scanDump({ ...base, jobs })));
  }
  expect(reports[1]).toBe(reports[0]);
});

it('a scan finds the same in several threads', () =>
  expectSame(['pair', 'legacy-byte', 'too-long'], { limits: ['name=7b'] }));

it('a scan for keys finds the same in several threads', { tags: ['slow'] }, () =>
  expectSame(['order', 'equal-keys'], { keys: ['name'] }),
);
