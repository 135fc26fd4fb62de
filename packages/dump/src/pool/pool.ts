/** Threads that process segments at once, for one that cuts them and takes the results in order. */

import { existsSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { stopAt } from '@utf8/files';
import type { Segment } from '../cut/segments.js';
import { LONG } from '../cut/segments.js';
import { BusyError, type DumpError, InputError, OutputError, UsageError } from '../error.js';
import { FormatError } from '../format/format-error.js';

import { opt, type Phrase, phrase } from '../phrase.js';

import type { Task, Work } from './work.js';

/** Answer of a thread for a segment. */
export type Answer =
  | { readonly result: unknown; readonly memory: ArrayBuffer }
  | { readonly failure: Pick<DumpError, 'code' | 'phrase'> }
  | { readonly failure: Pick<FormatError, 'parts' | 'line' | 'column'> };

/** Message to a thread. */
export interface Order {
  readonly segment: Segment;
  /** True if the context of its state is that of the order before. */
  readonly isKnown: boolean;
}

/** Segments that a thread has at once, so that it need not wait for the next one. */
const AHEAD = 2;

/** The most threads that one run may have. */
export const MOST_JOBS = 256;

/** Memory of segments that is passed to threads and reused, so that there is no garbage to collect. */
export class SpareMemory {
  readonly #spare: ArrayBuffer[] = [];

  /** Takes memory of at least this many bytes. */
  readonly take = (length: number): Uint8Array => {
    const buffer = this.#spare.pop();
    return buffer && buffer.byteLength >= length ? new Uint8Array(buffer) : new Uint8Array(length);
  };

  give(buffer: ArrayBuffer): void {
    if (buffer.byteLength > 0) this.#spare.push(buffer);
  }
}

/** A thread, with the promises of its answers in order. */
class Thread {
  readonly worker: Worker;
  readonly #waiting: { resolve(answer: Answer): void; reject(error: Error): void }[] = [];
  #failure: DumpError | undefined;
  /** The context of the last segment: of thousands of tables it is larger than a segment. */
  #context: unknown;

  constructor(task: Task) {
    this.worker = new Worker(THREAD, {
      workerData: task,
      resourceLimits: { maxYoungGenerationSizeMb: 8 },
    });
    this.worker.on('message', (answer: Answer) => this.#waiting.shift()?.resolve(answer));
    this.worker.on('error', (error) => this.#fail(error.message));
    this.worker.on('exit', (code) => this.#fail(`exit code ${code}`));
  }

  /** Number of segments that it has. */
  get load(): number {
    return this.#waiting.length;
  }

  /** Sends it a segment together with its memory. Data that the thread has already is not sent again. */
  async give(segment: Segment): Promise<Answer> {
    if (this.#failure) throw this.#failure;
    const { state, next } = segment;
    const isKnown = state.context === this.#context;
    this.#context = state.context;
    const order: Order = {
      segment: {
        ...segment,
        state: { ...state, context: isKnown ? null : state.context },
        next: { ...next, context: null },
      },
      isKnown,
    };
    this.worker.postMessage(order, [segment.bytes.buffer as ArrayBuffer]);
    return new Promise((resolve, reject) => this.#waiting.push({ resolve, reject }));
  }

  #fail(why: string): void {
    this.#failure ??= new OutputError(
      phrase`a worker thread failed: ${why}; run again without ${opt('jobs')}`,
    );
    for (const { reject } of this.#waiting) reject(this.#failure);
  }
}

/**
 * Processes segments, here if there is one job, in threads otherwise.
 *
 * @param segments - Each with data that outlives its bytes. For threads, each segment
 *   has memory of its own.
 * @param task - The task of the threads.
 * @param create - Creates the same function here.
 * @param spare - Gets back the memory of segments that threads have processed.
 * @returns The results in the order of the segments.
 */
export async function* runInOrder<Known, Result, T extends Task>(
  segments: AsyncIterable<[Segment, Known]>,
  task: T,
  create: (task: T) => Work,
  jobs: number,
  spare: SpareMemory = new SpareMemory(),
): AsyncGenerator<[Known, Result], void, undefined> {
  if (jobs > 1) {
    yield* runTogether<Known, Result>(segments, task, jobs, spare);
    return;
  }
  const work = create(task);
  let thread: Thread | undefined;
  let count = 0;
  try {
    for await (const [segment, known] of segments) {
      stopAt(`segment:${++count}`);
      if (segment.bytes.length < LONG || !hasThreads()) {
        yield [known, work(segment) as Result];
        continue;
      }
      thread ??= new Thread(task);
      yield [known, await read(thread.give(segment))];
    }
  } finally {
    await thread?.worker.terminate();
  }
}

/** Relative to the file that this one is bundled into. */
const THREAD = new URL('./thread.js', import.meta.url);

/** Tells whether threads can start: not from sources that are not bundled. */
const hasThreads = (): boolean => existsSync(THREAD);

async function read<Result>(answer: Promise<Answer>): Promise<Result> {
  const found = await answer;
  if ('failure' in found) throw reviveError(found.failure);
  return found.result as Result;
}

async function* runTogether<Known, Result>(
  segments: AsyncIterable<[Segment, Known]>,
  task: Task,
  jobs: number,
  spare: SpareMemory,
): AsyncGenerator<[Known, Result], void, undefined> {
  const threads: Thread[] = [];
  const tasks: { readonly known: Known; readonly answer: Promise<Answer> }[] = [];
  const cutter = segments[Symbol.asyncIterator]();
  let isOver = false;
  let failure: unknown;
  try {
    for (;;) {
      while (!isOver && tasks.length < AHEAD * jobs) {
        try {
          const { value, done } = await cutter.next();
          if (done) isOver = true;
          else tasks.push({ known: value[1], answer: give(threads, value[0], task, jobs) });
        } catch (error) {
          // One thread would have reached earlier segments first.
          isOver = true;
          failure = error;
        }
      }
      const next = tasks.shift();
      if (!next) break;
      const answer = await next.answer;
      if ('failure' in answer) throw reviveError(answer.failure);
      yield [next.known, answer.result as Result];
      spare.give(answer.memory);
    }
    if (failure) throw failure;
  } finally {
    await Promise.all(threads.map(({ worker }) => worker.terminate()));
  }
}

/** Gives a segment to an idle thread, to a new one, or to the thread with the least to do. */
function give(threads: Thread[], segment: Segment, task: Task, jobs: number): Promise<Answer> {
  let thread = threads.find(({ load }) => load === 0);
  if (!thread && threads.length < jobs) {
    thread = new Thread(task);
    threads.push(thread);
  }
  thread ??= threads.reduce((least, each) => (each.load < least.load ? each : least));
  const answer = thread.give(segment);
  // If the run ends before it is awaited, its failure is of no interest.
  answer.catch(() => {});
  return answer;
}

/** Restores an error of a thread: no class comes through to another one. */
function reviveError(failure: Extract<Answer, { failure: unknown }>['failure']): DumpError {
  return 'parts' in failure
    ? new FormatError(failure.parts, failure.line, failure.column)
    : new classes[failure.code](failure.phrase);
}

const classes: Readonly<Record<DumpError['code'], new (message: Phrase) => DumpError>> = {
  ERR_UTF8_USAGE: UsageError,
  ERR_UTF8_INPUT: InputError,
  ERR_UTF8_OUTPUT: OutputError,
  ERR_UTF8_BUSY: BusyError,
};
