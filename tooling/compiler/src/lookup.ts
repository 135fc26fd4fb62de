/**
 * The lookup tables of a kernel's validator. Malformed pairs of adjacent bytes are looked up by three
 * nibbles, each in a table of 16 bytes whose bits are kinds of error; a pair has an error if all three tables
 * have its bit. A kind is in the tables if the rows refuse all of its pairs.
 *
 * Lineage: J. Keiser and D. Lemire, "Validating UTF-8 In Less Than One Instruction Per Byte", 2021.
 */
import { GrammarError, type Unit } from '@utf8/core';

/** A kind of error: the nibbles of the first byte and the upper nibble of the second. */
interface Kind {
  readonly upper: readonly number[];
  readonly lower: readonly number[];
  readonly second: readonly number[];
}

const range = (first: number, last: number): number[] =>
  Array.from({ length: last - first + 1 }, (_, i) => first + i);
const ALL = range(0, 15);
const TRAIL = range(8, 11);
const NO_TRAIL = [...range(0, 7), ...range(12, 15)];

// The first and the second byte, in bits.

/** 11101101 101_____ */
const surrogate: Kind = { upper: [14], lower: [13], second: [10, 11] };

/** 1100000_ 10______ */
const overlongInTwo: Kind = { upper: [12], lower: [0, 1], second: TRAIL };

/** 10______ 10______, an error unless a third or fourth byte is expected. */
const twoTrails: Kind = { upper: TRAIL, lower: ALL, second: TRAIL };

/** The kinds of error by bit, from the lowest. */
const kinds: readonly Kind[] = [
  // Too short: 11______ 0_______ or 11______
  { upper: range(12, 15), lower: ALL, second: NO_TRAIL },
  // Too long: 0_______ 10______
  { upper: range(0, 7), lower: ALL, second: TRAIL },
  // Overlong in three bytes: 11100000 100_____
  { upper: [14], lower: [0], second: [8, 9] },
  // Too large: 11110100 101_____ or 1001____, and 11110101 or more
  { upper: [15], lower: range(4, 15), second: [9, 10, 11] },
  surrogate,
  overlongInTwo,
  // Overlong in four bytes: 11110000 1000____, and 11110101 or more before 1000____
  { upper: [15], lower: [0, ...range(5, 15)], second: [8] },
  twoTrails,
];

/** The three tables. */
export interface Lookup {
  readonly firstUpper: readonly number[];
  readonly firstLower: readonly number[];
  readonly secondUpper: readonly number[];
}

/** Sequences that validators treat themselves, outside the tables. */
export interface LookupOptions {
  /** Surrogates are marked, although some of them are well-formed. */
  readonly marksSurrogates: boolean;
  /** C0 80 is marked, although it is well-formed. */
  readonly marksNul: boolean;
}

/**
 * Derives the tables for sequences of some units.
 *
 * @throws {@link GrammarError} if the tables would let a pair pass that no sequence contains.
 */
export function deriveLookup(
  units: readonly Unit[],
  { marksSurrogates, marksNul }: LookupOptions,
): Lookup {
  const adjacent = findAdjacent(units);
  const isMarked = (kind: Kind): boolean =>
    kind === twoTrails ||
    (marksSurrogates && kind === surrogate) ||
    (marksNul && kind === overlongInTwo);
  const isRefused = ({ upper, lower, second }: Kind): boolean =>
    forEachPair(upper, lower, second, (a, b) => !adjacent.has((a << 8) | b));
  const tables = { firstUpper: zeros(), firstLower: zeros(), secondUpper: zeros() };
  const used = kinds.filter((kind) => isMarked(kind) || isRefused(kind));
  for (const kind of used) {
    const bit = 1 << kinds.indexOf(kind);
    for (const nibble of kind.upper)
      tables.firstUpper[nibble] = (tables.firstUpper[nibble] as number) | bit;
    for (const nibble of kind.lower)
      tables.firstLower[nibble] = (tables.firstLower[nibble] as number) | bit;
    for (const nibble of kind.second)
      tables.secondUpper[nibble] = (tables.secondUpper[nibble] as number) | bit;
  }
  // Without sequences of four bytes, their lead bytes are always errors: too short or too long.
  if (forEachPair([15], ALL, TRAIL, (a, b) => !adjacent.has((a << 8) | b))) {
    tables.firstUpper[15] = 0b11;
  }
  checkCover(tables, adjacent);
  return tables;
}

const zeros = (): number[] => new Array<number>(16).fill(0);

/** Finds the pairs of adjacent bytes that sequences contain, as one number each. */
function findAdjacent(units: readonly Unit[]): ReadonlySet<number> {
  const pairs = new Set<number>();
  const add = (a: Unit[number], b: Unit[number]): void => {
    for (let first = a.first; first <= a.last; first++) {
      for (let second = b.first; second <= b.last; second++) pairs.add((first << 8) | second);
    }
  };
  for (const unit of units) {
    for (let i = 1; i < unit.length; i++) add(unit[i - 1] as Unit[number], unit[i] as Unit[number]);
    for (const next of units) add(unit.at(-1) as Unit[number], next[0] as Unit[number]);
  }
  return pairs;
}

function forEachPair(
  upper: readonly number[],
  lower: readonly number[],
  second: readonly number[],
  test: (first: number, second: number) => boolean,
): boolean {
  return upper.every((high) =>
    lower.every((low) =>
      second.every((next) => ALL.every((rest) => test((high << 4) | low, (next << 4) | rest))),
    ),
  );
}

/**
 * Checks that every pair outside of the sequences is an error, or that its second byte is an error before any
 * byte. Two trail bytes are an error here; the validator itself counts the expected ones.
 */
function checkCover(tables: Lookup, adjacent: ReadonlySet<number>): void {
  const isError = (first: number, second: number): boolean => {
    const upper = tables.firstUpper[first >> 4] as number;
    const lower = tables.firstLower[first & 15] as number;
    return (upper & lower & (tables.secondUpper[second >> 4] as number)) !== 0;
  };
  const bytes = range(0, 255);
  const neverBegins = bytes.map((first) => bytes.every((second) => isError(first, second)));
  for (const first of bytes) {
    for (const second of bytes) {
      if (isError(first, second) || neverBegins[second]) continue;
      // The validator itself finds a byte 00 that begins no sequence.
      if (adjacent.has((first << 8) | second) || first === 0 || second === 0) continue;
      const pair = [first, second].map((byte) => byte.toString(16)).join(' ');
      throw new GrammarError(`The kernel's tables would accept ${pair}, which no row contains.`);
    }
  }
}
