/** Repairs texts: one value of one record at a time, so that nothing joins what is in another. */
import type { Codec, FaultReason } from '@utf8/core';
import type { Field, Format } from '../formats/format.js';
import { type Reading, readSequence } from '../sequence.js';
import { applyFlaws, type FindingKind, type Flaw } from './flaw.js';
import { checkRepair, type RepairOptions } from './options.js';
import { Remedy } from './remedy.js';
import { createScreen } from './screen.js';

const BACKSLASH = 0x5c;

/** What a text is quoted by. */
type Quoting = Pick<Field, 'escapes'>;

/** What a repair comes to. */
export interface Repair {
  /** The text as it should be, but for what is refused. */
  readonly bytes: Uint8Array;
  /** In order, one at least. */
  readonly flaws: Flaw[];
}

/** Repairs texts, each by itself: a function of bytes to bytes, and to what was not as it should be. */
export class Repairer {
  /**
   * Whether there is nothing to do in bytes, which may be a text or all of a file. False may be a false
   * alarm, true never is.
   */
  readonly isClean: (bytes: Uint8Array) => boolean;
  readonly #from: Codec;
  readonly #to: Codec;
  readonly #remedy: Remedy;
  /** The longest first, so that none is taken for a shorter one. */
  readonly #nuls: readonly Uint8Array[];
  /** Whether a backslash takes the byte behind it with it, where the field does not say. */
  readonly #escapes: boolean;

  /**
   * @param format - How texts are quoted where they stand.
   * @throws {@link UsageFailure} where the options cannot go together.
   */
  constructor(options: RepairOptions, format: Format) {
    checkRepair(options);
    this.isClean = createScreen(options, format.nuls);
    this.#from = options.from.codec;
    this.#to = options.to.codec;
    this.#remedy = new Remedy(options, format);
    this.#nuls = [...format.nuls].sort((a, b) => b.length - a.length);
    this.#escapes = format.quote('\\') !== '\\';
  }

  /**
   * Repairs a text.
   *
   * @param field - Where it stands, which says how to quote in it where that differs within the format.
   * @returns Undefined where there is nothing to do.
   */
  repair(text: Uint8Array, field: Quoting = {}): Repair | undefined {
    if (this.isClean(text)) return undefined;
    this.#remedy.field = field;
    const flaws = this.#find(text, field.escapes ?? this.#escapes);
    return flaws.length === 0 ? undefined : { bytes: applyFlaws(text, flaws), flaws };
  }

  #find(text: Uint8Array, escapes: boolean): Flaw[] {
    const flaws: Flaw[] = [];
    for (let i = 0; i < text.length; ) {
      const byte = text[i] as number;
      if (byte === BACKSLASH && escapes) i = this.#passEscape(text, i, flaws);
      else if (byte > 0 && byte < 0x80) i++;
      else i = this.#passSequence(text, i, flaws);
    }
    return flaws;
  }

  /** Returns the index behind a backslash and what it escapes. */
  #passEscape(text: Uint8Array, i: number, flaws: Flaw[]): number {
    const own = this.#nuls.find((nul) => nul.every((byte, j) => text[i + j] === byte));
    if (own) {
      add(flaws, text, i, own.length, 'nul', undefined, this.#remedy.forNul(own));
      return i + own.length;
    }
    const next = text[i + 1];
    if (next === undefined || (next > 0 && next < 0x80)) return i + 2;
    const known = flaws.length;
    const end = this.#passSequence(text, i + 1, flaws);
    const flaw = flaws[known];
    if (flaw?.becomes && (flaw.becomes[0] ?? 0) < 0x80) {
      // The backslash would take a byte of what comes instead, or of what is behind.
      flaws[known] = { ...flaw, offset: i, length: flaw.length + 1 };
    }
    return end;
  }

  #passSequence(text: Uint8Array, i: number, flaws: Flaw[]): number {
    const reading = readSequence(text, i, 1);
    const { length } = reading;
    if (reading.codePoint === undefined || reading.codePoint > 0x10ffff) {
      return this.#passOther(text, i, reading, flaws);
    }
    const bytes = text.subarray(i, i + length);
    const kind = classify(reading);
    if (kind) {
      const becomes = this.#remedyFor(kind, bytes, reading.codePoint);
      add(flaws, text, i, length, kind, this.#findReason(kind, bytes), becomes);
    }
    return i + length;
  }

  #remedyFor(kind: FindingKind, bytes: Uint8Array, codePoint: number): Uint8Array | undefined {
    if (kind === 'nul') return this.#remedy.forNul(undefined);
    if (kind === 'lone half') return this.#remedy.forHalf(bytes, codePoint);
    return this.#from.isValid(bytes)
      ? this.#remedy.forCharacter(codePoint)
      : this.#remedy.forFault(bytes);
  }

  /** What is no character of Unicode, or none at all. */
  #passOther(text: Uint8Array, i: number, { length }: Reading, flaws: Flaw[]): number {
    const bytes = text.subarray(i, i + length);
    if (this.#from.isValid(bytes)) {
      const becomes = this.#to.isValid(bytes) ? bytes : this.#remedy.forFault(bytes);
      add(flaws, text, i, length, 'other', 'unrepresentable', becomes);
      return i + length;
    }
    for (const fault of this.#from.faults(bytes)) {
      const part = bytes.subarray(fault.offset, fault.offset + fault.length);
      const becomes = this.#remedy.forFault(part);
      add(flaws, text, i + fault.offset, fault.length, 'other', fault.reason, becomes);
    }
    return i + length;
  }

  #findReason(kind: FindingKind, bytes: Uint8Array): FaultReason | undefined {
    return kind === 'lone half' ? 'surrogate' : this.#from.findFault(bytes)?.reason;
  }
}

/** The kind of a character that not all encodings spell alike; undefined where all do. */
function classify({ form, codePoint }: Reading): FindingKind | undefined {
  if (codePoint === 0) return 'nul';
  switch (form) {
    case 'pair':
      return 'pair';
    case 'fourByte':
      return 'four-byte form';
    case 'highHalf':
    case 'lowHalf':
      return 'lone half';
    case 'overlong':
      return 'overlong';
    default:
      return undefined;
  }
}

/** Adds a flaw, unless it stays as it is. */
function add(
  flaws: Flaw[],
  text: Uint8Array,
  offset: number,
  length: number,
  kind: FindingKind,
  reason: FaultReason | undefined,
  becomes: Uint8Array | undefined,
): void {
  const isKept =
    becomes?.length === length && becomes.every((byte, i) => byte === text[offset + i]);
  if (!isKept) flaws.push({ offset, length, kind, reason, becomes });
}
