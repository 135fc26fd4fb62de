/** What becomes of the place where loops stopped. */
import { type ErrorPolicy, substituteBytes } from '../fault/policy.js';
import { describeFault } from '../read/diagnosis.js';
import type { Engine } from '../read/engine.js';

/** A text that stands for a fault, and the index after the fault. */
export interface Resolution {
  readonly text: string;
  readonly next: number;
}

/**
 * Resolves the fault at an index by a policy.
 *
 * @param base - Where in its stream the input begins, in bytes; fault offsets count from there.
 * @throws DecodeError under `strict`.
 * @throws TypeError if the policy returns no string, or changes the size of the input.
 */
export function resolveFault(
  engine: Engine,
  policy: ErrorPolicy,
  bytes: Uint8Array,
  at: number,
  base: number,
): Resolution {
  const size = bytes.length;
  const fault = describeFault(engine, bytes, at, base);
  const next = at + fault.length;
  const text = substituteBytes(engine.name, policy, fault, bytes.subarray(at, next));
  checkSize(bytes, size);
  return { text, next };
}

/**
 * Checks that a policy has left alone what is in use: it has neither detached nor resized memory, nor left
 * an unfinished character in the coder that called it.
 */
export function checkSize(used: ArrayLike<unknown>, size: number): void {
  if (used.length !== size) throw new TypeError('The policy changed memory or coder.');
}
