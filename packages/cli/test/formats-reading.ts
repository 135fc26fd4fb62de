/** Reads files of a format the way the command does, and checks what holds for every one of them. */
import fc from 'fast-check';
import { expect } from 'vitest';
import { FormatFailure } from '../src/formats/failure.js';
import type { Format, Piece, Reader, ReaderState } from '../src/formats/format.js';

/** A field as latin1: a character is a byte. */
export interface PlainField {
  readonly text: string;
  readonly kind: string;
  readonly column: string | undefined;
  readonly number: number;
}

/** A piece as latin1; indices are those of the file. */
export interface PlainPiece {
  readonly kind: string;
  readonly text: string;
  readonly own: string;
  readonly start: number;
  readonly number: number;
  readonly line: number;
  readonly table: string | undefined;
  readonly before: string | undefined;
  readonly after: string | undefined;
  readonly fields: readonly PlainField[];
}

export const bytesOf = (text: string): Uint8Array => Buffer.from(text, 'latin1');

/** Text in the encodings of the family, as latin1. */
export const cesu = {
  /** U+1F600 in six bytes. */
  emoji: '\xed\xa0\xbd\xed\xb8\x80',
  high: '\xed\xa0\xbd',
  low: '\xed\xb8\x80',
  hangul: '\xed\x95\x9c',
  nul: '\xc0\x80',
};

const latin1 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1');

function plain(piece: Piece, bytes: Uint8Array, offset: number): PlainPiece {
  const { kind, start, own, end, number, line, table, before, after } = piece;
  expect(own).toBeGreaterThanOrEqual(start);
  expect(end).toBeGreaterThan(own);
  let last = start;
  const fields = piece.fields.map((field) => {
    expect(field.start).toBeGreaterThanOrEqual(last);
    expect(field.end).toBeGreaterThanOrEqual(field.start);
    expect(field.end).toBeLessThanOrEqual(end);
    last = field.end;
    const { kind, column, number } = field;
    return { text: latin1(bytes.subarray(field.start, field.end)), kind, column, number };
  });
  return {
    kind,
    text: latin1(bytes.subarray(start, end)),
    own: latin1(bytes.subarray(own, end)),
    start: offset + start,
    number,
    line,
    table,
    before: before && latin1(before),
    after: after && latin1(after),
    fields,
  };
}

/** The pieces of a stretch; they cover it. */
export function readStretch(reader: Reader, bytes: Uint8Array, offset = 0): PlainPiece[] {
  const pieces: PlainPiece[] = [];
  let end = 0;
  for (const piece of reader.read(bytes)) {
    expect(piece.start).toBe(end);
    end = piece.end;
    pieces.push(plain(piece, bytes, offset));
  }
  expect(end).toBe(bytes.length);
  return pieces;
}

/** The pieces of a whole file. */
export const readAll = (format: Format, text: string): PlainPiece[] =>
  readStretch(format.createReader(), bytesOf(text));

/** The records of a whole file, as the texts of their fields. */
export const readRows = (format: Format, text: string): string[][] =>
  readAll(format, text)
    .filter(({ kind }) => kind === 'record')
    .map(({ fields }) => fields.map((field) => field.text));

/**
 * The pieces of a file that comes in parts of the given sizes, one reader cutting it and another one,
 * as in another thread, reading each stretch.
 */
export function readCut(format: Format, bytes: Uint8Array, sizes: readonly number[]): PlainPiece[] {
  const cutter = format.createReader();
  const pieces: PlainPiece[] = [];
  let start = 0;
  let end = 0;
  for (let i = 0; start < bytes.length || end === 0; i++) {
    end = Math.min(bytes.length, end + (sizes[i % sizes.length] as number));
    const isLast = end === bytes.length;
    const before = JSON.stringify(cutter.state);
    // At any alignment, since words are read where that is right.
    const stretch = new Uint8Array(end - start + 3).subarray(i % 4);
    stretch.set(bytes.subarray(start, end));
    const cut = cutter.skip(stretch.subarray(0, end - start), isLast);
    if (isLast) expect(cut).toBe(end - start);
    if (cut === 0) {
      expect(JSON.stringify(cutter.state)).toBe(before);
      if (isLast) break;
      continue;
    }
    const reader = format.createReader(JSON.parse(before) as ReaderState);
    pieces.push(...readStretch(reader, stretch.subarray(0, cut), start));
    expect(reader.state).toEqual(cutter.state);
    start += cut;
  }
  return pieces;
}

/** The sizes of parts that a file may come in. */
export const sizes: fc.Arbitrary<number[]> = fc.array(
  fc.oneof(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 300 })),
  { minLength: 1, maxLength: 6 },
);

/** Checks that a file reads the same however it is cut. */
export function expectSameCut(format: Format, text: string, parts: readonly number[]): void {
  const bytes = bytesOf(text);
  expect(readCut(format, bytes, parts)).toEqual(readStretch(format.createReader(), bytes));
}

/** The sentence of the failure with which a file is cut, which is that with which it is read. */
export function failureOf(format: Format, text: string): string {
  const cut = catchFailure(() => format.createReader().skip(bytesOf(text), true));
  const read = catchFailure(() => readStretch(format.createReader(), bytesOf(text)));
  expect(read.message).toBe(cut.message);
  expect(cut.exitCode).toBe(3);
  return cut.in('FILE').message;
}

/** The failure that something ends with. */
export function catchFailure(run: () => unknown): FormatFailure {
  try {
    run();
  } catch (error) {
    if (error instanceof FormatFailure) return error;
    throw error;
  }
  throw new Error('it did not fail');
}

/** What cells have in them that a format might stumble on. */
export const cell: fc.Arbitrary<string> = fc
  .array(
    fc.constantFrom(
      ...[
        'a',
        'bc',
        ' ',
        '0',
        'N',
        'x',
        'u0000',
        '.',
        '-',
        '--',
        '/*',
        '*/',
        '#',
        '(',
        ')',
        '$',
        '$$',
      ],
      ...[
        "'",
        '"',
        '`',
        ',',
        ';',
        '|',
        '\t',
        '\n',
        '\r',
        '\r\n',
        '\\',
        '\\.',
        '\0',
        '[',
        '{',
        '}',
        ':',
      ],
      ...Object.values(cesu),
      ...['\xf0\x9f\x98\x80', '\xff', '\xef\xbb\xbf'],
    ),
    { maxLength: 8 },
  )
  .map((parts) => parts.join(''));
