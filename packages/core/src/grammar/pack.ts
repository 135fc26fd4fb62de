/** Packs grammars: the part of the rows that a codec needs at run time, as plain data. */

import { deriveCauses } from './causes.js';
import { pairSurrogates, selectScalars } from './characters.js';
import type { Grammar } from './grammar.js';
import type { PackedGrammar, PackedRow, PackedRows } from './packed.js';
import { flatten, type Row } from './row.js';

/**
 * Packs a grammar.
 *
 * @param grammar - The definition.
 * @returns The grammar as plain data.
 */
export function packGrammar(grammar: Grammar): PackedGrammar {
  const { rows, refused } = grammar;
  const characters = pairSurrogates(grammar);
  const scalars = selectScalars(grammar);
  const pairs = characters === grammar ? [] : characters.rows.filter((row) => row.units.length > 1);
  const written = [...rows, ...pairs].filter((row) => row.writes);
  return {
    longest: Math.max(...[...rows, ...refused, ...pairs].map((row) => flatten(row).length)),
    growth: Math.ceil(Math.max(...written.map(measureGrowth))),
    firstAscii: findFirstAscii(rows),
    causes: deriveCauses(grammar),
    // A pair is written whole.
    ...packRows(rows, [...rows, ...pairs]),
    ...(refused.length > 0 && { refused: refused.map(packRow) }),
    ...(characters !== grammar && { characters: packRows(characters.rows) }),
    ...(characters.rows.length !== scalars.rows.length && { scalars: packRows(scalars.rows) }),
  };
}

/** Computes the number of bytes that a row writes per UTF-16 code unit. */
const measureGrowth = (row: Row): number => flatten(row).length / (row.first > 0xffff ? 2 : 1);

/** Finds the first code point of the identity ASCII row; 80 if there is no such row. */
export function findFirstAscii(rows: readonly Row[]): number {
  const row = rows.find((row) => {
    const [byte, ...more] = flatten(row);
    return row.last === 0x7f && byte?.first === row.first && more.length === 0;
  });
  return row?.first ?? 0x80;
}

function packRows(rows: readonly Row[], all: readonly Row[] = rows): PackedRows {
  const written = all.filter((row) => row.writes);
  const isSame = written.length === rows.length && written.every((row) => rows.includes(row));
  return { rows: rows.map(packRow), ...(!isSame && { written: written.map(packRow) }) };
}

function packRow({ first, units }: Row): PackedRow {
  return [first, ...units.map((unit) => unit.flatMap((range) => [range.first, range.last]))];
}
