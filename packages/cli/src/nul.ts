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

/** A U+0000 among other bytes. */
export interface Nul {
  /** In bytes. */
  readonly offset: number;
  /** In bytes. */
  readonly length: number;
}

/** Finds every U+0000, in order. */
export function* findNuls(
  bytes: Uint8Array,
  spellings: readonly Uint8Array[],
): Generator<Nul, void> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const find = (spelling: Uint8Array, from: number): number => {
    const offset = buffer.indexOf(spelling, from);
    return offset === -1 ? bytes.length : offset;
  };
  // Where each spelling comes next, so that none is looked for twice in the same bytes.
  const next = spellings.map((spelling) => find(spelling, 0));
  for (;;) {
    const offset = Math.min(bytes.length, ...next);
    if (offset === bytes.length) return;
    const i = next.indexOf(offset);
    const { length } = spellings[i] as Uint8Array;
    yield { offset, length };
    next[i] = find(spellings[i] as Uint8Array, offset + length);
  }
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
    let result: Buffer | undefined;
    let length = 0;
    let end = 0;
    const append = (piece: Uint8Array): void => {
      result?.set(piece, length);
      length += piece.length;
    };
    for (const nul of findNuls(bytes, this.#spellings)) {
      result ??= Buffer.allocUnsafe(bytes.length * Math.max(1, this.#replacement.length));
      append(bytes.subarray(end, nul.offset));
      append(this.#replacement);
      this.count++;
      end = nul.offset + nul.length;
    }
    if (!result) return bytes;
    append(bytes.subarray(end));
    return result.subarray(0, length);
  }
}
