import type { Codec, FaultReason } from '@utf8/core';
import {
  CLASS_COUNT,
  classify,
  classKind,
  classLength,
  readCodePoint,
  sequenceKinds,
} from '@utf8/detect/internal';
import { isAt } from './byte-search.js';
import type { Finding } from './finding.js';
import { type Kind, kindOf } from './kind.js';
import { isNoncharacter } from './noncharacter.js';
import { findEscape, type Settings } from './options.js';
import { Replacer } from './replacer.js';
import { deriveSteps } from './steps.js';

const NO_CHARACTER = 0x7fffffff;

/** By kind of sequence, whether it may be a noncharacter. */
const isCharacter: readonly boolean[] = sequenceKinds.map((kind) =>
  ['threeByte', 'fourByte', 'pair'].includes(kind),
);

/** Reason that `from` refuses bytes; null if it accepts them. */
type Opinion = FaultReason | null;

/** U+10000 as a surrogate pair in six bytes. */
const PAIR = Uint8Array.of(0xed, 0xa0, 0x80, 0xed, 0xb0, 0x80);

/** Finds the sequences of a text that do not stay unchanged. */
export class Finder {
  readonly #from: Codec;
  readonly #to: Codec;
  readonly #replacer: Replacer;
  /** False if two surrogates are two numbers in `from`. */
  readonly #hasPairs: boolean;
  /** The longest first, so that no other is found at its beginning. */
  readonly #nuls: readonly Uint8Array[];
  readonly #steps: Uint8Array;
  readonly #escapeByte: number;
  readonly #seeksNoncharacters: boolean;
  /** Steps for text in which the escape byte escapes; otherwise like the steps above. */
  readonly #stepsWithEscapes: Uint8Array;
  /** By class: `from` says the same of all its sequences, except those that are cut short. */
  readonly #opinions: (Opinion | undefined)[] = new Array(CLASS_COUNT).fill(undefined);
  /** By byte, if it is a fault on its own. */
  readonly #byteOpinions: (Opinion | undefined)[] = new Array(256).fill(undefined);
  /** For each class, true if its sequences stay unchanged. */
  readonly #kept = new Uint8Array(CLASS_COUNT);
  #text: Uint8Array = new Uint8Array();
  #escapes = false;
  #removes!: boolean;
  #findings: Finding[] = [];

  constructor(settings: Settings) {
    this.#from = settings.from;
    this.#to = settings.to;
    this.#replacer = new Replacer(settings);
    this.#hasPairs = this.#from.decodeCodePoints(PAIR, { errors: 'replace' }).length === 1;
    this.#nuls = [...settings.syntax.nuls].sort((a, b) => b.length - a.length);
    this.#steps = deriveSteps(this.#from.grammar, this.#to.grammar);
    // Bytes that may begin a noncharacter are inspected.
    this.#seeksNoncharacters = settings.noncharacters !== 'keep';
    if (this.#seeksNoncharacters) this.#steps.fill(0, 0xef);
    this.#stepsWithEscapes = this.#steps.slice();
    this.#escapeByte = findEscape(settings.syntax);
    this.#stepsWithEscapes[this.#escapeByte] = 0;
  }

  /**
   * Finds the sequences that do not stay unchanged.
   *
   * @param escapes - True if the escape character escapes.
   * @param removes - False to replace bytes with U+FFFD that a policy removes.
   */
  find(text: Uint8Array, escapes: boolean, removes: boolean): Finding[] {
    this.#text = text;
    this.#escapes = escapes;
    this.#removes = removes;
    this.#findings = [];
    const steps = escapes ? this.#stepsWithEscapes : this.#steps;
    const { length } = text;
    for (let i = 0; i < length; ) {
      const step = steps[text[i] as number] as number;
      if (step === 1) i++;
      else if (step > 0 && areTrails(text, i + 1, i + step)) i += step;
      else if (escapes && text[i] === this.#escapeByte) i = this.#passEscape(i);
      else i = this.#passSequence(i);
    }
    return this.#findings;
  }

  /** Returns the index after the escape character and the escaped character. */
  #passEscape(i: number): number {
    const text = this.#text;
    const own = this.#nuls.find((nul) => isAt(text, nul, i));
    if (own) {
      this.#add(i, own.length, 'nul', null, this.#replacer.forNul(own));
      return i + own.length;
    }
    const next = text[i + 1];
    if (next === undefined || (next > 0 && next < 0x80)) return i + 2;
    const known = this.#findings.length;
    const end = this.#passSequence(i + 1);
    const finding = this.#findings[known];
    if (finding?.becomes && (finding.becomes[0] ?? 0) < 0x80) {
      // It would escape a byte of the replacement, or the next one.
      this.#findings[known] = { ...finding, offset: i, length: finding.length + 1 };
    }
    return end;
  }

  #passSequence(i: number): number {
    const text = this.#text;
    const found = classify(text, i, text.length);
    const end = i + classLength(found);
    if (this.#seeksNoncharacters && this.#addNoncharacter(i, end, found)) return end;
    if (this.#kept[found]) return end;
    const known = this.#findings.length;
    this.#examine(i, end, found);
    if (this.#findings.length === known) this.#kept[found] = 1;
    return end;
  }

  /** Adds a noncharacter that `from` accepts, as one code point; false if there is none. */
  #addNoncharacter(start: number, end: number, found: number): boolean {
    if (!isCharacter[classKind(found)]) return false;
    if (kindOf(classKind(found)) === 'pair' && !this.#hasPairs) return false;
    const codePoint = readCodePoint(this.#text, start, end - start);
    if (!isNoncharacter(codePoint) || this.#ask(this.#opinions, found, start, end)) return false;
    const encoded = this.#encode(codePoint);
    if (!encoded) return false;
    this.#add(start, end - start, 'noncharacter', null, this.#replacer.forNoncharacter(encoded));
    return true;
  }

  #examine(start: number, end: number, found: number): void {
    const text = this.#text;
    const sequenceKind = classKind(found);
    const named = kindOf(sequenceKind);
    if (named === undefined) return;
    const length = end - start;
    const codePoint = named === 'other' ? NO_CHARACTER : readCodePoint(text, start, length);
    if (codePoint > 0x10ffff) {
      this.#examineOther(start, end);
      return;
    }
    const opinion = this.#ask(this.#opinions, found, start, end);
    const kind = kindOf(sequenceKind, codePoint) ?? named;
    if (kind === 'nul') {
      this.#add(start, length, kind, opinion, this.#replacer.forNul(undefined));
    } else if (kind === 'unpaired-surrogate') {
      const bytes = text.subarray(start, end);
      const becomes = this.#replacer.forSurrogate(bytes, codePoint, this.#escapes);
      this.#add(start, length, kind, 'surrogate', becomes);
    } else if (opinion || (kind === 'pair' && !this.#hasPairs)) {
      this.#addFault(start, end, kind, opinion ?? 'unrepresentable');
    } else {
      const becomes = this.#encode(codePoint);
      if (becomes) this.#add(start, length, kind, opinion, becomes);
      else this.#addFault(start, end, kind, 'too-large');
    }
  }

  /** Returns undefined if the target does not contain the code point. */
  #encode(codePoint: number): Uint8Array | undefined {
    try {
      return this.#to.encodeCodePoints([codePoint]);
    } catch (error) {
      if ((error as { code?: unknown }).code === 'ERR_UTF8_ENCODE') return undefined;
      throw error;
    }
  }

  /** Examines bytes that are not a character of Unicode: a sequence above U+10FFFF, or malformed ones. */
  #examineOther(start: number, end: number): void {
    const bytes = this.#text.subarray(start, end);
    if (bytes.length === 1) {
      const opinion = this.#ask(this.#byteOpinions, bytes[0] as number, start, end);
      this.#addFault(start, end, 'other', opinion);
    } else if (!this.#from.isValid(bytes)) {
      for (const { offset, length, reason } of this.#from.faults(bytes)) {
        this.#addFault(start + offset, start + offset + length, 'other', reason);
      }
    } else if (!this.#to.isValid(bytes)) {
      this.#addFault(start, end, 'other', 'unrepresentable');
    }
  }

  #ask(known: (Opinion | undefined)[], number: number, start: number, end: number): Opinion {
    known[number] ??= this.#from.findFault(this.#text.subarray(start, end))?.reason ?? null;
    return known[number];
  }

  #addFault(start: number, end: number, kind: Kind, opinion: Opinion): void {
    const becomes = this.#replacer.forFault(this.#text.subarray(start, end), this.#escapes);
    this.#add(start, end - start, kind, opinion, becomes);
  }

  /** Adds a finding, unless the bytes stay unchanged. */
  #add(
    offset: number,
    length: number,
    kind: Kind,
    opinion: Opinion,
    becomes: Uint8Array | undefined,
  ): void {
    if (becomes?.length === length && isAt(this.#text, becomes, offset)) return;
    if (becomes?.length === 0 && !this.#removes) becomes = this.#replacer.replacement;
    this.#findings.push({ offset, length, kind, reason: opinion ?? undefined, becomes });
  }
}

function areTrails(text: Uint8Array, from: number, to: number): boolean {
  for (let i = from; i < to; i++) {
    if (((text[i] as number) & 0b1100_0000) !== 0x80) return false;
  }
  return true;
}
