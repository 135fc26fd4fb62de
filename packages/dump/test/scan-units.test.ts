/** Scans of whole units that are transcoded at once. */
import { describe, expect, it } from 'vitest';
import { seed } from '../../../tooling/tiers/tier.js';
import { segments } from '../src/cut/segments.js';
import { findFormat, formatNames } from '../src/format/registry.js';
import { createInspection } from '../src/scan/inspection.js';
import { createDump, formatOptions } from './random-dump.js';
import { chooseByDay, hex } from './use-folder.js';

const targets = [
  ['cesu-8+utf-8', 'utf-8'],
  ['mutf-8-lenient', 'utf-8'],
  ['utf-8', 'cesu-8'],
] as const;
const all = formatNames.flatMap((format) => targets.map((target) => [format, ...target] as const));

/**
 * Inspects a dump in memory.
 *
 * @param limits - Limits of columns. With any, every field is repaired by itself.
 */
async function inspect(
  dump: Buffer,
  name: string,
  [from, to]: readonly [string, string],
  limits: readonly string[],
): Promise<unknown> {
  const options = formatOptions[name] ?? {};
  const inspectSegment = createInspection({
    task: 'inspect',
    file: 'dump',
    format: { name, options },
    repair: { from, to, nul: 'keep', unpairedSurrogates: 'fail', errors: 'fail', mojibake: 'keep' },
    keys: [],
    limits,
    declared: [],
    unseen: [],
    kept: Number.POSITIVE_INFINITY,
  });
  const source = {
    name: 'dump',
    size: dump.length,
    read: async (into: Uint8Array, position: number): Promise<number> =>
      dump.copy(into, 0, position, position + into.length),
  };
  const found: unknown[] = [];
  for await (const segment of segments(source, findFormat(name, options), { size: 1 << 15 })) {
    const { findings, counts, changed, rejected, outside } = inspectSegment(segment);
    found.push({ findings, counts, changed, rejected, outside });
  }
  return found;
}

/** Replaces some pairs by those of U+40000 and of the noncharacter U+1FFFE. */
function plantUnassigned(dump: Buffer): Buffer {
  const planted = [hex('ED A3 80 ED B0 80'), hex('ED A1 BF ED BF BE')];
  for (let i = 0, at = 0; at !== -1; i++) {
    at = dump.indexOf(hex('ED A0 BD ED B8 80'), at + 1);
    if (at !== -1 && i % 4 < planted.length) dump.set(planted[i % 4] as Uint8Array, at);
  }
  return dump;
}

describe('a scan finds the same in transcoded units as field by field', () => {
  it.each(chooseByDay(all, 8))('%s from %s to %s', async (format, ...target) => {
    for (const mix of [
      { pairs: 2, broken: 200 },
      { pairs: 3, broken: Number.POSITIVE_INFINITY },
    ]) {
      const dump = plantUnassigned(createDump(format, seed, 300, mix));
      const found = await inspect(dump, format, target, []);
      expect(found).toEqual(await inspect(dump, format, target, ['unknown=1b']));
      expect(JSON.stringify(found)).toContain('"kind"');
    }
  });
});
