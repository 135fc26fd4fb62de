/**
 * Test vectors: the results of each encoding of the UTF-8 family for the same bytes.
 *
 * @packageDocumentation
 */
import data from '../generated/vectors.json';
import type { Variant } from './generated/variant.js';

export type { Variant };

/** A part of an expectation that another implementation can confirm. */
export type Aspect =
  | 'result'
  | 'offset'
  | 'length'
  | 'incomplete'
  | 'maximalSubparts'
  | 'java'
  | 'perByte';

/**
 * The first fault of malformed bytes: a maximal subpart.
 *
 * @see Unicode 16.0, section 3.9, D93b, "maximal subpart"
 */
export interface VectorFault {
  /** Offset from the start of the input, in bytes. */
  readonly offset: number;
  /** Length in bytes. */
  readonly length: number;
  /** The reason, as `@utf8/core` names it. */
  readonly reason:
    | 'unexpected-continuation'
    | 'invalid-lead'
    | 'truncated'
    | 'overlong'
    | 'surrogate'
    | 'too-large'
    | 'wrong-form';
  /** True if all bytes from the offset to the end are a proper prefix of a well-formed sequence. */
  readonly incomplete: boolean;
}

/** Numbers of U+FFFD that readers write for malformed bytes, without encoded U+FFFD. */
export interface Replacements {
  /** One for each maximal subpart (Unicode, section 3.9, D93b). */
  readonly maximalSubparts: number;
  /** The number that the JDK's decoder writes, for the encodings that the JDK has. */
  readonly java?: number;
  /** One for each byte of each maximal subpart. */
  readonly perByte: number;
}

/** Another implementation with a different result. */
export interface Difference {
  /** A name of `implementations`. */
  readonly by: string;
  /** The part of the expectation that differs. */
  readonly on: Aspect;
  /** The different result in one clause, such as `accepts it as D83D`. */
  readonly does: string;
}

/** The expected result of one variant. */
export interface Expectation {
  /** True if the bytes are well-formed. */
  readonly accepts: boolean;
  /**
   * The text: UTF-16 code units in `cesu-8-lenient`, `mutf-8` and `mutf-8-lenient`, which encode those,
   * and code points in every other variant. It contains U+FFFD for each maximal subpart.
   */
  readonly text: readonly number[];
  /** The first fault; undefined if `accepts` is true. */
  readonly fault?: VectorFault;
  /** Numbers of U+FFFD that readers write. */
  readonly replacements: Replacements;
  /** Implementations with the same result, by part of the expectation. */
  readonly confirmedBy: Readonly<Partial<Record<Aspect, readonly string[]>>>;
  /** Implementations with a different result. */
  readonly differs?: readonly Difference[];
}

/** Bytes, and the expected result of each variant. */
export interface Vector {
  /** `group/name`; it never changes. */
  readonly id: string;
  /** Hexadecimal digits in lower case. */
  readonly bytes: string;
  /** The purpose of the vector in one line. */
  readonly description: string;
  /** The expected result of each variant. */
  readonly variants: Readonly<Record<Variant, Expectation>>;
}

/** The content of `vectors.json`. */
export interface VectorFile {
  /** The path of the schema. */
  readonly $schema: string;
  /** Version of the format; incompatible changes increase it. */
  readonly format: 1;
  /** The command that writes the file. */
  readonly generatedBy: string;
  /** The implementations that the values were compared with, by the names in the vectors. */
  readonly implementations: { readonly [name: string]: string };
  /** All vectors. */
  readonly vectors: readonly Vector[];
}

const file: VectorFile = data as unknown as VectorFile;

/**
 * The implementations that the values were compared with, with their versions.
 *
 * @example
 * ```ts
 * import { implementations } from '@utf8/vectors';
 *
 * Object.values(implementations).some((name) => name.includes('Perl')); // => true
 * ```
 */
export const implementations: VectorFile['implementations'] = file.implementations;

/**
 * All vectors.
 *
 * @example
 * ```ts
 * import { vectors } from '@utf8/vectors';
 *
 * const vector = vectors.find(({ id }) => id === 'pair/emoji');
 * vector?.bytes; // => 'eda0bdedb880'
 * vector?.variants['cesu-8'].text; // => [0x1f600]
 * vector?.variants['utf-8'].replacements; // => { maximalSubparts: 6, java: 2, perByte: 6 }
 * ```
 */
export const vectors: readonly Vector[] = file.vectors;
