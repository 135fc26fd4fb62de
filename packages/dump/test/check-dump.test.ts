/** Every malformed character of some files, at its place, however the files are read. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { type CheckOptions, type CheckReport, checkDump } from '../src/check/check.js';
import { UsageError } from '../src/error.js';
import type { FaultFinding } from '../src/rewrite/refusal.js';
import { bytesOf, cesu } from './format-reading.js';
import { useFolder } from './use-folder.js';

const path = useFolder();

let files = 0;

/** Writes a file; a character is a byte. */
function write(text: string, pack = (bytes: Uint8Array) => bytes): string {
  const name = path(`file-${files++}`);
  writeFileSync(name, pack(bytesOf(text)));
  return name;
}

async function check(
  input: string | readonly string[],
  options: Omit<CheckOptions, 'input' | 'onFinding'> = {},
): Promise<{ report: CheckReport; found: FaultFinding[] }> {
  const found: FaultFinding[] = [];
  const report = await checkDump({
    ...options,
    input,
    onFinding: (finding) => void found.push(finding),
  });
  return { report, found };
}

const place = ({ line, column, offset, length, reason, bytes }: FaultFinding): unknown[] => [
  ...[line, column, offset, length, reason, bytes],
];

describe('checkDump', () => {
  const text = `a\n\xc3\xa9\xff\n\n${cesu.high}b\xc0\x80\n\xf0\x9f\x98`;
  const expected = [
    [2, 2, 4, 1, 'invalid-lead', 'FF'],
    [4, 1, 7, 3, 'surrogate', 'ED A0 BD'],
    [4, 3, 11, 2, 'overlong', 'C0 80'],
    [5, 1, 14, 3, 'truncated', 'F0 9F 98'],
  ];

  it.each<[string, ((bytes: Uint8Array) => Uint8Array) | undefined]>([
    ['a file', undefined],
    ['compressed data, which is read once', gzipSync],
  ])('finds the malformed characters of %s, with their places', async (_, pack) => {
    const file = write(text, pack);
    const { found, report } = await check(file);
    expect(found.map(place)).toEqual(expected);
    expect(new Set(found.map((each) => each.file))).toEqual(new Set([file]));
    expect(report).toEqual({
      reasons: { 'invalid-lead': 1, surrogate: 1, overlong: 1, truncated: 1 },
      total: 4,
      filesMalformed: 1,
      filesChecked: 1,
      filesFailed: 0,
      isStopped: false,
    });
  });

  it('is of UTF-8 unless another encoding is named', async () => {
    const file = write(`${cesu.emoji}\n\xf0\x9f\x98\x80\n`);
    const total = async (options: Partial<CheckOptions>) =>
      (await check(file, options)).report.total;
    expect(await total({})).toBe(1);
    expect(await total({ from: 'cesu-8' })).toBe(1);
    expect(await total({ from: 'cesu-8+utf-8' })).toBe(0);
    expect(await total({ from: 'utf8', vendor: 'oracle' })).toBe(1);
    await expect(checkDump({ input: file, from: 'latin-9' })).rejects.toMatchObject({
      code: 'ERR_UTF8_LABEL',
    });
  });

  it.each<[string, ((bytes: Uint8Array) => Uint8Array) | undefined]>([
    ['files', undefined],
    ['compressed data', gzipSync],
  ])('counts lines over all segments of %s', async (_, pack) => {
    const rows = Array.from({ length: 60_000 }, (_, i) => `${i} ${'\xc3\xa9'.repeat(20)}\n`);
    rows[30_000] = '\xc3\xa9\xff\n';
    rows[59_999] = '\xc3\xa9\xc3\xa9\xff';
    const { found } = await check(write(rows.join(''), pack));
    expect(found.map(({ line, column }) => [line, column])).toEqual([
      [30_001, 2],
      [60_000, 3],
    ]);
  });

  it('never cuts a malformed character, in segments and in ranges', {
    tags: ['slow'],
  }, async () => {
    const pairs = 50_001;
    const file = write(`\xe2\x82\xac${cesu.emoji.repeat(pairs)}`);
    const { found } = await check(file);
    expect(found).toHaveLength(pairs);
    expect(found.every(({ length, column }, i) => length === 6 && column === i + 2)).toBe(true);
    const parts: number[] = [];
    for (let from = 0; from < 600; from += 7) {
      const { found } = await check(file, { range: { from, to: from + 7 } });
      parts.push(...found.map(({ offset }) => offset));
    }
    expect(parts).toEqual(Array.from({ length: 100 }, (_, i) => 3 + 6 * i));
  });

  it('counts columns over the segments of one line', async () => {
    const text = `\n${'\xc3\xa9'.repeat(1_000_000)}\xff${'\xc3\xa9'.repeat(500_000)}\xff`;
    for (const pack of [undefined, gzipSync]) {
      const { found } = await check(write(text, pack));
      expect(found.map(({ line, column }) => [line, column])).toEqual([
        [2, 1_000_001],
        [2, 1_500_002],
      ]);
    }
  });

  it.each([
    [1, 1, 1, 1],
    [2, 2, 1, 1],
    [3, 3, 2, 2],
    [4, 3, 2, 3],
  ])('stops after %i findings', async (max, total, filesMalformed, filesChecked) => {
    const input = [write('\xff\n\xff'), write('\xff'), write('')];
    const { found, report } = await check(input, { max });
    expect(found).toHaveLength(total);
    expect(report).toMatchObject({
      reasons: { 'invalid-lead': total },
      total,
      filesMalformed,
      filesChecked,
      isStopped: max === total,
    });
  });

  it('checks the characters that begin in a range', async () => {
    const file = write('\xff\n\xc3\xa9\xff\n\xff\n');
    const offsets = async (from: number, to: number) =>
      (await check(file, { range: { from, to } })).found.map(({ line, column, offset }) => [
        ...[line, column, offset],
      ]);
    expect(await offsets(0, 4)).toEqual([[1, 1, 0]]);
    expect(await offsets(1, 5)).toEqual([[2, 2, 4]]);
    expect(await offsets(3, 7)).toEqual([
      [2, 2, 4],
      [3, 1, 6],
    ]);
    expect(await offsets(7, 9)).toEqual([]);
  });

  it('reads no range of compressed data', async () => {
    const failures: string[] = [];
    const { report } = await check(write('abc', gzipSync), {
      range: { from: 0, to: 2 },
      onFailure: (_, { message }) => void failures.push(message),
    });
    expect(report).toMatchObject({ filesChecked: 0, filesFailed: 1 });
    expect(failures).toEqual([
      expect.stringMatching(
        /is compressed with gzip and cannot be read from an arbitrary position/,
      ),
    ]);
  });

  it('goes on after a file that cannot be read', async () => {
    mkdirSync(path('folder'));
    const failures: [string, string][] = [];
    const truncated = write('\xffab', (bytes) => gzipSync(bytes).subarray(0, -9));
    const input = [path('none'), write('\xff'), path('folder'), truncated, write('a')];
    const { report } = await check(input, {
      onFailure: (file, { code }) => void failures.push([file, code]),
    });
    expect(failures).toEqual(
      [input[0], input[2], input[3]].map((file) => [file, 'ERR_UTF8_INPUT']),
    );
    expect(report).toMatchObject({ filesChecked: 3, filesFailed: 3, isStopped: false });
    expect(report.total).toBe(report.filesMalformed);
    const silent = await checkDump({ input });
    expect(silent).toEqual(report);
  });

  it('waits for what receives findings and failures', async () => {
    const log: string[] = [];
    const slowly = (word: string) => async () => {
      await null;
      await null;
      log.push(word);
    };
    await checkDump({
      input: [path('none'), write('\xff'), path('none')],
      onFinding: slowly('finding'),
      onFailure: slowly('failure'),
    });
    expect(log).toEqual(['failure', 'finding', 'failure']);
  });

  it('passes on what is thrown on the way', async () => {
    const onFinding = () => {
      throw new Error('mine');
    };
    await expect(checkDump({ input: write('\xff'), onFinding })).rejects.toThrow('mine');
  });

  it('tells how far it has come, out of all files', async () => {
    const input = [write('a'.repeat(2_000_000)), write('bc')];
    const progress: [number, number | undefined][] = [];
    await checkDump({ input, onProgress: (...each) => void progress.push(each) });
    const done = progress.map(([bytes]) => bytes);
    expect(done).toEqual([...done].sort((a, b) => a - b));
    expect(progress.length).toBeGreaterThan(2);
    expect(progress.at(-1)).toEqual([2_000_002, 2_000_002]);
    const packed: unknown[] = [];
    const file = write('abc', gzipSync);
    await checkDump({ input: file, onProgress: (done, total) => void packed.push(done, total) });
    expect(packed[0]).toBe(3);
  });

  it.each<[string, Omit<CheckOptions, 'input'> & Partial<CheckOptions>, string]>([
    ['no input', { input: [] }, 'no input; specify a file, or - for stdin'],
    ['stdin twice', { input: ['-', 'a', '-'] }, 'stdin can be read only once; use - once'],
    ['no jobs', { jobs: 0 }, 'jobs must be a whole number from 1 to 256, not 0'],
    ['half a job', { jobs: 1.5 }, 'jobs must be a whole number from 1 to 256, not 1.5'],
    ['too many jobs', { jobs: 257 }, 'jobs must be a whole number from 1 to 256, not 257'],
    [
      'a range of a folder',
      { range: { from: 0, to: 1 }, input: '.' },
      '`range` requires a regular file; . is not one',
    ],
  ])('refuses %s', async (_, options, sentence) => {
    const result = checkDump({ input: 'a', ...options });
    await expect(result).rejects.toThrow(UsageError);
    await expect(result).rejects.toThrow(sentence);
  });
});
