/**
 * The tier of a test run: how much of each test runs, and with which seed. `UTF8_TIER` names it; `UTF8_SEED` repeats a
 * run, and `UTF8_SCALE` multiplies counts of random inputs. The configuration of vitest sets all three.
 */

/** `test` is `npm test`, `ci` is `.ci/run`, and `night` is `.ci/nightly`. */
export type Tier = 'test' | 'ci' | 'night';

// Suites also run in browsers.
const env: Readonly<Record<string, string | undefined>> =
  typeof process === 'undefined' ? {} : process.env;

/** The tier of this run. */
export const tier: Tier = (env.UTF8_TIER ?? 'test') as Tier;

/** Tells whether a test file asks other programs, or tries packages as they are published: `npm test` has none of these. */
export const asksPrograms = (file: string): boolean =>
  /[\\/]tooling[\\/](?:oracles|systems|release|nightly|conformance[\\/](?:runtimes|platform))[\\/]/.test(
    file,
  );

/** Tags that each tier leaves out. */
export const leftOut: Readonly<Record<Tier, readonly string[]>> = {
  test: ['slow', 'night'],
  ci: ['night'],
  night: [],
};

/** The tag that leaves a whole test file to a longer tier, or undefined: its first comment names it as `@module-tag`. */
export function findTag(source: string): string | undefined {
  const [, tag = ''] = /^ \* @module-tag (\w+)$/m.exec(source) ?? [];
  return leftOut[tier].includes(tag) ? tag : undefined;
}

/** Tells whether `npm test` has run all of a test file already, so that this run need not load it. */
export const hasRunWhole = (file: string, source: string): boolean =>
  tier === 'ci' && !asksPrograms(file) && !hasSlow(source);

/** Tells whether a test file names the tag `slow`. */
export const hasSlow = (source: string): boolean => /'slow'|@module-tag slow/.test(source);

/** Seconds of CPU time that a test, and a file, may take in `npm test` on the machine that the bounds were set on. */
export const bounds = { test: 1, file: 5 } as const;

/** Other work on the machine slows tests down: the same file took up to 1.6 times as long under load. */
export const TOLERANCE = 2;

/** Whether this run tries all cases. */
export const isNight: boolean = tier === 'night';

/** Seed of all random choices. */
export const seed: number = Number(env.UTF8_SEED ?? 1);

/** Scales a count of random inputs, which is that of `.ci/run`: a tenth in `npm test`, and ten times as many at night. */
export const scale = (count: number): number => Math.ceil(count * Number(env.UTF8_SCALE ?? 1));

/**
 * Chooses some of many similar cases, in their order; at night, all of them.
 *
 * @param cases - All cases.
 * @param count - Number of cases to choose.
 */
export function choose<T>(cases: readonly T[], count: number): readonly T[] {
  if (isNight || count >= cases.length) return cases;
  // Each call chooses anew, from a sequence that the seed decides.
  const chosen = new Set<number>();
  while (chosen.size < count) chosen.add(Math.floor(next() * cases.length));
  return cases.filter((_, i) => chosen.has(i));
}

let state = seed;

/** The next number of mulberry32, from 0 to below 1. */
function next(): number {
  state = (state + 0x6d2b79f5) | 0;
  let mixed = Math.imul(state ^ (state >>> 15), state | 1);
  mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
}
