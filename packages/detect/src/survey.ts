/**
 * One pass over bytes that settles, for all variants together, what they hold.
 *
 * Up to its first fault every variant cuts the bytes into the same sequences, since a lead tells the
 * length in all of them; the two halves of a pair are the one thing that some join and some do not.
 * So one loop reads the sequences that are alike everywhere, and stops at each form in which variants
 * disagree. A variant's first fault is where the first form is that it refuses: the codec itself then
 * describes the fault, from the few bytes there.
 */
import { type Fault, formatBytes } from '@utf8/core';
import { FORMS, Form, variants, WINDOW } from './form.js';
import type { FirstFault } from './report.js';

/** A count and a place for what cannot be written: planes 4 to 13. */
export interface Planes {
  pairs: number;
  fourByte: number;
  codePoint: number;
  offset: number;
}

const isTrail = (byte: number | undefined): boolean =>
  byte !== undefined && (byte & 0b1100_0000) === 0x80;

/** The top bit of each byte of a word. */
const TOP_BITS = 0x80808080;

/** What has been read of one stream. */
export class Survey {
  /** By form. */
  readonly counts: Float64Array = new Float64Array(FORMS);
  /** By form, in bytes from the start of the stream; -1 for a form that did not occur. */
  readonly firsts: Float64Array = new Float64Array(FORMS).fill(-1);
  /** By variant, in their order. */
  readonly faults: (FirstFault | undefined)[] = variants().map(() => undefined);
  twoByte = 0;
  threeByte = 0;
  /** How many of the raw NULs are at odd offsets. */
  oddNul = 0;
  unassigned: Planes | undefined;

  /**
   * Reads the sequences that begin in `source[from..limit)`.
   *
   * @param end - Where the bytes end: at least {@link WINDOW} bytes behind the start of each sequence,
   *   but at the end of the stream. The array goes on for as much, with what is no trail byte.
   * @param base - Where in the stream the array begins, in bytes.
   * @returns The index behind the last sequence, `limit` or beyond.
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
        // Eight at a time: no byte has its top bit, nor gets it by the loss of 1, as 00 does. ASCII
        // alone goes by at 2700 MB/s instead of 460 (Node 20, x86-64). At every eighth byte only:
        // between single letters of Latin-1 it would cost a third of the speed.
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
      i += this.#note(source, i, end, base);
    }
    this.twoByte += twoByte;
    this.threeByte += threeByte;
    return i;
  }

  /** Counts the form at an index, and returns its length in bytes. */
  #note(source: Uint8Array, i: number, end: number, base: number): number {
    const lead = source[i] as number;
    const offset = base + i;
    // U+0000 = 00
    if (lead === 0) {
      this.oddNul += offset % 2;
      return this.#count(Form.rawNul, 1, source, i, end, base);
    }
    const needed = lengthOf(lead);
    let length = 1;
    while (length < needed && isTrail(source[i + length])) length++;
    if (length < needed || needed < 2) {
      return this.#count(Form.malformed, length, source, i, end, base);
    }
    const second = source[i + 1] as number;
    if (needed === 2) {
      // U+0000 = C0 80, or overlong: C0-C1 80-BF
      const form = lead === 0xc0 && second === 0x80 ? Form.modifiedNul : Form.overlong2;
      return this.#count(form, 2, source, i, end, base);
    }
    if (needed === 3) {
      // Overlong: E0 80-9F 80-BF
      if (lead === 0xe0) return this.#count(Form.overlong3, 3, source, i, end, base);
      // U+10000..U+10FFFF = ED A0-AF 80-BF + ED B0-BF 80-BF
      const lowSecond = source[i + 4] as number;
      const lowThird = source[i + 5] as number;
      if (
        second < 0xb0 &&
        source[i + 3] === 0xed &&
        (lowSecond & 0b1111_0000) === 0xb0 &&
        isTrail(lowThird)
      ) {
        const codePoint =
          0x10000 +
          (((second & 0b1111) << 16) |
            (((source[i + 2] as number) & 0b11_1111) << 10) |
            ((lowSecond & 0b1111) << 6) |
            (lowThird & 0b11_1111));
        if (isUnassigned(codePoint)) this.#planes(codePoint, offset).pairs++;
        return this.#count(Form.pair, 6, source, i, end, base);
      }
      // ED A0-BF 80-BF
      return this.#count(Form.loneHalf, 3, source, i, end, base);
    }
    // Overlong: F0 80-8F, F8 80-87, FC 80-83, and the rest of the trails
    if (lead === LEAST_LEAD[needed] && second < (LEAST_SECOND[needed] as number)) {
      return this.#count(Form.overlong4, needed, source, i, end, base);
    }
    // U+200000..U+7FFFFFFF = F8-FB 80-BF … and FC-FD 80-BF …
    if (needed > 4) {
      return this.#count(needed === 5 ? Form.fiveByte : Form.sixByte, needed, source, i, end, base);
    }
    // U+10000..U+3FFFF   = F0    90-BF 80-BF 80-BF
    // U+40000..U+FFFFF   = F1-F3 80-BF 80-BF 80-BF
    // U+100000..U+10FFFF = F4    80-8F 80-BF 80-BF
    const codePoint =
      ((lead & 0b111) << 18) |
      ((second & 0b11_1111) << 12) |
      (((source[i + 2] as number) & 0b11_1111) << 6) |
      ((source[i + 3] as number) & 0b11_1111);
    // U+110000..U+1FFFFF = F4 90-BF 80-BF 80-BF and F5-F7 80-BF 80-BF 80-BF
    if (codePoint > 0x10ffff) return this.#count(Form.beyondUnicode, 4, source, i, end, base);
    if (isUnassigned(codePoint)) this.#planes(codePoint, offset).fourByte++;
    return this.#count(Form.fourByte, 4, source, i, end, base);
  }

  #count(
    form: Form,
    length: number,
    source: Uint8Array,
    i: number,
    end: number,
    base: number,
  ): number {
    const count = (this.counts[form] as number) + 1;
    this.counts[form] = count;
    // A variant that refuses the form has its first fault at the first one, or had it before.
    if (count === 1) {
      this.firsts[form] = base + i;
      this.#describe(form, source.subarray(i, Math.min(i + WINDOW, end)), base + i);
    }
    return length;
  }

  #describe(form: Form, window: Uint8Array, offset: number): void {
    variants().forEach(({ refuses, findFault }, number) => {
      if (this.faults[number] || !refuses[form]) return;
      const fault = findFault(window) as Fault;
      const hex = formatBytes(window.subarray(fault.offset, fault.offset + fault.length));
      this.faults[number] = { ...fault, offset: offset + fault.offset, hex };
    });
  }

  #planes(codePoint: number, offset: number): Planes {
    this.unassigned ??= { pairs: 0, fourByte: 0, codePoint, offset };
    return this.unassigned;
  }
}

/** The length in bytes that a lead stands for in the scheme of RFC 2279, section 2; 0 for no lead. */
function lengthOf(lead: number): number {
  if (lead < 0xc0 || lead > 0xfd) return 0;
  return Math.clz32(~(lead << 24));
}

/** By length, the lead that begins overlong forms, and the least second byte behind it otherwise. */
const LEAST_LEAD: readonly number[] = [0, 0, 0, 0, 0xf0, 0xf8, 0xfc];
const LEAST_SECOND: readonly number[] = [0, 0, 0, 0, 0x90, 0x88, 0x84];

/**
 * Whether a code point is in planes 4 to 13, in which no character and no block is.
 *
 * @see Unicode 16.0, section 2.8, and Blocks.txt
 */
const isUnassigned = (codePoint: number): boolean => codePoint >= 0x40000 && codePoint <= 0xdffff;
