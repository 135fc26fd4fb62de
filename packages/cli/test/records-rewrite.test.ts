import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findFormat, formatNames } from '../src/formats/index.js';
import { NONE, sum } from '../src/records/counts.js';
import { createRewriter } from '../src/records/order.js';
import { segments } from '../src/records/segments.js';
import { formatSplices } from '../src/records/undo.js';
import { createDump } from './records-dump.js';

const SEED = 20260405;

/** Converts in memory, cut into segments of some length. */
async function rewrite(dump: Buffer, name: string, size: number): Promise<object> {
  const format = { name, options: {} };
  const policies = { loneHalves: 'fail', nul: 'fail', errors: 'strict' } as const;
  const repair = { from: 'cesu-8+utf-8', to: 'utf-8', ...policies };
  const rewriter = createRewriter({ format, repair, rewrite: { rejects: true, undo: true } });
  const source = {
    name: 'dump',
    async read(into: Uint8Array, position: number): Promise<number> {
      return dump.copy(into, 0, position, position + into.length);
    },
  };
  const output: Buffer[] = [];
  const rejects: Buffer[] = [];
  let undo = '';
  let counts = NONE;
  for await (const segment of segments(source, findFormat(name), { size })) {
    const rewritten = rewriter.rewrite(segment);
    undo += formatSplices(rewritten.edits, counts.bytesWritten);
    counts = sum(counts, rewritten.counts);
    // Their memory is used again.
    output.push(Buffer.from(rewritten.output));
    rejects.push(Buffer.from(rewritten.rejects));
  }
  const text = (parts: readonly Buffer[]): string => Buffer.concat(parts).toString('latin1');
  return { output: text(output), rejects: text(rejects), undo, counts };
}

describe('what becomes of records does not depend on where a file is cut', () => {
  it.each([...formatNames])('%s', async (format) => {
    const dumps = [
      createDump(format, SEED, 60, { pairs: 2, broken: 3 }),
      createDump(format, SEED + 1, 400, { pairs: 40, broken: 100 }),
    ];
    for (const dump of dumps) {
      const whole = await rewrite(dump, format, dump.length + 1);
      await fc.assert(
        fc.asyncProperty(fc.integer({ min: 1, max: dump.length }), async (size) => {
          expect(await rewrite(dump, format, size)).toEqual(whole);
        }),
        { numRuns: 30 },
      );
    }
  });
});
