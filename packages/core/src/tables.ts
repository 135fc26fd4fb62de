/**
 * A grammar as plain data: what an engine works on. The published codecs have theirs made when they are
 * built (`tables.ts` beside each `grammar.ts`), so that neither the language of grammars nor its laws
 * are in a program that only decodes.
 */
import { countSequences, type Domain, type Grammar, type Row, type Unit } from './grammar.js';
import { pairSurrogates } from './rows.js';

/** A row: its first code point, and for each unit the first and the last byte of every position. */
export type PackedRow = readonly [first: number, ...units: (readonly number[])[]];

/** What an engine needs of a grammar. */
export interface Tables {
  readonly domain: Domain;
  /** The `=` rows. */
  readonly written: readonly PackedRow[];
  /** The `<=` rows. */
  readonly accepted?: readonly PackedRow[];
  /** In a domain of code units, the same encoding read as characters (see {@link pairSurrogates}). */
  readonly paired?: Tables;
}

/** Packs the rows of a grammar, and of its characters. */
export function deriveTables(grammar: Grammar): Tables {
  const { domain, rows } = grammar;
  const accepted = rows.filter((row) => !row.writes).map(packRow);
  const paired = pairSurrogates(grammar);
  return {
    domain,
    written: rows.filter((row) => row.writes).map(packRow),
    ...(accepted.length > 0 && { accepted }),
    ...(paired !== grammar && { paired: deriveTables(paired) }),
  };
}

function packRow({ first, units }: Row): PackedRow {
  return [first, ...units.map((unit) => unit.flatMap((range) => [range.first, range.last]))];
}

/** The rows that were packed, for what is derived at run time. */
export function unpackRows({ written, accepted = [] }: Tables): Row[] {
  return [
    ...written.map((row) => unpackRow(row, true)),
    ...accepted.map((row) => unpackRow(row, false)),
  ];
}

function unpackRow([first, ...packed]: PackedRow, writes: boolean): Row {
  const units = packed.map(unpackUnit);
  return { first, last: first + countSequences(units.flat()) - 1, units, writes };
}

function unpackUnit(bytes: readonly number[]): Unit {
  return bytes.flatMap((first, i) =>
    i % 2 === 0 ? [{ first, last: bytes[i + 1] as number }] : [],
  );
}
