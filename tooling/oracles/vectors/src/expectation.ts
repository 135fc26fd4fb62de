/** Computes expectations from the rows of variants, by the oracle of the conformance suite. */
import type { Grammar, Row } from '@utf8/core';
import type { Expectation, Variant } from '../../../../packages/vectors/src/index.js';
import { isText, Oracle, type Piece } from '../../../conformance/src/oracle.js';
import { variants } from './variant.js';

/** An expectation without confirmations, which cannot be computed. */
export type Computed = Omit<Expectation, 'confirmedBy' | 'differs'>;

/** The texts of the three practices, with U+FFFD for numbers above U+10FFFF. */
export interface Texts {
  readonly maximalSubparts: readonly number[];
  readonly java?: readonly number[];
  readonly perByte: readonly number[];
}

const REPLACEMENT = 0xfffd;

/** A surrogate in three bytes: one fault in the JDK's UTF-8, even if it is truncated. */
const surrogates: Row = {
  first: 0xd800,
  last: 0xdfff,
  units: [
    [
      { first: 0xed, last: 0xed },
      { first: 0xa0, last: 0xbf },
      { first: 0x80, last: 0xbf },
    ],
  ],
  writes: false,
};

const utf8OfJava: Grammar = {
  ...variants['utf-8'].grammar,
  rows: [...variants['utf-8'].grammar.rows, surrogates],
};

/** The JDK's decoders. Its only CESU-8 decodes lone surrogates. */
const java: Partial<Record<Variant, Oracle>> = {
  'utf-8': new Oracle(utf8OfJava),
  'cesu-8': new Oracle(variants['cesu-8-lenient'].grammar),
  'cesu-8-lenient': new Oracle(variants['cesu-8-lenient'].grammar),
};

const oracles = Object.fromEntries(
  Object.entries(variants).map(([name, { grammar }]) => [name, new Oracle(grammar)]),
) as Record<Variant, Oracle>;

const isFault = ({ codePoint }: Piece): boolean => codePoint === undefined;

/** Tells whether a reader of Unicode has no character for a piece. */
const isUnreadable = (variant: Variant, { codePoint }: Piece): boolean =>
  !isText(variants[variant].grammar.domain, codePoint);

/** Tells whether Java replaces a piece: in UTF-8, also a surrogate. */
const isUnreadableToJava = (variant: Variant, piece: Piece): boolean =>
  isUnreadable(variant, piece) ||
  (variant === 'utf-8' && piece.codePoint! >= 0xd800 && piece.codePoint! <= 0xdfff);

const toText = (pieces: readonly Piece[], isLost: (piece: Piece) => boolean): number[] =>
  pieces.map((piece) => (isLost(piece) ? REPLACEMENT : (piece.codePoint as number)));

/** Reads code units if the variant encodes those, otherwise code points. */
const readText = (variant: Variant, bytes: Uint8Array): Piece[] =>
  variants[variant].grammar.domain === 'code units'
    ? oracles[variant].read(bytes)
    : oracles[variant].readCharacters(bytes);

/** Computes the expected result of a variant. */
export function computeExpectation(variant: Variant, bytes: Uint8Array): Computed {
  const oracle = oracles[variant];
  const pieces = oracle.read(bytes);
  const [fault] = oracle.faults(bytes);
  const javaPieces = java[variant]?.read(bytes);
  return {
    accepts: !fault,
    text: toText(readText(variant, bytes), isFault),
    ...(fault && { fault: fault as NonNullable<Computed['fault']> }),
    replacements: {
      maximalSubparts: pieces.filter((piece) => isUnreadable(variant, piece)).length,
      ...(javaPieces && {
        java: javaPieces.filter((piece) => isUnreadableToJava(variant, piece)).length,
      }),
      perByte: pieces
        .filter((piece) => isUnreadable(variant, piece))
        // A well-formed number above U+10FFFF is one character in every practice.
        .reduce((sum, piece) => sum + (isFault(piece) ? piece.length : 1), 0),
    },
  };
}

/** Computes the texts with the replacements that {@link computeExpectation} counts. */
export function computeTexts(variant: Variant, bytes: Uint8Array): Texts {
  const pieces = oracles[variant].read(bytes);
  const javaPieces = java[variant]?.read(bytes);
  return {
    maximalSubparts: toText(pieces, (piece) => isUnreadable(variant, piece)),
    ...(javaPieces && {
      java: toText(javaPieces, (piece) => isUnreadableToJava(variant, piece)),
    }),
    perByte: pieces.flatMap((piece) =>
      isFault(piece)
        ? Array.from({ length: piece.length }, () => REPLACEMENT)
        : toText([piece], (each) => isUnreadable(variant, each)),
    ),
  };
}
