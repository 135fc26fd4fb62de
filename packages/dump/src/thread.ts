/** A worker thread: processes the segments that it is given. */

import { parentPort, workerData } from 'node:worker_threads';
import { holdAt } from '@utf8/files';
import type { CheckTask } from './check/checker.js';
import type { Segment } from './cut/segments.js';
import { LONG } from './cut/segments.js';
import { DumpError } from './error.js';
import { FormatError } from './format/format-error.js';
import type { TraceTask } from './orphan/trace.js';
import type { Answer, Order } from './pool/pool.js';
import type { Work } from './pool/work.js';
import type { RewriteTask } from './rewrite/rewriter.js';
import type { TranscribeTask } from './rewrite/transcriber.js';
import type { InspectTask } from './scan/inspection.js';

const work = await createWork(workerData);

/** Loads no more than the task needs: formats take 2 MB in each thread. */
async function createWork(
  task: RewriteTask | TranscribeTask | InspectTask | TraceTask | CheckTask,
): Promise<Work> {
  switch (task.task) {
    case 'check':
      return (await import('./check/checker.js')).createCheck(task);
    case 'inspect':
      return (await import('./scan/inspection.js')).createInspection(task);
    case 'trace':
      return (await import('./orphan/trace.js')).createTrace(task);
    case 'transcribe':
      return (await import('./rewrite/transcriber.js')).createTranscription(task);
    default:
      return (await import('./rewrite/rewriter.js')).createConversion(task);
  }
}

let context: unknown;

parentPort?.on('message', ({ segment: given, isKnown }: Order) => {
  if (given.bytes.length >= LONG) holdAt('long');
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
      const { parts, line, column } = error;
      return { failure: { parts, line, column } };
    }
    if (!(error instanceof DumpError)) throw error;
    const { code, phrase } = error;
    return { failure: { code, phrase } };
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
