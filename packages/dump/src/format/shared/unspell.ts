/** Turns escapes and doubled quotes into the bytes that they stand for. */
import { type Spelling, unspell as unspellAll } from '@utf8/repair';
import type { Field } from '../format.js';
import { BACKSLASH } from './ascii.js';

/** The escapes of a format. A character with no other meaning stands for itself. */
export type EscapeRules = Pick<Spelling, 'letters' | 'codes'>;

/**
 * Returns the bytes that a text stands for.
 *
 * @param rules - Undefined if nothing escapes.
 * @param quote - The byte that is doubled; undefined if none is.
 * @param escaper - The byte that escapes.
 */
export const unspell = (
  text: Uint8Array,
  rules: EscapeRules | undefined,
  quote?: number,
  escaper: number = BACKSLASH,
): Uint8Array => unspellAll(text, { ...rules, quote, escaper: rules && escaper }).bytes;

/** Makes the function that reads values from the one that tells what they are spelled in. */
export const createReadValue =
  (spellingOf: (bytes: Uint8Array, field: Field) => Spelling | undefined) =>
  (
    bytes: Uint8Array,
    field: Field,
    text: Uint8Array = bytes.subarray(field.start, field.end),
  ): Uint8Array => {
    const spelling = field.kind === 'text' ? spellingOf(bytes, field) : undefined;
    return spelling ? unspellAll(text, spelling).bytes : text;
  };
