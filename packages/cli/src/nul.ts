/** U+0000, which PostgreSQL and C refuse. */
import type { Codec } from '@utf8/core';

/** What `--nul` takes. */
export const nulPolicies = ['keep', 'remove', 'replace', 'fail'] as const;

/** A policy of `--nul`. */
export type NulPolicy = (typeof nulPolicies)[number];

/** The ways in which an encoding spells U+0000. No other character has these bytes in it. */
export function spellingsOfNul({ grammar }: Codec): readonly Uint8Array[] {
  return grammar.rows
    .filter(({ first }) => first === 0)
    .map(({ units }) => Uint8Array.from(units.flat(), ({ first }) => first));
}

/** The first of some spellings at or after an index: where it is and how long, or undefined. */
export function findNul(
  bytes: Uint8Array,
  spellings: readonly Uint8Array[],
  from = 0,
): { offset: number; length: number } | undefined {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let first: { offset: number; length: number } | undefined;
  for (const spelling of spellings) {
    const offset = buffer.indexOf(spelling, from);
    if (offset !== -1 && offset < (first?.offset ?? bytes.length)) {
      first = { offset, length: spelling.length };
    }
  }
  return first;
}

/** Puts something else in the place of each U+0000, and counts them. */
export class NulFilter {
  count = 0;
  readonly #spellings: readonly Uint8Array[];
  readonly #replacement: Uint8Array;

  /**
   * @param codec - The encoding of what is filtered.
   * @param text - What comes instead.
   */
  constructor(codec: Codec, text: string) {
    this.#spellings = spellingsOfNul(codec);
    this.#replacement = codec.encode(text);
  }

  /** The bytes themselves where there is nothing to filter. */
  filter(bytes: Uint8Array): Uint8Array {
    const pieces: Uint8Array[] = [];
    let end = 0;
    for (let nul = findNul(bytes, this.#spellings); nul; ) {
      pieces.push(bytes.subarray(end, nul.offset), this.#replacement);
      this.count++;
      end = nul.offset + nul.length;
      nul = findNul(bytes, this.#spellings, end);
    }
    if (end === 0) return bytes;
    pieces.push(bytes.subarray(end));
    return Buffer.concat(pieces);
  }
}
