/** Invariants of every format of dumps for any input. */
import { FormatError, type FormatOptions } from '@utf8/dump';
import type { findFormat } from '@utf8/dump/internal';
import { require, requireEqual } from './target.js';

/** The formats, each with options that change how it reads. */
export const choices: readonly (readonly [format: string, options: FormatOptions])[] = [
  ['lines', {}],
  ['copy', {}],
  ['copy', { jsonColumns: '2' }],
  ['csv', {}],
  ['csv', { header: false }],
  ['csv', { delimiter: ';', escape: '\\' }],
  ['csv', { delimiter: '||', quote: '' }],
  ['csv', { jsonColumns: '1' }],
  ['tsv', {}],
  ['tab', { assume: 'text' }],
  ['json', {}],
  ['jsonl', {}],
  ['mysqldump', {}],
  ['mysqldump', { assume: 'text' }],
  ['mysqldump', { assume: 'text', fixHeader: true }],
  ['pg_dump', {}],
  ['pg_dump', { assume: 'text' }],
  ['sqlite', {}],
];

type Format = ReturnType<typeof findFormat>;

/** Reads bytes in segments of about the given sizes. Returns the pieces, or the error. */
function read(format: Format, bytes: Uint8Array, nextSize: () => number): string {
  const pieces: string[] = [];
  try {
    const cutter = format.createReader();
    let from = 0;
    let size = nextSize();
    let isOver = false;
    while (from < bytes.length) {
      const part = bytes.subarray(from, from + size);
      const isLast = from + part.length === bytes.length;
      const { state } = cutter;
      const length = cutter.skip(part, isLast);
      require(length >= 0 && length <= part.length, 'a cut beyond the bytes');
      if (length === 0) {
        require(!isLast, 'no cut at the end');
        size *= 2;
        continue;
      }
      let end = 0;
      const reader = format.createReader(state);
      for (const piece of reader.read(part.subarray(0, length))) {
        require(piece.start === end && piece.end > end, 'a gap between pieces');
        require(piece.own >= piece.start &&
          piece.own <= piece.end, 'a piece without its own bytes');
        end = piece.end;
        pieces.push(describe(piece, from));
      }
      requireEqual(end, length, 'the end of the pieces');
      requireEqual(
        JSON.stringify(reader.state),
        JSON.stringify(cutter.state),
        'the state at a cut',
      );
      from += length;
      isOver = isLast;
      size = nextSize();
    }
    if (!isOver) cutter.skip(new Uint8Array(), true);
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    // Earlier cuts may find a fault before a later one: the last word is what counts.
    return 'refused';
  }
  return pieces.join('\n');
}

type Piece =
  ReturnType<ReturnType<Format['createReader']>['read']> extends Iterable<infer P> ? P : never;

function describe(
  { kind, start, end, own, number, line, table, fields }: Piece,
  base: number,
): string {
  let last = start;
  const texts = fields.map(({ start: from, end: to, kind, column, number }) => {
    require(from >= last && to >= from && to <= end, 'fields overlap');
    last = to;
    return `${from + base}-${to + base} ${kind} ${column} ${number}`;
  });
  return `${kind} ${start + base}-${end + base} ${own + base} ${number} ${line} ${table}: ${texts.join()}`;
}

/** However it is cut, a dump is read as the same pieces. */
export function checkCuts(format: Format, bytes: Uint8Array, sizes: readonly number[]): void {
  const whole = read(format, bytes, () => bytes.length + 1);
  let i = 0;
  const found = read(format, bytes, () => sizes[i++ % sizes.length] as number);
  requireEqual(found, whole, 'pieces after cuts');
}
