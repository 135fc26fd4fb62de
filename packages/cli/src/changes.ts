/** What a conversion changed, found by comparing what went in with what came out. */
import type { Codec } from '@utf8/core';
import { type Kind, kinds } from './kind.js';
import { findNuls, spellingsOfNul } from './nul.js';
import { leastLength } from './sequence.js';
import { Tally } from './tally.js';

const LF = 0x0a;

/** What has been counted in a part of a text that begins and ends anywhere in a line. */
export interface ChangeCounts {
  readonly characters: Readonly<Record<string, number>>;
  /** Line feeds. */
  readonly lines: number;
  readonly changedLines: number;
  /** Whether the line that it begins in is among the changed ones, and the one that it ends in. */
  readonly isFirstChanged: boolean;
  readonly isLastChanged: boolean;
  /** Whether the part ends within a line; undefined where it is empty. */
  readonly isLineOpen: boolean | undefined;
}

/** Counts changed characters and lines. */
export class Changes {
  /** Characters that both encodings have and spell differently. */
  readonly characters: Tally = new Tally(kinds);
  /** Lines of all files; a last line without a line feed is one. */
  lines = 0;
  /** Lines with a changed character, a mended fault, or a U+0000 that was removed or replaced. */
  changedLines = 0;
  readonly #from: Codec;
  readonly #to: Codec;
  /** What is looked for as changed by `--nul`. */
  readonly #nuls: readonly Uint8Array[];
  /** The number of the line, among all, that was last counted as changed. */
  #changedLine = -1;
  #isFirstChanged = false;
  /** Undefined before the first byte. */
  #isLineOpen: boolean | undefined;

  /** @param filtersNul - Whether U+0000 is removed or replaced after the conversion. */
  constructor(from: Codec, to: Codec, filtersNul: boolean) {
    this.#from = from;
    this.#to = to;
    this.#nuls = filtersNul ? spellingsOfNul(from) : [];
  }

  /**
   * Adds a block.
   *
   * @param source - Whole characters.
   * @param result - What they were transcoded to.
   * @param spans - The faults among them: offset and length in the source, length in the result.
   */
  add(source: Uint8Array, result: Uint8Array, spans: ArrayLike<number>): void {
    const touched = this.#compare(source, result, spans);
    if (this.#nuls.length > 0) this.#addNuls(source, touched);
    this.#countLines(source, touched);
  }

  /** Ends a file, and with it a line. */
  endFile(): void {
    if (this.#isLineOpen) this.lines++;
    this.#isLineOpen = false;
  }

  /** What has been counted, which is forgotten. */
  take(): ChangeCounts {
    const counts = {
      characters: this.characters.take(),
      lines: this.lines,
      changedLines: this.changedLines,
      isFirstChanged: this.#isFirstChanged,
      isLastChanged: this.#changedLine === this.lines,
      isLineOpen: this.#isLineOpen,
    };
    this.lines = this.changedLines = 0;
    this.#changedLine = -1;
    this.#isFirstChanged = false;
    this.#isLineOpen = undefined;
    return counts;
  }

  /** Adds what has been counted in the part that comes next. */
  merge(next: ChangeCounts): void {
    this.characters.merge(next.characters);
    // A line that the cut runs through has been counted on both sides.
    const isTwice = next.isFirstChanged && this.#changedLine === this.lines;
    this.changedLines += next.changedLines - (isTwice ? 1 : 0);
    this.lines += next.lines;
    if (next.isLastChanged) this.#changedLine = this.lines;
    this.#isLineOpen = next.isLineOpen ?? this.#isLineOpen;
  }

  /** Counts the changed characters, and returns the offsets of all that is not as it was. */
  #compare(source: Uint8Array, result: Uint8Array, spans: ArrayLike<number>): number[] {
    const touched: number[] = [];
    let i = 0;
    let j = 0;
    let span = 0;
    while (i < source.length) {
      const end = spans[span] ?? source.length;
      let alike = i;
      for (const shift = j - i; alike < end && source[alike] === result[alike + shift]; ) alike++;
      if (alike < end) {
        // Both encodings tell a character's length by its first bytes, so the one that holds the
        // first difference is the first that changed.
        const start = this.#from.floorBoundary(source, alike);
        const next = this.#from.ceilBoundary(source, start + 1);
        touched.push(start);
        j += start - i + this.#addCharacter(source.subarray(start, next));
        i = next;
        continue;
      }
      j += end - i;
      i = end;
      if (span === spans.length) break;
      touched.push(i);
      i += spans[span + 1] as number;
      j += spans[span + 2] as number;
      span += 3;
    }
    return touched;
  }

  /** Counts a changed character, and returns how long it is now. */
  #addCharacter(bytes: Uint8Array): number {
    const codePoints = this.#from.decodeCodePoints(bytes);
    const { length } = this.#to.encodeCodePoints(codePoints);
    this.characters.add(classify(codePoints[0] as number, bytes, length));
    return length;
  }

  #addNuls(source: Uint8Array, touched: number[]): void {
    const before = touched.length;
    for (const nul of findNuls(source, this.#nuls)) touched.push(nul.offset);
    if (touched.length > before) touched.sort((a, b) => a - b);
  }

  #countLines(source: Uint8Array, touched: readonly number[]): void {
    let next = 0;
    for (let i = 0; i < source.length; i++) {
      if (i === touched[next]) {
        if (this.#changedLine !== this.lines) this.changedLines++;
        if (this.lines === 0) this.#isFirstChanged = true;
        this.#changedLine = this.lines;
        while (touched[next] === i) next++;
      }
      if (source[i] === LF) this.lines++;
    }
    if (source.length > 0) this.#isLineOpen = source[source.length - 1] !== LF;
  }
}

/** @param length - In bytes, of the character as it is spelled now. */
function classify(codePoint: number, bytes: Uint8Array, length: number): Kind {
  if (codePoint === 0) return 'nul';
  if (codePoint >= 0xd800 && codePoint <= 0xdfff) return 'lone half';
  if (codePoint > 0xffff && codePoint <= 0x10ffff) {
    if (bytes.length === 6) return 'pair';
    if (length === 6) return 'four-byte form';
  }
  return bytes.length > leastLength(codePoint) ? 'overlong' : 'other';
}
