/** What the rows of a variant make of bytes, by the oracle of the conformance suite. */
import type { Grammar, Row } from '@utf8/core';
import type { Reading, Variant } from '../../../../packages/vectors/src/index.js';
// That package is a suite; the oracle is one of its files.
import { isText, Oracle, type Piece } from '../../../conformance/src/oracle.js';
import { variants } from './variant.js';

/** All that can be computed; who says so too is not. */
export type Computed = Omit<Reading, 'confirmedBy' | 'differs'>;

/** The texts of the three practices, as a reader that knows no number above U+10FFFF returns them. */
export interface Texts {
  readonly maximalSubparts: readonly number[];
  readonly java?: readonly number[];
  readonly perByte: readonly number[];
}

const REPLACEMENT = 0xfffd;

/** A surrogate in three bytes: the JDK's UTF-8 takes it, or what there is of it, for one fault. */
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

/** The JDK has one CESU-8, which decodes lone surrogates, whatever it is held against. */
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

/** What Java cannot read in UTF-8 is a surrogate too; in CESU-8 it reads those. */
const isUnreadableToJava = (variant: Variant, piece: Piece): boolean =>
  isUnreadable(variant, piece) ||
  (variant === 'utf-8' && piece.codePoint! >= 0xd800 && piece.codePoint! <= 0xdfff);

const toText = (pieces: readonly Piece[], isLost: (piece: Piece) => boolean): number[] =>
  pieces.map((piece) => (isLost(piece) ? REPLACEMENT : (piece.codePoint as number)));

/** Code units where a variant consists of those, and code points everywhere else. */
const readText = (variant: Variant, bytes: Uint8Array): Piece[] =>
  variants[variant].grammar.domain === 'code units'
    ? oracles[variant].read(bytes)
    : oracles[variant].readCharacters(bytes);

/** Computes what a variant makes of bytes. */
export function computeReading(variant: Variant, bytes: Uint8Array): Computed {
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
        // A number that is well-formed and above U+10FFFF is one character to everybody.
        .reduce((sum, piece) => sum + (isFault(piece) ? piece.length : 1), 0),
    },
  };
}

/** Computes the texts in which the replacements of {@link computeReading} stand. */
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
