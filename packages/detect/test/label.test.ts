import * as cesu8 from '@utf8/cesu8';
import * as lenient from '@utf8/cesu8/lenient';
import * as mixed from '@utf8/cesu8/mixed';
import type { Codec } from '@utf8/core';
import * as mutf8 from '@utf8/mutf8';
import * as android from '@utf8/mutf8/android';
import * as dataInput from '@utf8/mutf8/data-input';
import * as rfc2279 from '@utf8/rfc2279';
import * as lax from '@utf8/rfc2279/lax';
import * as strict from '@utf8/strict';
import * as mb3 from '@utf8/strict/mb3';
import * as wtf8 from '@utf8/wtf8';
import * as generalized from '@utf8/wtf8/generalized';
import { describe, expect, test } from 'vitest';
import { aliases, codecFor, LabelError, labelFor, labels, vendors } from '../src/index.js';

const names: readonly (readonly [string, string, Codec])[] = [
  ['UTF-8', 'utf-8', strict],
  ['csUTF8', 'utf-8', strict],
  ['utf8mb4', 'utf-8', strict],
  ['utf8', 'utf-8', strict],
  ['unicode-1-1-utf-8', 'utf-8', strict],
  ['unicode11utf8', 'utf-8', strict],
  ['unicode20utf8', 'utf-8', strict],
  ['x-unicode20utf8', 'utf-8', strict],
  ['CESU-8', 'cesu-8', cesu8],
  ['csCESU-8', 'cesu-8', cesu8],
  ['csCESU8', 'cesu-8', cesu8],
  ['cesu8', 'cesu-8', cesu8],
  ['cesu-8-lenient', 'cesu-8-lenient', lenient],
  ['cesu-8+utf-8', 'cesu-8+utf-8', mixed],
  ['mutf-8', 'mutf-8', mutf8],
  ['modified-utf-8', 'mutf-8', mutf8],
  ['mutf8', 'mutf-8', mutf8],
  ['mutf-8-lenient', 'mutf-8-lenient', dataInput],
  ['wtf-8', 'wtf-8', wtf8],
  ['wtf8', 'wtf-8', wtf8],
  ['wtf-8-generalized', 'wtf-8-generalized', generalized],
  ['mutf-8-android', 'mutf-8-android', android],
  ['rfc2279', 'rfc2279', rfc2279],
  ['rfc2279-lax', 'rfc2279-lax', lax],
  ['utf8mb3', 'utf8mb3', mb3],
];

const failure = (run: () => unknown): LabelError => {
  try {
    run();
  } catch (error) {
    expect(error).toBeInstanceOf(RangeError);
    expect(error).toBeInstanceOf(LabelError);
    return error as LabelError;
  }
  throw new Error('expected a LabelError');
};

describe('labels', () => {
  for (const [label, canonical, codec] of names) {
    const random = Array.from(label, (c, i) => (i % 2 ? c.toUpperCase() : c.toLowerCase())).join(
      '',
    );
    for (const written of new Set([label, label.toLowerCase(), label.toUpperCase(), random])) {
      test(`${written} is ${canonical}`, () => {
        expect(labelFor(written)).toBe(canonical);
        expect(codecFor(written)).toBe(codec);
        expect(codecFor(written, {})).toBe(codec);
        expect(codecFor(written, { vendor: undefined })).toBe(codec);
        if (label === 'utf8') return;
        for (const vendor of vendors) expect(codecFor(written, { vendor })).toBe(codec);
      });
    }
  }

  test('labels and aliases are those of this table', () => {
    expect([...labels]).toEqual([...new Set(names.map(([, canonical]) => canonical))]);
    expect(
      labels.flatMap((label) => [label, ...aliases[label]].map((s) => s.toLowerCase())).sort(),
    ).toEqual(names.map(([label]) => label.toLowerCase()).sort());
    expect([...vendors]).toEqual(['oracle', 'mysql']);
    expect(new Set(labels.map((label) => codecFor(label).name)).size).toBe(labels.length);
  });

  test("vendor oracle resolves Oracle's names", () => {
    for (const utf8 of ['UTF8', 'utf8', 'Utf8']) {
      expect(codecFor(utf8, { vendor: 'oracle' })).toBe(cesu8);
      expect(codecFor(utf8, { vendor: 'Oracle' })).toBe(cesu8);
    }
    expect(codecFor('AL32UTF8', { vendor: 'oracle' })).toBe(strict);
  });

  test("vendor mysql resolves MySQL's names", () => {
    for (const utf8 of ['UTF8', 'utf8'])
      expect(labelFor(utf8, { vendor: 'MySQL' })).toBe('utf8mb3');
    expect(codecFor('utf8mb4', { vendor: 'mysql' })).toBe(strict);
    expect(codecFor('utf8mb3', { vendor: 'mysql' })).toBe(mb3);
    failure(() => codecFor('AL32UTF8', { vendor: 'mysql' }));
  });

  test('an error about a misspelled label suggests the nearest one', () => {
    for (const [written, meant] of [
      ['utf_8', 'utf-8'],
      ['utf 8', 'utf-8'],
      ['CESU', 'cesu8'],
      ['ces-8', 'cesu-8'],
      ['MUTF-8-lenent', 'mutf-8-lenient'],
      ['wtf_8', 'wtf-8'],
      ['utf8-mb3', 'utf8mb3'],
      ['android-mutf-8', undefined],
      ['latin1', undefined],
    ]) {
      const { message, suggestion } = failure(() => codecFor(written as string));
      expect(suggestion, written).toBe(meant);
      expect(message.includes('(did you mean ')).toBe(meant !== undefined);
      if (meant) expect(message).toContain(`(did you mean ${meant}?); expected utf-8, `);
    }
    expect(failure(() => codecFor('utf-8', { vendor: 'orcale' })).message).toContain('oracle?');
  });

  test('a name of one vendor is refused without the vendor', () => {
    const error = failure(() => codecFor('AL32UTF8'));
    expect(error).toMatchObject({ name: 'LabelError', code: 'ERR_UTF8_LABEL', label: 'AL32UTF8' });
    expect(error.message).toMatchInlineSnapshot(
      `""AL32UTF8" is a name of oracle alone; use utf-8, or the option vendor: oracle"`,
    );
    expect(error.suggestion).toBe('utf-8');
  });

  test('an error about an unknown label lists the known ones', () => {
    expect(failure(() => codecFor('utf-9')).message).toMatchInlineSnapshot(
      `"unknown encoding "utf-9" (did you mean utf-8?); expected utf-8, cesu-8, cesu-8-lenient, cesu-8+utf-8, mutf-8, mutf-8-lenient, wtf-8, wtf-8-generalized, mutf-8-android, rfc2279, rfc2279-lax or utf8mb3"`,
    );
    for (const label of ['', ' utf-8', 'constructor', '__proto__', 'toString', 'latin1']) {
      for (const vendor of [undefined, 'oracle']) {
        const error = failure(() => codecFor(label, { vendor }));
        expect(error.label).toBe(label);
        for (const known of labels) expect(error.message).toContain(known);
      }
    }
    expect(failure(() => codecFor('x'.repeat(1e6))).message.length).toBeLessThan(300);
  });

  test('an error about an unknown vendor lists the known ones', () => {
    expect(failure(() => codecFor('utf8', { vendor: 'x' })).message).toMatchInlineSnapshot(
      `"unknown vendor "x"; expected oracle or mysql"`,
    );
    failure(() => codecFor('utf-8', { vendor: '' }));
    failure(() => codecFor('utf-8', { vendor: 'constructor' }));
  });

  test('a label or vendor that is not a string is a TypeError', () => {
    expect(() => codecFor(undefined as never)).toThrow(TypeError);
    expect(() => codecFor(8 as never)).toThrow(TypeError);
    expect(() => codecFor('utf-8', { vendor: null as never })).toThrow(TypeError);
  });
});
