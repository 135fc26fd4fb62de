import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { scale, seed, tier } from '../../../tooling/tiers/tier.js';
import { segments } from '../src/cut/segments.js';
import { findFormat, formatNames } from '../src/format/registry.js';
import {
  addCounts,
  createConversion,
  NO_RECORDS,
  type Rewritten,
} from '../src/rewrite/rewriter.js';
import { formatSplices } from '../src/sink/undo.js';
import { createDump, formatOptions } from './random-dump.js';
import { chooseByDay, hex } from './use-folder.js';

interface Policies {
  readonly from: string;
  readonly to: string;
  readonly nul: 'fail' | 'keep';
}

/** Converts in memory, cut into segments of some length. */
async function rewrite(
  dump: Buffer,
  name: string,
  size: number,
  policies: Policies,
): Promise<object> {
  const work = createConversion({
    task: 'rewrite',
    format: { name, options: formatOptions[name] ?? {} },
    repair: { ...policies, unpairedSurrogates: 'fail', errors: 'fail', mojibake: 'keep' },
    rewrite: { rejects: true, undo: true, allow: [] },
  });
  const source = {
    name: 'dump',
    size: dump.length,
    read: async (into: Uint8Array, position: number): Promise<number> =>
      dump.copy(into, 0, position, position + into.length),
  };
  const output: Buffer[] = [];
  const rejects: Buffer[] = [];
  const undo: Buffer[] = [];
  let counts = NO_RECORDS;
  let settings: string | undefined;
  for await (const segment of segments(source, findFormat(name, formatOptions[name]), { size })) {
    const rewritten = work(segment) as Rewritten;
    undo.push(Buffer.from(formatSplices(rewritten.edits, counts.bytesWritten)));
    counts = addCounts(counts, rewritten.counts);
    // Their memory is used again.
    output.push(Buffer.from(rewritten.output));
    // Settings that are the same as before are not written again.
    const { first = '', last } = rewritten.rejectSettings ?? {};
    const from = first === settings ? first.length : 0;
    rejects.push(Buffer.from(rewritten.rejects).subarray(from));
    settings = last ?? settings;
  }
  const text = (parts: readonly Buffer[]): string => Buffer.concat(parts).toString('latin1');
  return { output: text(output), rejects: text(rejects), undo: text(undo), counts };
}

const all: [string, Policies][] = formatNames.flatMap((name): [string, Policies][] => [
  [name, { from: 'cesu-8+utf-8', to: 'utf-8', nul: 'fail' }],
  [name, { from: 'mutf-8-lenient', to: 'utf-8', nul: 'keep' }],
  [name, { from: 'utf-8', to: 'cesu-8', nul: 'keep' }],
]);

// Small segments are read field by field, and large ones transcoded at once where that is possible.
describe('what becomes of records does not depend on where a file is cut', () => {
  it.each(chooseByDay(all, 8))('%s %o', async (format, policies) => {
    const rows = tier === 'test' ? 150 : 400;
    const dumps = [
      createDump(format, seed, 60, { pairs: 2, broken: 3 }),
      createDump(format, seed + 1, rows, { pairs: 40, broken: 100 }),
      createDump(format, seed + 2, rows, { pairs: 1, broken: Number.POSITIVE_INFINITY }),
    ];
    for (const dump of dumps) {
      const whole = await rewrite(dump, format, dump.length + 1, policies);
      await fc.assert(
        fc.asyncProperty(fc.integer({ min: 1, max: dump.length }), async (size) => {
          expect(await rewrite(dump, format, size, policies)).toEqual(whole);
        }),
        { seed, numRuns: scale(20) },
      );
    }
  });
});

describe('a dump of MySQL in which nearly every record changes', () => {
  const pair = hex('ED A0 BD ED B8 80').toString('latin1');
  const emoji = hex('F0 9F 98 80').toString('latin1');
  const create = 'SET NAMES utf8mb4;\nCREATE TABLE t (a int, b text, c blob);\n';
  const line = (text: string, blob: string): string =>
    `INSERT INTO t VALUES (1,'${text}',${blob}),(2,'\\${text}',NULL);\n`;
  const convert = (text: string) =>
    rewrite(Buffer.from(text, 'latin1'), 'mysqldump', 1 << 20, {
      from: 'cesu-8',
      to: 'utf-8',
      nul: 'fail',
    });

  it.each([
    ['of the column', `'${pair}'`],
    ['marked as such', `_binary '${pair}'`],
    ['in hexadecimal form', "x'eda0bd'"],
    ['that are not well-formed', "_binary '\xed\xa0'"],
  ])('keeps blobs %s', async (_, blob) => {
    const lines = (text: string, count: number): string =>
      Array.from({ length: count }, (_, i) => line(text, i === count - 1 ? blob : "'blob'")).join(
        '',
      );
    for (const count of [1, 1000]) {
      const { output, rejects, counts } = (await convert(create + lines(pair, count))) as {
        output: string;
        rejects: string;
        counts: typeof NO_RECORDS;
      };
      expect(output).toBe(create + lines(emoji, count));
      expect(rejects).toBe('');
      expect([counts.records, counts.changed]).toEqual([2 * count, 2 * count]);
      expect(counts.findings).toEqual({ pair: 2 * count });
    }
  });
});
