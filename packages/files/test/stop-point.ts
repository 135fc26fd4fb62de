/**
 * Replaces `src/stop-point.ts` in tests, and in the bundle that they build (`tooling/build/sources.mjs`).
 * UTF8_TEST_STOP=POINT,… kills the process with SIGKILL at points that stopAt() names, in the order in which
 * a run passes them; `*` is all of them:
 *
 * - `lock:opened`: the lock exists, and is not read yet
 * - `lock:read`: no live process has it
 * - `lock:written`: this process has tried to take it
 * - `locked`: this process has it
 * - `free`: nothing is left of earlier runs but their checkpoint
 * - `begun`: the checkpoint says what this run is
 * - `opened`: the outputs have temporary files
 * - `checkpoint:3`: the third checkpoint of this process is saved
 * - `finished`: the checkpoint says that all outputs are complete, and none has its name
 * - `index`: half of an index is written
 * - `named:undo`: that output (output, rejects, undo, stats) has its name
 * - `segment:2`: the second segment is about to be processed, in this thread
 * - `long`: a thread is about to process a unit that is too long for this one, and never does
 * - `read`: a side of a comparison is about to be read, `sorted`: a record, `compared`: a pair of records
 *
 * UTF8_TEST_SIGNAL is the signal to send instead, such as SIGSTOP, which lets a test do something meanwhile.
 */

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
