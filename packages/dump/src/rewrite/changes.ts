/** Changes by a conversion of plain text, found by comparing its input with its output. */
import type { Codec } from '@utf8/core';
import { findNuls, repairedKinds, sequencesOfNul } from '@utf8/repair';
import { findChangingRows, Stretch } from './stretch.js';

const LF = 0x0a;

/** The kinds of plain text, whose faults are counted by their reasons. */
const kinds = repairedKinds.filter(
  (kind) =>
    !/^(legacy-byte|mojibake|noncharacter|control|equal-json-keys|inner-length)$/.test(kind),
);

/** Changes in a part of a text that begins and ends anywhere in a line. */
export interface ChangeCounts {
  /** Characters that both encodings contain with different bytes, by kind. */
  readonly characters: Readonly<Record<string, number>>;
  /** Line feeds. */
  readonly lines: number;
  /** Lines with a changed character, a repaired fault, or a U+0000 that was removed or replaced. */
  readonly changedLines: number;
  /** True if the line in which it begins, or ends, is a changed one. */
  readonly isFirstChanged: boolean;
  readonly isLastChanged: boolean;
  /** True if it ends within a line; undefined if it is empty. */
  readonly isLineOpen: boolean | undefined;
}

/** Finds changed characters and lines in parts of a text. */
export class Changes {
  readonly #stretch: Stretch;
  /** Sequences that count as changed because they are removed or replaced. */
  readonly #nuls: readonly Uint8Array[];

  /** @param filtersNul - True if U+0000 is removed or replaced after the conversion. */
  constructor(from: Codec, to: Codec, filtersNul: boolean) {
    this.#stretch = new Stretch(findChangingRows(from, to));
    this.#nuls = filtersNul ? sequencesOfNul(from) : [];
  }

  /**
   * Counts the changes of a part.
   *
   * @param source - Whole characters.
   * @param result - The bytes that they were transcoded to.
   * @param spans - For each fault: offset and length in the source, length in the result.
   */
  count(source: Uint8Array, result: Uint8Array, spans: readonly number[]): ChangeCounts {
    const characters: Record<string, number> = {};
    const stretch = this.#stretch.move(source, result);
    const touched: number[] = [];
    for (let i = 0; i <= spans.length; i += 3) {
      const end = spans[i] ?? source.length;
      stretch.advance(end, characters);
      for (const index of stretch.changed) touched.push(index);
      if (i === spans.length) break;
      touched.push(end);
      stretch.pass(spans[i + 1] as number, spans[i + 2] as number);
    }
    if (this.#nuls.length > 0) {
      for (const { offset } of findNuls(source, this.#nuls)) touched.push(offset);
      touched.sort((a, b) => a - b);
    }
    return { characters, ...countLines(source, touched) };
  }
}

function countLines(
  source: Uint8Array,
  touched: readonly number[],
): Omit<ChangeCounts, 'characters'> {
  let lines = 0;
  let changedLines = 0;
  let changedLine = -1;
  let isFirstChanged = false;
  let next = 0;
  for (let i = 0; i < source.length; i++) {
    if (i === touched[next]) {
      if (changedLine !== lines) changedLines++;
      if (lines === 0) isFirstChanged = true;
      changedLine = lines;
      while (touched[next] === i) next++;
    }
    if (source[i] === LF) lines++;
  }
  const isLineOpen = source.length > 0 ? source[source.length - 1] !== LF : undefined;
  return { lines, changedLines, isFirstChanged, isLastChanged: changedLine === lines, isLineOpen };
}

/** Adds up the changes of parts that follow each other. */
export class ChangeTotals {
  /** Plain data, for a later run. */
  state = {
    /** Changed characters by kind; kinds that do not occur are 0. */
    characters: Object.fromEntries(kinds.map((kind) => [kind, 0])) as Record<string, number>,
    /** Lines of all files; a last line without a line feed is one. */
    lines: 0,
    changedLines: 0,
    /** Number of the line that was last counted as changed, among all. */
    changedLine: -1,
    isLineOpen: false,
  };

  add(next: ChangeCounts): void {
    const { state } = this;
    for (const [kind, count] of Object.entries(next.characters)) {
      state.characters[kind] = (state.characters[kind] ?? 0) + count;
    }
    // A line that the cut runs through was counted on both sides.
    const isTwice = next.isFirstChanged && state.changedLine === state.lines;
    state.changedLines += next.changedLines - (isTwice ? 1 : 0);
    state.lines += next.lines;
    if (next.isLastChanged) state.changedLine = state.lines;
    state.isLineOpen = next.isLineOpen ?? state.isLineOpen;
  }

  /** Ends a file, and with it a line. */
  endFile(): void {
    if (this.state.isLineOpen) this.state.lines++;
    this.state.isLineOpen = false;
  }
}
