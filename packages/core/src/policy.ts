import { refuse } from './bytes.js';
import { DecodeError } from './error.js';
import type { Fault } from './fault.js';
import { formatHex } from './grammar.js';

/**
 * What to do about a fault. `encode` has faults too: lone surrogates, where the encoding has none.
 *
 * - `strict`: throw. The default of every function.
 * - `replace`: one U+FFFD per fault.
 * - `ignore`: drop the faulty bytes, or the lone surrogate.
 * - `backslashreplace`: `\xED` for each faulty byte; in `encode`, `\uD83D` for a lone surrogate.
 * - `surrogateescape`: U+DC00 + byte for each faulty byte; `encode` with it restores the bytes (Python's
 *   PEP 383).
 * - a function: it gets the fault and a copy of the faulty bytes, and returns the text to put there.
 *   In `encode` the fault's `offset` and `length` count UTF-16 code units, and the bytes are the three
 *   in which Java would write the lone surrogate.
 */
export type ErrorPolicy =
  | 'strict'
  | 'replace'
  | 'ignore'
  | 'backslashreplace'
  | 'surrogateescape'
  | ((fault: Fault, bytes: Uint8Array) => string);

const names = 'strict, replace, ignore, backslashreplace, surrogateescape';

/** Checks an `errors` option before anything is read, so that a typo shows on clean input too. */
export function checkPolicy(errors: ErrorPolicy | undefined, fallback: ErrorPolicy): ErrorPolicy {
  if (errors === undefined) return fallback;
  if (typeof errors === 'function' || names.split(', ').includes(errors)) return errors;
  refuse(`one of ${names}, or a function for the option errors`, errors);
}

/** What becomes of a fault by the policies that treat bytes and lone surrogates differently. */
interface Ways {
  strict(): never;
  backslashreplace(): string;
  surrogateescape(): string;
}

/** The text that stands for a fault, in bytes or in a text. */
export function mend(
  policy: ErrorPolicy,
  fault: Fault,
  bytes: Iterable<number>,
  ways: Ways,
): string {
  if (policy === 'replace') return '\uFFFD';
  if (policy === 'ignore') return '';
  return typeof policy === 'function'
    ? String(policy(fault, Uint8Array.from(bytes)))
    : ways[policy]();
}

/**
 * The text that stands for malformed bytes.
 *
 * @throws {@link DecodeError} under `strict`.
 */
export function mendBytes(
  encoding: string,
  policy: ErrorPolicy,
  fault: Fault,
  bytes: Uint8Array,
): string {
  const join = (write: (byte: number) => string): string => Array.from(bytes, write).join('');
  return mend(policy, fault, bytes, {
    strict() {
      throw new DecodeError(encoding, fault, bytes);
    },
    backslashreplace: () => join((byte) => `\\x${formatHex(byte, 2)}`),
    surrogateescape: () => join((byte) => String.fromCharCode(0xdc00 + byte)),
  });
}
