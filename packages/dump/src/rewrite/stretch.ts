/** Whole units transcoded at once, and where in them something changed. */
import { type Codec, DecodeError, formatRow, type Row, Workbench } from '@utf8/core';
import { classify, formOf, lengthOf, readCodePoint } from '@utf8/detect';
import { findNuls, kindOf, type NulPolicy, spellingsOfNul, type SurrogatePolicy } from '@utf8/repair';
import type { Format } from '../format/format.js';

/** The policies that decide whether bytes can be transcoded without a look at their fields. */
interface Policies {
  readonly from: Codec;
  readonly to: Codec;
  readonly nul: NulPolicy;
  readonly unpairedSurrogates: SurrogatePolicy;
}

const UNPAIRED = Uint8Array.of(0xed, 0xa0, 0xbd);

/** Transcodes stretches by the kernels of the codecs. */
export class StretchTranscoder {
  readonly #bench: Workbench;
  readonly #stretch: Stretch;
  /** Bytes that must not occur: a policy, or an escape before them, decides what they become. */
  readonly #excluded: readonly Uint8Array[];
  readonly #isPossible: boolean;

  constructor({ from, to, nul, unpairedSurrogates }: Policies, format: Format) {
    const changing = findChangingRows(from, to);
    // After a backslash, what becomes ASCII would be escaped.
    const escapable = changing.filter(({ first }) => first < 0x80).flatMap(listLeads);
    this.#excluded = [
      ...(nul === 'keep' ? [] : [...format.nuls, ...spellingsOfNul(from)]),
      ...escapable.map((lead) => Uint8Array.of(lead)),
    ];
    this.#bench = new Workbench(from, to);
    this.#stretch = new Stretch(changing);
    const keepsSurrogates = unpairedSurrogates === 'keep' || !from.isValid(UNPAIRED);
    this.#isPossible = format.isOpaqueAscii && (keepsSurrogates || !to.isValid(UNPAIRED));
  }

  /**
   * Transcodes whole units.
   *
   * @returns The stretch, valid until the next call; undefined if a policy concerns it.
   */
  transcode(bytes: Uint8Array): Stretch | undefined {
    if (!this.#isPossible) return undefined;
    for (const _ of findNuls(bytes, this.#excluded)) return undefined;
    try {
      return this.#stretch.move(bytes, this.#bench.transcode(bytes));
    } catch (error) {
      if (error instanceof DecodeError) return undefined;
      throw error;
    }
  }
}

/** Transcoded bytes, in which changes are found from left to right. */
export class Stretch {
  source: Uint8Array = new Uint8Array();
  /** A view of memory that the next transcoding overwrites. */
  result: Uint8Array = new Uint8Array();
  /** 1 for each byte that begins a sequence which may change. */
  readonly #leads = new Uint8Array(0x100);
  #index = 0;
  /** Index in the result minus index in the source. */
  #shift = 0;
  /** Of the changes found by the last {@link advance}: index in the source, and shift after each. */
  readonly #changes: number[] = [];
  #shiftBefore = 0;

  /** @param changing - The rows whose sequences may change. */
  constructor(changing: readonly Row[]) {
    for (const lead of changing.flatMap(listLeads)) this.#leads[lead] = 1;
  }

  /** Indices in the source of the changes found by the last {@link advance}. */
  get changed(): number[] {
    return this.#changes.filter((_, i) => i % 2 === 0);
  }

  /** Passes a fault, by its length in the source and in the result. */
  pass(length: number, lengthInResult: number): void {
    this.#index += length;
    this.#shift += lengthInResult - length;
  }

  move(source: Uint8Array, result: Uint8Array): this {
    this.source = source;
    this.result = result;
    this.#index = 0;
    this.#shift = 0;
    return this;
  }

  /**
   * Moves to an index in the source, a character boundary, and counts changes by kind on the way.
   *
   * @returns Whether there were any.
   */
  advance(end: number, findings: Record<string, number>): boolean {
    const { source, result } = this;
    const leads = this.#leads;
    const changes = this.#changes;
    changes.length = 0;
    this.#shiftBefore = this.#shift;
    let i = this.#index;
    for (;;) {
      while (i < end && leads[source[i] as number] === 0) i++;
      if (i >= end) break;
      const found = classify(source, i, end);
      const length = lengthOf(found);
      const at = i + this.#shift;
      let alike = 0;
      while (alike < length && source[i + alike] === result[at + alike]) alike++;
      if (alike < length) {
        const kind = kindOf(formOf(found), readCodePoint(source, i, length)) ?? 'other';
        findings[kind] = (findings[kind] ?? 0) + 1;
        this.#shift += lengthOf(classify(result, at, result.length)) - length;
        changes.push(i, this.#shift);
      }
      i += length;
    }
    this.#index = end;
    return changes.length > 0;
  }

  /**
   * Finds a range of the source in the result.
   *
   * @returns The indices in the result; -1 if nothing in the range changed in the last {@link advance}.
   */
  locate(start: number, end: number): readonly [from: number, to: number] {
    let before = this.#shiftBefore;
    let after = before;
    let isChanged = false;
    for (let i = 0; i < this.#changes.length; i += 2) {
      const index = this.#changes[i] as number;
      if (index >= end) break;
      after = this.#changes[i + 1] as number;
      if (index < start) before = after;
      else isChanged = true;
    }
    return isChanged ? [start + before, end + after] : [-1, -1];
  }
}

/** Finds the rows of one encoding that the other does not write in the same way. */
export function findChangingRows({ grammar: from }: Codec, { grammar: to }: Codec): Row[] {
  const written = new Set(to.rows.filter(({ writes }) => writes).map(formatRow));
  return from.rows.filter((row) => !written.has(formatRow({ ...row, writes: true })));
}

/** The bytes that sequences of a row begin with. */
function listLeads({ units }: Row): number[] {
  const { first, last } = (units[0] as Row['units'][number])[0] as { first: number; last: number };
  return Array.from({ length: last - first + 1 }, (_, i) => first + i);
}
