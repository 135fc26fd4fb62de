/** Conversions of plain text: what is written, refused and counted. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { type ConvertReport, convertDump } from '../src/convert/convert.js';
import type { TextStats } from '../src/convert/ledger.js';
import type { ConvertOptions } from '../src/plan.js';
import { revertDump } from '../src/revert/revert.js';
import { bytesOf, cesu } from './format-reading.js';
import { useFolder } from './use-folder.js';

const path = useFolder();

type Options = Partial<Omit<ConvertOptions, 'input' | 'output'>>;

interface Converted {
  readonly output: string;
  readonly refusal: ConvertReport['refusal'];
  readonly stats: TextStats;
  readonly input: readonly string[];
}

let files = 0;

/** Writes a file; a character is a byte. */
function write(text: string, pack = (bytes: Uint8Array) => bytes): string {
  const name = path(`file-${files++}`);
  writeFileSync(name, pack(bytesOf(text)));
  return name;
}

/** Converts texts, and returns what came out of them; without a result, the old one is `before`. */
async function convert(
  texts: string | readonly string[],
  options: Options & { pack?: (bytes: Uint8Array) => Uint8Array } = {},
): Promise<Converted> {
  const { pack, ...rest } = options;
  const input = [texts].flat().map((text) => write(text, pack));
  const output = path('out');
  writeFileSync(output, 'before');
  const { status, refusal, stats } = await convertDump({ from: 'cesu-8', ...rest, input, output });
  expect(status).toBe(refusal ? 'refused' : 'converted');
  expect(readdirSync(path('.')).filter((name) => name.includes('unfinished'))).toEqual([]);
  return { output: readFileSync(output, 'latin1'), refusal, stats: stats as TextStats, input };
}

const FOUR = '\xf0\x9f\x98\x80';
const BOM = '\xef\xbb\xbf';
const FFFD = '\xef\xbf\xbd';
const KINDS = ['pair', 'four-byte', 'unpaired-surrogate', 'nul', 'overlong', 'other'];
const NONE = Object.fromEntries(KINDS.map((kind) => [kind, 0]));

describe('plain text is converted', () => {
  it.each<[string, Options, string, string]>([
    ['to UTF-8 by default', {}, `a${cesu.emoji}`, `a${FOUR}`],
    ['to another encoding', { from: 'utf-8', to: 'cesu-8' }, FOUR, cesu.emoji],
    ['from mixed text', { from: 'cesu-8+utf-8' }, cesu.emoji + FOUR, FOUR + FOUR],
    ['by the name that a vendor gives', { from: 'UTF8', vendor: 'oracle' }, cesu.emoji, FOUR],
    [
      'to the name that a vendor gives',
      { from: 'utf-8', to: 'UTF8', vendor: 'oracle' },
      FOUR,
      cesu.emoji,
    ],
    ['if it is empty', {}, '', ''],
    ['with its U+FEFF', {}, `${BOM}a`, `${BOM}a`],
    ['without its U+FEFF', { bom: 'strip' }, `${BOM}a`, 'a'],
    ['without the first U+FEFF', { bom: 'strip' }, `${BOM}${BOM}`, BOM],
    ['without a U+FEFF that it lacks', { bom: 'strip' }, 'a', 'a'],
    ['with a U+FEFF more', { bom: 'add' }, 'a', `${BOM}a`],
    ['with the U+FEFF that it has', { bom: 'add' }, `${BOM}a`, `${BOM}a`],
    ['with a U+FEFF alone', { bom: 'add' }, '', BOM],
    ['with its U+0000', {}, 'a\0b', 'a\0b'],
    ['without its U+0000', { nul: 'remove' }, '\0a\0\0b\0', 'ab'],
    ['with U+FFFD for U+0000', { nul: 'replace' }, '\0a\0', `${FFFD}a${FFFD}`],
    ['with U+FFFD for faults', { errors: 'replace' }, 'a\xffb\xe2\x82', `a${FFFD}b${FFFD}`],
    ['without faults', { errors: 'remove' }, `a\xffb${cesu.high}`, 'ab'],
    ['with escapes for faults', { errors: 'escape' }, 'a\xff\xfe', 'a\\xff\\xfe'],
    // Ъ and э
    [
      'with legacy characters',
      { errors: 'KOI8_R' as 'koi8-r' },
      'a\xffb\xdc',
      'a\xd0\xaab\xd1\x8d',
    ],
    [
      'with escapes for what the target refuses',
      { from: 'cesu-8-lenient', errors: 'escape' },
      `a${cesu.low}`,
      'a\\xed\\xb8\\x80',
    ],
  ])('%s', async (_, options, text, expected) => {
    const { output, stats } = await convert(text, options);
    expect(output).toBe(expected);
    expect(stats).toMatchObject({ bytesRead: text.length, bytesWritten: expected.length });
    // Counting and reverting take another way.
    const counted = await convert(text, { ...options, wantsStats: true, undo: path('undo') });
    expect(counted.output).toBe(expected);
    await revertDump({ input: path('out'), undo: path('undo'), output: path('back') });
    expect(readFileSync(path('back'), 'latin1')).toBe(text);
    const packed = await convert(text, { ...options, pack: gzipSync });
    expect(packed.output).toBe(expected);
  });

  it('file by file', async () => {
    const { output, stats } = await convert([cesu.emoji, '', `${BOM}b`, `${BOM}c`], {
      bom: 'strip',
    });
    expect(output).toBe(`${FOUR}bc`);
    expect(stats).toMatchObject({ bytesRead: 14, bytesWritten: 6, bom: { stripped: 2, added: 0 } });
  });

  it('with one U+FEFF for all files', async () => {
    const { output, stats } = await convert(['', 'a', `${BOM}b`], { bom: 'add' });
    expect(output).toBe(`${BOM}a${BOM}b`);
    expect(stats).toMatchObject({ bytesWritten: 8, bom: { stripped: 0, added: 1 } });
  });

  it('in ranges, of which only the first is concerned with U+FEFF', async () => {
    const text = `${BOM}a${cesu.emoji}b\n`;
    const parts = async (options: Options): Promise<string[]> => {
      const outputs: string[] = [];
      for (const [from, to] of [
        [0, 3],
        [3, 5],
        [5, 10],
        [10, Number.POSITIVE_INFINITY],
      ] as const) {
        outputs.push((await convert(text, { ...options, range: { from, to } })).output);
      }
      return outputs;
    };
    expect(await parts({})).toEqual([BOM, `a${FOUR}`, '', 'b\n']);
    expect(await parts({ bom: 'strip' })).toEqual(['', `a${FOUR}`, '', 'b\n']);
    expect(await parts({ bom: 'add' })).toEqual([BOM, `a${FOUR}`, '', 'b\n']);
    expect((await convert('ab', { bom: 'add', range: { from: 0, to: 1 } })).output).toBe(`${BOM}a`);
    expect((await convert('ab', { bom: 'add', range: { from: 0, to: 0 } })).output).toBe('');
  });
});

describe('plain text is refused', () => {
  it.each<[string, Options, string, object]>([
    [
      'at a fault',
      {},
      `\xc3\xa9\n\xc3\xa9\xff`,
      { line: 2, column: 2, offset: 5, length: 1, reason: 'invalid-lead', bytes: 'FF' },
    ],
    [
      'at an unpaired surrogate',
      {},
      cesu.high,
      { line: 1, column: 1, offset: 0, length: 3, reason: 'surrogate', bytes: 'ED A0 BD' },
    ],
    [
      'at what the target refuses',
      { from: 'cesu-8-lenient' },
      `a${cesu.low}`,
      { offset: 1, reason: 'surrogate', bytes: 'ED B8 80', isTargetAtFault: true },
    ],
    [
      'at U+0000',
      { nul: 'fail' },
      '\n\xc3\xa9\0',
      {
        line: 2,
        column: 2,
        offset: 3,
        length: 1,
        reason: 'nul',
        bytes: '00',
        isTargetAtFault: false,
      },
    ],
    ['at a fault before U+0000', { nul: 'fail' }, '\xff\0', { offset: 0, reason: 'invalid-lead' }],
    ['at U+0000 before a fault', { nul: 'fail' }, '\0\xff', { offset: 0, reason: 'nul' }],
    [
      'at U+0000 after what is repaired',
      { nul: 'fail', errors: 'remove' },
      '\xff\0',
      { offset: 1, reason: 'nul' },
    ],
    [
      'after U+FEFF, which counts',
      { bom: 'strip' },
      `${BOM}a\xff`,
      { line: 1, column: 3, offset: 4, reason: 'invalid-lead' },
    ],
    [
      'on a line after that of U+FEFF',
      { bom: 'strip' },
      `${BOM}\na\xff`,
      { line: 2, column: 2, offset: 5 },
    ],
    [
      'at U+0000 after U+FEFF',
      { bom: 'strip', nul: 'fail' },
      `${BOM}a\0`,
      { line: 1, column: 3, offset: 4, reason: 'nul' },
    ],
  ])('%s', async (_, options, text, expected) => {
    for (const pack of [undefined, gzipSync]) {
      const { output, refusal, input } = await convert(text, { ...options, ...(pack && { pack }) });
      expect(refusal).toMatchObject({ file: input[0], ...expected });
      expect(output).toBe('before');
    }
  });

  it('at a fault of a late segment, by its place in the file', async () => {
    const text = `${`${cesu.hangul}\n`.repeat(300_000)}${cesu.hangul}\xff`;
    for (const pack of [undefined, gzipSync]) {
      const { refusal } = await convert(text, { ...(pack && { pack }) });
      expect(refusal).toMatchObject({ line: 300_001, column: 2, offset: 1_200_003 });
    }
    const { refusal } = await convert(text, { range: { from: 700_001, to: 1_300_000 } });
    expect(refusal).toMatchObject({ line: 300_001, column: 2, offset: 1_200_003 });
  });

  it('at the end of a file, whatever the next one begins with', async () => {
    const { refusal, input } = await convert([cesu.high, cesu.low]);
    expect(refusal).toMatchObject({ file: input[0], offset: 0, reason: 'surrogate' });
    const second = await convert(['a\n', 'b\xff']);
    expect(second.refusal).toMatchObject({ file: second.input[1], line: 1, column: 2 });
  });
});

describe('statistics of plain text', () => {
  it('count characters, lines, faults and U+0000', async () => {
    const first = `${BOM}A\n\xff\xc3\xa9\0\nB\n${cesu.high}`;
    const { stats, input } = await convert([first, '\0'], {
      errors: 'remove',
      nul: 'remove',
      bom: 'strip',
      stats: path('stats'),
    });
    expect(stats).toEqual({
      files: input,
      from: 'cesu-8',
      to: 'utf-8',
      bytesRead: 16,
      bytesWritten: 7,
      characters: 11,
      lines: 5,
      changedCharacters: NONE,
      changedLines: 3,
      errors: 'remove',
      faults: { 'invalid-lead': 1, surrogate: 1 },
      nul: { removed: 2, replaced: 0 },
      bom: { stripped: 1, added: 0 },
    });
    const saved = `${JSON.stringify({ type: 'stats', ...stats }, null, 2)}\n`;
    expect(readFileSync(path('stats'), 'utf8')).toBe(saved);
  });

  it('count no characters and lines unless they are asked for', async () => {
    const { stats } = await convert('a\n\0', { nul: 'replace' });
    expect(stats).toMatchObject({ characters: 0, nul: { removed: 0, replaced: 1 } });
    expect(stats.lines).toBeUndefined();
    expect(stats.changedCharacters).toBeUndefined();
    expect(stats.changedLines).toBeUndefined();
  });

  it.each<[string, Options, string, number, number, object]>([
    ['a pair', {}, `a\n${cesu.emoji}${cesu.emoji}\n`, 2, 1, { pair: 2 }],
    ['pairs on two lines', {}, `${cesu.emoji}\n${cesu.emoji}`, 2, 2, { pair: 2 }],
    ['no line at all', {}, '', 0, 0, {}],
    ['an empty line', {}, '\n', 1, 0, {}],
    ['a line that is not ended', {}, 'a', 1, 0, {}],
    ['four bytes', { from: 'utf-8', to: 'cesu-8' }, `${FOUR}\n\n`, 2, 1, { 'four-byte': 1 }],
    [
      'a fault and a pair on a line',
      { errors: 'replace' },
      `\xff${cesu.emoji}\n`,
      1,
      1,
      { pair: 1 },
    ],
    [
      'a pair and a fault on a line',
      { errors: 'replace' },
      `${cesu.emoji}\xff\n`,
      1,
      1,
      { pair: 1 },
    ],
    ['faults', { errors: 'escape' }, `a\xff\xfe\n\nb\xff`, 3, 2, {}],
    ['U+0000 that is kept', {}, '\0\n', 1, 0, {}],
    ['U+0000 that is removed', { nul: 'remove' }, '\0a\0\n\0', 2, 2, {}],
    ['U+0000 and a pair', { nul: 'remove' }, `\0${cesu.emoji}\n`, 1, 1, { pair: 1 }],
    ['U+0000 in two bytes', { from: 'mutf-8', to: 'utf-8' }, 'a\xc0\x80\n', 1, 1, { nul: 1 }],
  ])('count changed lines: %s', async (_, options, text, lines, changedLines, changed) => {
    const { stats } = await convert(text, { ...options, wantsStats: true });
    expect(stats).toMatchObject({ lines, changedLines });
    expect(stats.changedCharacters).toEqual({ ...NONE, ...changed });
    // Each file ends a line.
    const twice = await convert([text, text], { ...options, wantsStats: true });
    expect(twice.stats).toMatchObject({ lines: 2 * lines, changedLines: 2 * changedLines });
  });

  it('count a line once that several segments share', async () => {
    const long = cesu.emoji.repeat(400_000);
    const { stats } = await convert(`a\n${long}\nb\n${cesu.emoji}\n`, { wantsStats: true });
    expect(stats).toMatchObject({
      characters: 400_000 + 7,
      lines: 4,
      changedLines: 2,
      changedCharacters: { pair: 400_001 },
    });
  });
});

it('progress is out of all files, and of unknown length if one is compressed', async () => {
  const progress: [number, number | undefined][] = [];
  const onProgress = (...each: [number, number | undefined]) => void progress.push(each);
  await convert(['a'.repeat(2_000_000), 'bc'], { onProgress });
  expect(progress.length).toBeGreaterThan(2);
  expect(
    progress.every(
      ([done, total], i) => total === 2_000_002 && done >= (progress[i - 1]?.[0] ?? 1),
    ),
  ).toBe(true);
  expect(progress.at(-1)).toEqual([2_000_002, 2_000_002]);
  progress.length = 0;
  await convert('abcdef', { onProgress, range: { from: 2, to: 5 } });
  expect(progress).toEqual([[3, 3]]);
  progress.length = 0;
  await convert('abcdef', { onProgress, range: { from: 2, to: 99 } });
  expect(progress).toEqual([[4, 4]]);
  progress.length = 0;
  await convert('abcdef', { onProgress, pack: gzipSync });
  expect(progress.at(-1)).toEqual([6, undefined]);
});

it('is done to a dump only if someone asks for it, since blobs are converted, too', async () => {
  const head = '-- MySQL dump 10.13\nCREATE TABLE t (a blob);\n';
  writeFileSync(
    path('in'),
    Buffer.concat([
      bytesOf(`${head}INSERT INTO t VALUES ('`),
      bytesOf(cesu.emoji),
      bytesOf("');\n"),
    ]),
  );
  const options = { input: path('in'), output: path('out'), from: 'cesu-8+utf-8' };
  const notices: string[] = [];
  const onNotice = (notice: string): void => void notices.push(notice);
  await convertDump({ ...options, onNotice });
  expect(readFileSync(path('out'))).toEqual(readFileSync(path('in')));
  expect(notices).toEqual([
    `${path('in')}: read with \`format: 'mysqldump'\`, as its beginning says; \`format: 'none'\` reads it as plain text`,
  ]);
  await convertDump({ ...options, format: 'none', onNotice });
  expect(readFileSync(path('out'), 'utf8')).toBe(`${head}INSERT INTO t VALUES ('😀');\n`);
  expect(notices).toHaveLength(1);
});
