/** Whole units transcoded at once, and where in them something changed. */
import { type Codec, DecodeError, formatRow, type Row } from '@utf8/core';
import { BlockTranscoder } from '@utf8/core/internal';
import { classify, classKind, classLength, readCodePoint } from '@utf8/detect/internal';
import {
  findNuls,
  type Kind,
  kindOf,
  mayContainMojibake,
  mayContainNoncharacter,
  sequencesOfNul,
} from '@utf8/repair';
import type { Field, Format } from '../format/format.js';
import { viewOf } from '../format/shared/ascii.js';
import type { RecordRepairer } from '../repair/record-repairer.js';

/** The bits of a word that ASCII leaves out. */
const NOT_ASCII = 0x80808080;

/** So many leads are looked for four bytes at a time, such as those of surrogates and of `C0 80`. */
const FEW = 2;

/** After a lead that begins no change, so many bytes are looked at by words: other leads may be as near. */
const NEAR = 256;

const UNPAIRED = Uint8Array.of(0xed, 0xa0, 0xbd);

/** Transcodes stretches by the kernels of the codecs. */
export class StretchTranscoder {
  readonly #transcoder: BlockTranscoder;
  readonly #stretch: Stretch;
  /** Bytes that must not occur: a policy, or an escape before them, decides their result. */
  readonly #excluded: readonly Uint8Array[];
  readonly #isPossible: boolean;
  readonly #format: Format;
  readonly #repairsMojibake: boolean;
  readonly #seeksNoncharacters: boolean;

  constructor({ format, from, to, policies }: RecordRepairer) {
    const { nul, unpairedSurrogates, noncharacters = 'keep', mojibake } = policies;
    this.#format = format;
    this.#seeksNoncharacters = noncharacters !== 'keep';
    const changing = findChangingRows(from, to);
    // After a backslash, bytes that become ASCII would be escaped.
    const escapable = changing.filter(({ first }) => first < 0x80).flatMap(listLeads);
    this.#excluded = [
      ...(nul === 'keep' ? [] : [...format.nuls, ...sequencesOfNul(from)]),
      ...escapable.map((lead) => Uint8Array.of(lead)),
    ];
    this.#transcoder = new BlockTranscoder(from, to);
    this.#stretch = new Stretch(changing);
    const keepsSurrogates = unpairedSurrogates === 'keep' || !from.isValid(UNPAIRED);
    this.#repairsMojibake = mojibake === 'repair';
    this.#isPossible = keepsSurrogates || !to.isValid(UNPAIRED);
  }

  /**
   * Transcodes whole units.
   *
   * @returns The stretch, valid until the next call; undefined if a policy concerns it.
   */
  transcode(bytes: Uint8Array): Stretch | undefined {
    if (!this.#isPossible || this.#format.mayHide?.(bytes)) return undefined;
    if (this.#seeksNoncharacters && mayContainNoncharacter(bytes)) return undefined;
    if (this.#repairsMojibake && mayContainMojibake(bytes)) return undefined;
    for (const _ of findNuls(bytes, this.#excluded)) return undefined;
    try {
      return this.#stretch.move(bytes, this.#transcoder.transcode(bytes));
    } catch (error) {
      if (error instanceof DecodeError) return undefined;
      throw error;
    }
  }
}

/** Kind of a sequence that changes. */
type ChangedKind = Exclude<Kind, 'unassigned'>;

/** Transcoded bytes, in which changes are found from left to right. */
export class Stretch {
  source: Uint8Array = new Uint8Array();
  /** A view of memory that the next transcoding overwrites. */
  result: Uint8Array = new Uint8Array();
  #words: DataView = new DataView(new ArrayBuffer(0));
  /** True if no ASCII character may change. */
  readonly #keepsAscii: boolean;
  /** 1 for each byte that begins a sequence which may change. */
  readonly #leads = new Uint8Array(0x100);
  readonly #changesNothing: boolean;
  /** Bytes that begin a sequence that may change, if there are few. */
  readonly #few: readonly number[];
  /** The next index of the first of them, and of the last, unless it is less than where the search is. */
  #nextOne = -1;
  #nextOther = -1;
  #view: Buffer = Buffer.alloc(0);
  #index = 0;
  /** Index in the result minus index in the source. */
  #shift = 0;
  /** For each change that the last {@link advance} found: index in the source, and shift after it. */
  #changes = new Int32Array(1 << 6);
  #used = 0;
  /** The index and the shift before the last {@link advance}. */
  #indexBefore = 0;
  #shiftBefore = 0;

  /** @param changing - The rows whose sequences may change. */
  constructor(changing: readonly Row[]) {
    const leads = changing.flatMap(listLeads);
    for (const lead of leads) this.#leads[lead] = 1;
    this.#keepsAscii = leads.every((lead) => lead >= 0x80);
    this.#changesNothing = leads.length === 0;
    const distinct = [...new Set(leads)];
    this.#few = distinct.length > FEW ? [] : distinct;
  }

  /** Indices in the source of the changes found by the last {@link advance}. */
  get changed(): number[] {
    return Array.from({ length: this.#used / 2 }, (_, i) => this.#changes[2 * i] as number);
  }

  /** Number of changes found by the last {@link advance}. */
  get count(): number {
    return this.#used / 2;
  }

  /** Returns the index in the source of a change, by its number from 0. */
  indexOf(number: number): number {
    return this.#changes[2 * number] as number;
  }

  /** Names the kind of the sequence that changes. */
  kindOf(number: number): ChangedKind {
    const i = this.indexOf(number);
    return kindAt(this.source, i, classify(this.source, i, this.#index));
  }

  /** Returns the bytes of the sequence that changes, and those of its result. */
  bytesOf(number: number): readonly [before: Uint8Array, after: Uint8Array] {
    const i = this.indexOf(number);
    const end = i + classLength(classify(this.source, i, this.#index));
    const shift = this.#changes[2 * number + 1] as number;
    return [
      this.source.subarray(i, end),
      this.result.subarray(i + this.#shiftAt(2 * number), end + shift),
    ];
  }

  /** Passes a fault, by its length in the source and in the result. */
  pass(length: number, lengthInResult: number): void {
    this.#index += length;
    this.#shift += lengthInResult - length;
  }

  move(source: Uint8Array, result: Uint8Array): this {
    this.source = source;
    this.result = result;
    this.#words = new DataView(source.buffer, source.byteOffset, source.byteLength);
    this.#view = viewOf(source);
    this.#nextOne = -1;
    this.#nextOther = -1;
    this.#index = 0;
    this.#shift = 0;
    return this;
  }

  /**
   * Moves to an index in the source, a character boundary, and finds the changes on the way.
   *
   * @param findings - Counts them by kind.
   * @returns True if there were any.
   */
  advance(end: number, findings?: Record<string, number>): boolean {
    const { source, result } = this;
    const leads = this.#leads;
    this.#used = 0;
    this.#indexBefore = this.#index;
    this.#shiftBefore = this.#shift;
    const words = this.#words;
    const hasFew = this.#few.length > 0;
    const one = Math.imul(this.#few[0] ?? 0, 0x0101_0101);
    const other = this.#few.length > 1 ? Math.imul(this.#few[1] ?? 0, 0x0101_0101) : one;
    const lastWord = hasFew || this.#keepsAscii ? end - 4 : -1;
    let i = this.#changesNothing ? end : this.#index;
    let near = hasFew ? i : end;
    while (i < end) {
      if (i >= near) {
        i = this.#findLead(i);
        if (i >= end) break;
      }
      // Four bytes at once that begin no change, or one: 0.8 ns a byte, and 2.2 character by character (Node 20).
      if (i <= lastWord) {
        const word = words.getInt32(i);
        const isPassed = hasFew
          ? (findZeros(word ^ one) | findZeros(word ^ other)) === 0
          : (word & NOT_ASCII) === 0;
        if (isPassed) {
          i += 4;
          continue;
        }
      }
      // A continuation byte does not begin a sequence.
      if (leads[source[i] as number] === 0) {
        i++;
        continue;
      }
      const found = classify(source, i, end);
      const length = classLength(found);
      const at = i + this.#shift;
      let alike = 0;
      while (alike < length && source[i + alike] === result[at + alike]) alike++;
      if (alike < length) {
        if (findings) {
          const kind = kindAt(source, i, found);
          findings[kind] = (findings[kind] ?? 0) + 1;
        }
        this.#shift += classLength(classify(result, at, result.length)) - length;
        this.#note(i);
      } else if (near < end) {
        near = i + NEAR;
      }
      i += length;
    }
    this.#index = end;
    return this.#used > 0;
  }

  /** Finds the next of few leads; its index may be after the end of the part, where the next search begins. */
  #findLead(from: number): number {
    const [one, other = one] = this.#few as [number];
    if (this.#nextOne < from) this.#nextOne = indexOf(this.#view, one, from);
    if (other === one) return this.#nextOne;
    if (this.#nextOther < from) this.#nextOther = indexOf(this.#view, other, from);
    return Math.min(this.#nextOne, this.#nextOther);
  }

  /** Undoes the counts of the last {@link advance}. */
  uncount(findings: Record<string, number>): void {
    for (const i of this.changed) {
      const kind = kindAt(this.source, i, classify(this.source, i, this.#index));
      if (findings[kind] === 1) delete findings[kind];
      else findings[kind] = (findings[kind] as number) - 1;
    }
  }

  /** Index in the result where the last {@link advance} began. */
  get from(): number {
    return this.#indexBefore + this.#shiftBefore;
  }

  /** Index in the result where it ended. */
  get to(): number {
    return this.#index + this.#shift;
  }

  #note(index: number): void {
    if (this.#used === this.#changes.length) {
      const grown = new Int32Array(2 * this.#used);
      grown.set(this.#changes);
      this.#changes = grown;
    }
    this.#changes[this.#used++] = index;
    this.#changes[this.#used++] = this.#shift;
  }

  /** Tells whether all changes found by the last {@link advance} are in text, given all fields in order. */
  isWithinText(fields: readonly Field[]): boolean {
    let i = 0;
    for (const { start, end, kind } of fields) {
      if (i === this.#used) break;
      if ((this.#changes[i] as number) >= end) continue;
      if ((this.#changes[i] as number) < start || kind !== 'text') return false;
      while (i < this.#used && (this.#changes[i] as number) < end) i += 2;
    }
    return i === this.#used;
  }

  /**
   * Finds a range of the source in the result.
   *
   * @returns The indices in the result; -1 if nothing in the range changed in the last {@link advance}.
   */
  locate(start: number, end: number): readonly [from: number, to: number] {
    const first = this.#findChange(start);
    const last = this.#findChange(end);
    if (first === last) return [-1, -1];
    return [start + this.#shiftAt(first), end + this.#shiftAt(last)];
  }

  /** Returns the position in `#changes` of the first change at an index or after it. */
  #findChange(index: number): number {
    let low = 0;
    let high = this.#used >> 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#changes[2 * middle] as number) < index) low = middle + 1;
      else high = middle;
    }
    return 2 * low;
  }

  /** Returns the shift before the change at a position in `#changes`. */
  #shiftAt(position: number): number {
    return position === 0 ? this.#shiftBefore : (this.#changes[position - 1] as number);
  }
}

function indexOf(bytes: Buffer, byte: number, from: number): number {
  const index = bytes.indexOf(byte, from);
  return index === -1 ? bytes.length : index;
}

/** Names the kind of a sequence that begins at an index, given its class. */
const kindAt = (source: Uint8Array, i: number, found: number): ChangedKind =>
  kindOf(classKind(found), readCodePoint(source, i, classLength(found))) ?? 'other';

/** Finds the bytes of a word that are zero: their high bits, and rarely one too many. */
const findZeros = (word: number): number => (word - 0x0101_0101) & ~word & 0x8080_8080;

/** Finds the rows of one encoding whose sequences the other may write in another way. */
export function findChangingRows(from: Codec, to: Codec): Row[] {
  const written = new Set(to.grammar.rows.filter(({ writes }) => writes).map(formatRow));
  const joins = joinsSurrogates(from, to);
  return from.grammar.rows.filter(
    (row) =>
      !written.has(formatRow({ ...row, writes: true })) ||
      // Two of its sequences become one.
      (joins && row.first <= 0xdfff && row.last >= 0xd800),
  );
}

/** Tells whether two surrogates in a row, which the source accepts, become another form of their pair. */
function joinsSurrogates(from: Codec, to: Codec): boolean {
  const pair = Uint8Array.of(0xed, 0xa0, 0x80, 0xed, 0xb0, 0x80);
  return from.isValid(pair) && to.byteLength('\u{10000}', { errors: 'ignore' }) !== pair.length;
}

/** The bytes that sequences of a row begin with. */
function listLeads({ units }: Row): number[] {
  const { first, last } = (units[0] as Row['units'][number])[0] as { first: number; last: number };
  return Array.from({ length: last - first + 1 }, (_, i) => first + i);
}
