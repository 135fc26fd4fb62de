import type { Fault } from '@utf8/core';
import type { Label } from './generated/labels.js';

/** Counts of the evidence for and against each variant. */
export interface Counts {
  /** Characters in two bytes, `C2-DF 80-BF`, which are the same in every variant. */
  readonly twoByte: number;
  /** Characters in three bytes, except surrogates. They are the same in every variant, Hangul included. */
  readonly threeByte: number;
  /** Characters above U+FFFF in four bytes, as in UTF-8. */
  readonly fourByte: number;
  /** Characters above U+FFFF as surrogate pairs in six bytes, as in CESU-8 and Modified UTF-8. */
  readonly pairs: number;
  /** Unpaired surrogates, in three bytes. */
  readonly loneSurrogates: number;
  /** `C0 80`: U+0000 in Modified UTF-8. */
  readonly modifiedNul: number;
  /** `00`: U+0000 in all other variants. */
  readonly rawNul: number;
  /** Complete sequences of more bytes than the code point needs, except `C0 80`. */
  readonly overlongs: number;
  /** Four-byte sequences above U+10FFFF, which only RFC 2279 has. */
  readonly beyondUnicode: number;
  /** Five-byte sequences, which only RFC 2279 has. */
  readonly fiveByte: number;
  /** Six-byte sequences with a single lead, `FC` or `FD`, which only RFC 2279 has. */
  readonly sixByte: number;
  /** Maximal subparts of at least one byte that no variant accepts. */
  readonly malformed: number;
}

/** The names of {@link Counts} that distinguish variants. */
export type Evidence = Exclude<keyof Counts, 'twoByte' | 'threeByte'>;

/** The first fault in a variant, with its bytes. */
export interface FirstFault extends Fault {
  /** The faulty bytes as upper-case hex, separated by spaces. */
  readonly hex: string;
}

/** The result for one variant. */
export interface Finding {
  /** The label of the variant. */
  readonly label: Label;
  /** The name of the codec, such as `CESU-8`. */
  readonly name: string;
  /** True if the variant accepts all bytes. */
  readonly isWellFormed: boolean;
  /** The first fault; undefined if the bytes are well-formed. */
  readonly fault: FirstFault | undefined;
}

/** Code points in planes 4 to 13, where Unicode has no characters. */
export interface Unassigned {
  /** Number of six-byte pairs. */
  readonly pairs: number;
  /** Number of four-byte sequences. */
  readonly fourByte: number;
  /** The first such code point. */
  readonly codePoint: number;
  /** Offset of the first one, in bytes. */
  readonly offset: number;
}

/** The most likely variant, and the reason. */
export interface Verdict {
  /** The most likely variant; undefined if the bytes are malformed in all variants. */
  readonly label: Label | undefined;
  /** The variant with the fewest faults: `label`, if it is defined. */
  readonly nearest: Label;
  /** The reason, in one sentence. */
  readonly sentence: string;
}

/** A verdict, the first fault in each variant, and counts: plain data for `JSON.stringify`. */
export interface Report {
  /** Number of bytes. */
  readonly bytes: number;
  /** True if all bytes are below 80, 00 included. */
  readonly isAscii: boolean;
  /** True if the bytes begin with `EF BB BF`, which is U+FEFF in every variant. */
  readonly hasBom: boolean;
  /** Number of sequences of each kind. */
  readonly counts: Counts;
  /** Offset of the first sequence of each kind that occurs, in bytes. */
  readonly firsts: Readonly<Partial<Record<Evidence, number>>>;
  /** Code points in planes without characters; undefined if there are none. */
  readonly unassigned: Unassigned | undefined;
  /** The result for each of `labels`, in that order. */
  readonly variants: readonly Finding[];
  /** The most likely variant, and the reason. */
  readonly verdict: Verdict;
  /** Warnings about a conversion, one sentence each. */
  readonly warnings: readonly string[];
}
