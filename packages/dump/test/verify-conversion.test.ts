/** Conversions of every format, which are proved by comparing what went in with what came out. */
import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { scale } from '../../../tooling/tiers/tier.js';
import { convertDump } from '../src/convert/convert.js';
import { type VerifySide, verifyDump } from '../src/verify/verify.js';
import { createDump } from './random-dump.js';
import { chooseByDay, useFolder } from './use-folder.js';
import { assumeText } from './verify-tables.js';

const path = useFolder();
const from = 'cesu-8+utf-8';

function write(bytes: Uint8Array, name = 'in'): string {
  writeFileSync(path(name), bytes);
  return path(name);
}

describe('a conversion is proved', () => {
  const keys: Readonly<Record<string, readonly string[]>> = {
    lines: [],
    copy: ['1'],
    tab: ['1'],
    csv: ['id'],
    tsv: ['id'],
    jsonl: ['id'],
    mysqldump: ['id'],
    pg_dump: ['id'],
  };

  it.each(chooseByDay(Object.entries(keys), 3))('of %s, with its rejects', async (format, keys) => {
    const input = write(createDump(format, 11, scale(2000), { pairs: 4, broken: 9 }));
    const [output, rejects] = [path(`${format}.out`), path(`${format}.rejects`)];
    // Rejected rows of a dump are read by the CREATE of its source.
    const common = format === 'tab' ? assumeText({ format, formatOptions: {} }) : { format };
    const { stats } = await convertDump({ input, output, rejects, ...common, from });
    const { records } = stats as { records: { in: number; rejected: number } };
    const source = { input, ...common };
    const target = { input: output, ...common };
    const report = await verifyDump({ source, target, from, keys, rejects });
    expect(report.unexplained).toEqual({});
    expect(report.isProved).toBe(true);
    expect(report.findings.rejected).toBe(records.rejected);
    expect(report.records.equal + report.records.explained).toBe(records.in - records.rejected);
    const without = await verifyDump({ source, target, from, keys });
    expect(without.unexplained).toEqual({ missing: records.rejected });
  });

  it.each(chooseByDay(Object.entries(keys), 3))('of %s, with escapes', async (format, keys) => {
    const input = write(createDump(format, 12, 200, { pairs: 4, broken: 3 }));
    const output = path(`${format}.escaped`);
    const policies = {
      errors: 'escape',
      unpairedSurrogates: 'escape',
      nul: 'replace',
    } as const;
    const { formatOptions } = assumeText<Pick<VerifySide, 'format' | 'formatOptions'>>({ format });
    const common = { format, formatOptions };
    await convertDump({ input, output, ...common, from, ...policies });
    const source = { input, ...common };
    const target = { input: output, ...common };
    const report = await verifyDump({ source, target, from, keys, ...policies });
    expect(report.unexplained).toEqual({});
    if (keys.length === 0) return;
    expect(report.findings.escape).toBeGreaterThan(10);
    expect(report.findings.replacement).toBeGreaterThan(0);
    // With other policies, the same escapes are found, and not explained.
    const strict = await verifyDump({ source, target, from, keys });
    expect(strict.isProved).toBe(false);
    expect(Object.keys(strict.unexplained)).toContain('escape');
  });

  it('and one lost byte is found', async () => {
    const dump = createDump('pg_dump', 13, 1000, { pairs: 4, broken: 1e9 });
    const input = write(dump);
    const output = path('lost.out');
    await convertDump({ input, output, format: 'pg_dump', from });
    const bytes = readFileSync(output);
    const at = bytes.indexOf('漢字', 20_000);
    const lost = write(Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 3)]), 'lost');
    const report = await verifyDump({
      source: { input, format: 'pg_dump' },
      target: { input: lost, format: 'pg_dump' },
      from,
      keys: ['id'],
    });
    expect(report.isProved).toBe(false);
    const [finding] = Object.values(report.examples)
      .flat()
      .filter(({ isExplained }) => !isExplained);
    const line = bytes.subarray(0, at).toString('latin1').split('\n').length;
    expect(finding?.target?.line).toBe(line);
    expect(finding?.source?.line).toBe(line);
  });
});
