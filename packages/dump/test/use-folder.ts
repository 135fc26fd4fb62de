import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { choose, tier } from '../../../tooling/tiers/tier.js';

/** Creates a temporary folder for the tests of a file. Returns a function that makes a path in it. */
export function useFolder(): (name: string) => string {
  let folder = '';
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'utf8-dump-'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return (name) => join(folder, name);
}

/** Bytes from hex digits, with spaces anywhere. */
export const hex = (text: string): Buffer => Buffer.from(text.replaceAll(' ', ''), 'hex');

/** Chooses some of many similar cases by day; otherwise all of them run. */
export const chooseByDay = <T>(cases: readonly T[], count: number): readonly T[] =>
  tier === 'test' ? choose(cases, count) : cases;

type Define = (title: string, define: () => unknown) => void;

/** Defines a test where the system has what it needs, and none elsewhere. */
export const onlyIf = (has: boolean): Define =>
  has ? (title, run) => it(title, async () => void (await run())) : () => {};

/** Defines a group of tests if the system meets its requirements. */
export const groupIf = (has: boolean): Define =>
  has ? (title, define) => describe(title, () => void define()) : () => {};
