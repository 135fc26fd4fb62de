import type { Fault } from '@utf8/core';
import type { Label } from './label.js';

/** Counts of the evidence for and against each variant. */
export interface Counts {
  /** Characters in two bytes, `C2-DF 80-BF`: alike in every variant. */
  readonly twoByte: number;
  /** Characters in three bytes, surrogates aside: alike in every variant. Hangul is among them. */
  readonly threeByte: number;
  /** Characters above U+FFFF in four bytes, as UTF-8 spells them. */
  readonly fourByte: number;
  /** Characters above U+FFFF as surrogate pairs in six bytes, as CESU-8 and Modified UTF-8 do. */
  readonly pairs: number;
  /** Surrogates in three bytes that are not part of a pair. */
  readonly loneSurrogates: number;
  /** `C0 80`: U+0000 as Modified UTF-8 spells it. */
  readonly modifiedNul: number;
  /** `00`: U+0000 as all others spell it. */
  readonly rawNul: number;
  /** Whole sequences of more bytes than the code point needs, `C0 80` aside. */
  readonly overlongs: number;
  /** Four-byte forms above U+10FFFF, which RFC 2279 has. */
  readonly beyondUnicode: number;
  /** Five-byte forms, which RFC 2279 has. */
  readonly fiveByte: number;
  /** Six-byte forms of one lead, `FC` or `FD`, which RFC 2279 has. */
  readonly sixByte: number;
  /** Bytes that are no sequence in any variant: maximal subparts, at least one byte each. */
  readonly malformed: number;
}

/** What tells variants apart, by the names of {@link Counts}. */
export type Evidence = Exclude<keyof Counts, 'twoByte' | 'threeByte'>;

/** The first fault of a variant, and the bytes of it. */
export interface FirstFault extends Fault {
  /** The faulty bytes as upper-case hex, separated by spaces. */
  readonly hex: string;
}

/** How one variant reads the bytes. */
export interface Finding {
  /** The label of the variant. */
  readonly label: Label;
  /** The name that the codec's errors carry, such as `CESU-8`. */
  readonly name: string;
  /** Whether the variant accepts the bytes from beginning to end. */
  readonly isWellFormed: boolean;
  /** The first fault; undefined if the bytes are well-formed. */
  readonly fault: FirstFault | undefined;
}

/** Characters above U+FFFF in planes that have no characters. */
export interface Unassigned {
  /** How many of the pairs. */
  readonly pairs: number;
  /** How many of the four-byte forms. */
  readonly fourByte: number;
  /** The first one. */
  readonly codePoint: number;
  /** Where the first one is, in bytes. */
  readonly offset: number;
}

/** The variant that the bytes are probably in, and the reason. */
export interface Verdict {
  /** The variant; undefined if the bytes are well-formed in none. */
  readonly label: Label | undefined;
  /** The variant that comes nearest: `label` if there is one. */
  readonly nearest: Label;
  /** The reason, in one sentence. */
  readonly sentence: string;
}

/** What bytes are, in each variant and by count. It survives `JSON.stringify`. */
export interface Report {
  /** How many bytes there were. */
  readonly bytes: number;
  /** Whether all are below 80, 00 included. */
  readonly isAscii: boolean;
  /** Whether they begin with `EF BB BF`, U+FEFF in every variant. */
  readonly hasBom: boolean;
  /** How often each thing occurs that tells variants apart. */
  readonly counts: Counts;
  /** The first offset of each kind of evidence that occurs, in bytes. */
  readonly firsts: Readonly<Partial<Record<Evidence, number>>>;
  /** Characters in planes that have none; undefined if there are none. */
  readonly unassigned: Unassigned | undefined;
  /** One for each of `labels`, in that order. */
  readonly variants: readonly Finding[];
  /** The variant that the bytes are probably in, and the reason. */
  readonly verdict: Verdict;
  /** Warnings to read before a conversion, one sentence each. */
  readonly warnings: readonly string[];
}
