import { checkOptions, refuse } from '../argument/refuse.js';
import { formatHex } from '../grammar/format.js';
import { DecodeError } from './error.js';
import type { Fault } from './fault.js';

/**
 * What to do about a fault. `encode` has faults too: what the encoding does not contain.
 *
 * - `strict`: throw. The default of every function.
 * - `replace`: one U+FFFD per fault.
 * - `ignore`: drop the faulty bytes, or the code point.
 * - `backslashreplace`: `\xed` for each faulty byte; in `encode`, `\ud83d` for a lone surrogate and
 *   `\U0001f600` for code points above U+FFFF, as Python writes them.
 * - `surrogateescape`: U+DC00 + byte for each faulty byte; `encode` with it restores the bytes (Python's
 *   PEP 383).
 * - a function: it gets the fault, frozen, and a copy of the faulty bytes, and returns the text to put
 *   there. In `encode` the fault's `offset` and `length` count UTF-16 code units, and the bytes are
 *   those in which WTF-8 writes the code point.
 */
export type ErrorPolicy =
  | 'strict'
  | 'replace'
  | 'ignore'
  | 'backslashreplace'
  | 'surrogateescape'
  | ((fault: Fault, bytes: Uint8Array) => string);

const names = 'strict, replace, ignore, backslashreplace, surrogateescape';

/** Checks options with a policy before anything is read, so that a typo shows on clean input too. */
export function checkPolicy(
  options: { readonly errors?: ErrorPolicy | undefined } | undefined,
  fallback: ErrorPolicy = 'strict',
): ErrorPolicy {
  checkOptions(options);
  const errors = options?.errors;
  if (errors === undefined) return fallback;
  if (typeof errors === 'function' || names.split(', ').includes(errors)) return errors;
  refuse(`one of ${names}, or a function`, errors);
}

/** What becomes of a fault under the policies that treat bytes and code points differently. */
interface Ways {
  strict(): never;
  backslashreplace(): string;
  surrogateescape(): string;
}

/** Returns the text that stands for a fault, in bytes or in a text. */
export function substitute(
  policy: ErrorPolicy,
  fault: Fault,
  bytes: () => Uint8Array,
  ways: Ways,
): string {
  if (policy === 'replace') return '\uFFFD';
  if (policy === 'ignore') return '';
  if (typeof policy !== 'function') return ways[policy]();
  const text: unknown = policy(Object.freeze(fault), bytes());
  return typeof text === 'string' ? text : refuse('a string from the policy', text);
}

/**
 * Returns the text that stands for malformed bytes.
 *
 * @param bytes - The faulty bytes, which are copied before a function sees them.
 * @param problem - What is wrong with well-formed bytes.
 * @throws {@link DecodeError} under `strict`.
 */
export function substituteBytes(
  encoding: string,
  policy: ErrorPolicy,
  fault: Fault,
  bytes: Uint8Array,
  problem?: string,
): string {
  const join = (write: (byte: number) => string): string => Array.from(bytes, write).join('');
  return substitute(policy, fault, () => bytes.slice(), {
    strict() {
      throw new DecodeError(encoding, fault, bytes, problem);
    },
    backslashreplace: () => join((byte) => `\\x${formatHex(byte, 2).toLowerCase()}`),
    surrogateescape: () => join((byte) => String.fromCharCode(0xdc00 + byte)),
  });
}
