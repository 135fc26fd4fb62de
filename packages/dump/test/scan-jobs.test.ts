/** Scans with several threads, which run the built module. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import type { ScanFinding } from '../src/scan/scan-finding.js';

const folder = mkdtempSync(join(tmpdir(), 'scan-jobs-'));

afterAll(() => rmSync(folder, { recursive: true }));

/** A character for each byte: U+1F600 as a pair and in UTF-8, and U+FFEE. */
const PAIR = '\xed\xa0\xbd\xed\xb8\x80';
const SMILE = '\xf0\x9f\x98\x80';
const UNASSIGNED = '\xef\xbf\xae';

it('a scan finds the same in several threads', async () => {
  const rows = Array.from(
    { length: 12_000 },
    (_, i) => [`a${i}`, `a${i - 1}${UNASSIGNED}`, `"c${i}\n\xff"`, `a${i - 3}${PAIR}`][i % 4],
  );
  const input = join(folder, 'rows.csv');
  writeFileSync(input, `name\n${rows.join('\n')}\na1${PAIR}\na1${SMILE}\n`, 'latin1');
  const built = await import(new URL('../dist/index.js', import.meta.url).href);
  const scan = async (jobs: number) => {
    let findings = '';
    const onFinding = (finding: ScanFinding): void => {
      findings += `${JSON.stringify(finding)}\n`;
    };
    const rules = { format: 'csv', from: 'cesu-8+utf-8', keys: ['name'], limits: ['name=9b'] };
    const options = { ...rules, input, jobs };
    const report = await built.scanDump({ ...options, onFinding });
    expect(await built.scanDump(options)).toMatchObject({ ...report, toJSON: expect.anything() });
    return { findings, report: JSON.stringify(report) };
  };
  const expected = await scan(1);
  expect(await scan(3)).toEqual(expected);
  for (const kind of ['pair', 'legacy byte', 'over the limit', 'order', 'equal keys']) {
    expect(expected.findings).toContain(`"kind":"${kind}"`);
  }
});
