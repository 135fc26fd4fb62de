/**
 * A model of a peer's decoder: one of our grammars, except for some rows. A row of theirs is a sequence that
 * they accept, `ED A0-BF 80-BF`, or one that counts as a single error with its beginnings, `! ED A0-BF
 * 80-BF`.
 */
import type { ByteRange, Grammar } from '@utf8/core';
import type { Reader } from './answer.js';

interface Pattern {
  readonly ranges: readonly ByteRange[];
  readonly accepts: boolean;
  /** True if its beginnings are errors of their own: not those of a pair, which has two units. */
  readonly isUnit: boolean;
}

/** Bytes that a decoder takes at once. */
interface Stretch {
  readonly offset: number;
  readonly length: number;
  readonly accepts: boolean;
}

/** A number, and how many bytes spell it. */
interface Value {
  readonly codePoint: bigint;
  readonly length: number;
}

/**
 * Makes a reader that does what a peer does. It is written for clarity, and knows no masks but those
 * that the scheme itself has.
 *
 * @param rows - The peer's deviations; earlier rows take precedence over later ones, and all over the
 *   grammar's.
 * @param byBytes - Whether each byte of a fault is a fault of its own.
 */
export function readAs(grammar: Grammar, rows: readonly string[], byBytes = false): Reader {
  const ours = grammar.rows.flatMap(({ units }): Pattern[] => {
    const ranges = units.flat();
    if (units.length === 1) return [{ ranges, accepts: true, isUnit: true }];
    const halves = units.map((half) => ({ ranges: half, accepts: false, isUnit: true }));
    return [{ ranges, accepts: true, isUnit: false }, ...halves];
  });
  const refused = (grammar.refused ?? []).map(({ units }): Pattern => {
    return { ranges: units.flat(), accepts: false, isUnit: false };
  });
  const patterns = [...rows.map(parseRow), ...refused, ...ours].map((pattern) =>
    byBytes ? { ...pattern, isUnit: false } : pattern,
  );
  const read = (bytes: Uint8Array): Value[] =>
    split(patterns, bytes).flatMap((stretch) => {
      if (stretch.accepts) return readValues(bytes, stretch);
      return byBytes ? Array.from({ length: stretch.length }, () => replacement) : [replacement];
    });
  return {
    findFault: (bytes) => split(patterns, bytes).find(({ accepts }) => !accepts),
    decode: (bytes) => read(bytes).map(toText).join(''),
    decodeCodePoints: (bytes) => read(bytes).map(({ codePoint }) => codePoint),
  };
}

/** The first and the last byte string of a row, whole and cut short. */
export function sampleRow(row: string): Uint8Array[] {
  const { ranges } = parseRow(row);
  const whole = [ranges.map(({ first }) => first), ranges.map(({ last }) => last)];
  return whole.flatMap((bytes) => bytes.map((_, i) => Uint8Array.from(bytes.slice(0, i + 1))));
}

const replacement: Value = { codePoint: 0xfffdn, length: 3 };

/** Four bytes are a pair of surrogates, of ten bits each; peers drop the bits above them. */
function toText({ codePoint, length }: Value): string {
  if (length !== 4) return String.fromCodePoint(Number(codePoint));
  const bits = Number(BigInt.asUintN(20, codePoint - 0x10000n));
  return String.fromCharCode(0xd800 | (bits >> 10), 0xdc00 | (bits & 0x3ff));
}

function split(patterns: readonly Pattern[], bytes: Uint8Array): Stretch[] {
  const stretches: Stretch[] = [];
  for (let offset = 0; offset < bytes.length; ) {
    const stretch = match(patterns, bytes, offset);
    stretches.push(stretch);
    offset += stretch.length;
  }
  return stretches;
}

/** The first pattern that matches, or the longest beginning of one. */
function match(patterns: readonly Pattern[], bytes: Uint8Array, offset: number): Stretch {
  let longest = 1;
  for (const { ranges, accepts, isUnit } of patterns) {
    const wrong = ranges.findIndex(({ first, last }, i) => {
      const byte = bytes[offset + i];
      return byte === undefined || byte < first || byte > last;
    });
    if (wrong < 0) return { offset, length: ranges.length, accepts };
    if (isUnit) longest = Math.max(longest, wrong);
  }
  return { offset, length: longest, accepts: false };
}

/** Reads the numbers that accepted bytes encode: one, or the two of a pair, in the scheme of RFC 2279. */
function readValues(bytes: Uint8Array, { offset, length }: Stretch): Value[] {
  const values: Value[] = [];
  for (let i = offset; i < offset + length; ) {
    const lead = bytes[i++] as number;
    const start = i;
    let number = 0n;
    while (i < offset + length && ((bytes[i] as number) & 0b1100_0000) === 0b1000_0000) {
      number = number * 64n + BigInt((bytes[i++] as number) & 0b0011_1111);
    }
    const trails = i - start;
    // 0xxxxxxx, 110xxxxx, 1110xxxx, …; Perl's 11111111 has twelve trails and no bits of its own.
    const payload = trails === 0 ? lead : lead % Math.max(1, 2 ** (6 - trails));
    const codePoint = BigInt(payload) * 64n ** BigInt(trails) + number;
    values.push({ codePoint, length: trails + 1 });
  }
  return values;
}

function parseRow(row: string): Pattern {
  const ranges = row
    .replace('!', '')
    .trim()
    .split(/\s+/)
    .map((range) => {
      const [first = '', last = first] = range.split('-');
      return { first: Number.parseInt(first, 16), last: Number.parseInt(last, 16) };
    });
  return { ranges, accepts: !row.startsWith('!'), isUnit: true };
}
