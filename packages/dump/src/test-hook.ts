/**
 * Environment variables for tests of interrupted runs. UTF8_TEST_STRIDE=bytes is the distance of
 * checkpoints. UTF8_TEST_STEP=bytes is that of cuts in an index, and the most that a segment has while
 * one is written. UTF8_TEST_PATIENCE=milliseconds is the time of work after which signals have a turn.
 * UTF8_TEST_STOP=POINT,… kills the process with SIGKILL at points that stopAt() names, in the
 * order in which a run passes them; `*` is all of them:
 *
 * - `found`: there is a journal, which is not open yet
 * - `dead`: the run that has left the journal was killed
 * - `taken`: the journal says that the run that left it is continued by this process, or removed
 * - `free`: nothing is left of earlier runs, and there is no journal
 * - `created`: this run has an empty journal
 * - `begun`: its journal says what it is
 * - `opened`: the outputs have temporary files
 * - `checkpoint:3`: the journal has the third checkpoint of this process
 * - `finished`: the journal says that all outputs are complete, and none has its name
 * - `index`: half of an index is written
 * - `named:undo`: that output (output, rejects, undo, stats) has its name
 * - `settling`: all outputs had their names, which was found out just now
 * - `segment:2`: the second segment is about to be processed, in this thread
 * - `long`: a thread is about to process a unit that is too long for this one, and never does
 * - `read`: a side of a comparison is about to be read, `sorted`: a record, `compared`: a pair of records
 *
 * UTF8_TEST_SIGNAL is the signal to send instead, such as SIGSTOP, which lets a test do something meanwhile.
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

/** Stops at a point where a thread would wait for a signal that only another one receives. */
export function holdAt(point: string): void {
  if (!process.env.UTF8_TEST_STOP?.split(',').includes(point)) return;
  stopAt(point);
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
}

export function stopAt(point: string): void {
  const { UTF8_TEST_STOP: points, UTF8_TEST_SIGNAL: signal } = process.env;
  if (points === undefined) return;
  if (points === '*' || points.split(',').includes(point))
    process.kill(process.pid, signal ?? 'SIGKILL');
}

/** Tells whether a test sets the distance of checkpoints, so that none may be skipped. */
export const isTested = (): boolean => process.env.UTF8_TEST_STRIDE !== undefined;
