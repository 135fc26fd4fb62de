/** encodeCodePoints and compare, with code points next to each other at the edges of all ranges. */
import { describe, expect, it } from 'vitest';
import { errorOf } from './calls.js';
import { loadCodecs } from './entries.js';

const edges = [
  ...[0, 0x7f, 0x80, 0x7ff, 0x800, 0xd7ff],
  ...[0xd800, 0xd83d, 0xdbff, 0xdc00, 0xde00, 0xdfff],
  ...[0xe000, 0xffff, 0x10000, 0x10ffff],
];

describe('encodeCodePoints', async () => {
  const entries = await loadCodecs();

  it.each(entries.map(({ entry, codec }) => [entry, codec] as const))(
    'encodeCodePoints of %s writes neighbours that decode reads again',
    (_, codec) => {
      const isRefused = (codePoint: number): boolean =>
        errorOf(() => codec.encodeCodePoints([codePoint]))?.name === 'EncodeError';
      const known = edges.filter((codePoint) => !isRefused(codePoint));
      for (const first of known) {
        for (const second of known) {
          for (const codePoints of [
            [first, second],
            [0x61, first, second, 0x62],
            [first, second, second],
          ]) {
            const text = String.fromCodePoint(...codePoints);
            expect(codec.decode(codec.encodeCodePoints(codePoints))).toBe(text);
          }
        }
        for (const refused of edges.filter(isRefused)) {
          expect(() => codec.encodeCodePoints(new Set([first, refused]))).toThrow(
            expect.objectContaining({ offset: 1, codePoint: refused }),
          );
        }
      }
      expect(known.length).toBeGreaterThanOrEqual(8);
    },
  );
});

describe('compare', async () => {
  const entries = await loadCodecs();

  it.each(entries.map(({ entry, codec }) => [entry, codec] as const))(
    'compare of %s sorts by code points, or by code units as strings',
    (_, codec) => {
      const texts = edges
        .flatMap((first) =>
          [[], [0x61], [0xdc00], [0xde00], [0xe000]].map((rest) => [first, ...rest]),
        )
        .map((codePoints) => String.fromCodePoint(...codePoints))
        .filter((text) => errorOf(() => codec.encode(text)) === undefined);
      const order = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
      // UTF-32 in digits of the same number sorts by code points.
      const wide = (text: string): string =>
        Array.from(text, (each) => String(each.codePointAt(0)).padStart(7, '0')).join();
      for (const a of texts) {
        for (const b of texts) {
          const [x, y] = [codec.encode(a), codec.encode(b)];
          expect(codec.compare(x, y), `${a} ${b}`).toBe(order(wide(a), wide(b)));
          expect(codec.compare(x, y, 'code units'), `${a} ${b}`).toBe(order(a, b));
        }
      }
      expect(() => codec.compare(new Uint8Array(0), new Uint8Array(0), 'bytes' as never)).toThrow(
        /^Expected code points or code units, but got the string bytes\.$/,
      );
    },
  );
});
