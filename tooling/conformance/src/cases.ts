/** Byte strings worth trying, drawn from a grammar. */
import type { Grammar } from '@utf8/core';

/** The code points at the edges of each row and of each byte's part of it, and their neighbours. */
export function edgeCodePoints({ rows }: Grammar): number[] {
  const edges = rows.flatMap((row) => {
    const widths = row.units.flat().map(({ first, last }) => last - first + 1);
    const weights = widths.map((_, i) => widths.slice(i + 1).reduce((a, b) => a * b, 1));
    return [row.first, row.last, ...weights.flatMap((w) => [row.first + w - 1, row.first + w])];
  });
  const near = edges.flatMap((edge) => [edge - 1, edge, edge + 1]);
  return [...new Set(near)].filter((codePoint) => codePoint >= 0).sort((a, b) => a - b);
}

/** Tells whether a grammar has surrogates of their own. */
export const hasSurrogates = ({ domain }: Grammar): boolean =>
  domain === 'code units' || domain === 'code points';

/** Sequences of every row: its first, its last, and each position moved to either end alone. */
export function edgeSequences({ rows, refused }: Grammar): Uint8Array[] {
  return unique(
    [...rows, ...refused].flatMap((row) => {
      const ranges = row.units.flat();
      const first = ranges.map((range) => range.first);
      const last = ranges.map((range) => range.last);
      return [
        first,
        last,
        ...ranges.map((range, i) => first.with(i, range.last)),
        ...ranges.map((range, i) => last.with(i, range.first)),
      ];
    }),
  );
}

/** Each edge sequence with one byte just outside its range, or cut short, alone and before an `A`. */
export function corruptions(grammar: Grammar): Uint8Array[] {
  const interesting = edgeBytes(grammar);
  return unique(
    edgeSequences(grammar).flatMap((sequence) => {
      const bytes = Array.from(sequence);
      const changed = bytes.flatMap((_, i) => interesting.map((byte) => bytes.with(i, byte)));
      const cut = bytes.flatMap((_, i) => [bytes.slice(0, i), [...bytes.slice(0, i), 0x41]]);
      const swallowed = bytes.flatMap((_, i) => [[...bytes.slice(0, i), ...bytes]]);
      return [...changed, ...cut, ...swallowed];
    }),
  );
}

/** The first and the last byte of each range of the grammar, and the bytes next to them. */
export function edgeBytes({ rows, refused }: Grammar): number[] {
  const edges = [...rows, ...refused].flatMap((row) =>
    row.units.flat().flatMap(({ first, last }) => [first - 1, first, last, last + 1]),
  );
  return [...new Set(edges)].filter((byte) => byte >= 0 && byte <= 0xff).sort((a, b) => a - b);
}

/** The classes of bytes that the rows cannot tell apart. */
export function byteClasses({ rows, refused }: Grammar): (readonly number[])[] {
  const ranges = [...rows, ...refused].flatMap((row) => row.units.flat());
  const classes = new Map<string, number[]>();
  for (let byte = 0; byte < 256; byte++) {
    const key = ranges.map(({ first, last }) => Number(first <= byte && byte <= last)).join('');
    classes.set(key, [...(classes.get(key) ?? []), byte]);
  }
  return [...classes.values()];
}

/** One byte of every class of bytes that the rows cannot tell apart. */
export const classBytes = (grammar: Grammar): number[] =>
  byteClasses(grammar).map(([first]) => first as number);

/** All strings of a length over some bytes. */
export function* combinations(bytes: readonly number[], length: number): Generator<number[]> {
  if (length === 0) yield [];
  else
    for (const rest of combinations(bytes, length - 1)) for (const b of bytes) yield [b, ...rest];
}

/** A text of every kind of character that the grammar has, with what makes codecs stumble. */
export function sampleText(grammar: Grammar): string {
  const far = grammar.domain === 'bmp' ? '' : '𠮷😀👩‍👩‍👧\u{10000}\u{10ffff}';
  const lone = hasSurrogates(grammar) ? '\ud83d \ude00\ud83d' : '';
  return `Aé€한글中${far} e\u0301\ufeff\u0000\ud7ff\ue000\uffff${lone}`;
}

function unique(sequences: readonly (readonly number[])[]): Uint8Array[] {
  const byKey = new Map(sequences.map((bytes) => [bytes.join(), Uint8Array.from(bytes)]));
  return [...byKey.values()];
}
