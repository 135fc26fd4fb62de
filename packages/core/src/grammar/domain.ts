/** Sets of numbers that a grammar can encode, as data: no other code lists their contents. */

/** An inclusive range of numbers. */
export type NumberRange = readonly [first: number, last: number];

/**
 * The set of numbers that a grammar encodes.
 *
 * - `scalar values`: Unicode without the surrogates (D76);
 * - `code units`: UTF-16 code units, surrogates included;
 * - `code points`: Unicode with the surrogates (D10);
 * - `bmp`: scalar values up to U+FFFF;
 * - `ucs-4`: 31 bits, without the surrogates;
 * - `31 bits`: numbers below 2³¹, surrogates included; two surrogates are never a pair.
 *
 * @see Unicode 16.0, sections 3.4 and 3.9; RFC 2279, section 2
 */
export type Domain = 'scalar values' | 'code units' | 'code points' | 'bmp' | 'ucs-4' | '31 bits';

/** The ranges of each domain, in order. */
export const domains: Readonly<Record<Domain, readonly NumberRange[]>> = {
  'scalar values': [
    [0, 0xd7ff],
    [0xe000, 0x10ffff],
  ],
  'code units': [[0, 0xffff]],
  'code points': [[0, 0x10ffff]],
  bmp: [
    [0, 0xd7ff],
    [0xe000, 0xffff],
  ],
  'ucs-4': [
    [0, 0xd7ff],
    [0xe000, 0x7fffffff],
  ],
  '31 bits': [[0, 0x7fffffff]],
};
