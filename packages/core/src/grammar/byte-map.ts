import type { Grammar } from './grammar.js';

/** The role of a byte value in an encoding. */
export interface ByteRole {
  /** The indices of the rows whose sequences begin with the byte. */
  readonly leads: readonly number[];
  /** True if the byte is a trail byte of some unit. */
  readonly isTrail: boolean;
}

/**
 * Derives the byte map of a grammar.
 *
 * @returns A role for each byte. A byte that is neither a lead byte nor a trail byte never occurs.
 */
export function deriveByteMap({ rows }: Pick<Grammar, 'rows'>): ByteRole[] {
  return Array.from({ length: 256 }, (_, byte) => {
    const has = ({ first, last }: { first: number; last: number }): boolean =>
      first <= byte && byte <= last;
    return {
      leads: rows.flatMap(({ units: [unit] }, i) => (unit?.[0] && has(unit[0]) ? [i] : [])),
      isTrail: rows.some(({ units }) => units.some((unit) => unit.slice(1).some(has))),
    };
  });
}
