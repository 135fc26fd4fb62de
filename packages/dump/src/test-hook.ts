/**
 * Environment variables for tests of interrupted runs. UTF8_TEST_STRIDE=bytes is the distance of
 * checkpoints. UTF8_TEST_STOP=POINT kills the process with SIGKILL at a point that stopAt() names:
 *
 * - `checkpoint:3`: the journal has the third checkpoint of this process
 * - `finished`: the journal says that all outputs are complete, and none has its name
 * - `named:undo`: that output (output, rejects, undo, stats) has its name
 *
 * UTF8_TEST_SIGNAL is the signal to send instead.
 */
import { UsageError } from './error.js';

/** Returns how much of the input to read between two checkpoints, in bytes (default: 64 MiB). */
export function stride(): number {
  const bytes = Number(process.env.UTF8_TEST_STRIDE ?? 1 << 26);
  if (Number.isSafeInteger(bytes) && bytes > 0) return bytes;
  throw new UsageError('UTF8_TEST_STRIDE must be a number of bytes, at least 1');
}

export function stopAt(point: string): void {
  if (process.env.UTF8_TEST_STOP === point)
    process.kill(process.pid, process.env.UTF8_TEST_SIGNAL ?? 'SIGKILL');
}

/** Tells whether a test sets the distance of checkpoints, so that none may be skipped. */
export const isTested = (): boolean => process.env.UTF8_TEST_STRIDE !== undefined;
