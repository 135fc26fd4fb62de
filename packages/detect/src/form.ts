/**
 * The forms in which variants of UTF-8 disagree. Each has one example; whether a variant holds the
 * form is asked of its codec, which is derived from its grammar, and is written down nowhere here.
 */
import type { Fault } from '@utf8/core';
import { codecFor, type Label, labels } from './label.js';

/** The forms, numbered for the arrays that count them. */
export const Form = {
  rawNul: 0,
  modifiedNul: 1,
  overlong2: 2,
  overlong3: 3,
  overlong4: 4,
  loneHalf: 5,
  pair: 6,
  fourByte: 7,
  beyondUnicode: 8,
  fiveByte: 9,
  sixByte: 10,
  malformed: 11,
} as const;

/** The number of a form. */
export type Form = (typeof Form)[keyof typeof Form];

const examples: Readonly<Record<keyof typeof Form, readonly number[]>> = {
  rawNul: [0x00],
  modifiedNul: [0xc0, 0x80],
  overlong2: [0xc1, 0x81],
  overlong3: [0xe0, 0x81, 0x81],
  // Longer ones too: no variant holds any of them.
  overlong4: [0xf0, 0x80, 0x81, 0x81],
  loneHalf: [0xed, 0xa0, 0xbd],
  pair: [0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80],
  fourByte: [0xf0, 0x9f, 0x98, 0x80],
  beyondUnicode: [0xf4, 0x90, 0x80, 0x80],
  fiveByte: [0xf8, 0x88, 0x80, 0x80, 0x80],
  sixByte: [0xfc, 0x84, 0x80, 0x80, 0x80, 0x80],
  malformed: [0xff],
};

/** How many forms there are. */
export const FORMS: number = Object.keys(Form).length;

/**
 * How many bytes settle what begins at an offset: the longest sequence of any variant has six, and a
 * fault in it is settled by the byte behind.
 */
export const WINDOW = 8;

/** One variant, as far as its disagreements with the others go. */
export interface Variant {
  readonly label: Label;
  readonly name: string;
  /** By the number of a form, whether the variant refuses it. */
  readonly refuses: readonly boolean[];
  readonly findFault: (bytes: Uint8Array) => Fault | undefined;
}

let known: readonly Variant[] | undefined;

/** The variants in the order of preference: of two that hold the bytes, the earlier is the verdict. */
export function variants(): readonly Variant[] {
  // Asked for late, since codecs derive their tables when they are first used.
  known ??= labels.map((label) => {
    const { name, isValid, findFault } = codecFor(label);
    const refuses = Object.values(examples).map((bytes) => !isValid(Uint8Array.from(bytes)));
    return { label, name, refuses, findFault };
  });
  return known;
}
