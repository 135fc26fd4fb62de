/** Ranges that are found by an index, wherever they begin. */
import { readFileSync, writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { scale, seed, tier } from '../../../tooling/tiers/tier.js';
import { Run, type SinkName } from '../src/convert/run.js';
import type { ByteRange } from '../src/cut/range.js';
import { findUnit } from '../src/cut/segments.js';
import { convertDump, type FormatOptions } from '../src/index.js';
import { openInput } from '../src/open/input.js';
import { createPlan } from '../src/plan.js';
import { CutIndex, describeHead, formatIndex, sumBefore } from '../src/seek/cut-index.js';
import { applyDelta, findDelta } from '../src/seek/delta.js';
import {
  type Dump,
  LONE,
  latin,
  PAIR,
  path,
  prepare,
  scan,
  setDistance,
  small,
} from './indexed-files.js';
import { createDump, createRandom, formatOptions } from './random-dump.js';
import { chooseByDay } from './use-folder.js';

/** Distance between the starts of ranges, in bytes. */
const STRIDE = { test: 24, ci: 3, night: 1 }[tier];

/** Everything that comes of a range. */
interface Made {
  readonly sinks: Readonly<Partial<Record<SinkName, string>>>;
  readonly refusal: unknown;
}

/** Converts a range, in memory. */
async function convert(
  file: string,
  { format, options = {} }: Dump,
  range: ByteRange,
  rejects: boolean,
  index?: string,
): Promise<Made> {
  const plan = createPlan([file], {
    format,
    formatOptions: options,
    from: 'cesu-8+utf-8',
    range,
    allow: ['narrow-column', 'narrow-connection'],
  });
  const parts: Partial<Record<SinkName, Buffer[]>> = {};
  const run = new Run(
    plan,
    {
      has: (name) => rejects || name !== 'rejects',
      async write(name, bytes) {
        parts[name] = [...(parts[name] ?? []), Buffer.from(bytes)];
      },
    },
    undefined,
    undefined,
  );
  const source = await openInput(file, { compressed: false });
  try {
    if (index !== undefined) {
      run.useIndex(CutIndex.read(index, source, plan.choice) as CutIndex);
    }
    await run.begin(undefined);
    const refusal = await run.convert(source).catch(({ message }: Error) => message);
    if (!refusal) await run.finish();
    const sinks = Object.entries(parts).map(([name, all]) => [
      name,
      Buffer.concat(all).toString('latin1'),
    ]);
    return { sinks: Object.fromEntries(sinks), refusal };
  } finally {
    await source.close();
  }
}

/** Writes an index with a cut at every unit of a file, and returns how many there are. */
async function cutEverywhere({ format, options = {}, bytes }: Dump): Promise<number> {
  const plan = createPlan([path('in')], { format, formatOptions: options, from: 'utf-8' });
  const reader = plan.format;
  const source = await openInput(path('in'), { compressed: false });
  const lines: string[] = [];
  let { state } = reader.createReader();
  for (let offset = 0; ; ) {
    const unit = findUnit(reader, state, bytes.subarray(offset), 1, true);
    offset += unit?.offset ?? 0;
    if (!unit || offset >= bytes.length) break;
    const { line, record, context } = unit.state;
    const change = findDelta(lines.length === 0 ? null : state.context, context);
    const before = await sumBefore(source, offset);
    lines.push(JSON.stringify({ offset, line, record, context: change, before }));
    state = unit.state;
  }
  writeFileSync(path('in.index'), formatIndex(describeHead(source, plan.choice), lines));
  await source.close();
  return lines.length;
}

describe('a range that is found by an index is what it is without one', () => {
  const random = createRandom(seed);

  const compareAll = async (dump: Dump): Promise<void> => {
    let ranges = 0;
    for (let from = random(STRIDE); from <= dump.bytes.length + 1; from += STRIDE) {
      const compare = async (range: ByteRange, rejects: boolean): Promise<void> => {
        const found = await convert(path('in'), dump, range, rejects, path('in.index'));
        expect(found).toEqual(await convert(path('in'), dump, range, rejects));
      };
      await compare({ from, to: from + 30 }, true);
      // Ends at the first record that is refused, with its line.
      if (ranges++ % 3 === 0) await compare({ from, to: Number.POSITIVE_INFINITY }, false);
    }
  };

  it.each(chooseByDay(Object.entries(small), 9))('%s', async (_, dump) => {
    writeFileSync(path('in'), dump.bytes);
    expect(await cutEverywhere(dump)).toBeGreaterThan(1);
    await compareAll(dump);
  });

  const dialects: readonly FormatOptions[] = [
    {},
    { header: false },
    { escape: '\\', header: false },
    { quotedEscape: '\\', quote: "'" },
    { quote: '', escape: '\\' },
  ];

  it.each(dialects)('csv of quotes, escapes and line ends at random, %j', async (options) => {
    const parts = [
      '"',
      '""',
      "'",
      ',',
      ',"',
      '",',
      '\n',
      '\r\n',
      '\n"',
      '"\n',
      '\\',
      'a',
      PAIR,
      LONE,
    ];
    for (let files = 0; files < scale(5); ) {
      const text = Array.from({ length: 1 + random(30) }, () => parts[random(parts.length)]).join(
        '',
      );
      const dump = {
        format: 'csv',
        options,
        bytes: latin(random(4) === 0 ? `\xef\xbb\xbf${text}` : text),
      };
      writeFileSync(path('in'), dump.bytes);
      // Most of them are malformed.
      if ((await cutEverywhere(dump).catch(() => 0)) < 2) continue;
      files++;
      await compareAll(dump);
    }
  });

  it.each(chooseByDay(Object.entries(small), 3))('%s, scanned', async (_, dump) => {
    writeFileSync(path('in'), dump.bytes);
    await cutEverywhere(dump);
    for (let from = random(STRIDE); from <= dump.bytes.length + 1; from += STRIDE) {
      const range = { from, to: from + 20 };
      const found = await scan(dump, { range, index: path('in.index') });
      expect(found).toEqual(await scan(dump, { range }));
    }
  });

  const formats = ['csv', 'tsv', 'tab', 'mysqldump', 'pg_dump', 'sqlite', 'json', 'jsonl', 'copy'];

  it.each(chooseByDay(formats, 3))('%s with many records, at random', async (format) => {
    const step = scale(4096);
    setDistance(step);
    const options = formatOptions[format] ?? {};
    const dump = { format, options, bytes: createDump(format, random(2 ** 31), scale(4000)) };
    const lines = await prepare(dump);
    const { length } = dump.bytes;
    expect(lines.length).toBeGreaterThan(length / 3 / step);
    const cuts = [
      0,
      ...Array.from({ length: tier === 'test' ? 2 : 8 }, () => random(length)),
      length,
    ].sort((a, b) => a - b);
    const parts: Record<string, string[]> = { with: [], without: [] };
    for (const [i, from] of cuts.slice(0, -1).entries()) {
      const range = { from, to: cuts[i + 1] as number };
      const seen = { with: path('in.index'), without: undefined };
      const make = async ([name, index]: [string, string | undefined]) => {
        const at = (result: string): string => path(`${name}.${result}`);
        const report = await convertDump({
          ...{ input: path('in'), format, formatOptions: options, from: 'cesu-8+utf-8' },
          ...{ output: at('out'), rejects: at('rejects'), undo: at('undo'), stats: at('stats') },
          ...{ range, index, allow: ['orphaned-row', 'equal-keys'] },
        });
        parts[name]?.push(readFileSync(at('out'), 'latin1'));
        const files = ['out', 'rejects', 'undo', 'stats'];
        return { report, files: files.map((file) => readFileSync(at(file), 'latin1')) };
      };
      const [found, wanted] = await Promise.all(Object.entries(seen).map(make));
      expect(found).toEqual(wanted);
      const scanned = await scan(dump, { range, index: path('in.index') });
      expect(scanned).toEqual(await scan(dump, { range }));
    }
    expect(parts.with?.join('')).toBe(parts.without?.join(''));
  });
});

it('the state at a cut is made of what differs from the one before, whatever it is', () => {
  const json = fc.jsonValue({ maxDepth: 4 });
  fc.assert(
    fc.property(json, fc.array(json, { maxLength: 4 }), (first, others) => {
      let value: unknown = first;
      for (const next of [...others, { __proto__: null, ...Object(first), more: others }]) {
        const after = JSON.parse(JSON.stringify(next));
        const delta = findDelta(value, after);
        const made = delta ? applyDelta(value, JSON.parse(JSON.stringify(delta))) : value;
        expect(made).toEqual(after);
        value = made;
      }
    }),
    { seed },
  );
  const [before, after] = [
    { a: [1, 2], b: { c: 1 } },
    { a: [1, 2, 3], b: { c: 1 }, d: undefined },
  ];
  expect(findDelta(before, after)).toEqual({ a: [2, [3]] });
  const proto = JSON.parse('{"__proto__":{"a":2},"constructor":1}');
  expect(applyDelta({}, findDelta({}, proto)!)).toEqual(proto);
});
