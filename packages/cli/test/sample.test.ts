import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import * as cesu8 from '@utf8/cesu8';
import * as mixed from '@utf8/cesu8/mixed';
import * as strict from '@utf8/strict';
import { describe, expect, it } from 'vitest';
import { need } from './built.js';
import { sample, useFolder } from './command.js';

const path = useFolder();

describe('the sample', () => {
  it('is what the JDK makes it', { tags: ['slow'] }, () => {
    need('java', '-version');
    const maker = fileURLToPath(
      new URL('../../../tooling/oracles/sample/MakeSample.java', import.meta.url),
    );
    const { status, stderr } = spawnSync('java', [maker, path('customers.csv')], {
      encoding: 'utf8',
    });
    expect([status, stderr]).toEqual([0, '']);
    expect(readFileSync(path('customers.csv')).equals(readFileSync(sample))).toBe(true);
  });

  it('is mixed, and well-formed as that', () => {
    const bytes = readFileSync(sample);
    expect(mixed.isValid(bytes)).toBe(true);
    expect(cesu8.isValid(bytes)).toBe(false);
    expect(strict.isValid(bytes)).toBe(false);
  });

  it('has everything in it that goes wrong elsewhere', () => {
    const text = mixed.decode(readFileSync(sample));
    for (const pattern of [
      /\p{Script=Hangul}/u,
      /[\u{20000}-\u{2A6DF}]/u,
      /\p{Emoji_Presentation}\u200d/u,
      /\p{Regional_Indicator}{2}/u,
      /[\uE000-\uF8FF]/,
      /[\u{F0000}-\u{10FFFD}]/u,
      /\p{Script=Latin}\p{Mark}/u,
      /\p{Script=Cyrillic}/u,
      /^[\x20-\x7e]+$/m,
      /"[^"]*\n/,
      /""/,
    ]) {
      expect(text).toMatch(pattern);
    }
  });
});
