/** Compares runs of tuples in WebAssembly with tuples that are passed one by one. */
import { afterEach, expect, it, vi } from 'vitest';
import { Random } from '../../../tooling/oracles/interop/src/random.js';
import { scale, seed } from '../../../tooling/tiers/tier.js';
import type { SqlDialect } from '../src/format/sql/dialect.js';
import { mysql } from '../src/format/sql/mysql.js';
import { postgres } from '../src/format/sql/postgres.js';
import { sqlite } from '../src/format/sql/sqlite.js';
import { StatementCutter } from '../src/format/sql/statement-cutter.js';
import { TupleRuns } from '../src/format/sql/tuple-runs.js';

const CLOSE = 0x29;

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

/** Parts of tuples, some of which end a run. */
const parts = [
  ...[
    "'",
    "''",
    '\\',
    "\\'",
    '\\\\',
    'é',
    'x',
    'E',
    '-',
    '--',
    '-- ',
    '(',
    ')',
    ',',
    '),(',
    '), (',
  ],
  ...[
    '"',
    '`',
    '#',
    '/*',
    '*/',
    '$',
    '$$',
    '[',
    '\n',
    '\t',
    ' ',
    '.5',
    '+1',
    '_',
    ';',
    'NULL',
    '0x41',
  ],
  ..."'a long text in a string', in which nothing ends for some time'".split(','),
];

/** Writes tuples, mostly in the form that dumps have. */
function writeTuples(random: Random): string {
  const value = (): string =>
    random.pick([
      () => String(random.below(1000) - 500),
      () => 'NULL',
      () => `'${'text '.repeat(random.below(20))}it\\'s ''so'''`,
      () => Array.from({ length: random.below(6) }, () => random.pick(parts)).join(''),
    ])();
  const tuple = (): string => `(${Array.from({ length: 1 + random.below(4) }, value).join(',')})`;
  return Array.from({ length: 1 + random.below(30) }, tuple).join(random.pick([',', ', ', ',\n']));
}

/** Tells how a dialect passes a tuple; undefined if it does not end in the bytes. */
function passOne(dialect: SqlDialect, isStandard: boolean, bytes: Buffer, start: number) {
  const cutter = new StatementCutter(dialect, 1, undefined);
  cutter.learn({ isStandard });
  cutter.tokens = [];
  const end = cutter.passTokens(bytes, start);
  return { end, tokens: cutter.tokens };
}

it.each([
  ['MySQL', mysql, false],
  ['MySQL without backslashes', mysql, true],
  ['PostgreSQL', postgres, true],
  ['PostgreSQL with backslashes', postgres, false],
  ['SQLite', sqlite, true],
] as const)(`of %s are those of one by one (seed ${seed})`, (_, dialect, isStandard) => {
  const random = new Random(seed);
  const mode = { delimiter: ';', isStandard };
  const runs = new TupleRuns();
  let passed = 0;
  for (let i = 0; i < scale(3000); i++) {
    const bytes = Buffer.from(`INSERT INTO t VALUES ${writeTuples(random)};`);
    for (let at = bytes.indexOf('('); at !== -1; at = bytes.indexOf('(', at)) {
      runs.begin();
      const first = at;
      at++;
      if (!runs.pass(bytes, first, dialect.escapes(Buffer.from("('"), 1, mode))) continue;
      const bounds: number[] = [];
      const tokens: number[] = [];
      runs.addTo(bounds, tokens);
      expect(bounds.length).toBe(3 * runs.count);
      for (let k = 0; k < bounds.length; k += 3) {
        const [start = 0, end, position = 0] = bounds.slice(k, k + 3);
        const next = bounds[k + 5] ?? tokens.length;
        expect(passOne(dialect, isStandard, bytes, start), `${bytes} at ${start}`).toEqual({
          end,
          tokens: tokens.slice(position, next),
        });
      }
      expect([runs.last, runs.end]).toEqual(bounds.slice(-3, -1));
      expect(bytes[runs.end - 1]).toBe(CLOSE);
      passed += runs.count;
      at = runs.end;
    }
  }
  expect(passed).toBeGreaterThan(scale(3000));
});

it('pass an INSERT of any length, and go on after a tuple of another form', () => {
  const tuple = `(1,-2.5e3,NULL,'it\\'s ''so''${'text'.repeat(30)}')`;
  const tuples = Array<string>(3000).fill(tuple);
  tuples[1000] = "(1,CONCAT('a','b'),NULL,'')";
  const bytes = Buffer.from(`INSERT INTO t VALUES ${tuples.join(',')};\n`);
  const passTokens = vi.spyOn(StatementCutter.prototype, 'passTokens');
  const cutter = new StatementCutter(mysql, 1, undefined, { assume: 'text' });
  expect(cutter.pass(bytes, 0, true)).toBe(bytes.length);
  expect(cutter.tuples).toBe(3000);
  // Four at first, the other one and what waits after it, and the end.
  expect(passTokens.mock.calls.length).toBeLessThan(20);
});

it('are passed one by one where WebAssembly is forbidden', async () => {
  vi.resetModules();
  vi.stubGlobal('WebAssembly', undefined);
  const { StatementCutter: Cutter } = await import('../src/format/sql/statement-cutter.js');
  const { mysql: dialect } = await import('../src/format/sql/mysql.js');
  const bytes = Buffer.from(`INSERT INTO t VALUES ${Array(100).fill("(1,'a')").join(',')};\n`);
  const cutter = new Cutter(dialect, 1, undefined, { assume: 'text' });
  expect(cutter.pass(bytes, 0, true)).toBe(bytes.length);
  expect(cutter.tuples).toBe(100);
});
