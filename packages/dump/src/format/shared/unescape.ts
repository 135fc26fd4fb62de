/** Replaces escapes and doubled quotes with their bytes. */
import { type Syntax, unescapeBytes } from '@utf8/repair';
import type { Field } from '../format.js';
import { BACKSLASH } from './ascii.js';

/** The escapes of a format. A character with no other meaning stands for itself. */
export type EscapeRules = Pick<Syntax, 'letters' | 'codes'>;

/**
 * Returns the bytes that a text stands for.
 *
 * @param rules - Undefined if nothing escapes.
 * @param quote - The byte that is doubled; undefined if none is.
 * @param escaper - The byte that escapes.
 */
export const unescapeText = (
  text: Uint8Array,
  rules: EscapeRules | undefined,
  quote?: number,
  escaper: number = BACKSLASH,
): Uint8Array => unescapeBytes(text, { ...rules, quote, escaper: rules && escaper }).bytes;

/** Makes the function that reads values from the one that tells their syntax. */
export const createReadValue =
  (syntaxOf: (bytes: Uint8Array, field: Field) => Syntax | undefined) =>
  (
    bytes: Uint8Array,
    field: Field,
    text: Uint8Array = bytes.subarray(field.start, field.end),
  ): Uint8Array => {
    const syntax = field.kind === 'text' ? syntaxOf(bytes, field) : undefined;
    return syntax ? unescapeBytes(text, syntax).bytes : text;
  };
