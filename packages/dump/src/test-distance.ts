/**
 * Environment variables of tests, so that small inputs have many checkpoints and cuts. UTF8_TEST_STRIDE=bytes is
 * the distance of checkpoints. UTF8_TEST_STEP=bytes is that of cuts in an index, and the most that a segment has
 * while one is written. UTF8_TEST_PATIENCE=milliseconds is the time of work after which signals have a turn.
 */
import { UsageError } from './error.js';

/** Returns how much of the input to read between two checkpoints, in bytes (default: 64 MiB). */
export const stride = (): number => readBytes('UTF8_TEST_STRIDE', 1 << 26);

/** Returns the least distance of two cuts in an index, in bytes (default: 1 MiB). */
export const cutDistance = (): number => readBytes('UTF8_TEST_STEP', 1 << 20);

/** Returns how long to work before signals have a turn, in milliseconds (default: 100). */
export const patience = (): number => Number(process.env.UTF8_TEST_PATIENCE ?? 100);

function readBytes(name: string, usual: number): number {
  const bytes = Number(process.env[name] ?? usual);
  if (Number.isSafeInteger(bytes) && bytes > 0) return bytes;
  throw new UsageError(`${name} must be a number of bytes, at least 1`);
}

/** Tells whether a test sets the distance of checkpoints, so that none may be skipped. */
export const isTested = (): boolean => process.env.UTF8_TEST_STRIDE !== undefined;
