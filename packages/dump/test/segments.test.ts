import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type SegmentOptions, segments } from '../src/cut/segments.js';
import type { Format } from '../src/format/format.js';
import { findFormat } from '../src/format/registry.js';
import { plain, quoted } from './toy-formats.js';

/** Creates a source that gives a few bytes at once. */
const open = (text: string | Buffer, most: number, size?: number) => {
  const bytes = Buffer.from(text as string);
  let end = 0;
  return {
    name: 'file',
    size,
    async read(into: Uint8Array, position: number): Promise<number> {
      // Without a size, it is read in order.
      const from = size === undefined ? end : position;
      const count = bytes.copy(into, 0, from, Math.min(from + most, from + into.length));
      end += count;
      return count;
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
  const source = open(text, most, text.length);
  for await (const { bytes, offset, state, next } of segments(source, format, options)) {
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
const unitsOf = (text: string, format: Format): { at: number; end: number }[] =>
  [...format.createReader().read(Buffer.from(text))].map(({ start, end }) => ({ at: start, end }));

describe('segments', () => {
  it('cover the input in whole units, and know where they are', async () => {
    await fc.assert(
      fc.asyncProperty(
        text,
        formats,
        fc.integer({ min: 1, max: 40 }),
        fc.boolean(),
        async (text, format, size, owned) => {
          const cuts = await cut(text, format, {
            size,
            allocate: owned ? (length) => new Uint8Array(length) : undefined,
          });
          expect(cuts.map((each) => each.text).join('')).toBe(text);
          const units = unitsOf(text, format);
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
    await fc.assert(
      fc.asyncProperty(
        text,
        formats,
        fc.integer({ min: 1, max: 40 }),
        fc.nat(90),
        async (text, format, size, to) => {
          const wanted =
            unitsOf(text, format)
              .filter(({ at }) => at < to)
              .at(-1)?.end ?? 0;
          const cuts = await cut(text, format, { size, to });
          expect(cuts.map((each) => each.text).join('')).toBe(text.slice(0, wanted));
        },
      ),
    );
  });

  it('continue from a state as if they had not stopped', async () => {
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
      'file:2: record exceeds 1 MiB; is a quote left open?',
    );
  });
});

it('refuse a dump that ends within the rows of a COPY, however it is read', async () => {
  const pgDump = findFormat('pg_dump', { assume: 'text' });
  const dump = 'COPY t (a) FROM stdin;\n1\n2\n';
  for (const most of [1, 7, 1000]) {
    await expect(cut(dump, pgDump, {}, most)).rejects.toThrow(/COPY/);
    expect((await cut(`${dump}\\.\n`, pgDump, {}, most)).map(({ text }) => text).join('')).toBe(
      `${dump}\\.\n`,
    );
  }
});

describe('a unit that does not fit into memory', () => {
  const csv = findFormat('csv', { header: false });
  const long = `1,"${'한국어 text\n'.repeat(2000)}"\n`;
  const rows = `0,a\n${long}2,b\n${long}3,c`;
  const isClean = (bytes: Uint8Array): boolean => {
    // Also refuses a character that a cut has split.
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return !Buffer.from(bytes).includes('!');
  };

  const read = async (text: string, size: number | undefined, options: SegmentOptions = {}) => {
    const parts: Buffer[] = [];
    let most = 0;
    let next = { line: 1, record: 1 };
    let offset = 0;
    const all = { size: 100, long: 1000, isClean, ...options };
    for await (const segment of segments(open(text, 333, size), csv, all)) {
      expect(segment.offset).toBe(offset);
      parts.push(Buffer.from(segment.bytes));
      most = Math.max(most, segment.bytes.length);
      next = segment.next;
      offset += segment.bytes.length;
    }
    return { text: Buffer.concat(parts).toString(), most, next };
  };

  it.each([
    ['read from any place', Buffer.byteLength(rows)],
    ['read in order', undefined],
  ])('passes in small parts if it is clean and the source is %s', async (_, size) => {
    const { text, most, next } = await read(rows, size);
    expect(text).toBe(rows);
    expect(most).toBeLessThan(2200);
    expect(next).toMatchObject({ line: 4005, record: 6 });
  });

  it.each([
    ['read from any place', true],
    ['read in order', false],
  ])('stays in one piece if it is not clean and the source is %s', async (_, isFile) => {
    const broken = rows.replace(/text\n"\n2/, 'te!t\n"\n2');
    const { text, most, next } = await read(broken, isFile ? Buffer.byteLength(rows) : undefined);
    expect(text).toBe(broken);
    expect(most).toBeGreaterThanOrEqual(Buffer.byteLength(long));
    expect(next).toMatchObject({ line: 4005, record: 6 });
    const most1 = 20_000;
    await expect(
      read(broken, isFile ? Buffer.byteLength(rows) : undefined, { most: most1 }),
    ).rejects.toThrow(':2: record exceeds 0 MiB; is a quote left open?');
  });
});
