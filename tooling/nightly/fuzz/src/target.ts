import type { Input } from './input.js';

/** A function that reads untrusted input, and the conditions that must hold for any input. */
export interface Target {
  /** Description of the input, in a line. */
  readonly title: string;
  /** Of an input, in bytes. */
  readonly maxLength: number;
  /** True if `run` may return a promise, which makes a run slower. */
  readonly isAsync?: boolean;
  /** Inputs to start from, in addition to the corpus. */
  seeds(): Iterable<Uint8Array>;
  /** Fragments of inputs of this kind, which mutations insert. */
  readonly words?: Iterable<Uint8Array | string>;
  /** Throws if something does not hold. */
  run(input: Input): void | Promise<void>;
}

/** Throws an error, unless a condition holds. */
export function require(condition: boolean, what: string): asserts condition {
  if (!condition) throw new Error(what);
}

export function requireEqual(found: unknown, expected: unknown, what: string): void {
  if (found === expected) return;
  const show = (value: unknown): string =>
    (typeof value === 'string' ? JSON.stringify(value) : String(value)).slice(0, 200);
  throw new Error(`${what}: ${show(found)} instead of ${show(expected)}`);
}

export function requireSame(found: Uint8Array, expected: Uint8Array, what: string): void {
  if (Buffer.compare(found, expected) === 0) return;
  const show = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex').slice(0, 200);
  throw new Error(`${what}: ${show(found)} instead of ${show(expected)}`);
}
