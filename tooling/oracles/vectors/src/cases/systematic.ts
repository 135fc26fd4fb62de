/** Derives cases from the rows of the grammars: their edges, the neighbours of edges, all truncations. */
import { formatCodePoint, type Row } from '@utf8/core';
import { type Case, toHex } from '../case.js';
import { codecs } from '../variant.js';

/** The bytes of a row, and their code points. */
interface RowRange {
  readonly first: readonly number[];
  readonly last: readonly number[];
  /** True for pairs of surrogates. */
  readonly isPair: boolean;
  readonly codePoint: (bytes: readonly number[]) => number;
}

const ordinals = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth'];
const numbers = ['no', 'one', 'two', 'three', 'four', 'five', 'six'];

const byte = (value: number): string => value.toString(16).toUpperCase().padStart(2, '0');
const hex = (bytes: readonly number[]): string => bytes.map(byte).join(' ');

function toRowRange({ units, first: start }: Row): RowRange {
  const ranges = units.flat();
  const first = ranges.map((range) => range.first);
  const last = ranges.map((range) => range.last);
  const codePoint = (bytes: readonly number[]): number =>
    bytes.reduce((sum, value, i) => {
      const weight = ranges
        .slice(i + 1)
        .reduce((w, range) => w * (range.last - range.first + 1), 1);
      return sum + (value - (first[i] as number)) * weight;
    }, start);
  return { first, last, isPair: units.length > 1, codePoint };
}

/** The distinct rows of all variants, including `!` rows. */
const rows: RowRange[] = [
  ...new Map(
    codecs.flatMap(({ grammar }) =>
      [...grammar.rows, ...grammar.refused]
        .map(toRowRange)
        .map((row) => [`${row.first}-${row.last}`, row] as const),
    ),
  ).values(),
];

const createCase = (group: string, bytes: readonly number[], description: string): Case => ({
  id: `${group}/${hex(bytes).toLowerCase().replaceAll(' ', '-')}`,
  bytes: Uint8Array.from(bytes),
  description,
});

/** The first and last sequence of each row, also with one byte at the other end of its range. */
const edges: Case[] = rows.flatMap((row) => {
  const { first, last, isPair, codePoint } = row;
  const kind = isPair ? 'pairs' : 'sequences';
  const range = `the ${kind} from ${hex(first)} to ${hex(last)}`;
  const name = (bytes: readonly number[]): string => formatCodePoint(codePoint(bytes));
  if (first.length === 1) return [];
  return [
    createCase('edge', first, `${name(first)}, the first of ${range}`),
    createCase('edge', last, `${name(last)}, the last of ${range}`),
    ...first.flatMap((low, i) => {
      const high = last[i] as number;
      if (low === high) return [];
      const up = first.with(i, high);
      const down = last.with(i, low);
      const at = `${ordinals[i]} byte`;
      return [
        createCase(
          'edge',
          up,
          `${name(up)}: the ${at} at its greatest, ${byte(high)}, the others at their least`,
        ),
        createCase(
          'edge',
          down,
          `${name(down)}: the ${at} at its least, ${byte(low)}, the others at their greatest`,
        ),
      ];
    }),
  ];
});

/** Describes a byte after the lead that is outside its range. */
function describe(value: number, lead: number): string {
  if (value < 0x80) return 'ASCII, one below the trails';
  if (value < 0xc0) return `a trail, but not one that ${byte(lead)} goes with here`;
  if (value === 0xc0) return 'one above the trails';
  return 'a lead, and no low surrogate begins with it';
}

/** The first sequence of each row with one byte lower, and the last one with one byte higher. */
const neighbours: Case[] = rows.flatMap(({ first, last, isPair, codePoint }) => {
  if (first.length === 1) return [];
  const say = (from: readonly number[], i: number, value: number): string => {
    const whole = `${isPair ? 'The pair of ' : ''}${formatCodePoint(codePoint(from))} (${hex(from)})`;
    const old = byte(from[i] as number);
    if (i === 0) return `${whole} with the lead ${byte(value)} instead of ${old}`;
    // The second surrogate of a pair has a lead of its own.
    const lead = from[isPair && i > 3 ? 3 : 0] as number;
    return `${whole} with ${byte(value)} as the ${ordinals[i]} byte instead of ${old}: ${describe(value, lead)}`;
  };
  return first.flatMap((_, i) => {
    const below = (first[i] as number) - 1;
    const above = (last[i] as number) + 1;
    return [
      createCase('neighbour', first.with(i, below), say(first, i, below)),
      createCase('neighbour', last.with(i, above), say(last, i, above)),
    ];
  });
});

/** The first sequence of each row, truncated to each length, at the end of the input and before a letter. */
const truncations: Case[] = rows.flatMap(({ first, isPair, codePoint }) => {
  const whole = isPair
    ? `the pair of ${formatCodePoint(codePoint(first))}`
    : formatCodePoint(codePoint(first));
  return first.slice(1).flatMap((_, i) => {
    const cut = first.slice(0, i + 1);
    const count = `${numbers[cut.length]} of ${numbers[first.length]} bytes`;
    const Count = `${count[0]?.toUpperCase()}${count.slice(1)}`;
    return [
      createCase(
        'truncated',
        cut,
        `${Count} of ${whole} at the end of the input, where more may come`,
      ),
      createCase(
        'truncated',
        [...cut, 0x41],
        `${Count} of ${whole} before an A, which must survive`,
      ),
    ];
  });
});

/**
 * Derives cases, except those with the bytes of a known one.
 *
 * @param known - Cases that were written by hand.
 */
export function deriveCases(known: readonly Case[]): Case[] {
  const used = new Set(known.map(({ bytes }) => toHex(bytes)));
  return [...edges, ...neighbours, ...truncations].filter(({ bytes }) => {
    const key = toHex(bytes);
    if (used.has(key)) return false;
    used.add(key);
    return true;
  });
}
