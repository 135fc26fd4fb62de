/** Models a reader: computes its text from rows, quirks, practice and mode. */
import { rows as variantRows } from '../generated/rows.js';
import type { Variant } from '../generated/variant.js';
import type { Mode } from './mode.js';
import { countings, type Practice } from './practice.js';
import type { Piece, Quirk } from './quirk.js';
import { countMatches, parseRow, type Range, type Row } from './row.js';

export interface ModelOptions {
  readonly variant: Variant;
  readonly quirks: readonly Quirk[];
  readonly practice: Practice;
  readonly mode: Mode;
}

const isHigh = (value: number | undefined): boolean => value! >= 0xd800 && value! <= 0xdbff;
const isLow = (value: number | undefined): boolean => value! >= 0xdc00 && value! <= 0xdfff;

/** Joins surrogate pairs, so that code units and code points can be compared. */
export function joinPairs(values: readonly number[]): number[] {
  const text: number[] = [];
  for (const value of values) {
    const before = text.at(-1);
    if (isHigh(before) && isLow(value)) {
      text[text.length - 1] = 0x10000 + (before! - 0xd800) * 0x400 + value - 0xdc00;
    } else text.push(value);
  }
  return text;
}

/** Entries by the first byte of their ranges. */
class Index<Entry> {
  readonly #entries: readonly Entry[][];

  constructor(entries: readonly (readonly [readonly Range[], Entry])[]) {
    this.#entries = Array.from({ length: 256 }, (_, byte) =>
      entries
        .filter(([[range]]) => range && byte >= range[0] && byte <= range[1])
        .map(([, entry]) => entry),
    );
  }

  get(byte: number | undefined): readonly Entry[] {
    return byte === undefined ? [] : (this.#entries[byte] as readonly Entry[]);
  }
}

const byRanges = (row: Row): readonly [readonly Range[], Row] => [row.ranges, row];

export class Model {
  readonly options: ModelOptions;
  readonly #accepted: Index<Row>;
  readonly #refused: Index<Row>;
  /** Ranges whose proper prefixes are one error each. */
  readonly #prefixes: Index<readonly Range[]>;

  constructor(options: ModelOptions) {
    this.options = options;
    const { variant, quirks, practice } = options;
    const { accepted, refused } = variantRows[variant];
    const own = accepted.map(parseRow);
    const rows = [...own, ...quirks.flatMap(({ rows = [] }) => rows)];
    this.#accepted = new Index(rows.map(byRanges));
    this.#refused = new Index(refused.map(parseRow).map(byRanges));
    const cut = quirks.flatMap(({ rows = [], isWhole }) => (isWhole ? [] : rows));
    const prefixes = [...own, ...cut, ...countings[practice].faults].flatMap(({ parts }) => parts);
    this.#prefixes = new Index(prefixes.map((part) => [part, part]));
  }

  /** Splits bytes into characters and faults. */
  readPieces(bytes: Uint8Array): readonly Piece[] {
    let pieces: readonly Piece[] = this.#splitByRows(bytes);
    for (const { pieces: change } of this.options.quirks) {
      if (change) pieces = change(pieces, bytes);
    }
    return pieces;
  }

  /** Tells whether the rows accept bytes. */
  accepts(bytes: Uint8Array): boolean {
    return this.#splitByRows(bytes).every(({ value }) => value !== undefined);
  }

  #splitByRows(bytes: Uint8Array): Piece[] {
    const { quirks } = this.options;
    const pieces: Piece[] = [];
    for (let offset = 0; offset < bytes.length; ) {
      const piece = this.#match(bytes, offset);
      const isRefused =
        piece?.value !== undefined &&
        quirks.some(({ refuses }) => refuses?.(piece.value as number));
      const found = isRefused ? { ...piece, value: undefined } : piece;
      pieces.push(found);
      offset += found.length;
    }
    return pieces;
  }

  #match(bytes: Uint8Array, offset: number): Piece {
    const isWhole = ({ ranges }: Row): boolean =>
      countMatches(ranges, bytes, offset) === ranges.length;
    const refused = this.#refused.get(bytes[offset]).find(isWhole);
    if (refused) return { offset, length: refused.ranges.length, value: undefined };
    const row = this.#accepted.get(bytes[offset]).find(isWhole);
    if (row) return { offset, length: row.ranges.length, value: row.value(bytes, offset) };
    let length = 1;
    for (const ranges of this.#prefixes.get(bytes[offset])) {
      length = Math.max(length, countMatches(ranges, bytes, offset));
    }
    for (const { swallows } of this.options.quirks) {
      if (swallows) length = swallows(bytes, offset, length);
    }
    return { offset, length: Math.min(length, bytes.length - offset), value: undefined };
  }

  /** Returns the text that the reader should print; undefined if it should refuse. */
  read(bytes: Uint8Array): number[] | undefined {
    const { quirks, practice, mode } = this.options;
    const { per } = countings[practice];
    const text: number[] = [];
    let isInFault = false;
    const pieces = this.readPieces(bytes);
    if (quirks.some(({ refusesAll }) => refusesAll?.(pieces, bytes))) return undefined;
    for (const { offset, length, value } of pieces) {
      if (value !== undefined) {
        text.push(value);
        isInFault = false;
        continue;
      }
      if (!mode.render) return undefined;
      if (mode.name === 'stops') break;
      const fault = bytes.subarray(offset, offset + length);
      if (per === 'byte') {
        for (let i = 0; i < length; i++) text.push(...mode.render(fault.subarray(i, i + 1)));
      } else if (per === 'fault' || !isInFault) text.push(...mode.render(fault));
      isInFault = true;
    }
    let result: readonly number[] = joinPairs(text);
    for (const { text: change } of quirks) if (change) result = change(result);
    return [...result];
  }
}
