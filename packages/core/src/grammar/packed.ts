/**
 * A grammar as plain data: all that a codec reads at run time. The compiler writes it to `packed.ts` of
 * each variant, so neither the language of grammars nor its laws are in a program that only decodes.
 */
import type { Domain } from './domain.js';
import type { Grammar } from './grammar.js';
import type { FaultReason } from './reason.js';
import { countSequences, type Row, type Unit } from './row.js';

/** A row: its first code point, and for each unit the first and the last byte of every position. */
export type PackedRow = readonly [first: number, ...units: (readonly number[])[]];

/**
 * The reason why sequences are malformed that begin with one of some lead bytes, or with a lead byte and one
 * of some second bytes.
 */
export type PackedCause = readonly [
  reason: FaultReason,
  firstLead: number,
  lastLead: number,
  firstSecond?: number,
  lastSecond?: number,
];

/** Accepted rows and written rows. */
export interface PackedRows {
  /** All rows that are accepted. */
  readonly rows: readonly PackedRow[];
  /** The written rows, if they differ: the `=` rows, and surrogate pairs. */
  readonly written?: readonly PackedRow[] | undefined;
}

/** The part of a grammar that an encoding needs. */
export interface PackedGrammar extends PackedRows {
  /** The length of the longest sequence, in bytes; a pair is one. */
  readonly longest: number;
  /** Most bytes that one UTF-16 code unit becomes. */
  readonly growth: number;
  /** First code point of the identity ASCII row. */
  readonly firstAscii: number;
  /** The causes of faults. The first match counts; without one, the reason is `truncated`. */
  readonly causes: readonly PackedCause[];
  /** The `!` rows. */
  readonly refused?: readonly PackedRow[] | undefined;
  /** The rows of characters, if they differ; see `pairSurrogates`. */
  readonly characters?: PackedRows | undefined;
  /** The rows without unpaired surrogates, if they differ from `characters`. */
  readonly scalars?: PackedRows | undefined;
}

/** Copies a grammar, so that a missing property is not found in a polluted prototype. */
export const isolate = (packed: PackedGrammar): PackedGrammar =>
  Object.setPrototypeOf({ ...packed }, null);

/** Selects some of the rows of a grammar. */
export function selectRows(packed: PackedGrammar, rows: PackedRows): PackedGrammar {
  const { longest, growth, firstAscii, causes } = packed;
  return { longest, growth, firstAscii, causes, ...rows };
}

/** Unpacks rows, for data that is derived at run time. */
export function unpackRows(rows: readonly PackedRow[]): Row[] {
  return rows.map(([first, ...packed]) => {
    const units = packed.map(unpackUnit);
    return { first, last: first + countSequences(units.flat()) - 1, units, writes: true };
  });
}

/**
 * Unpacks a grammar, each list of rows when it is first read. Few programs read any; parsing the text and
 * checking its laws takes 0.8 ms (Node 20).
 */
export function unpackGrammar(domain: Domain, packed: PackedGrammar): Grammar {
  const { rows, written = rows, refused = [] } = isolate(packed);
  let accepted: readonly Row[] | undefined;
  let others: readonly Row[] | undefined;
  return {
    domain,
    get rows() {
      accepted ??= unpackRows(rows).map((row, i) => {
        const text = String(rows[i]);
        return { ...row, writes: written.some((other) => String(other) === text) };
      });
      return accepted;
    },
    get refused() {
      others ??= unpackRows(refused).map((row) => ({ ...row, writes: false, refused: true }));
      return others;
    },
  };
}

function unpackUnit(edges: readonly number[]): Unit {
  return edges.flatMap((first, i) =>
    i % 2 === 0 ? [{ first, last: edges[i + 1] as number }] : [],
  );
}
