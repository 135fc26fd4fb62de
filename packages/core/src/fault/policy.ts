import { checkOptions, refuse } from '../argument/check.js';
import { formatHex } from '../grammar/format.js';
import type { Rows } from '../rows/rows.js';
import { describeFault } from './describe.js';
import { DecodeError } from './error.js';
import type { Fault } from './fault.js';

/**
 * The reaction to a fault. In `encode`, a fault is a character that the encoding does not contain.
 *
 * - `strict`: throw. The default.
 * - `replace`: one U+FFFD per fault.
 * - `ignore`: drop the faulty bytes, or the code point.
 * - `backslashreplace`: `\xed` for each faulty byte; in `encode`, `\ud83d` for a lone surrogate and
 *   `\U0001f600` for code points above U+FFFF, as Python writes them.
 * - `surrogateescape`: U+DC00 + byte for each faulty byte; `encode` with it restores the bytes (Python's
 *   PEP 383).
 * - a function: it gets the fault, frozen, and a copy of the faulty bytes, and returns the text that replaces
 *   them. In `encode` the fault's `offset` and `length` count UTF-16 code units, and the bytes are those in
 *   which WTF-8 writes the code point.
 */
export type ErrorPolicy =
  | 'strict'
  | 'replace'
  | 'ignore'
  | 'backslashreplace'
  | 'surrogateescape'
  | ((fault: Fault, bytes: Uint8Array) => string);

const policies: readonly unknown[] = [
  'strict',
  'replace',
  'ignore',
  'backslashreplace',
  'surrogateescape',
];

/**
 * Checks options with a policy before anything is read, so that a typo is reported for clean input too.
 *
 * @param known - The names of the options.
 * @returns The policy.
 */
export function checkPolicy(
  options: { readonly errors?: ErrorPolicy | undefined } | undefined,
  known: readonly string[],
): ErrorPolicy {
  if (options === undefined) return 'strict';
  checkOptions(options, known);
  const { errors = 'strict' } = options;
  if (typeof errors === 'function' || policies.includes(errors)) return errors;
  refuse(`one of ${policies.join(', ')}, or a function`, errors);
}

/** Tells whether a policy depends on the reason of a fault. */
export const needsReason = (policy: ErrorPolicy): boolean =>
  policy === 'strict' || typeof policy === 'function';

/** Returns the text for a fault under each policy that treats bytes and code points differently. */
interface Substitutes {
  strict(): never;
  backslashreplace(): string;
  surrogateescape(): string;
}

/** Returns the text that replaces a fault, in bytes or in a text. */
export function substitute(
  policy: ErrorPolicy,
  fault: Fault,
  bytes: () => Uint8Array,
  substitutes: Substitutes,
): string {
  if (policy === 'replace') return '\uFFFD';
  if (policy === 'ignore') return '';
  if (typeof policy !== 'function') return substitutes[policy]();
  const text: unknown = policy(Object.freeze(fault), bytes());
  return typeof text === 'string' ? text : refuse('a string from the policy', text);
}

/**
 * Returns the text that replaces malformed bytes.
 *
 * @param bytes - The faulty bytes, which are copied before a function sees them.
 * @param problem - The problem with well-formed bytes; undefined if they are malformed.
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

/**
 * Resolves the fault at an index by a policy.
 *
 * @param base - Offset of the input in its stream, in bytes; fault offsets count from there.
 * @returns The text that replaces the fault, and the index after the fault.
 * @throws DecodeError under `strict`.
 * @throws TypeError if the policy returns no string, or changes the size of the input.
 */
export function resolveFault(
  rows: Rows,
  policy: ErrorPolicy,
  bytes: Uint8Array,
  at: number,
  base: number,
): { readonly text: string; readonly next: number } {
  const size = bytes.length;
  const fault = describeFault(rows, bytes, at, base);
  const next = at + fault.length;
  const text = substituteBytes(rows.name, policy, fault, bytes.subarray(at, next));
  checkSize(bytes, size);
  return { text, next };
}

/**
 * Checks that a policy has neither detached nor resized memory in use, nor left an unfinished character in
 * the coder that called it.
 */
export function checkSize(used: ArrayLike<unknown>, size: number): void {
  if (used.length !== size) throw new TypeError('The policy changed memory or coder.');
}
