/** Runs a target on one input. */
import { Input } from './input.js';
import type { Target } from './target.js';

const prototypes: readonly object[] = [
  Object.prototype,
  Array.prototype,
  String.prototype,
  Uint8Array.prototype,
];
const countNames = (): number =>
  prototypes.reduce((sum: number, each) => sum + Reflect.ownKeys(each).length, 0);
const names = countNames();

function requirePure(): void {
  if (countNames() === names) return;
  for (const key of Object.keys(Object.prototype)) Reflect.deleteProperty(Object.prototype, key);
  throw new Error('a prototype has a new property');
}

/** Throws, or returns a promise that is rejected, if the target fails. */
export function check(target: Target, bytes: Uint8Array): void | Promise<void> {
  // The fuzzer's memory is used again.
  const result = target.run(new Input(Uint8Array.from(bytes)));
  if (result instanceof Promise) return result.then(requirePure);
  requirePure();
}
