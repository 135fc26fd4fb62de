import { defineGrammar, formatRow, GrammarError } from '@utf8/core';
import { describe, expect, it } from 'vitest';

/** UTF-8 to U+FFFF, which tests change in one place. */
const rows = [
  'U+0000..U+007F = 00-7F',
  'U+0080..U+07FF = C2-DF 80-BF',
  'U+0800..U+0FFF = E0 A0-BF 80-BF',
  'U+1000..U+FFFF = E1-EF 80-BF 80-BF',
];
const define = (...lines: string[]) => defineGrammar('code units', lines.join('\n'));

describe('defineGrammar', () => {
  it('reads rows, comments and blank lines', () => {
    const { domain, rows: read } = defineGrammar(
      'code units',
      `; a comment\n\n  ${rows.join(' ; why\n  ')}\n`,
    );
    expect(domain).toBe('code units');
    expect(read.map(formatRow)).toEqual(rows);
  });

  it.each([
    ['U+0080..U+07FF = C2-DF', 'U+0080..U+07FF = C2-DF', '1920 code points, but 30'],
    ['0080..07FF = C2-DF 80-BF', '0080..07FF = C2-DF 80-BF', 'expected "U+0080'],
    ['U+0080..U+07FF : C2-DF 80-BF', 'U+0080..U+07FF : C2-DF', 'expected "U+0080'],
    ['U+0080..U+07FF = C2-DF 80-BG', '80-BG', 'neither a byte'],
    ['U+0080..U+07FF = C2-DF BF-80', 'BF-80', 'ascending'],
    ['U+0080..U+07FF = C2-DF 80-BF +', 'U+0080..U+07FF', 'neither a byte'],
    ['U+07FF..U+0080 = C2-DF 80-BF', 'U+07FF..U+0080', 'descends'],
    ['U+0080..U+07FF =', 'U+0080..U+07FF =', 'expected'],
  ])('refuses %s', (line, row, why) => {
    const refused = () => define(rows[0] as string, line, ...rows.slice(2));
    expect(refused).toThrow(GrammarError);
    expect(refused).toThrow(row);
    expect(refused).toThrow(why);
  });

  it('law: each row maps byte order onto code-point order', () => {
    expect(() => define('U+0000..U+00FF = 00-7F')).toThrow(
      'Row "U+0000..U+00FF = 00-7F": 256 code points, but 128 byte sequences.',
    );
  });

  it('law: no two rows share a byte sequence', () => {
    expect(() => define(...rows, 'U+0041 <= 41')).toThrow(
      'Row "U+0041 <= 41" shares a byte sequence with row "U+0000..U+007F = 00-7F".',
    );
  });

  it('law: no sequence is a prefix of another', () => {
    expect(() => define(...rows, 'U+0041 <= 41 42')).toThrow('Row "U+0041 <= 41 42"');
    expect(() => define(...rows, 'U+0041 <= 41 42')).toThrow('begins');
    expect(() => define('U+0041 <= E1', ...rows)).toThrow(
      'Row "U+1000..U+FFFF = E1-EF 80-BF 80-BF"',
    );
  });

  it('law: the = rows cover the domain exactly once', () => {
    expect(() => define(...rows.slice(0, 3))).toThrow('No "=" row writes U+1000..U+FFFF');
    expect(() => define(...rows.slice(1))).toThrow('No "=" row writes U+0000..U+007F');
    expect(() => define('')).toThrow('No "=" row writes U+0000..U+FFFF');
    expect(() => define(...rows, 'U+0041 = C1 81')).toThrow(
      'Row "U+0041 = C1 81" writes code points that another "=" row writes.',
    );
    const wide = 'U+10000..U+3FFFF = F0 90-BF 80-BF 80-BF';
    expect(() => define(...rows, wide)).toThrow(`Row "${wide}" reaches outside the code units.`);
    expect(() => define(...rows, wide.replace('=', '<='))).toThrow(
      'reaches outside the code units',
    );
    expect(() => defineGrammar('scalar values', rows.join('\n'))).toThrow(
      'Row "U+1000..U+FFFF = E1-EF 80-BF 80-BF" reaches outside the scalar values.',
    );
  });

  it('law: what a ! row refuses is accepted unit by unit', () => {
    const pair = 'U+10000..U+10FFFF ! ED A0-AF 80-BF + ED B0-BF 80-BF';
    expect(define(...rows, pair).refused.map(formatRow)).toEqual([pair]);
    const why = 'refuses units that no row accepts alone.';
    for (const row of [
      // More than any row has, or another length.
      'U+0000..U+0FFF ! ED 80-BF 80-BF + 80',
      'U+0000..U+001F ! 60-7F + 80',
      'U+0000..U+003F ! F0 80-BF 80 80',
      'U+0000..U+007F ! C1-C2 80-BF',
    ]) {
      expect(() => define(...rows, row)).toThrow(`Row "${row}" ${why}`);
    }
    const half = 'U+10000..U+1FFFF ! ED A0-AF 80-BF + ED B0-BF 80-BF';
    expect(() => define(...rows, half)).toThrow(
      `Row "${half}": 65536 code points, but 1048576 byte sequences.`,
    );
  });

  it('refuses an unknown domain', () => {
    expect(() => defineGrammar('scalars' as 'code units', '')).toThrow(
      'Unknown domain "scalars": it is one of scalar values, code units, code points, bmp, ucs-4, 31 bits.',
    );
  });
});
