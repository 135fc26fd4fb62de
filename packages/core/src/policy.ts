import { describe } from './bytes.js';
import { DecodeError } from './error.js';
import type { Fault } from './fault.js';
import { formatByte } from './grammar.js';

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

const names: readonly unknown[] = [
  'strict',
  'replace',
  'ignore',
  'backslashreplace',
  'surrogateescape',
];

/** Checks an `errors` option before anything is read, so that a typo shows on clean input too. */
export function checkPolicy(errors: ErrorPolicy | undefined, fallback: ErrorPolicy): ErrorPolicy {
  if (errors === undefined) return fallback;
  if (typeof errors === 'function' || names.includes(errors)) return errors;
  throw new TypeError(
    `The option errors is one of ${names.join(', ')}, or a function; got ${describe(errors)}.`,
  );
}

/** Whether a policy makes something of a fault's reason. */
export function asksReason(policy: ErrorPolicy): boolean {
  return policy === 'strict' || typeof policy === 'function';
}

/**
 * The text that stands for a fault.
 *
 * @throws {@link DecodeError} under `strict`.
 */
export function mendBytes(
  encoding: string,
  policy: ErrorPolicy,
  fault: Fault,
  bytes: Uint8Array,
): string {
  switch (policy) {
    case 'strict':
      throw new DecodeError(encoding, fault, bytes);
    case 'replace':
      return '\uFFFD';
    case 'ignore':
      return '';
    case 'backslashreplace':
      return Array.from(bytes, (byte) => `\\x${formatByte(byte)}`).join('');
    case 'surrogateescape':
      return String.fromCharCode(...Array.from(bytes, (byte) => 0xdc00 + byte));
    default:
      return String(policy(fault, bytes.slice()));
  }
}
