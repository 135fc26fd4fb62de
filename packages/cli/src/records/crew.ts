/** `--jobs`: threads that rewrite segments at once, for one that cuts them and takes them in order. */
import { Worker } from 'node:worker_threads';
import { Failure } from '../failure.js';
import { FormatFailure } from '../formats/index.js';
import type { Order } from './order.js';
import type { Rewritten } from './rewrite.js';
import type { Segment } from './segments.js';

/** What a thread says of a segment. */
export type Answer =
  | { readonly rewritten: Rewritten }
  | { readonly failure: { readonly exitCode: number; readonly message: string } }
  | { readonly failure: Pick<FormatFailure, 'reason' | 'line' | 'column'> };

/** How many segments a thread has at once, so that it need not wait for the next one. */
const AHEAD = 2;

/** A thread, and who waits for its answers, in order. */
class Hand {
  readonly worker: Worker;
  readonly #waiting: { resolve(answer: Answer): void; reject(error: Error): void }[] = [];
  #failure: Failure | undefined;

  constructor(order: Order) {
    // Seen from the file that this one is built into.
    this.worker = new Worker(new URL('./records/thread.js', import.meta.url), {
      workerData: order,
      resourceLimits: { maxYoungGenerationSizeMb: 8 },
    });
    this.worker.on('message', (answer: Answer) => this.#waiting.shift()?.resolve(answer));
    this.worker.on('error', (error) => this.#fail(error.message));
    this.worker.on('exit', (code) => this.#fail(`exit code ${code}`));
  }

  /** How many segments it has. */
  get load(): number {
    return this.#waiting.length;
  }

  /** Gives it a segment, whose memory goes with it. */
  async give(segment: Segment): Promise<Answer> {
    if (this.#failure) throw this.#failure;
    this.worker.postMessage(segment, [segment.bytes.buffer as ArrayBuffer]);
    return new Promise((resolve, reject) => this.#waiting.push({ resolve, reject }));
  }

  #fail(why: string): void {
    this.#failure ??= new Failure(
      3,
      `a thread of --jobs broke down: ${why}; run again without --jobs`,
    );
    for (const { reject } of this.#waiting) reject(this.#failure);
  }
}

/** A segment that is being rewritten, with what somebody knows of it. */
interface Task<Known> {
  readonly known: Known;
  readonly answer: Promise<Answer>;
}

/**
 * Rewrites segments in several threads.
 *
 * @param segments - Each with memory of its own, which goes to a thread, and with what is to be known
 *   when it has been rewritten.
 */
export async function* rewriteTogether<Known>(
  segments: AsyncIterable<[Segment, Known]>,
  order: Order,
  jobs: number,
): AsyncGenerator<[Known, Rewritten], void, undefined> {
  const crew = Array.from({ length: jobs }, () => new Hand(order));
  const tasks: Task<Known>[] = [];
  const cutter = segments[Symbol.asyncIterator]();
  let isOver = false;
  let failure: unknown;
  try {
    for (;;) {
      while (!isOver && tasks.length < AHEAD * jobs) {
        try {
          const { value, done } = await cutter.next();
          if (done) isOver = true;
          else tasks.push({ known: value[1], answer: give(crew, value[0]) });
        } catch (error) {
          // What is before it may have a refusal, which one thread would have met first.
          isOver = true;
          failure = error;
        }
      }
      const task = tasks.shift();
      if (!task) break;
      const answer = await task.answer;
      if ('failure' in answer) throw reviveFailure(answer.failure);
      yield [task.known, answer.rewritten];
    }
    if (failure) throw failure;
  } finally {
    await Promise.all(crew.map(({ worker }) => worker.terminate()));
  }
}

/** A failure as it was in the thread: no class comes through to another. */
function reviveFailure(failure: Extract<Answer, { failure: unknown }>['failure']): Failure {
  return 'reason' in failure
    ? new FormatFailure(failure.reason, failure.line, failure.column)
    : new Failure(failure.exitCode, failure.message);
}

/** Gives a segment to the thread that has the least to do. */
function give(crew: readonly Hand[], segment: Segment): Promise<Answer> {
  const hand = crew.reduce((least, each) => (each.load < least.load ? each : least));
  const answer = hand.give(segment);
  // Whoever comes to it learns of an error; nobody may, if the run ends before.
  answer.catch(() => {});
  return answer;
}
