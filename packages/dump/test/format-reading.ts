/** Reads files of a format as the pipeline does, and checks what is true of all of them. */
import fc from 'fast-check';
import { expect } from 'vitest';
import { seed } from '../../../tooling/tiers/tier.js';
import { InputError } from '../src/error.js';
import type { Format, Piece, Reader, ReaderState } from '../src/format/format.js';
import { FormatError } from '../src/format/format-error.js';

fc.configureGlobal({ seed });

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

/** Reads the pieces of a stretch; they cover it. */
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

/** Reads the pieces of a whole file. */
export const readAll = (format: Format, text: string): PlainPiece[] =>
  readStretch(format.createReader(), bytesOf(text));

/** Reads the records of a whole file, as the texts of their fields. */
export const readRows = (format: Format, text: string): string[][] =>
  readAll(format, text)
    .filter(({ kind }) => kind === 'record')
    .map(({ fields }) => fields.map((field) => field.text));

/** Reads a file in parts of the given sizes; one reader cuts it, and another one reads each stretch. */
export function readCut(format: Format, bytes: Uint8Array, sizes: readonly number[]): PlainPiece[] {
  const cutter = format.createReader();
  const pieces: PlainPiece[] = [];
  let start = 0;
  let end = 0;
  for (let i = 0; start < bytes.length || end === 0; i++) {
    end = Math.min(bytes.length, end + (sizes[i % sizes.length] as number));
    const isLast = end === bytes.length;
    const before = JSON.stringify(cutter.state);
    // At any alignment, since some readers read words.
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

/** The sizes of the parts of a file. */
export const sizes: fc.Arbitrary<number[]> = fc.array(
  fc.oneof(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 300 })),
  { minLength: 1, maxLength: 6 },
);

/** Checks that a file reads the same however it is cut, and that scanners find the same units. */
export function expectSameCut(format: Format, text: string, parts: readonly number[]): void {
  const bytes = bytesOf(text);
  expect(readCut(format, bytes, parts)).toEqual(readStretch(format.createReader(), bytes));
  expectSameScan(format, text, parts);
}

/** Result for the unit at the start of some bytes: its end, and the state after it, or an error. */
type UnitEnd = { end: number; state: ReaderState } | { error: string };

/** Finds the end of a unit by a reader, with ever more bytes. */
function findUnit(format: Format, state: ReaderState, bytes: Uint8Array): UnitEnd {
  return tryTo(() => {
    for (let length = 1; ; length++) {
      const reader = format.createReader(state);
      const end = reader.skip(bytes.subarray(0, length), length === bytes.length);
      if (end > 0) return { end, state: reader.state };
    }
  });
}

/** Finds the same by a scanner, with parts of the given sizes. */
function scanUnit(
  format: Format,
  state: ReaderState,
  bytes: Uint8Array,
  sizes: readonly number[],
): UnitEnd {
  return tryTo(() => {
    const scanner = (format.createScanner as NonNullable<Format['createScanner']>)(state);
    for (let start = 0, i = 0; ; i++) {
      const size = sizes[i % sizes.length] as number;
      // The last part may be known to be the last, or be followed by none.
      const isLast = start === bytes.length || (start + size > bytes.length && size % 2 === 0);
      const chunk = bytes.slice(start, start + size);
      const end = scanner.push(chunk, isLast);
      if (end !== -1) return { end: start + end, state: scanner.state };
      start += chunk.length;
    }
  });
}

function tryTo(run: () => UnitEnd): UnitEnd {
  try {
    return run();
  } catch (error) {
    if (error instanceof FormatError) return { error: error.message };
    throw error;
  }
}

/**
 * Checks that scanners find the units of a file that a reader finds, and come to the same end.
 *
 * @returns The ends of the units, as far as they are well-formed.
 */
export function expectSameScan(format: Format, text: string, parts: readonly number[]): number[] {
  const bytes = bytesOf(text);
  const whole = tryTo(() => skipAll(format, undefined, bytes));
  let { state } = format.createReader();
  const ends: number[] = [];
  for (let start = 0; start < bytes.length; ) {
    const rest = bytes.subarray(start);
    const scanned = scanUnit(format, state, rest, parts);
    if ('error' in scanned) {
      expect(whole).toEqual(scanned);
      return ends;
    }
    const found = findUnit(format, state, rest);
    let { end } = scanned;
    // At the end of the input a reader skips all units at once.
    if (!('error' in found) && (found.end < rest.length || end === rest.length)) {
      expect(scanned.state).toEqual(found.state);
      ({ end } = found);
    }
    // Blanks after a statement may count as part of it.
    expect(scanned.end).toBeGreaterThanOrEqual(end);
    expect(latin1(rest.subarray(end, scanned.end))).toMatch(/^[ \t\r]*$/);
    start += end;
    state = scanned.state;
    ends.push(start);
  }
  if (bytes.length === 0) return ends;
  const last = tryTo(() => skipAll(format, state, new Uint8Array()));
  expect('error' in last ? last : { end: bytes.length, state: last.state }).toEqual(whole);
  return ends;
}

const skipAll = (format: Format, state: ReaderState | undefined, bytes: Uint8Array): UnitEnd => {
  const reader = format.createReader(state);
  return { end: reader.skip(bytes, true), state: reader.state };
};

/** Returns the sentence of the error with which a file is cut, read and scanned. */
export function errorOf(format: Format, text: string): string {
  const cut = catchError(() => format.createReader().skip(bytesOf(text), true));
  const read = catchError(() => readStretch(format.createReader(), bytesOf(text)));
  expect(read.message).toBe(cut.message);
  expect(cut).toBeInstanceOf(InputError);
  expectSameScan(format, text, [3]);
  return cut.in('FILE').message;
}

/** Returns the error that something ends with. */
export function catchError(run: () => unknown): FormatError {
  try {
    run();
  } catch (error) {
    if (error instanceof FormatError) return error;
    throw error;
  }
  throw new Error('it did not fail');
}

/** Any character, of which fast-check's own arbitrary takes a second to create. */
export const character: fc.Arbitrary<string> = fc
  .oneof(fc.nat(0x7f), fc.nat(0x10f7ff))
  .map((number) => String.fromCodePoint(number < 0xd800 ? number : number + 0x800));

/** Cells with what a format might stumble on. */
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
