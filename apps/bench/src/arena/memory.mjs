/** Measurement of the memory that a call allocates on the heap and outside of it, and that its result retains. */
import { summarize } from './race.mjs';

const TIMES = 3;

/** @returns {number} */
function bytesInUse() {
  const { heapUsed, external, arrayBuffers } = process.memoryUsage();
  return heapUsed + Math.max(external, arrayBuffers);
}

/**
 * @param {import('./contestant.mjs').Runner} runner
 * @param {readonly unknown[]} inputs
 * @returns {{ allocated: number, kept: number } | undefined} Bytes; undefined if no program can ask for
 *   a collection.
 */
export function weighCall({ once }, inputs) {
  const { gc } = globalThis;
  if (!gc) return undefined;
  once(inputs[0]); // data that only the first call creates
  const allocated = [];
  const kept = [];
  for (let i = 0; i < TIMES; i++) {
    const input = inputs[i % inputs.length];
    gc();
    const before = bytesInUse();
    const result = once(input);
    allocated.push(bytesInUse() - before);
    gc();
    kept.push(bytesInUse() - before);
    keep(result);
  }
  return {
    allocated: Math.max(0, Math.round(summarize(allocated).median)),
    kept: Math.max(0, Math.round(summarize(kept).median)),
  };
}

/** Holds a result until here. @param {unknown} result */
function keep(result) {
  kept = result;
  kept = undefined;
}

/** @type {unknown} */
export let kept;
