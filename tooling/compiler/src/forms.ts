/**
 * Rows as forms of one scheme: a lead byte and trail bytes of six bits, as in RFC 2279. All variants are
 * dialects of this scheme, and only its grammars are compiled to loops and kernels; others work by their rows
 * alone.
 */
import {
  type ByteRange,
  formatRow,
  type Grammar,
  GrammarError,
  type Row,
  type Unit,
} from '@utf8/core';
import { deriveWeights } from '@utf8/core/internal';

export const FIRST_TRAIL = 0x80;
export const LAST_TRAIL = 0xbf;

/** The high bits of the lead byte, by the length of the form in bytes. */
export const MARKERS: readonly number[] = [0, 0, 0xc0, 0xe0, 0xf0, 0xf8, 0xfc];

/** The least code point that needs a form, by its length in bytes. */
export const LEAST: readonly number[] = [0, 0, 0x80, 0x800, 0x1_0000, 0x20_0000, 0x400_0000];

/** An inclusive range of code points. */
export interface Span {
  readonly first: number;
  readonly last: number;
}

/** All rows whose sequences have one length. */
export interface Form {
  readonly length: number;
  readonly rows: readonly Row[];
  /** The code points of the rows, in order; adjacent ranges are joined. */
  readonly spans: readonly Span[];
  /** The range of the second byte by lead byte; undefined for lead bytes of no row, and for one-byte forms. */
  readonly seconds: ReadonlyMap<number, ByteRange | undefined>;
}

/** A grammar as forms. */
export interface Forms {
  /** Forms of one unit that are accepted, by length. */
  readonly read: readonly Form[];
  /** Forms of one unit that are written, by length. */
  readonly written: readonly Form[];
  /** The row of surrogate pairs in two units that is accepted, if there is one. */
  readonly pair: Row | undefined;
  /** The `!` row of surrogate pairs, if there is one. */
  readonly refused: Row | undefined;
}

/**
 * Sorts the rows of a grammar into forms.
 *
 * @throws {@link GrammarError} if a row does not fit the scheme.
 */
export function sortForms({ rows, refused }: Grammar): Forms {
  const single = rows.filter((row) => row.units.length === 1);
  const joined = [...rows, ...refused].filter((row) => row.units.length > 1);
  for (const row of single) checkRow(row);
  for (const row of joined) checkPair(row);
  return {
    read: groupForms(single),
    written: groupForms(single.filter((row) => row.writes)),
    pair: joined.find((row) => !row.refused),
    refused: joined.find((row) => row.refused),
  };
}

function groupForms(rows: readonly Row[]): Form[] {
  const lengths = [...new Set(rows.map(({ units: [unit] }) => (unit as Unit).length))].sort();
  return lengths.map((length) => {
    const own = rows.filter(({ units: [unit] }) => unit?.length === length);
    const seconds = new Map<number, ByteRange | undefined>();
    for (const { units } of own) {
      const [lead, second] = units[0] as Unit;
      for (let byte = (lead as ByteRange).first; byte <= (lead as ByteRange).last; byte++) {
        seconds.set(byte, joinSeconds(seconds.get(byte), second));
      }
    }
    return { length, rows: own, spans: joinSpans(own), seconds };
  });
}

function joinSeconds(a: ByteRange | undefined, b: ByteRange | undefined): ByteRange | undefined {
  if (!a || !b) return b;
  return { first: Math.min(a.first, b.first), last: Math.max(a.last, b.last) };
}

/** Joins adjacent spans of code points. */
export function joinSpans(spans: readonly Span[]): Span[] {
  const joined: Span[] = [];
  for (const { first, last } of [...spans].sort((a, b) => a.first - b.first)) {
    const before = joined.at(-1);
    if (before && before.last === first - 1) joined.splice(-1, 1, { first: before.first, last });
    else joined.push({ first, last });
  }
  return joined;
}

/** Computes the code point of a sequence of one unit in the scheme. */
function computeValue(bytes: readonly number[]): number {
  const [lead = 0, ...trails] = bytes;
  const marker = MARKERS[bytes.length] as number;
  return trails.reduce((value, trail) => value * 64 + trail - FIRST_TRAIL, lead - marker);
}

function checkUnit(row: Row, unit: Unit): void {
  const isFamily =
    unit.length < MARKERS.length &&
    unit.slice(1).every(({ first, last }) => FIRST_TRAIL <= first && last <= LAST_TRAIL) &&
    // Only the second byte may be restricted.
    unit.slice(2).every(({ first, last }) => first === FIRST_TRAIL && last === LAST_TRAIL);
  if (!isFamily) fail(row);
}

function checkRow(row: Row): void {
  const unit = row.units[0] as Unit;
  checkUnit(row, unit);
  const weights = deriveWeights(unit);
  const fits = unit.every(
    ({ first, last }, i) => first === last || weights[i] === 64 ** (unit.length - 1 - i),
  );
  if (!fits || computeValue(unit.map(({ first }) => first)) !== row.first) fail(row);
}

function checkPair(row: Row): void {
  const [high, low, more] = row.units;
  if (!high || !low || more) fail(row);
  for (const unit of [high, low]) checkUnit(row, unit);
  const edges = [high, low].flatMap((unit) => [
    computeValue(unit.map(({ first }) => first)),
    computeValue(unit.map(({ last }) => last)),
  ]);
  if (String(edges) !== String([0xd800, 0xdbff, 0xdc00, 0xdfff])) fail(row);
}

function fail(row: Row): never {
  throw new GrammarError(
    `Row "${formatRow(row)}" is not a lead byte and six-bit trail bytes; use createCodec instead of the compiler.`,
  );
}
