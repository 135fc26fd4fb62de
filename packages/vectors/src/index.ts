/**
 * How each encoding of the UTF-8 family, and each way to replace faults, reads the same bytes.
 *
 * @packageDocumentation
 */
import data from '../generated/vectors.json';
import type { Variant } from './generated/variant.js';

export type { Variant };

/** What another implementation can be asked about one variant's reading of a case. */
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
  /** In bytes, from the start of the input. */
  readonly offset: number;
  /** In bytes. */
  readonly length: number;
  /** The cause, by the names of `@utf8/core`. */
  readonly reason:
    | 'unexpected-continuation'
    | 'invalid-lead'
    | 'truncated'
    | 'overlong'
    | 'surrogate'
    | 'too-large'
    | 'wrong-form';
  /** Whether all bytes from the offset to the end are a proper prefix of a well-formed sequence. */
  readonly incomplete: boolean;
}

/** How many U+FFFD a reader writes for what it cannot read. Encoded U+FFFD do not count. */
export interface Replacements {
  /** One for each maximal subpart (Unicode, section 3.9, D93b). */
  readonly maximalSubparts: number;
  /** What the JDK's decoder writes, for the encodings that the JDK has. */
  readonly java?: number;
  /** One for each byte of each maximal subpart. */
  readonly perByte: number;
}

/** Another implementation that reads otherwise, and what it does. */
export interface Difference {
  /** A name of `implementations`. */
  readonly by: string;
  /** What it was asked. */
  readonly on: Aspect;
  /** One clause, such as `accepts it as D83D`. */
  readonly does: string;
}

/** How a variant reads a case's bytes. */
export interface Reading {
  /** Whether the bytes are well-formed. */
  readonly accepts: boolean;
  /**
   * The text: UTF-16 code units in `cesu-8-lenient`, `mutf-8` and `mutf-8-lenient`, which encode those,
   * and code points in every other variant. Malformed bytes have U+FFFD for each maximal subpart.
   */
  readonly text: readonly number[];
  /** The first fault; undefined if `accepts` is true. */
  readonly fault?: VectorFault;
  /** How many U+FFFD readers write. */
  readonly replacements: Replacements;
  /** The implementations of others that say the same, by what they were asked. */
  readonly confirmedBy: Readonly<Partial<Record<Aspect, readonly string[]>>>;
  /** The implementations of others that do not. */
  readonly differs?: readonly Difference[];
}

/** Bytes, and how the variants read them. */
export interface Vector {
  /** `group/name`, which never changes. */
  readonly id: string;
  /** Hexadecimal digits in lower case. */
  readonly bytes: string;
  /** One line for people. */
  readonly shows: string;
  /** How each variant reads the bytes. */
  readonly variants: Readonly<Record<Variant, Reading>>;
}

/** The whole of `vectors.json`. */
export interface VectorFile {
  /** The file of the schema. */
  readonly $schema: string;
  /** Grows when the format changes in a way that readers must know of. */
  readonly format: 1;
  /** The command that makes the file. */
  readonly generatedBy: string;
  /** The implementations that the values were compared with, by the names that cases give them. */
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
