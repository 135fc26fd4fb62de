import {
  appendFileSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { scale, seed } from '../../../tooling/tiers/tier.js';
import { segments } from '../src/cut/segments.js';
import { findFormat } from '../src/format/registry.js';
import { createInspection } from '../src/scan/inspection.js';
import { type ScanOptions, type ScanReport, scanDump } from '../src/scan/scan.js';
import type { ScanFinding } from '../src/scan/scan-finding.js';

const folder = mkdtempSync(join(tmpdir(), 'scan-dump-'));

afterAll(() => rmSync(folder, { recursive: true }));

const path = (name: string): string => join(folder, name);

/** Replaces `<…>` by bytes in hex. */
const toBytes = (text: string): Buffer =>
  Buffer.concat(
    text
      .split(/<([^>]*)>/)
      .map((part, i) => (i % 2 ? Buffer.from(part.replaceAll(' ', ''), 'hex') : Buffer.from(part))),
  );

function write(name: string, text: string): string {
  writeFileSync(path(name), toBytes(text));
  return path(name);
}

const PAIR = '<ED A0 BD ED B8 80>';

const csv = { format: 'csv', from: 'cesu-8+utf-8' } as const;

/** Scans, and returns the findings without their file. */
async function find(
  options: Omit<ScanOptions, 'from' | 'format'> & Partial<ScanOptions>,
): Promise<{ found: Record<string, unknown>[]; report: ScanReport }> {
  const found: Record<string, unknown>[] = [];
  const report = await scanDump({
    ...csv,
    ...options,
    onFinding: ({ file: _, ...finding }) => void found.push(finding),
  });
  return { found, report };
}

const sum = (counts: object): number =>
  Object.values(counts).reduce((total, count) => total + count, 0);

describe('scanDump', () => {
  it('reports numbers by kind and column, and the first examples', async () => {
    const input = write('sum.csv', `id,name\n1,${PAIR}\n2,"a\n<ED A0 BD>"\n3,${PAIR}\n`);
    const report = await scanDump({ ...csv, input, max: 1, keys: ['id'] });
    expect(report).toMatchObject({ records: 3, changed: 2, rejected: 1, outsideRecords: 0 });
    expect(report.examples).toEqual({
      pair: [
        {
          file: input,
          record: 1,
          line: 2,
          column: 'name',
          key: { id: '1' },
          offset: 10,
          kind: 'pair',
          bytes: 'ED A0 BD ED B8 80',
          becomes: 'F0 9F 98 80',
        },
      ],
      'unpaired-surrogate': [expect.objectContaining({ line: 4, becomes: null })],
    });
    expect(report.files).toEqual([
      { file: input, flaws: 3, outsideRecords: 0, rejected: 1, misdeclared: 0, hazards: [] },
    ]);
    expect(JSON.stringify(report)).toBe(
      '{"records":3,"changed":2,"rejected":1,"findings":{"pair":2,"unpaired-surrogate":1},"columns":{"pair":{"name":2},"unpaired-surrogate":{"name":1}}}',
    );
  });

  it('passes on every finding in order, and waits for the receiver', async () => {
    const input = write('many.csv', `name\n${'<FF>\n'.repeat(1000)}`);
    const lines: number[] = [];
    let isBusy = false;
    const report = await scanDump({
      ...csv,
      input,
      onFinding: async ({ line }) => {
        expect(isBusy).toBe(false);
        isBusy = true;
        await null;
        isBusy = false;
        lines.push(line);
      },
    });
    expect(lines).toEqual(Array.from({ length: 1000 }, (_, i) => i + 2));
    expect(report.examples['legacy-byte']).toHaveLength(3);
  });

  it('writes the same findings to a report', async () => {
    const input = write('report.csv', `a,b\n${`${PAIR},<00>\n`.repeat(1000)}`);
    const findings: ScanFinding[] = [];
    await scanDump({
      ...csv,
      input,
      report: path('report.jsonl'),
      onFinding: (finding) => void findings.push(finding),
    });
    const expected = findings
      .map((finding) => `${JSON.stringify({ type: 'finding', ...finding })}\n`)
      .join('');
    expect(findings).toHaveLength(2000);
    expect(readFileSync(path('report.jsonl'), 'utf8')).toBe(expected);
  });

  it('leaves an old report as it is if the scan fails', async () => {
    writeFileSync(path('old.jsonl'), 'old');
    const input = write('open.csv', 'a,b\n<FF>,x\n"open\n');
    const scan = scanDump({ ...csv, input, report: path('old.jsonl') });
    await expect(scan).rejects.toMatchObject({ code: 'ERR_UTF8_INPUT' });
    expect(readFileSync(path('old.jsonl'), 'utf8')).toBe('old');
  });

  it('refuses a report that is an input, by any name', async () => {
    const input = write('input.csv', 'a\n<FF>\n');
    symlinkSync(input, path('link'));
    const scan = scanDump({ ...csv, input, report: path('link') });
    await expect(scan).rejects.toMatchObject({ code: 'ERR_UTF8_USAGE' });
    expect(readFileSync(input)).toEqual(toBytes('a\n<FF>\n'));
  });

  it('goes on after an input that cannot be read, and reports it', async () => {
    const good = write('good.csv', 'name\n<FF>\n');
    const failures: [string, string][] = [];
    const report = await scanDump({
      ...csv,
      input: [path('none.csv'), good],
      onFailure: (file, { code }) => void failures.push([file, code]),
    });
    expect(failures).toEqual([[path('none.csv'), 'ERR_UTF8_INPUT']]);
    expect(report.files.map(({ flaws, failed }) => [flaws, failed?.code])).toEqual([
      [0, 'ERR_UTF8_INPUT'],
      [1, undefined],
    ]);
    const scan = scanDump({ ...csv, input: [path('none.csv'), good] });
    await expect(scan).rejects.toMatchObject({ code: 'ERR_UTF8_INPUT' });
  });

  it('counts what is found before malformed JSON', async () => {
    const input = write('broken.jsonl', '{"a":"<FF>"}\n{"a":"<FF>"\n{"a":"<FF>"}\n');
    const report = await scanDump({ ...csv, format: 'jsonl', input, onFailure: () => {} });
    expect(report.findings).toEqual({ 'legacy-byte': 1 });
    expect(report.files[0]?.failed?.message).toMatch(/^.*broken\.jsonl:2: /);
  });

  it('refuses a key or a limit for a column that no record has', async () => {
    const input = write('columns.csv', 'id,name\n1,a\n');
    for (const [options, flag] of [
      [{ keys: ['nam'] }, '`keys`'],
      [{ limits: ['nam=4b'] }, '`limits`'],
    ] as const) {
      await expect(scanDump({ ...csv, ...options, input })).rejects.toMatchObject({
        code: 'ERR_UTF8_USAGE',
        message: `${flag}: no record has a column "nam"; the columns are id, name`,
      });
    }
  });

  it.each([
    [{ keys: ['a', 'a'] }, 'ERR_UTF8_USAGE'],
    [{ keys: ['a'], input: '-' }, 'ERR_UTF8_USAGE'],
    [{ limits: ['a=4'] }, 'ERR_UTF8_USAGE'],
    [{ format: 'xls' }, 'ERR_UTF8_USAGE'],
    [{ jobs: 0 }, 'ERR_UTF8_USAGE'],
    [{ range: { from: 2, to: 1 } }, 'ERR_UTF8_USAGE'],
    [{ range: { from: 0, to: 1 }, input: ['a', 'b'] }, 'ERR_UTF8_USAGE'],
    [{ input: [] }, 'ERR_UTF8_USAGE'],
    [{ from: 'latin-9' }, 'ERR_UTF8_LABEL'],
    [{ unpairedSurrogates: 'keep' }, 'ERR_UTF8_REPAIR_OPTION'],
  ] as const)('refuses %j with %s', async (options, code) => {
    const input = write('options.csv', 'a\n1\n');
    await expect(scanDump({ ...csv, input, ...options })).rejects.toMatchObject({ code });
  });

  it('counts by 1,000 columns at most, and the rest together', async () => {
    const rows = Array.from({ length: 1500 }, (_, i) => `{"c${i}":"<FF>"}\n`).join('');
    const input = write('wide.jsonl', rows + rows);
    const { columns } = await scanDump({ ...csv, format: 'jsonl', input });
    const counts = columns['legacy-byte'] ?? {};
    expect(Object.keys(counts)).toHaveLength(1001);
    expect(counts['other columns']).toBe(1000);
    expect(counts.c999).toBe(2);
    expect(sum(counts)).toBe(3000);
  });

  it('finds equal and reordered keys across segments', async () => {
    // Each second key moves before the one above it; a segment ends after some thousand rows.
    const note = 'x'.repeat(150);
    const rows = Array.from({ length: 1600 }, (_, i) => {
      const code = `k${String(i - (i % 2)).padStart(6, '0')}`;
      return `${code}${i % 2 ? PAIR : '\uFFEE'},${note}\n`;
    });
    rows[10] = `same${PAIR},\n`;
    rows[1500] = 'same😀,\n';
    const input = write('keys.csv', `code,note\n${rows.join('')}`);
    const { found, report } = await find({ input, keys: ['code'] });
    const equal = found.filter(({ kind }) => kind === 'equal-keys');
    expect(equal).toMatchObject([
      {
        record: 11,
        line: 12,
        becomes: { code: 'same😀' },
        other: { record: 1501, line: 1502 },
      },
    ]);
    expect(found.at(-1)).toBe(equal[0]);
    const records = found.filter(({ kind }) => kind === 'order').map(({ record }) => record);
    const expected = Array.from({ length: 800 }, (_, i) => 2 * i + 2);
    expect(records).toEqual(expected.filter((record) => record !== 12 && record !== 1502));
    expect(report.findings.order).toBe(records.length);
  });

  it('compares keys across files', async () => {
    const one = write('one.csv', `name\na${PAIR}\n`);
    const two = write('two.csv', 'name\na😀\n');
    const { found } = await find({ input: [one, two], keys: ['name'] });
    expect(found).toMatchObject([
      { kind: 'pair' },
      { kind: 'equal-keys', record: 1, other: { file: two, record: 1 } },
    ]);
  });

  it('measures texts against limits', async () => {
    const input = write('limits.csv', 'id,name\n1,abcdef\n2,<ED A0 BD>bc\n3,"a""bcd"\n');
    const { found } = await find({
      input,
      unpairedSurrogates: 'escape',
      limits: ['name=5b', 'name=5c'],
    });
    const excesses = found.filter(({ kind }) => kind === 'too-long');
    expect(
      excesses.map(({ record, limit, before, after }) => [record, limit, before, after]),
    ).toEqual([
      [1, '5b', 6, 6],
      [1, '5c', 6, 6],
      [2, '5b', 5, 8],
      [2, '5c', 3, 8],
    ]);
  });

  it('reads compressed inputs, twice for keys', async () => {
    const plain = write('plain.csv', `name\na${PAIR}\na😀\n`);
    writeFileSync(path('plain.csv.gz'), gzipSync(readFileSync(plain)));
    const expected = await find({ input: plain, keys: ['name'] });
    const { found } = await find({ input: path('plain.csv.gz'), keys: ['name'] });
    const other = { ...(found[1]?.other as object), file: plain };
    expect([found[0], { ...found[1], other }]).toEqual(expected.found);
  });

  it('fails if an input changes while it is read', async () => {
    const input = write('growing.csv', `name\n${'a\n'.repeat(300_000)}`);
    let isChanged = false;
    const onProgress = (): void => {
      if (!isChanged) appendFileSync(input, 'a\n');
      isChanged = true;
    };
    await expect(scanDump({ ...csv, input, onProgress })).rejects.toMatchObject({
      code: 'ERR_UTF8_INPUT',
    });
  });

  it('tells how far it has come', async () => {
    const input = write('progress.csv', `name\n${'a\n'.repeat(300_000)}`);
    const steps: [number, number | undefined][] = [];
    await scanDump({ ...csv, input, onProgress: (...step) => void steps.push(step) });
    expect(steps.length).toBeGreaterThan(2);
    expect(steps.at(-1)).toEqual([600_005, 600_005]);
    expect(steps.map(([done]) => done)).toEqual(steps.map(([done]) => done).sort((a, b) => a - b));
  });

  it('leaves out what begins before or after a range, and counts as in the whole file', async () => {
    const text = `id,name\n${Array.from({ length: 50 }, (_, i) => `${i},"<FF>\n${PAIR}"\n`).join('')}`;
    const input = write('range.csv', text);
    const { length } = toBytes(text);
    const whole = await find({ input });
    expect(whole.found).toHaveLength(100);
    const cuts = [0, 1, 7, 8, 9, 100, 101, 300, length - 1, length + 10];
    const parts: Record<string, unknown>[] = [];
    let records = 0;
    for (const [i, from] of cuts.entries()) {
      const to = cuts[i + 1] ?? Number.POSITIVE_INFINITY;
      const { found, report } = await find({ input, range: { from, to } });
      parts.push(...found);
      records += report.records;
    }
    expect(parts).toEqual(whole.found);
    expect(records).toBe(50);
  });

  it('finds the same wherever segments end', async () => {
    const value = fc.constantFrom('a', 'é', PAIR, '<ED A0 BD>', '<FF>', '<00>', '"x\ny"', '');
    const rows = fc.array(fc.tuple(value, value), { minLength: 1, maxLength: 60 });
    const format = findFormat('csv', {});
    const inspect = async (bytes: Buffer, size: number) => {
      const work = createInspection({
        task: 'inspect',
        file: 'file',
        format: { name: 'csv', options: {} },
        repair: {
          from: 'cesu-8+utf-8',
          to: 'utf-8',
          errors: 'fail',
          nul: 'fail',
          unpairedSurrogates: 'fail',
          mojibake: 'keep',
        },
        keys: [],
        declared: [],
        limits: ['b=2b'],
        unseen: ['b'],
        kept: Number.POSITIVE_INFINITY,
      });
      const source = {
        name: 'file',
        size: bytes.length,
        read: async (into: Uint8Array, at: number) => bytes.copy(into, 0, at, at + into.length),
      };
      const result = { records: 0, changed: 0, rejected: 0, findings: [] as ScanFinding[] };
      for await (const segment of segments(source, format, { size })) {
        const { records, changed, rejected, findings } = work(segment);
        result.records += records;
        result.changed += changed;
        result.rejected += rejected;
        result.findings.push(...findings);
      }
      return result;
    };
    await fc.assert(
      fc.asyncProperty(rows, fc.integer({ min: 16, max: 200 }), async (pairs, size) => {
        const bytes = toBytes(`a,b\n${pairs.map((pair) => `${pair.join()}\n`).join('')}`);
        expect(await inspect(bytes, size)).toEqual(await inspect(bytes, 1 << 20));
      }),
      { seed, numRuns: scale(200) },
    );
  });
});
