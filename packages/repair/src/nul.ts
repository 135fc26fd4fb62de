import type { Codec } from '@utf8/core';
import { indexOfRun } from './byte-search.js';

/** The policies for U+0000. */
export const nulPolicies = ['keep', 'remove', 'replace', 'fail'] as const;

/** A policy for U+0000. */
export type NulPolicy = (typeof nulPolicies)[number];

/**
 * Returns the byte sequences that an encoding accepts for U+0000. No other character contains them.
 *
 * @param codec - The encoding.
 * @returns The sequences.
 * @example
 * ```ts
 * import * as mutf8 from '@utf8/mutf8';
 * import { sequencesOfNul } from '@utf8/repair';
 *
 * sequencesOfNul(mutf8); // => [Uint8Array.of(0xc0, 0x80)]
 * ```
 */
export function sequencesOfNul({ grammar }: Pick<Codec, 'grammar'>): readonly Uint8Array[] {
  return grammar.rows
    .filter(({ first }) => first === 0)
    .map(({ units }) => Uint8Array.from(units.flat(), ({ first }) => first));
}

/** Place of a U+0000. */
export interface Nul {
  /** In bytes. */
  readonly offset: number;
  /** In bytes. */
  readonly length: number;
}

/**
 * Finds every U+0000, in order.
 *
 * @param bytes - A text.
 * @param sequences - As {@link sequencesOfNul} returns them.
 * @returns Places in the text, in bytes, found as the caller iterates.
 * @example
 * ```ts
 * import { findNuls, sequencesOfNul } from '@utf8/repair';
 * import * as mutf8 from '@utf8/mutf8';
 *
 * [...findNuls(Uint8Array.of(0x41, 0xc0, 0x80), sequencesOfNul(mutf8))]; // => [{ offset: 1, length: 2 }]
 * ```
 */
export function* findNuls(
  bytes: Uint8Array,
  sequences: readonly Uint8Array[],
): Generator<Nul, void> {
  const find = (sequence: Uint8Array, from: number): number => {
    const offset = indexOfRun(bytes, sequence, from);
    return offset === -1 ? bytes.length : offset;
  };
  // The next offset of each sequence, so that none is searched for twice in the same bytes.
  const next = sequences.map((sequence) => find(sequence, 0));
  for (;;) {
    const offset = Math.min(bytes.length, ...next);
    if (offset === bytes.length) return;
    const i = next.indexOf(offset);
    const sequence = sequences[i] as Uint8Array;
    yield { offset, length: sequence.length };
    next[i] = find(sequence, offset + sequence.length);
  }
}

/**
 * Replaces every U+0000 by a text, and counts them.
 *
 * @example
 * ```ts
 * import { NulFilter } from '@utf8/repair';
 * import * as utf8 from '@utf8/strict';
 *
 * const filter = new NulFilter(utf8, '?');
 * utf8.decode(filter.filter(utf8.encode('a\0b'))); // => 'a?b'
 * filter.count; // => 1
 * ```
 */
export class NulFilter {
  /** The number of U+0000 that have been replaced. */
  count = 0;
  readonly #sequences: readonly Uint8Array[];
  readonly #replacement: Uint8Array;

  /**
   * @param codec - The encoding of the bytes and of the replacement.
   * @param replacement - The replacement of each U+0000; an empty text removes it.
   * @throws EncodeError if the encoding does not contain the replacement.
   */
  constructor(codec: Codec, replacement: string) {
    this.#sequences = sequencesOfNul(codec);
    this.#replacement = codec.encode(replacement);
  }

  /**
   * Filters the next bytes, which end between two characters.
   *
   * @param bytes - In the encoding of the filter.
   * @returns The input itself if it contains no U+0000, otherwise a copy.
   */
  filter(bytes: Uint8Array): Uint8Array {
    let result: Uint8Array | undefined;
    let size = 0;
    let from = 0;
    const append = (part: Uint8Array): void => {
      result?.set(part, size);
      size += part.length;
    };
    for (const { offset, length } of findNuls(bytes, this.#sequences)) {
      result ??= new Uint8Array(bytes.length * Math.max(1, this.#replacement.length));
      append(bytes.subarray(from, offset));
      append(this.#replacement);
      this.count++;
      from = offset + length;
    }
    if (!result) return bytes;
    append(bytes.subarray(from));
    return result.subarray(0, size);
  }
}
