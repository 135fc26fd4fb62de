/**
 * The Web Platform Tests, on the drop-ins of `@utf8/strict` and on this Node's own classes. Ours must pass each subtest that
 * the platform's classes pass, and still pass when they refuse all other encodings.
 */
import { afterAll, describe, expect, it } from 'vitest';
import { listFiles, refuseOthers, runFile } from '../src/web-platform-tests.js';
import { type Result, replaceClasses } from '../src/worker.js';

const files = listFiles();
const own = await replaceClasses('@utf8/strict');
const counts = { subtests: 0, platform: 0, utf8: 0, ours: 0 };

const passedIn = (results: readonly Result[]): Set<string> =>
  new Set(results.filter(({ hasPassed }) => hasPassed).map(({ name }) => name));

describe('drop-ins pass the Web Platform Tests that the platform passes', () => {
  it.each(files)('%s', async (file) => {
    const results = await runFile(file, '');
    const limited = passedIn(await runFile(file, refuseOthers));
    const ours = await runFile(file, own);
    const platform = passedIn(results);
    const wanted = [...platform].filter((name) => limited.has(name));
    const passed = passedIn(ours);
    const failed = ours.filter(({ name, hasPassed }) => !hasPassed && wanted.includes(name));
    expect(failed).toEqual([]);
    expect(wanted.filter((name) => !passed.has(name))).toEqual([]);
    counts.subtests += results.length;
    counts.platform += platform.size;
    counts.utf8 += wanted.length;
    counts.ours += passed.size;
  });

  afterAll(() => {
    console.log(
      `of ${counts.subtests} subtests, the platform passes ${counts.platform}, ${counts.utf8} without other encodings; ours pass ${counts.ours}`,
    );
    // Fewer would mean that files are missing.
    expect(counts.utf8).toBeGreaterThan(3000);
  });
});
