/** Decisions about a row that need no server: lengths, characters, collations, and the action for each. */

import { codecFor } from '@utf8/detect';
import { databaseHazards } from '@utf8/dump/internal';
import { describe, expect, it } from 'vitest';
import { CollisionFinder, HashSet } from '../src/judge/collisions.js';
import { decide, type FoundHazard, resolveActions } from '../src/judge/hazard.js';
import { isTooLong, judgeChange, judgeTable } from '../src/judge/judge.js';
import { identifyRow, type NamedKey, nameKey, readKey } from '../src/key.js';
import { Meter } from '../src/meter.js';
import { addCount, createCount } from '../src/repair/count.js';
import type { Server } from '../src/server/server.js';
import type { Table, TextColumn } from '../src/server/table.js';

const column = (properties: Partial<TextColumn> = {}): TextColumn => ({
  name: 'c',
  sql: '"c"',
  type: 'varchar(3)',
  structure: undefined,
  charset: undefined,
  collation: undefined,
  characters: undefined,
  bytes: undefined,
  isGenerated: false,
  narrowness: undefined,
  ...properties,
});

const table = (properties: Partial<Table> = {}): Table => ({
  name: 't',
  sql: '"t"',
  columns: [column()],
  otherColumns: [],
  key: { names: ['a', 'b'], isStable: true },
  uniqueKeys: [{ name: 't_c', columns: ['c'] }],
  references: [],
  effects: [],
  rows: 1,
  ...properties,
});

const bytes = (text: string): Buffer => Buffer.from(text);

describe('a value is too long', () => {
  it.each([
    // The limit, the value, its repair.
    [{ bytes: 3 }, 'ab', 'abc', false],
    [{ bytes: 3 }, 'ab', 'abcd', true],
    [{ bytes: 3 }, 'abcd', 'abcd', false],
    [{ bytes: 3 }, 'abcde', 'abcd', false],
    [{ bytes: 3 }, 'a', 'éé', true],
    [{ characters: 3 }, 'ab', 'abc', false],
    [{ characters: 3 }, 'ab', 'abcd', true],
    [{ characters: 3 }, 'ab', 'éé€', false],
    [{ characters: 3 }, 'ab', '😀😀😀', false],
    [{ characters: 3 }, 'ab', '😀😀😀😀', true],
    [{ characters: 3 }, 'abcd', 'éééé', false],
    [{ characters: 3 }, 'abcd', 'ééééé', true],
    [{ characters: 3, bytes: 4 }, 'ab', 'ééé', true],
    [{ characters: 0 }, '', 'a', true],
    [{}, '', 'abcdef', false],
  ])('%j: %s, %s: %s', (limit, old, repaired, expected) => {
    expect(isTooLong(column(limit), bytes(old), bytes(repaired))).toBe(expected);
    const change = { column: column(limit), old: bytes(old), new: bytes(repaired) };
    expect(judgeChange(change)).toEqual(
      expected ? [{ hazard: 'too-long', name: 'varchar(3)', column: 'c' }] : [],
    );
  });
});

describe('a character set lacks characters', () => {
  it.each([
    [undefined, 'a', true],
    [undefined, '', false],
    [1, 'a\x7f', false],
    [1, '\x80', true],
    [2, '\u07ff', false],
    [2, '\u0800', true],
    [3, '\uffffa', false],
    [3, 'a\u{10000}a', true],
    [4, '\u{10ffff}', false],
  ])('with %s bytes: %s', (characterBytes, text, isNarrow) => {
    const narrowness = { why: 'narrow', statement: 'ALTER', characterBytes };
    const change = { column: column({ narrowness }), old: bytes(''), new: bytes(text) };
    expect(judgeChange(change)).toEqual(
      isNarrow ? [{ hazard: 'narrow-column', name: 'narrow: ALTER', column: 'c' }] : [],
    );
  });
});

it('a table has hazards of its own', () => {
  const effects = [
    { kind: 'trigger', name: 'audit' },
    { kind: 'history', name: 'versions' },
  ] as const;
  const found = [
    { hazard: 'trigger', name: 'audit', column: undefined },
    { hazard: 'history', name: 'versions', column: undefined },
  ];
  const refused = { hazard: 'refused', name: 'no', column: undefined, isFinal: true };
  const keyless = { hazard: 'no-key', name: 't', column: undefined, isFinal: true };
  expect(judgeTable(table())).toEqual([]);
  expect(judgeTable(table({ effects }))).toEqual(found);
  expect(judgeTable(table({ effects, refusal: 'no' }))).toEqual([...found, refused]);
  expect(judgeTable(table({ refusal: 'no', key: undefined }))).toEqual([refused, keyless]);
});

describe('actions', () => {
  const hazard = (name: FoundHazard['hazard'], isFinal?: boolean): FoundHazard => ({
    hazard: name,
    name,
    column: undefined,
    isFinal,
  });

  it('are to skip by default', () => {
    expect(resolveActions()).toEqual(
      Object.fromEntries(databaseHazards.map((each) => [each, 'skip'])),
    );
    expect(resolveActions({ allow: undefined, stopAt: ['too-long'] })).toMatchObject({
      trigger: 'skip',
      'too-long': 'stop',
    });
  });

  it.each([
    [
      { stopAt: ['lenght'] },
      /^unknown hazard "lenght"; expected equal-keys, too-long, .*, refused \(`stopAt`\)$/,
    ],
    [{ allow: ['constructor'] }, /^unknown hazard "constructor"/],
    [{ allow: ['too-long'] }, /^unknown hazard "too-long"; expected equal-keys, orphaned-row, /],
    [{ allow: ['trigger'], stopAt: ['trigger'] }, /^trigger cannot be allowed and end the run/],
  ])('%j are refused', (choice, message) => {
    expect(() => resolveActions(choice as object)).toThrow(message);
  });

  it('decide about a row', () => {
    const actions = resolveActions({ allow: ['trigger', 'orphaned-row'], stopAt: ['too-long'] });
    expect(decide([], actions)).toEqual({ is: 'write' });
    expect(decide([hazard('trigger'), hazard('orphaned-row')], actions)).toEqual({ is: 'write' });
    const skipped = hazard('equal-keys');
    expect(decide([hazard('trigger'), skipped, hazard('refused')], actions)).toEqual({
      is: 'skip',
      because: skipped,
    });
    const final = hazard('orphaned-row', true);
    expect(decide([hazard('orphaned-row'), final], actions)).toEqual({
      is: 'skip',
      because: final,
    });
    const stopped = hazard('too-long');
    expect(decide([skipped, final, stopped], actions)).toEqual({ is: 'stop', because: stopped });
  });
});

describe('new keys are the same under a collation', () => {
  const server = { findCollision: async () => undefined } as unknown as Server;

  const collide = async (collation: string | undefined, ...texts: readonly string[]) => {
    const finder = new CollisionFinder(server, codecFor('utf-8'));
    const results: boolean[] = [];
    for (const text of texts) {
      const change = { column: column({ collation }), old: bytes('x'), new: bytes(text) };
      const judgement = { key: [1], values: [], changes: [change], hazards: [] };
      const found = await finder.find(table(), judgement);
      if (found.length > 0) {
        expect(found).toEqual([{ hazard: 'equal-keys', name: 'unique key t_c', column: 'c' }]);
      }
      results.push(found.length > 0);
    }
    return results.at(-1);
  };

  it.each([
    [undefined, 'a', 'a', true],
    [undefined, 'a', 'A', false],
    ['utf8mb4_unicode_520_ci', 'Straße', 'STRASSE ', true],
    ['utf8mb4_bin', 'a', 'A', false],
    ['NOCASE', 'aZ', 'Az', true],
    ['NOCASE', 'é', 'É', false],
  ])('%s: %s, %s: %s', async (collation, a, b, isSame) => {
    expect(await collide(collation, a, b)).toBe(isSame);
  });

  it('are compared in all columns of a key', async () => {
    const uniqueKeys = [{ name: 'both', columns: ['c', 'd'] }];
    const finder = new CollisionFinder(server, codecFor('utf-8'));
    const find = (...texts: readonly string[]) =>
      finder.find(table({ uniqueKeys }), {
        key: [1],
        values: [],
        hazards: [],
        changes: texts.map((text, i) => ({
          column: column({ name: i === 0 ? 'c' : 'd' }),
          old: bytes(''),
          new: bytes(text),
        })),
      });
    expect(await find('a', 'bc')).toEqual([]);
    expect(await find('ab', 'c')).toEqual([]);
    // The other value is unknown here.
    expect(await find('a')).toEqual([]);
    expect(await find('a')).toEqual([]);
    expect(await find('a', 'bc')).toEqual([
      { hazard: 'equal-keys', name: 'unique key both', column: 'd' },
    ]);
  });

  it('fill a set, which says so', () => {
    const set = new HashSet(2);
    const last = 2 ** 20 - 1;
    // Both begin at the last slot.
    expect([set.add(last), set.add(2 * 2 ** 20 - 1), set.isIncomplete]).toEqual([
      false,
      false,
      false,
    ]);
    expect([set.add(last), set.add(2 * 2 ** 20 - 1)]).toEqual([true, true]);
    expect(set.isIncomplete).toBe(false);
    expect([set.add(5), set.add(5), set.isIncomplete]).toEqual([false, false, true]);
  });
});

describe('keys', () => {
  it('have names, and are restored from them', () => {
    expect(nameKey(table(), [1, '2'])).toEqual({ a: 1, b: '2' });
    expect(nameKey(table({ key: undefined }), [1, '2'])).toEqual({ 1: 1, 2: '2' });
    expect(readKey(table(), { b: '2', a: 1 })).toEqual([1, '2']);
    for (const named of [{}, { a: 1 }, { a: 1, c: 2 }, { a: 1, b: 2, c: 3 }]) {
      expect(readKey(table(), named as NamedKey)).toBeUndefined();
    }
    expect(readKey(table({ key: undefined }), {})).toBeUndefined();
    const inherited = table({ key: { names: ['constructor'], isStable: true } });
    expect(readKey(inherited, { x: 1 })).toBeUndefined();
  });

  it('tell rows apart', () => {
    const ids = [
      identifyRow(table(), [1]),
      identifyRow(table(), ['1']),
      identifyRow(table({ name: 'u' }), [1]),
    ];
    expect(new Set(ids).size).toBe(3);
    expect(identifyRow(table(), [1])).toBe(ids[0]);
  });
});

it('counts are added up', () => {
  const count = createCount({ rows: 1, skipped: { 'too-long': 1 } });
  const more = { rows: 1, values: 2, moved: 3, suffixed: 4, overtaken: 5, declared: 6 };
  addCount(count, { ...more, skipped: { 'too-long': 2, trigger: 3 } });
  addCount(count, { ...more, skipped: {} });
  expect(count).toEqual({
    rows: 3,
    values: 4,
    moved: 6,
    suffixed: 8,
    overtaken: 10,
    declared: 12,
    skipped: { 'too-long': 3, trigger: 3 },
  });
  expect(createCount(count)).toEqual(count);
});

it('a meter knows the total if all tables do', () => {
  const seen: unknown[] = [];
  const measure = (rows: readonly (number | undefined)[], ...added: readonly number[]) => {
    seen.length = 0;
    const tables = rows.map((each) => table({ rows: each }));
    const meter = new Meter(tables, 2, (...progress) => seen.push(progress));
    for (const each of added) meter.add(each);
    return seen;
  };
  expect(measure([2, 3], 4, 5, 6)).toEqual([
    [4, 10],
    [9, 10],
    [15, 15],
  ]);
  expect(measure([2, undefined], 4)).toEqual([[4, undefined]]);
  expect(() => new Meter([], 1, undefined).add(1)).not.toThrow();
});
