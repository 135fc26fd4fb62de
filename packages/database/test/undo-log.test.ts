/** Undo logs are read in both directions, at any length of line, and whatever was cut off. */
import { appendFileSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { scale, seed } from '../../../tooling/tiers/tier.js';
import {
  formatEnd,
  formatHeader,
  formatLine,
  isHeaderStart,
  parseHeader,
  parseLine,
  type UndoLogHeader,
  type UndoLogLine,
} from '../src/undo-log/line.js';
import { checkUndoLog, readBackwards } from '../src/undo-log/undo-log-reader.js';
import { UndoLogWriter } from '../src/undo-log/undo-log-writer.js';
import { useFolder } from './toy-run.js';

const path = useFolder();
const header: UndoLogHeader = {
  undoLog: 2,
  product: 'Toy 1',
  database: 'mysql://host/größe',
  from: 'cesu-8+utf-8',
  to: 'utf-8',
};

const createLine = (id: number, size: number): UndoLogLine => ({
  table: 'größe',
  key: { id },
  column: 'name',
  old: 'ab'.repeat(size),
  new: '',
});

const format = (lines: readonly UndoLogLine[]): string => lines.map(formatLine).join('');

/** A line without its line feed. */
const seal = (line: object): string => formatLine(line as UndoLogLine).slice(0, -1);

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
          const forwards: UndoLogLine[] = [];
          const summary = checkUndoLog(file, undefined, (line) => forwards.push(line));
          expect(forwards).toEqual(lines);
          const { length } = readFileSync(file);
          expect(summary).toMatchObject({
            header,
            size: length,
            lines: lines.length,
            isComplete: false,
          });
          const start = summary?.start ?? 0;
          const backwards = [...readBackwards(file, start, length)];
          expect(backwards.map(({ text }) => parseLine(text))).toEqual([...lines].reverse());
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
      const found = checkUndoLog(file);
      if (size < head) expect(found, `${size}`).toBeUndefined();
      else {
        const ends = [head, Buffer.byteLength(first), whole.length];
        const lines = ends.filter((end) => end <= size).length - 1;
        expect(found).toMatchObject({ lines, size: ends[lines], isComplete: false });
      }
    }
  });
});

describe('a writer', () => {
  it('keeps what was committed, whatever was added after it', () => {
    const file = path('written');
    const writer = UndoLogWriter.create(file, header);
    const lines = Array.from({ length: 20 }, (_, i) => createLine(i, i * 10_000));
    for (const [i, line] of lines.entries()) {
      writer.add(format([line]), 1);
      writer.sync();
      if (i % 3 === 0) writer.rollback();
      else writer.commit();
    }
    const { mark } = writer;
    writer.add(format([createLine(99, 200_000)]), 1);
    writer.rollback();
    expect(writer.mark).toEqual(mark);
    writer.close();
    const kept = formatHeader(header) + format(lines.filter((_, i) => i % 3 !== 0));
    expect(readFileSync(file, 'utf8')).toBe(kept);
    appendFileSync(file, '{"table":"gr');
    const again = UndoLogWriter.resume(file, mark);
    again.add(format([createLine(5, 1)]), 1);
    again.finish();
    again.close();
    const all = kept + format([createLine(5, 1)]);
    const end = formatEnd({ end: 14, of: crc32(all) });
    expect(readFileSync(file, 'utf8')).toBe(all + end);
    expect(checkUndoLog(file)).toMatchObject({
      isComplete: true,
      lines: 14,
      size: Buffer.byteLength(all),
    });
    truncateSync(file, mark.size - 1);
    expect(() => UndoLogWriter.resume(file, mark)).toThrow('is not the undo log');
  });

  it('notices that the file was removed or shortened', () => {
    const file = path('shortened');
    const writer = UndoLogWriter.create(file, header);
    truncateSync(file, 3);
    writer.add(format([createLine(1, 1)]), 1);
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
    expect(parseLine(seal(whole))).toEqual(whole);
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
    expect(parseLine(seal({ ...line, ...properties }))).toBeUndefined();
  });

  it('that is no object is damaged', () => {
    for (const text of [
      '',
      'null',
      '1',
      '[]',
      '"x"',
      '{',
      JSON.stringify(line),
      seal(line).slice(0, -1),
    ]) {
      expect(parseLine(text), text).toBeUndefined();
      expect(parseHeader(text), text).toBeUndefined();
    }
  });

  it('is a header of this version', () => {
    expect(parseHeader(formatHeader(header).trimEnd())).toEqual(header);
    for (const name of ['undoLog', 'product', 'database', 'from', 'to']) {
      for (const value of [undefined, 1, null]) {
        expect(parseHeader(seal({ ...header, [name]: value })), name).toBeUndefined();
      }
    }
  });

  it('starts a header', () => {
    for (const text of ['', '{', '{"undoLog"', '{"undoLog":', '{"undoLog":9,"x']) {
      expect(isHeaderStart(text), text).toBe(true);
    }
    for (const text of ['x', '"undoLog":', '{"undoLogs', ' {"undoLog":1']) {
      expect(isHeaderStart(text), text).toBe(false);
    }
  });
});

describe('an undo log with an end', () => {
  const lines = format([createLine(1, 2), createLine(2, 3), createLine(3, 0)]);
  const body = formatHeader(header) + lines;
  const whole = Buffer.from(body + formatEnd({ end: 3, of: crc32(body) }));
  const check = (bytes: Uint8Array) => {
    const file = path('ended');
    writeFileSync(file, bytes);
    return checkUndoLog(file);
  };

  it('is complete, and is not if anything is cut off', () => {
    expect(check(whole)?.isComplete).toBe(true);
    for (let size = 0; size < whole.length; size++) {
      expect(check(whole.subarray(0, size))?.isComplete ?? false, `${size}`).toBe(false);
    }
  });

  it('is damaged if a bit differs, or a line is missing, repeated or moved', () => {
    for (let i = 0; i < whole.length; i++) {
      const bytes = Buffer.from(whole);
      bytes[i] = (bytes[i] as number) ^ (1 << (i % 8));
      let isComplete: boolean | undefined;
      try {
        isComplete = check(bytes)?.isComplete;
      } catch {
        continue;
      }
      // The line feed at the end: the last line is cut off.
      expect([isComplete, i], `byte ${i}`).toEqual([false, whole.length - 1]);
    }
    const [first = '', a = '', b = '', c = '', end = ''] = whole.toString().split(/(?<=\n)/);
    for (const parts of [
      [first, a, b, end],
      [first, a, c, end],
      [first, a, b, b, c, end],
      [first, b, a, c, end],
      [first, a, b, c, end, end],
      [first, a, b, c, end, c],
      [first, a, b, c, end, 'x'],
      [first, end],
      [end],
    ]) {
      expect(() => check(Buffer.from(parts.join('')))).toThrow(/is damaged|is not the undo log/);
    }
  });
});

describe('a file that is no undo log', () => {
  const other = 'was written by another version of utf8';
  const none = 'is not the undo log of a repair; choose another file';

  it.each([
    ['{"undoLog":1}\n', other],
    ['{"undoLog":10,"product":""}\n', other],
    ['{"undoLog":2,"product":2}\n', none],
    ['\n', none],
    ['id,name\n', none],
    ['id', none],
    ['x'.repeat(200_000), none],
    [`{"undoLog":${'1'.repeat(200_000)}`, none],
  ])('is refused: %.20s', (text, message) => {
    const file = path('other');
    writeFileSync(file, text);
    expect(() => checkUndoLog(file)).toThrow(`${file}: ${message}`);
  });

  it('is read no further than it is long', () => {
    const file = path('short');
    const lines = formatHeader(header) + format([createLine(1, 3)]);
    writeFileSync(file, lines);
    const start = formatHeader(header).length;
    expect(() => [...readBackwards(file, start, lines.length + 100)]).toThrow(
      `${file}: was truncated while it was read`,
    );
    expect(() => checkUndoLog(path('missing'))).toThrow(path('missing'));
    writeFileSync(file, `${lines}{}\n`);
    expect(() => checkUndoLog(file)).toThrow(`${file}:3: is damaged; copy the file again`);
  });
});
