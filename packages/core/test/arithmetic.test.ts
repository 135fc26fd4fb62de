import { formatRow, type Row } from '@utf8/core';
import { decodeByRows, encodeByRows } from '@utf8/core/internal';
import { describe, expect, it } from 'vitest';
import { intersectRows, sliceRow } from '../src/grammar/arithmetic.js';
import { parseRow } from '../src/grammar/grammar.js';

const parse = (...rows: string[]): readonly Row[] => rows.map(parseRow);

describe('intersectRows', () => {
  const intersect = (one: string, ...others: string[]): string[] =>
    intersectRows(parse(one), parse(...others)).map(formatRow);

  it('finds what means the same in both', () => {
    expect(intersect('U+0000..U+007F = 00-7F', 'U+0010..U+00FF = 10-FF')).toEqual([
      'U+0010..U+007F = 10-7F',
    ]);
    expect(intersect('U+0080..U+07FF = C2-DF 80-BF', 'U+00C0..U+083F = C3-E0 80-BF')).toEqual([
      'U+00C0..U+07FF = C3-DF 80-BF',
    ]);
  });

  it('may count more bytes at a position where both have only one', () => {
    const few = 'U+0000..U+000F = C0 80-8F';
    const many = 'U+0000..U+003F = C0 80-BF';
    expect(intersect(few, many)).toEqual([few]);
    expect(intersect(many, few)).toEqual([few]);
  });

  it.each([
    ['other bytes', 'U+0000..U+000F = 00-0F', 'U+0000..U+000F = 10-1F'],
    ['other code points', 'U+0000..U+000F = 00-0F', 'U+0001..U+0010 = 00-0F'],
    ['fewer bytes', 'U+0000..U+000F = 00-0F', 'U+0000..U+000F = 00-0F 80'],
    ['other bytes at the end', 'U+0000..U+000F = C0 80-8F', 'U+0000..U+000F = C0 90-9F'],
    ['other steps', 'U+0000..U+00FF = C0-CF 80-8F', 'U+0000..U+07FF = C0-DF 80-BF'],
  ])('finds nothing of %s', (_, one, other) => {
    expect(intersect(one, other)).toEqual([]);
  });

  it('leaves out what the second does not write', () => {
    const written = 'U+0000..U+000F = 00-0F';
    const accepted = 'U+0000..U+000F <= C0 80-8F';
    expect(intersectRows(parse(written, accepted), parse(written)).map(formatRow)).toEqual([
      written,
    ]);
    expect(intersectRows(parse('U+0000..U+000F = C0 80-8F'), parse(written, accepted))).toEqual([]);
  });
});

describe('sliceRow', () => {
  it.each([
    'U+0010..U+0033 = C0-C2 80-82 90-93',
    'U+0010..U+0033 = C0 80-8B + D0 90-92',
    'U+0010..U+0033 = 10-33',
  ])('cuts exactly what is asked for, in few rows: %s', (text) => {
    const row = parseRow(text);
    for (let first = 0x0e; first <= 0x35; first++) {
      for (let last = 0x0e; last <= 0x35; last++) {
        const slice = sliceRow(row, first, last);
        let next = Math.max(first, row.first);
        for (const part of slice) {
          expect(part.first).toBe(next);
          for (; next <= part.last; next++) {
            const bytes = encodeByRows({ rows: [row] }, next) as number[];
            const isSame = encodeByRows({ rows: [part] }, next)?.join() === bytes.join();
            if (!isSame || decodeByRows({ rows: [part] }, bytes, 0)?.codePoint !== next)
              expect.fail(`${formatRow(part)} of ${first} to ${last} at ${next}`);
          }
        }
        expect(next).toBe(Math.max(Math.min(last, row.last) + 1, first, row.first));
        expect(slice.length).toBeLessThanOrEqual(5);
      }
    }
  });
});
