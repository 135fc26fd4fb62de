/**
 * Work that is always the same. Its time at different moments shows how much the machine itself
 * is to be believed.
 */
import { summarize } from './race.mjs';

/** A longer time than the shortest by this share, and the race at the same time was disturbed. */
export const MOST_DRIFT = 0.15;

const numbers = Uint32Array.from({ length: 1 << 14 }, (_, i) => i);
const memory = new Uint8Array(1 << 20);

/** Some 0.5 ms: a chain of multiplications, and memory beyond the first caches. */
function work() {
  let sum = 0;
  for (let round = 0; round < 16; round++) {
    for (let i = 0; i < numbers.length; i++) sum = (Math.imul(sum, 31) + (numbers[i] ?? 0)) | 0;
  }
  memory.copyWithin(1 << 19, 0, 1 << 19);
  numbers[0] = sum;
}

/** Milliseconds. */
function sample() {
  const times = [];
  for (let i = 0; i < 7; i++) {
    const start = performance.now();
    work();
    times.push(performance.now() - start);
  }
  return summarize(times).median;
}

export class ReferenceLoop {
  /** @type {number[]} */
  samples = [];

  constructor() {
    for (let i = 0; i < 5; i++) sample(); // compiles it
  }

  /** Runs the loop, and tells whether the machine was slower than at its best. */
  isDisturbed() {
    const now = sample();
    this.samples.push(now);
    return now > Math.min(...this.samples) * (1 + MOST_DRIFT);
  }
}
