/**
 * A grammar as plain data: what an engine works on. The published codecs have theirs made when they are
 * built (`tables.ts` beside each `grammar.ts`), so that neither the language of grammars nor its laws
 * are in a program that only decodes.
 */
import { countSequences, flatten, type Grammar, type Row, type Unit } from './grammar.js';
import { pairSurrogates } from './rows.js';

/** A row: its first code point, and for each unit the first and the last byte of every position. */
export type PackedRow = readonly [first: number, ...units: (readonly number[])[]];

/** What an engine needs of a grammar. */
export interface Tables {
  /** The greatest code point that there is: a form that would mean more is too large. */
  readonly greatest: number;
  /** The length of the longest sequence, in bytes; a pair is one. */
  readonly longest: number;
  /** From which code point on up to 7F a byte is the character of its number. */
  readonly firstPlain: number;
  /** What is read: all rows. */
  readonly rows: readonly PackedRow[];
  /** What is written, where it is not the same: the `=` rows, and the pairs of a domain of code units. */
  readonly spelled?: readonly PackedRow[];
  /** In a domain of code units, the same encoding read as characters (see {@link pairSurrogates}). */
  readonly paired?: Tables;
}

/** Packs the rows of a grammar, and of its characters. */
export function deriveTables(grammar: Grammar): Tables {
  const { domain, rows } = grammar;
  const characters = pairSurrogates(grammar);
  const paired = characters === grammar ? undefined : characters;
  // A pair is written whole.
  const pairs = paired?.rows.filter(({ first }) => first > 0xffff) ?? [];
  const spelled = [...rows, ...pairs].filter((row) => row.writes);
  const plain = rows.find((row) => {
    const [byte, ...more] = flatten(row);
    return row.last === 0x7f && byte?.first === row.first && more.length === 0;
  });
  return {
    greatest: domain === 'ucs-4' ? 0x7fffffff : 0x10ffff,
    longest: Math.max(...[...rows, ...pairs].map((row) => flatten(row).length)),
    firstPlain: plain?.first ?? 0x80,
    rows: rows.map(packRow),
    ...((pairs.length > 0 || spelled.length < rows.length) && { spelled: spelled.map(packRow) }),
    ...(paired && { paired: deriveTables(paired) }),
  };
}

function packRow({ first, units }: Row): PackedRow {
  return [first, ...units.map((unit) => unit.flatMap((range) => [range.first, range.last]))];
}

/** Rows as they were before they were packed, for what is derived at run time. */
export function unpackRows(rows: readonly PackedRow[]): Row[] {
  return rows.map(([first, ...packed]) => {
    const units = packed.map(unpackUnit);
    return { first, last: first + countSequences(units.flat()) - 1, units, writes: true };
  });
}

function unpackUnit(edges: readonly number[]): Unit {
  return edges.flatMap((first, i) =>
    i % 2 === 0 ? [{ first, last: edges[i + 1] as number }] : [],
  );
}
