/** What follows from the rows of the grammars: their edges, one beside each edge, every truncation. */
import { formatCodePoint, type Row } from '@utf8/core';
import { type Case, toHex } from '../case.js';
import { codecs } from '../variant.js';

/** A row's bytes, and what they spell. */
interface Form {
  readonly first: readonly number[];
  readonly last: readonly number[];
  /** Whether it has two units. */
  readonly isPair: boolean;
  readonly codePoint: (bytes: readonly number[]) => number;
}

const ordinals = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth'];
const numbers = ['no', 'one', 'two', 'three', 'four', 'five', 'six'];

const byte = (value: number): string => value.toString(16).toUpperCase().padStart(2, '0');
const hex = (bytes: readonly number[]): string => bytes.map(byte).join(' ');

function toForm({ units, first: start }: Row): Form {
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

/** The rows of all variants, refused ones too; those with the same bytes once. */
const forms: Form[] = [
  ...new Map(
    codecs.flatMap(({ grammar }) =>
      [...grammar.rows, ...grammar.refused]
        .map(toForm)
        .map((form) => [`${form.first}-${form.last}`, form] as const),
    ),
  ).values(),
];

const make = (name: string, bytes: readonly number[], shows: string): Case => ({
  id: `${name}/${hex(bytes).toLowerCase().replaceAll(' ', '-')}`,
  bytes: Uint8Array.from(bytes),
  shows,
});

/** Each row's first and last sequence, and those with one byte at its other end. */
const edges: Case[] = forms.flatMap((form) => {
  const { first, last, isPair, codePoint } = form;
  const kind = isPair ? 'pairs' : 'sequences';
  const range = `the ${kind} from ${hex(first)} to ${hex(last)}`;
  const name = (bytes: readonly number[]): string => formatCodePoint(codePoint(bytes));
  if (first.length === 1) return [];
  return [
    make('edge', first, `${name(first)}, the first of ${range}`),
    make('edge', last, `${name(last)}, the last of ${range}`),
    ...first.flatMap((low, i) => {
      const high = last[i] as number;
      if (low === high) return [];
      const up = first.with(i, high);
      const down = last.with(i, low);
      const at = `${ordinals[i]} byte`;
      return [
        make(
          'edge',
          up,
          `${name(up)}: the ${at} at its greatest, ${byte(high)}, the others at their least`,
        ),
        make(
          'edge',
          down,
          `${name(down)}: the ${at} at its least, ${byte(low)}, the others at their greatest`,
        ),
      ];
    }),
  ];
});

/** What is wrong, or only different, with a byte behind the lead. */
function describe(value: number, lead: number): string {
  if (value < 0x80) return 'ASCII, one below the trails';
  if (value < 0xc0) return `a trail, but not one that ${byte(lead)} goes with here`;
  if (value === 0xc0) return 'one above the trails';
  return 'a lead, and no low surrogate begins with it';
}

/** Each byte of a row's first sequence one lower, and of its last one higher. */
const neighbours: Case[] = forms.flatMap(({ first, last, isPair, codePoint }) => {
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
      make('beside', first.with(i, below), say(first, i, below)),
      make('beside', last.with(i, above), say(last, i, above)),
    ];
  });
});

/** Each row's first sequence cut everywhere: at the end of the input, and before a letter. */
const truncations: Case[] = forms.flatMap(({ first, isPair, codePoint }) => {
  const whole = isPair
    ? `the pair of ${formatCodePoint(codePoint(first))}`
    : formatCodePoint(codePoint(first));
  return first.slice(1).flatMap((_, i) => {
    const cut = first.slice(0, i + 1);
    const count = `${numbers[cut.length]} of ${numbers[first.length]} bytes`;
    const Count = `${count[0]?.toUpperCase()}${count.slice(1)}`;
    return [
      make('cut', cut, `${Count} of ${whole} at the end of the input, where more may come`),
      make('cut', [...cut, 0x41], `${Count} of ${whole} before an A, which must survive`),
    ];
  });
});

/**
 * Cases that a person has not described already.
 *
 * @param known - Those that a person has.
 */
export function deriveCases(known: readonly Case[]): Case[] {
  const taken = new Set(known.map(({ bytes }) => toHex(bytes)));
  return [...edges, ...neighbours, ...truncations].filter(({ bytes }) => {
    const key = toHex(bytes);
    if (taken.has(key)) return false;
    taken.add(key);
    return true;
  });
}
