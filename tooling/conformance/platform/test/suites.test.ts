/** Suites of libraries with the platform's classes and with ours in their place: each test ends in the same way. */
import { describe, expect, it } from 'vitest';
import { runSuite, suites } from '../src/suites.js';
import { replaceClasses } from '../src/worker.js';

const ours = await replaceClasses('@utf8/strict');
const ends = Object.entries(suites).flatMap(([name, read]) =>
  [true, false].map((hasBuffer) => [name, hasBuffer, read] as const),
);

describe('replaced classes change no test', () => {
  it.each(ends)('of %s, with Buffer: %s', async (name, hasBuffer, read) => {
    const code = await read();
    const before = await runSuite(code, '', hasBuffer);
    const after = await runSuite(code, ours, hasBuffer);
    expect(after.results).toEqual(before.results);
    const passed = after.results.filter(({ hasPassed }) => hasPassed).length;
    console.log(
      `${name}: ${passed} of ${after.results.length} tests pass, in ${after.calls} calls`,
    );
    // Some need a module of the package, or Buffer from the start.
    expect(passed).toBeGreaterThan(0.97 * after.results.length);
    expect(after.calls).toBeGreaterThan(100);
  });
});
