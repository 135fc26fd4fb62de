/** Impossible requests: each has its own message, and writes nothing. */
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  type ConvertOptions,
  convertDump,
  revertDump,
  type ScanOptions,
  scanDump,
  verifyDump,
} from '../src/index.js';
import { findFormat } from '../src/internal.js';
import { useFolder } from './use-folder.js';

const inFolder = useFolder();
const [input, other, output] = ['in', 'other', 'out'];

beforeAll(() => {
  writeFileSync(inFolder('in'), 'id,text\n1,a\n');
  writeFileSync(inFolder('other'), 'id,text\n2,b\n');
  writeFileSync(inFolder('sql'), 'CREATE TABLE t (id int);\nCREATE TABLE u (id int);\n');
  mkdirSync(inFolder('folder'));
});

/** Replaces names by paths, and paths by names. */
const locate = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(locate)
    : typeof value === 'string' && /^(?:in|other|out|sql|folder|missing)$/.test(value)
      ? inFolder(value)
      : value;
const locateAll = <T extends object>(options: T): T =>
  Object.fromEntries(Object.entries(options).map(([key, value]) => [key, locate(value)])) as T;

async function refusal(run: () => unknown): Promise<string> {
  const before = readdirSync(inFolder('.'));
  try {
    const found = await run();
    return `no error: ${JSON.stringify(found)}`.replaceAll(inFolder(''), '');
  } catch (error) {
    const { name, message } = error as Error;
    return `${name}: ${message}`.replaceAll(inFolder(''), '');
  } finally {
    expect(readdirSync(inFolder('.'))).toEqual(before);
  }
}

const from = 'cesu-8+utf-8';
const csv = { from, input, output, format: 'csv' };
const raw = { format: 'none', from, input, output };

describe('a conversion', () => {
  const cases: Readonly<Record<string, object>> = {
    'of nothing': { ...raw, input: [] },
    'of stdin twice': { ...raw, input: ['-', '-'] },
    'of a file that is missing': { ...raw, input: 'missing' },
    'of a folder': { ...raw, input: 'folder' },
    'of records of two inputs': { ...csv, input: [input, other] },
    'onto its input': { ...raw, output: input },
    'onto its undo file': { ...csv, undo: output },
    'onto a folder': { ...csv, output: 'folder' },
    'from an unknown encoding': { ...raw, from: 'utf-9' },
    'to an unknown encoding': { ...raw, to: 'utf-9' },
    'in an unknown format': { ...raw, format: 'xml' },
    'with an unknown format option': { ...csv, formatOptions: { colour: 'red' } },
    'with an option of another format': { ...csv, formatOptions: { schema: 'sql' } },
    'with options of a format, in none': { ...raw, formatOptions: { header: false } },
    'with a usual option, in no format': { ...raw, formatOptions: { header: true }, jobs: 0 },
    'with an unknown hazard': { ...csv, allow: ['loss'] },
    'with a hazard, in no format': { ...raw, allow: ['equal-keys'] },
    'with a policy for surrogates, in no format': { ...raw, unpairedSurrogates: 'replace' },
    'with a policy for keys, in no format': { ...raw, equalJsonKeys: 'keep' },
    'with mojibake, in no format': { ...raw, mojibake: 'repair' },
    'with rejects, in no format': { ...raw, rejects: 'missing' },
    'with an index, in no format': { ...raw, index: 'missing' },
    'with an index, without a range': { ...csv, index: 'missing' },
    'with an unknown policy': { ...csv, nul: 'drop' },
    'that keeps surrogates which the target lacks': { ...csv, unpairedSurrogates: 'keep' },
    'that joins surrogates by removing U+0000': {
      ...raw,
      from: 'wtf-8',
      to: 'wtf-8',
      nul: 'remove',
    },
    'that joins surrogates by ignoring': { ...raw, from: 'wtf-8', to: 'wtf-8', errors: 'remove' },
    'of CESU-8 that may remove': { ...raw, from: 'cesu-8', to: 'cesu-8', nul: 'remove', jobs: 0 },
    'by no threads': { ...raw, jobs: 0 },
    'by half a thread': { ...raw, jobs: 0.5 },
    'by too many threads': { ...raw, jobs: 257 },
    'of a range that is none': { ...raw, range: { from: 0.5, to: 9 } },
    'of a range that is negative': { ...raw, range: { from: -1, to: 9 } },
    'of a range that is too large': { ...raw, range: { from: 0, to: 2 ** 53 } },
    'of a range that ends first': { ...raw, range: { from: 5, to: 4 } },
    'of a range of two inputs': { ...raw, input: [input, other], range: { from: 0, to: 4 } },
    'of a range of a folder': { ...raw, input: 'folder', range: { from: 0, to: 4 } },
    'with rejects on stdout': { ...csv, rejects: '-' },
    'with undo on stdout': { ...csv, undo: '-' },
    'with stats on stdout': { ...csv, stats: '-' },
    'with an index on stdout': { ...csv, index: '-', range: { from: 0, to: 4 } },
    'with undo of two inputs': { ...raw, input: [input, other], undo: 'missing' },
    'that rejects children without rejects': { ...csv, rejectChildren: true },
    'that rejects children of a range': {
      ...csv,
      ...{ rejectChildren: true, rejects: 'missing', range: { from: 0, to: 4 } },
    },
    'that rejects children without keys': { ...csv, rejectChildren: true, rejects: 'missing' },
    'that is resumed on stdout': { ...raw, resume: true, output: '-' },
    'that is resumed of two inputs': { ...raw, resume: true, input: [input, other] },
    'that is resumed of stdin': { ...raw, resume: true, input: '-' },
    'that is resumed onto a folder': { ...raw, resume: true, output: 'folder' },
  };

  it.each(Object.entries(cases))('%s', async (_, options) => {
    const located = locateAll(options) as ConvertOptions;
    expect(await refusal(() => convertDump(located))).toMatchSnapshot();
  });
});

describe('a format', () => {
  const cases: readonly (readonly [format: string, options: object])[] = [
    ...['', '\n', '"', 'a', 1].map((delimiter) => ['csv', { delimiter }] as const),
    ...['ab', '\n', ',', 1].map((quote) => ['csv', { quote }] as const),
    ...['ab', ','].map((mark) => ['csv', { escape: mark }] as const),
    ...['', 'ab', 'a', '\\', '\t', '\n', '\r', '1'].map(
      (delimiter) => ['copy', { delimiter }] as const,
    ),
    ...['', '::', ':\n', '\\', 'a:', '""'].map(
      (delimiter) => ['tab', { delimiter, quote: '"' }] as const,
    ),
    ...[true, 'yes', 0].map((header) => ['csv', { header }] as const),
    ...['', 'a,,b', 'a,a', 5].map((columns) => ['copy', { columns }] as const),
    ...['x', '9', '0', 'a,b'].map((binary) => ['copy', { columns: 'a,b', binary }] as const),
    ...['', 'bytes', true].map((assume) => ['mysqldump', { assume }] as const),
    ...['', 'bytes', true].map((assume) => ['tab', { assume }] as const),
    ['csv', { escape: '\\', 'quoted-escape': '\\' }],
    ['csv', { escape: '\\', quotedEscape: '\\' }],
    ['tab', { schema: 'missing' }],
    ['mysqldump', { schema: 'missing' }],
    ['mysqldump', { schema: 'in' }],
    ['xml', {}],
    ['none', {}],
  ];

  it.each(cases)('%s %j', async (name, options) => {
    const found = await refusal(() => findFormat(name, locateAll(options) as never).name);
    expect(found).toMatchSnapshot();
  });
});

describe('another task', () => {
  const scan = { from, input: [input], format: 'csv' };
  const scans: Readonly<Record<string, object>> = {
    'of nothing': { ...scan, input: [] },
    'of a range of two inputs': { ...scan, input: [input, other], range: { from: 0, to: 4 } },
    'of a range of a folder': { ...scan, input: ['folder'], range: { from: 0, to: 4 } },
    'with a key twice': { ...scan, keys: ['id', 'id'] },
    'with a key that no record has': { ...scan, keys: ['ID'] },
    'with a key of stdin': { ...scan, input: '-', keys: ['id'] },
    'with a key of a folder': { ...scan, input: 'folder', keys: ['id'] },
    'with an index on stdout': { ...scan, index: '-' },
    'with an index of two inputs': { ...scan, input: [input, other], index: 'missing' },
    'with an index of a folder': { ...scan, input: 'folder', index: 'missing' },
    'with an index that is a folder': { ...scan, index: 'folder' },
    'with an index that is none': { ...scan, index: 'other' },
    'by no threads': { ...scan, jobs: 0 },
    ...Object.fromEntries(
      ['text', 'text=', 'text=4', 'text=4x', '=4b', 'none=4b', 'text=0c', 'text=4bc'].map(
        (limit) => [`with the limit ${limit}`, { ...scan, limits: [limit] }],
      ),
    ),
  };

  it.each(Object.entries(scans))('a scan %s', async (_, options) => {
    const located = locateAll(options) as unknown as ScanOptions;
    expect(await refusal(() => scanDump(located))).toMatchSnapshot();
  });

  const sides = (source: string, target: string, format = 'csv') => ({
    ...{
      from,
      source: { input: [locate(source)], format },
      target: { input: [locate(target)], format },
    },
  });
  it.each<[string, () => unknown]>([
    [
      'a revert of two streams',
      () => revertDump({ input: '-', undo: '-', output: inFolder('out') }),
    ],
    ['a revert onto its input', () => revertDump(locateAll({ input, undo: other, output: input }))],
    [
      'a revert onto its undo file',
      () => revertDump(locateAll({ input, undo: other, output: other })),
    ],
    ['a revert of no undo file', () => revertDump(locateAll({ input, undo: other, output }))],
    ['a verification of two streams', () => verifyDump(sides('-', '-') as never)],
    [
      'a verification by a key twice',
      () => verifyDump({ ...sides(input, other), keys: ['id', 'id'] } as never),
    ],
    ['a verification in no format', () => verifyDump(sides(input, other, 'xml') as never)],
    ['a verification of a folder', () => verifyDump(sides('folder', other) as never)],
  ])('%s', async (_, run) => {
    expect(await refusal(run)).toMatchSnapshot();
  });
});
