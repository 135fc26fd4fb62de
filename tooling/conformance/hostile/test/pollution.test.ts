/**
 * Prototypes that other code has added to: no result differs. What makes everything wrong by replacing the
 * functions of the language is out of scope, as SECURITY.md says.
 */
import { Script } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { isNight } from '../../../tiers/tier.js';
import { bundleCalls, listCodecs } from '../src/bundle.js';
import { addToArray, addToObject, findNames } from '../src/changes.js';
import { type Change, ERROR, Realm, type Time } from '../src/realm.js';

/** Without all this, codecs look no further than at the language. */
const platform = { TextDecoder, TextEncoder, Buffer, process, WebAssembly, performance };

const codecs = isNight ? listCodecs() : ['@utf8/mutf8'];
const text = await bundleCalls(codecs);
const script = new Script(text);
const names = findNames(text);

const values: readonly (readonly [string, unknown])[] = [
  ['a function', () => 1],
  ...(isNight
    ? ([
        ['true', true],
        ['a number', 1],
        ['a string', 'replace'],
        ['an object', {}],
        ['null', null],
      ] as const)
    : []),
];
const times: readonly Time[] = isNight
  ? ['before import', 'before use', 'after use']
  : ['before use'];

const changes: readonly (readonly [string, Change])[] = [
  ...values.map(
    ([what, value]) =>
      [`${what} by every name that the code contains`, addToObject(names, value)] as const,
  ),
  ['numbers by indices of arrays', addToArray([0, 1, 2, 3, 7, 255, 4096], 1)],
  ...(isNight
    ? ([['numbers by indices', addToObject([0, 1, 2, 3, 7, 255, 4096], 1)]] as const)
    : []),
  ['what JSON calls, to arrays', addToArray(['toJSON'], () => 'text')],
];

const clean = new Realm(script, platform);
clean.load();
const expected = clean.call();

it('there is something to compare', () => {
  expect(names.length).toBeGreaterThan(500);
  expect(names).toEqual(expect.arrayContaining(['refused', 'scalars', 'kernel', 'length', 'then']));
  expect(expected.size).toBeGreaterThan(codecs.length * 400);
  const errors = [...expected.values()].filter((outcome) => outcome.startsWith(ERROR));
  expect(errors.every((error) => /^! (Decode|Encode)Error/.test(error))).toBe(true);
});

describe.each(times)('properties added %s change no result', (time) => {
  it.each(changes)('%s', (_, change) => {
    const realm = new Realm(script, platform);
    const undo = time === 'before import' ? change(realm.globals) : undefined;
    realm.load();
    undo?.();
    if (time === 'after use') realm.call();
    expect(findDifferences(realm.call(change))).toEqual([]);
    // Nor is anything kept that was made meanwhile.
    expect(findDifferences(realm.call())).toEqual([]);
  });
});

function findDifferences(actual: ReadonlyMap<string, string>): string[] {
  const differences = [...expected].filter(([name, outcome]) => actual.get(name) !== outcome);
  return differences
    .slice(0, 5)
    .map(([name, outcome]) => `${name}: ${actual.get(name)} instead of ${outcome}`.slice(0, 300));
}
