/** Fingerprints of readers: one character for the answer to each vector. */
import { type KnownReader, knownReaders } from '../generated/fingerprints.js';
import type { Answer } from './answer.js';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** A known reader with similar answers. */
export interface Resemblance {
  /** The name of the reader, such as `Perl 5.36, Encode::decode of utf8 (lax)`. */
  readonly name: string;
  /** Number of vectors with different answers. */
  readonly differences: number;
}

/** Returns a character for an answer: `-` for a refusal, `!` for a failure, otherwise six bits of a hash. */
function mark({ text, failure }: Answer): string {
  if (failure !== undefined) return '!';
  if (!text) return '-';
  // FNV-1a.
  let hash = 0x811c9dc5;
  for (const value of text) hash = Math.imul(hash ^ (value % 2 ** 32), 0x01000193);
  return ALPHABET[
    (hash ^ (hash >>> 6) ^ (hash >>> 12) ^ (hash >>> 18) ^ (hash >>> 24)) & 63
  ] as string;
}

export const computeFingerprint = (answers: readonly Answer[]): string =>
  answers.map(mark).join('');

/** Greatest number of differences between versions or options of the same reader. */
const CLOSE = 24;

/** Lists the known readers with the fewest differences, if these are few. */
export function findResemblances(
  fingerprint: string,
  known: readonly KnownReader[] = knownReaders,
): Resemblance[] {
  const all = known.map(({ name, fingerprint: other }): Resemblance => {
    let differences = Math.abs(fingerprint.length - other.length);
    for (let i = 0; i < Math.min(fingerprint.length, other.length); i++) {
      if (fingerprint[i] !== other[i]) differences++;
    }
    return { name, differences };
  });
  const least = Math.min(...all.map(({ differences }) => differences));
  return least > CLOSE ? [] : all.filter(({ differences }) => differences === least);
}
