import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Format } from '../src/formats/format.js';
import { type SegmentOptions, segments } from '../src/records/segments.js';
import { plain, quoted } from './records-formats.js';

/** A source that gives no more than so many bytes at once. */
const open = (text: string, most: number) => {
  const bytes = Buffer.from(text);
  return {
    name: 'file',
    async read(into: Uint8Array, position: number): Promise<number> {
      return bytes.copy(into, 0, position, Math.min(position + most, position + into.length));
    },
  };
};

interface Cut {
  readonly text: string;
  readonly offset: number;
  readonly line: number;
  readonly record: number;
  readonly next: { readonly line: number; readonly record: number };
}

async function cut(
  text: string,
  format: Format,
  options: SegmentOptions,
  most = 7,
): Promise<Cut[]> {
  const cuts: Cut[] = [];
  for await (const { bytes, offset, state, next } of segments(open(text, most), format, options)) {
    const { line, record } = state;
    cuts.push({ text: Buffer.from(bytes).toString(), offset, line, record, next });
  }
  return cuts;
}

const text = fc
  .array(fc.constantFrom('\n', '"', 'a', 'bcd', '"e\nf"', '\n\n'), { maxLength: 60 })
  .map((parts) => parts.join(''));

const formats = fc.constantFrom(plain, quoted);

/** The records of a text, with the byte that each begins at. */
async function unitsOf(text: string, format: Format): Promise<{ at: number; end: number }[]> {
  const pieces = [...format.createReader().read(Buffer.from(text))];
  return pieces.map(({ start, end }) => ({ at: start, end }));
}

describe('segments', () => {
  it('cover the input in whole units, and know where they are', async () => {
    await fc.assert(
      fc.asyncProperty(
        text,
        formats,
        fc.integer({ min: 1, max: 40 }),
        fc.boolean(),
        async (text, format, size, owned) => {
          const cuts = await cut(text, format, { size, owned });
          expect(cuts.map((each) => each.text).join('')).toBe(text);
          const units = await unitsOf(text, format);
          let offset = 0;
          for (const each of cuts) {
            expect(each.offset).toBe(offset);
            expect(each.record).toBe(1 + units.filter(({ at }) => at < offset).length);
            expect(each.line).toBe(text.slice(0, offset).split('\n').length);
            expect(offset === 0 || units.some(({ at }) => at === offset)).toBe(true);
            offset += each.text.length;
          }
          expect(cuts.at(-1)?.next.record ?? 1).toBe(1 + units.length);
        },
      ),
    );
  });

  it('of a range are the units that begin in it', async () => {
    const place = fc.nat(90);
    await fc.assert(
      fc.asyncProperty(
        text,
        formats,
        fc.integer({ min: 1, max: 40 }),
        place,
        async (text, format, size, to) => {
          const units = await unitsOf(text, format);
          const wanted = units.filter(({ at }) => at < to).at(-1)?.end ?? 0;
          const cuts = await cut(text, format, { size, to });
          expect(cuts.map((each) => each.text).join('')).toBe(text.slice(0, wanted));
        },
      ),
    );
  });

  it('go on from a state as if they had not stopped', async () => {
    const all = 'a\n"b\nc"\nd\n"e\n\n"\nf';
    const whole = await cut(all, quoted, { size: 1 });
    for (const [i, { offset, line, record }] of whole.entries()) {
      const state = { line, record, context: null };
      expect(await cut(all, quoted, { size: 1, from: offset, state })).toEqual(whole.slice(i));
    }
  });

  it('stop at a unit that does not end', async () => {
    const open = `a\n"${'b\n'.repeat(1 << 20)}`;
    await expect(cut(open, quoted, { most: 1 << 20 }, 1 << 20)).rejects.toThrow(
      'file: what begins in line 2 has no end within 1 MiB; close the quote in it, or name the right --format',
    );
  });
});
