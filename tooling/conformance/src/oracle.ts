/**
 * A deliberately dull reading of a grammar, to compare everything else with. It scans rows and
 * nothing else: no state machine, no shared code with the drivers but the rows. It looks only at rows that may begin
 * with the byte at hand, which takes two thirds of the time.
 */
import type { Domain, Fault, FaultReason, Grammar, Row } from '@utf8/core';

/** One character of the input: a well-formed sequence, or a fault. */
export interface Piece {
  readonly offset: number;
  readonly length: number;
  /** Undefined for a fault. */
  readonly codePoint: number | undefined;
}

interface FlatRow {
  readonly first: readonly number[];
  readonly last: readonly number[];
  readonly codePoint: number;
}

const flatten = (row: Row): FlatRow => ({
  first: row.units.flat().map((range) => range.first),
  last: row.units.flat().map((range) => range.last),
  codePoint: row.first,
});

/** For each byte, the rows that may begin with it, in their order. */
const byLead = (rows: readonly FlatRow[]): readonly (readonly FlatRow[])[] =>
  Array.from({ length: 256 }, (_, lead) =>
    rows.filter(({ first, last }) => lead >= (first[0] as number) && lead <= (last[0] as number)),
  );

/** All facts about an input. */
export interface Reading {
  /** A high surrogate and the low one after it are one. */
  readonly characters: readonly Piece[];
  readonly faults: readonly Fault[];
  /** Text that `decode` returns for it under `replace`. */
  readonly text: string;
}

/** Reads byte strings as a grammar says, row by row. */
export class Oracle {
  readonly #domain: Domain;
  readonly #rowsOf: readonly (readonly FlatRow[])[];
  readonly #unitsOf: readonly (readonly FlatRow[])[];
  readonly #refusedOf: readonly (readonly FlatRow[])[];

  constructor({ domain, rows, refused }: Grammar) {
    this.#domain = domain;
    const units = rows.flatMap((row) =>
      row.units.map((unit) => flatten({ ...row, units: [unit] })),
    );
    this.#rowsOf = byLead(rows.map(flatten));
    this.#unitsOf = byLead(units);
    this.#refusedOf = byLead(refused.map(flatten));
  }

  /** The pieces of an input in order; a surrogate is a piece of its own if the grammar has those. */
  read(bytes: Uint8Array): Piece[] {
    const pieces: Piece[] = [];
    for (let offset = 0; offset < bytes.length; ) {
      const piece = this.#match(bytes, offset) ?? {
        offset,
        length: this.#faultLength(bytes, offset),
        codePoint: undefined,
      };
      pieces.push(piece);
      offset += piece.length;
    }
    return pieces;
  }

  /** As {@link read}, with a high surrogate and the low one after it as one piece. */
  readCharacters(bytes: Uint8Array): Piece[] {
    return this.#join(this.read(bytes));
  }

  /** Returns the expected text of `decode` under `replace`. */
  replace(bytes: Uint8Array): string {
    return this.#spell(this.read(bytes));
  }

  /** The faults of an input as `faults` should list them. */
  faults(bytes: Uint8Array): Fault[] {
    return this.#describeFaults(bytes, this.read(bytes));
  }

  /** Reads an input once for all that is to be compared. */
  readAll(bytes: Uint8Array): Reading {
    const pieces = this.read(bytes);
    return {
      characters: this.#join(pieces),
      faults: this.#describeFaults(bytes, pieces),
      text: this.#spell(pieces),
    };
  }

  /** Joins surrogates to pairs, unless code points of 31 bits are read, which never form pairs. */
  #join(pieces: Piece[]): Piece[] {
    return this.#domain === '31 bits' ? pieces : join(pieces);
  }

  #spell(pieces: readonly Piece[]): string {
    return pieces
      .map(({ codePoint }) =>
        isText(this.#domain, codePoint) ? String.fromCodePoint(codePoint) : '\ufffd',
      )
      .join('');
  }

  #describeFaults(bytes: Uint8Array, pieces: readonly Piece[]): Fault[] {
    return pieces
      .filter(({ codePoint }) => codePoint === undefined)
      .map(({ offset, length }) => ({
        offset,
        length,
        reason: this.#reason(bytes, offset, length),
        incomplete: this.#isPrefix(bytes, offset),
      }));
  }

  /** The length of the sequence that a `!` row refuses here, in bytes; 0 if none does. */
  #refusedLength(bytes: Uint8Array, offset: number): number {
    for (const row of this.#refusedOf[bytes[offset] as number] ?? []) {
      if (countMatches(row, bytes, offset) === row.first.length) return row.first.length;
    }
    return 0;
  }

  #match(bytes: Uint8Array, offset: number): Piece | undefined {
    if (this.#refusedLength(bytes, offset) > 0) return undefined;
    for (const row of this.#rowsOf[bytes[offset] as number] ?? []) {
      const length = row.first.length;
      if (countMatches(row, bytes, offset) < length) continue;
      let codePoint = row.codePoint;
      let weight = 1;
      for (let i = length - 1; i >= 0; i--) {
        const first = row.first[i] as number;
        codePoint += ((bytes[offset + i] as number) - first) * weight;
        weight *= (row.last[i] as number) - first + 1;
      }
      return { offset, length, codePoint };
    }
    return undefined;
  }

  #faultLength(bytes: Uint8Array, offset: number): number {
    let longest = Math.max(1, this.#refusedLength(bytes, offset));
    for (const unit of this.#unitsOf[bytes[offset] as number] ?? []) {
      longest = Math.max(longest, countMatches(unit, bytes, offset));
    }
    return longest;
  }

  /** Tells whether the rest of the input is the beginning of some sequence. */
  #isPrefix(bytes: Uint8Array, offset: number): boolean {
    const left = bytes.length - offset;
    const rows = this.#rowsOf[bytes[offset] as number] ?? [];
    return rows.some((row) => left < row.first.length && countMatches(row, bytes, offset) === left);
  }

  /** Returns the reason for an error: by lead, and by second byte if that decides. */
  #reason(bytes: Uint8Array, offset: number, length: number): FaultReason {
    const lead = bytes[offset] as number;
    const second = bytes[offset + 1] ?? -1;
    const isTrail = second >= 0x80 && second <= 0xbf;
    const rows = this.#rowsOf[lead] ?? [];
    const viable = Math.max(0, ...rows.map((row) => countMatches(row, bytes, offset)));
    if (this.#refusedLength(bytes, offset) > 0) return 'wrong-form';
    const isWholeUnit = this.#unitsOf[lead]?.some(
      (unit) => unit.first.length === length && countMatches(unit, bytes, offset) === length,
    );
    if (isWholeUnit) return 'surrogate';
    if (viable >= length && !(length === 1 && isTrail)) return 'truncated';
    const isWide = this.#domain === 'ucs-4' || this.#domain === '31 bits';
    const ranges: [FaultReason, boolean][] = [
      ['wrong-form', lead < 0x80],
      ['unexpected-continuation', lead < 0xc0],
      ['overlong', lead <= 0xc1],
      ['too-large', !isWide && lead >= 0xf5 && lead <= 0xfd],
      ['overlong', lead === 0xe0 && isTrail && second <= 0x9f],
      ['overlong', lead === 0xf0 && isTrail && second <= 0x8f],
      ['overlong', lead === 0xf8 && isTrail && second <= 0x87],
      ['overlong', lead === 0xfc && isTrail && second <= 0x83],
      ['too-large', this.#domain === 'bmp' && lead >= 0xf0 && lead <= 0xf4],
      ['surrogate', lead === 0xed && isTrail && second >= 0xa0],
      ['too-large', !isWide && lead === 0xf4 && isTrail && second >= 0x90],
      ['invalid-lead', lead >= 0xfe],
      ['wrong-form', true],
    ];
    return (ranges.find(([, applies]) => applies) as [FaultReason, boolean])[0];
  }
}

function countMatches({ first, last }: FlatRow, bytes: Uint8Array, offset: number): number {
  let i = 0;
  while (i < first.length) {
    const byte = bytes[offset + i] as number;
    // The end of the input is undefined, which compares as false.
    if (!(byte >= (first[i] as number) && byte <= (last[i] as number))) break;
    i++;
  }
  return i;
}

function join(pieces: readonly Piece[]): Piece[] {
  const joined: Piece[] = [];
  for (const piece of pieces) {
    const before = joined.at(-1);
    const high = before?.codePoint ?? 0;
    const low = piece.codePoint ?? 0;
    if (before && isHigh(high) && isLow(low)) {
      joined[joined.length - 1] = {
        offset: before.offset,
        length: before.length + piece.length,
        codePoint: 0x10000 + (high - 0xd800) * 0x400 + (low - 0xdc00),
      };
    } else joined.push(piece);
  }
  return joined;
}

/** Tells whether a string can contain a code point of a domain. */
export const isText = (domain: Domain, codePoint: number | undefined): codePoint is number =>
  codePoint !== undefined &&
  codePoint <= 0x10ffff &&
  !(domain === '31 bits' && codePoint >= 0xd800 && codePoint <= 0xdfff);

const isHigh = (codePoint: number): boolean => codePoint >= 0xd800 && codePoint <= 0xdbff;
const isLow = (codePoint: number): boolean => codePoint >= 0xdc00 && codePoint <= 0xdfff;
