/** Journals are read in both directions, at any length of line, and whatever was cut off. */
import { appendFileSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { scale, seed } from '../../../tooling/tiers/tier.js';
import { checkJournal, readBackwards } from '../src/journal/journal-reader.js';
import { JournalWriter } from '../src/journal/journal-writer.js';
import {
  formatHeader,
  isHeaderStart,
  type JournalHeader,
  type JournalLine,
  parseHeader,
  parseLine,
} from '../src/journal/line.js';
import { useFolder } from './toy-run.js';

const path = useFolder();
const header: JournalHeader = {
  journal: 1,
  product: 'Toy 1',
  database: 'mysql://host/größe',
  from: 'cesu-8+utf-8',
  to: 'utf-8',
};

const createLine = (id: number, size: number): JournalLine => ({
  table: 'größe',
  key: { id },
  column: 'name',
  old: 'ab'.repeat(size),
  new: '',
});

const format = (lines: readonly JournalLine[]): string =>
  lines.map((line) => `${JSON.stringify(line)}\n`).join('');

describe('lines', () => {
  it('come back in both directions', () =>
    fc.assert(
      fc.property(
        // Around the 64 KiB that are read at once.
        fc.array(
          fc.oneof(
            fc.nat({ max: 50 }),
            fc.integer({ min: 32_700, max: 32_790 }),
            fc.constant(100_000),
          ),
          { maxLength: 8 },
        ),
        (sizes) => {
          const file = path('both');
          const lines = sizes.map((size, i) => createLine(i, size));
          writeFileSync(file, formatHeader(header) + format(lines));
          const forwards: JournalLine[] = [];
          const summary = checkJournal(file, undefined, (line) => forwards.push(line));
          expect(forwards).toEqual(lines);
          const { length } = readFileSync(file);
          expect(summary).toMatchObject({
            header,
            size: length,
            lines: lines.length,
            isTorn: false,
          });
          const start = summary?.start ?? 0;
          const backwards = [...readBackwards(file, start, length)];
          expect(backwards.map(({ text }) => JSON.parse(text))).toEqual([...lines].reverse());
          const bytes = readFileSync(file);
          for (const { text, at } of backwards) {
            expect(bytes.toString('utf8', at, at + Buffer.byteLength(text))).toBe(text);
          }
        },
      ),
      { seed, numRuns: scale(100) },
    ));

  it('are cut off at any byte', () => {
    const file = path('torn');
    const first = formatHeader(header) + format([createLine(1, 3)]);
    const whole = Buffer.from(first + format([createLine(2, 5)]));
    const head = Buffer.byteLength(formatHeader(header));
    for (let size = 0; size <= whole.length; size++) {
      writeFileSync(file, whole.subarray(0, size));
      const found = checkJournal(file);
      if (size < head) expect(found, `${size}`).toBeUndefined();
      else {
        const ends = [head, Buffer.byteLength(first), whole.length];
        const lines = ends.filter((end) => end <= size).length - 1;
        expect(found).toMatchObject({ lines, size: ends[lines], isTorn: size !== ends[lines] });
      }
    }
  });
});

describe('a writer', () => {
  it('keeps what was committed, whatever was added after it', () => {
    const file = path('written');
    const writer = JournalWriter.create(file, header);
    const lines = Array.from({ length: 20 }, (_, i) => createLine(i, i * 10_000));
    for (const [i, line] of lines.entries()) {
      writer.add(format([line]));
      writer.sync();
      if (i % 3 === 0) writer.rollback();
      else writer.commit();
    }
    const { mark } = writer;
    writer.add(format([createLine(99, 200_000)]));
    writer.rollback();
    expect(writer.mark).toEqual(mark);
    writer.close();
    const kept = formatHeader(header) + format(lines.filter((_, i) => i % 3 !== 0));
    expect(readFileSync(file, 'utf8')).toBe(kept);
    appendFileSync(file, '{"table":"gr');
    const again = JournalWriter.resume(file, mark);
    again.add(format([createLine(5, 1)]));
    again.sync();
    again.close();
    expect(readFileSync(file, 'utf8')).toBe(kept + format([createLine(5, 1)]));
    truncateSync(file, mark.size - 1);
    expect(() => JournalWriter.resume(file, mark)).toThrow('is not the journal');
  });

  it('notices that the file was removed or shortened', () => {
    const file = path('shortened');
    const writer = JournalWriter.create(file, header);
    truncateSync(file, 3);
    writer.add(format([createLine(1, 1)]));
    expect(() => writer.sync()).toThrow('was changed by another program');
    writer.close();
  });
});

describe('a line', () => {
  const line = { table: 't', key: { id: 1 }, column: 'c', old: '00ff', new: '' };

  it.each<[string, object]>([
    ['plain', {}],
    ['of a text key', { key: { a: { hex: 'eda0', is: 'text' }, b: '5' } }],
    ['of a binary key', { key: { a: { hex: '', is: 'blob' } } }],
    ['with a new key', { newKey: { id: 2 } }],
    ['of a child', { reference: 'r' }],
  ])('is read: %s', (_, properties) => {
    const whole = { ...line, ...properties };
    expect(parseLine(JSON.stringify(whole))).toEqual(whole);
  });

  it.each<[string, object]>([
    ['no table', { table: undefined }],
    ['a table that is no name', { table: 1 }],
    ['no column', { column: null }],
    ['no old value', { old: undefined }],
    ['an odd number of digits', { old: '00f' }],
    ['capitals', { old: '00FF' }],
    ['no digits', { new: 'xx' }],
    ['digits after others', { new: 'x0' }],
    ['digits before others', { new: '0x' }],
    ['a value that is no text', { new: 12 }],
    ['no key', { key: undefined }],
    ['null as key', { key: null }],
    ['a list as key', { key: [1] }],
    ['a text as key', { key: '' }],
    ['null in a key', { key: { id: null } }],
    ['a key of no digits', { key: { id: { hex: 'x', is: 'text' } } }],
    ['a key of another form', { key: { id: { hex: '00', is: 'other' } } }],
    ['a part of a key', { key: { id: 1, b: true } }],
    ['a new key that is none', { newKey: null }],
    ['a reference that is no name', { reference: 1 }],
  ])('is damaged: %s', (_, properties) => {
    expect(parseLine(JSON.stringify({ ...line, ...properties }))).toBeUndefined();
  });

  it('that is no object is damaged', () => {
    for (const text of ['', 'null', '1', '[]', '"x"', '{', JSON.stringify(line).slice(0, -1)]) {
      expect(parseLine(text), text).toBeUndefined();
      expect(parseHeader(text), text).toBeUndefined();
    }
  });

  it('is a header of this version', () => {
    expect(parseHeader(JSON.stringify(header))).toEqual(header);
    for (const name of ['journal', 'product', 'database', 'from', 'to']) {
      for (const value of [undefined, 2, null]) {
        expect(parseHeader(JSON.stringify({ ...header, [name]: value })), name).toBeUndefined();
      }
    }
  });

  it('starts a header', () => {
    for (const text of ['', '{', '{"journal"', '{"journal":', '{"journal":9,"x']) {
      expect(isHeaderStart(text), text).toBe(true);
    }
    for (const text of ['x', '"journal":', '{"journals', ' {"journal":1']) {
      expect(isHeaderStart(text), text).toBe(false);
    }
  });
});

describe('a file that is no journal', () => {
  const other = 'was written by another version of utf8';
  const none = 'is not a journal of utf8 repair; name another file';

  it.each([
    ['{"journal":2}\n', other],
    ['{"journal":10,"product":""}\n', other],
    ['{"journal":1,"product":2}\n', none],
    ['\n', none],
    ['id,name\n', none],
    ['id', none],
    ['x'.repeat(200_000), none],
    [`{"journal":${'1'.repeat(200_000)}`, none],
  ])('is refused: %.20s', (text, message) => {
    const file = path('other');
    writeFileSync(file, text);
    expect(() => checkJournal(file)).toThrow(`${file}: ${message}`);
  });

  it('is read no further than it is long', () => {
    const file = path('short');
    const lines = formatHeader(header) + format([createLine(1, 3)]);
    writeFileSync(file, lines);
    const start = formatHeader(header).length;
    expect(() => [...readBackwards(file, start, lines.length + 100)]).toThrow(
      `${file}: was truncated while it was read`,
    );
    expect(() => checkJournal(path('missing'))).toThrow(path('missing'));
    writeFileSync(file, `${lines}{}\n`);
    expect(() => checkJournal(file)).toThrow(`${file}: line 3 is damaged; copy the file again`);
  });
});
