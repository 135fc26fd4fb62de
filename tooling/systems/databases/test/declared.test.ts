/** Storage by servers of dumps whose declarations, bytes and columns agree, or contradict each other. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { choose, isNight, scale, seed } from '../../../tiers/tier.js';
import { reports } from '../src/declared/cases.js';
import { dumpMariaDb, dumpPostgres } from '../src/declared/charsets.js';
import {
  compareAll,
  convertAll,
  describeFailures,
  type Failure,
  followAll,
} from '../src/declared/check.js';
import { optionsOf, type Variant, variants } from '../src/declared/dump.js';
import { type Generated, generate } from '../src/declared/generator.js';
import { MariaDbTarget, PostgresTarget, type Target } from '../src/declared/server.js';
import { utf8 } from '../src/utf8.js';

const mariadb = await MariaDbTarget.start();
const postgres = await PostgresTarget.start();
const targets: readonly Target[] = [mariadb, postgres];
const folder = mkdtempSync(join(tmpdir(), 'utf8-declared-'));
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  for (const target of targets) await target.stop();
});

const findTarget = (format: string): Target =>
  targets.find((target) => target.format === format) as Target;

describe.each(reports.map((report) => [report.dump.name, report] as const))(
  '%s',
  (_, { dump, expected, scan }) => {
    const target = findTarget(dump.format);

    it.each(expected.map((each) => [each.options.join(' ') || 'no options', each] as const))(
      'convert with %s',
      async (_, { options, stops }) => {
        const variant = variants.find(
          (each) => optionsOf(each).join(' ') === options.join(' '),
        ) as Variant;
        const [conversion] = await convertAll([{ dump, variant }]);
        if (conversion === undefined) throw new Error('nothing was converted');
        expect(conversion.output === undefined ? 'stopped' : 'converted', conversion.stderr).toBe(
          stops ? 'stopped' : 'converted',
        );
        if (stops) return expect(conversion.stderr).toMatch(stops);
        const { failures } = compareAll(target, [conversion]);
        expect(failures.length, describeFailures(failures)).toBe(0);
        expect(target.findDeclaration(conversion.output as Buffer)).toMatch(/^(utf8mb4|UTF8)$/);
      },
    );

    it('scan says what is wrong with it', () => {
      const path = join(folder, 'dump.sql');
      writeFileSync(path, dump.bytes);
      expect(utf8(['scan', '--format', dump.format, path]).stdout.toString()).toMatch(
        scan as RegExp,
      );
    });

    it('is right with any options, or refused, and after the advice of scan', async () => {
      const cases = variants.map((variant) => ({ dump, variant }));
      const all = [...(await convertAll(cases)), ...(await followAll(target, [dump]))];
      const { failures } = compareAll(target, all);
      expect(failures.length, describeFailures(failures)).toBe(0);
    });
  },
);

describe.each([
  { name: 'MariaDB', target: mariadb, dumps: dumpMariaDb(mariadb, seed) },
  { name: 'PostgreSQL', target: postgres, dumps: dumpPostgres(postgres, seed) },
])('each character set of $name', ({ target, dumps }) => {
  it('loads as it is meant, or is refused', async () => {
    // By day, one variant of each dump.
    const cases = dumps.flatMap((dump) =>
      choose(variants, 1).map((variant) => ({ dump, variant })),
    );
    const { failures, converted } = compareAll(target, await convertAll(cases));
    expect(failures.length, describeFailures(failures)).toBe(0);
    expect(converted).toBeGreaterThan(cases.length / 10);
  });

  it('is what the advice of scan says after it is followed', async () => {
    const { failures } = compareAll(target, await followAll(target, choose(dumps, 20)));
    expect(failures.length, describeFailures(failures)).toBe(0);
  });
});

describe(`random dumps, seed ${seed}`, () => {
  const count = isNight ? 10_000 : scale(100);
  const BATCH = 250;

  /** Reduces a failure to one value, if that reproduces it. */
  async function shrink(target: Target, failure: Failure): Promise<Failure> {
    const small = failure.of.dump.values.map((failure.of as Generated).shrink);
    return compareAll(target, await convertAll(small)).failures[0] ?? failure;
  }

  it('load as they are meant, or are refused', async () => {
    const failures: Failure[] = [];
    let converted = 0;
    for (let first = 0; first < count; first += BATCH) {
      const cases = Array.from({ length: Math.min(BATCH, count - first) }, (_, i) =>
        generate(seed + (first + i) * 7919),
      );
      for (const target of targets) {
        const own = cases.filter(({ dump }) => dump.format === target.format);
        const result = compareAll(target, await convertAll(own));
        converted += result.converted;
        for (const failure of result.failures)
          failures.push(failures.length < 5 ? await shrink(target, failure) : failure);
      }
    }
    if (isNight) console.log(`${count} dumps, ${converted} converted`);
    expect(failures.length, describeFailures(failures)).toBe(0);
    expect(converted).toBeGreaterThan(count / 10);
  }, 3_600_000);

  it('are what the advice of scan says after it is followed', async () => {
    const dumps = Array.from({ length: count / 2 }, (_, i) => generate(seed + i * 7919).dump);
    const failures: Failure[] = [];
    for (const target of targets) {
      const own = choose(
        dumps.filter(({ format }) => format === target.format),
        30,
      );
      failures.push(...compareAll(target, await followAll(target, own)).failures);
    }
    expect(failures.length, describeFailures(failures)).toBe(0);
  }, 3_600_000);
});
