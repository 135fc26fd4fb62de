/**
 * Reads bytes once for all variants.
 *
 * Before its first fault, every variant splits the bytes into the same sequences, except that some join
 * surrogate pairs. The loop skips sequences that all variants accept and classifies the others. The first
 * fault of a variant is in the first sequence that it refuses; the variant's codec describes it.
 */
import { type Fault, formatBytes } from '@utf8/core';
import { CLASS_COUNT, classify, classLength, classOf, readCodePoint } from './classify.js';
import { variants } from './generated/variants.js';
import type { FirstFault } from './report.js';

/**
 * Number of bytes from the start of a sequence that decide its class and its faults: at most six, and the
 * byte after them. The loop over ASCII reads eight.
 */
export const WINDOW = 8;

const NUL = classOf('nul', 1);
const PAIR = classOf('pair', 6);
const FOUR_BYTE = classOf('fourByte', 4);

/** Counts of characters in planes 4 to 13, and the first of them. */
export interface UnassignedCounts {
  pairs: number;
  fourByte: number;
  codePoint: number;
  offset: number;
}

/** The top bit of each byte of a word. */
const TOP_BITS = 0x80808080;

/** Counts the sequences of one stream. */
export class Survey {
  /** Number of sequences, by class. */
  readonly counts: Float64Array = new Float64Array(CLASS_COUNT);
  /** Offset of the first sequence, by class, in bytes from the start of the stream. */
  readonly firsts: Float64Array = new Float64Array(CLASS_COUNT);
  /** First fault, by variant. */
  readonly faults: (FirstFault | undefined)[] = variants.map(() => undefined);
  /** Classes in the stream that a variant refuses, by variant. */
  readonly refused: number[][] = variants.map(() => []);
  twoByte = 0;
  threeByte = 0;
  /** Number of raw NULs at odd offsets. */
  oddNul = 0;
  unassigned: UnassignedCounts | undefined;

  /**
   * Reads the sequences that begin in `source[from..limit)`.
   *
   * @param end - Index after the last byte: at least {@link WINDOW} bytes after the start of each
   *   sequence. At the end of the stream, {@link WINDOW} bytes that are not trails follow it instead.
   * @param base - Offset of the array in the stream, in bytes.
   * @returns The index after the last sequence, `limit` or greater.
   */
  read(source: Uint8Array, from: number, limit: number, end: number, base: number): number {
    const words = new DataView(source.buffer, source.byteOffset, source.byteLength);
    let i = from;
    let twoByte = 0;
    let threeByte = 0;
    while (i < limit) {
      const lead = source[i] as number;
      // U+0001..U+007F = 01-7F
      if (lead < 0x80 && lead !== 0) {
        i++;
        // Eight bytes at a time if no top bit is set, before or after subtracting 1, as 00 would set it:
        // 2700 MB/s instead of 460 (Node 20, x86-64). Only at multiples of 8, since trying at every byte
        // slows Latin-1 by a third.
        while ((i & 7) === 0 && i < limit) {
          const left = words.getInt32(i);
          const right = words.getInt32(i + 4);
          if (((left | (left - 0x01010101) | right | (right - 0x01010101)) & TOP_BITS) !== 0) break;
          i += 8;
        }
        continue;
      }
      // U+0080..U+07FF = C2-DF 80-BF
      if (lead < 0xe0) {
        if (lead >= 0xc2 && ((source[i + 1] as number) & 0b1100_0000) === 0x80) {
          twoByte++;
          i += 2;
          continue;
        }
      } else if (lead < 0xf0) {
        // U+0800..U+0FFF = E0    A0-BF 80-BF
        // U+1000..U+CFFF = E1-EC 80-BF 80-BF
        // U+D000..U+D7FF = ED    80-9F 80-BF
        // U+E000..U+FFFF = EE-EF 80-BF 80-BF
        const second = source[i + 1] as number;
        if (
          (second & 0b1100_0000) === 0x80 &&
          ((source[i + 2] as number) & 0b1100_0000) === 0x80 &&
          !(lead === 0xe0 && second < 0xa0) &&
          !(lead === 0xed && second > 0x9f)
        ) {
          threeByte++;
          i += 3;
          continue;
        }
      }
      i += this.#countClassified(source, i, end, base);
    }
    this.twoByte += twoByte;
    this.threeByte += threeByte;
    return i;
  }

  /**
   * Counts the sequence at an index, and returns its length in bytes. One large function, so that V8 does
   * not inline it into the loop, which would slow ASCII by a quarter (Node 20).
   */
  #countClassified(source: Uint8Array, i: number, end: number, base: number): number {
    const found = classify(source, i, end);
    const length = classLength(found);
    const offset = base + i;
    const count = (this.counts[found] as number) + 1;
    this.counts[found] = count;
    if (count === 1) {
      // Once per class is enough: a variant accepts all sequences of a class, or none.
      this.firsts[found] = offset;
      const window = source.subarray(i, Math.min(i + WINDOW, end));
      for (const [number, { isValid, findFault }] of variants.entries()) {
        if (isValid(window.subarray(0, length))) continue;
        this.refused[number]?.push(found);
        if (this.faults[number]) continue;
        const fault = findFault(window) as Fault;
        const hex = formatBytes(window.subarray(fault.offset, fault.offset + fault.length));
        this.faults[number] = { ...fault, offset: offset + fault.offset, hex };
      }
    }
    if (found === NUL) this.oddNul += offset % 2;
    // U+40000..U+10FFFF = F1-F4 80-BF 80-BF 80-BF, or ED A3-AF 80-BF + ED B0-BF 80-BF
    const isAbovePlane3 =
      found === PAIR
        ? (source[i + 1] as number) > 0xa2
        : found === FOUR_BYTE && (source[i] as number) > 0xf0;
    if (isAbovePlane3) {
      const codePoint = readCodePoint(source, i, length);
      if (isUnassigned(codePoint)) {
        this.unassigned ??= { pairs: 0, fourByte: 0, codePoint, offset };
        this.unassigned[found === PAIR ? 'pairs' : 'fourByte']++;
      }
    }
    return length;
  }
}

/**
 * Tells whether a code point is in planes 4 to 13, which have no characters and no blocks.
 *
 * @see Unicode 16.0, section 2.8, and Blocks.txt
 */
const isUnassigned = (codePoint: number): boolean => codePoint >= 0x40000 && codePoint <= 0xdffff;
