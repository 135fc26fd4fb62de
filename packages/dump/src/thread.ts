/** A worker thread: processes the segments that it is given. */
import { parentPort, workerData } from 'node:worker_threads';
import { type CheckTask, createCheck } from './check/checker.js';
import type { Segment } from './cut/segment.js';
import { DumpError } from './error.js';
import { FormatError } from './format/format-error.js';
import type { Answer, Order } from './pool/pool.js';
import type { Work } from './pool/work.js';
import { createConversion, type RewriteTask, type TranscribeTask } from './rewrite/conversion.js';
import { createInspection, type InspectTask } from './scan/inspection.js';

const work = createWork(workerData);

function createWork(task: RewriteTask | TranscribeTask | InspectTask | CheckTask): Work {
  if (task.task === 'check') return createCheck(task);
  return task.task === 'inspect' ? createInspection(task) : createConversion(task);
}

let context: unknown;

parentPort?.on('message', ({ segment: given, isKnown }: Order) => {
  if (!isKnown) ({ context } = given.state);
  const segment = { ...given, state: { ...given.state, context } };
  const moved: ArrayBuffer[] = [];
  parentPort?.postMessage(answer(segment, moved), moved);
});

function answer(segment: Segment, moved: ArrayBuffer[]): Answer {
  const memory = segment.bytes.buffer as ArrayBuffer;
  try {
    const result = own(work(segment), memory, moved);
    moved.push(memory);
    return { result, memory };
  } catch (error) {
    if (error instanceof FormatError) {
      const { reason, line, column } = error;
      return { failure: { reason, line, column } };
    }
    if (!(error instanceof DumpError)) throw error;
    const { code, message } = error;
    return { failure: { code, message } };
  }
}

/**
 * Copies a result out of memory that is used again, so that it can move to another thread: the output
 * into the memory of its segment if there is room, everything else into memory of its own.
 */
function own(value: unknown, memory: ArrayBuffer, moved: ArrayBuffer[], key = ''): unknown {
  if (ArrayBuffer.isView(value)) {
    const view = value as Uint8Array<ArrayBuffer>;
    if (view.buffer === memory) return view;
    if (key === 'output' && view.length <= memory.byteLength) {
      const copy = new Uint8Array(memory, 0, view.length);
      copy.set(view);
      return copy;
    }
    const copy = view.slice();
    moved.push(copy.buffer);
    return copy;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const entries = Object.entries(value);
  return Object.fromEntries(
    entries.map(([name, inner]) => [name, own(inner, memory, moved, name)]),
  );
}
