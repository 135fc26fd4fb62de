/** `--jobs`: threads that convert segments at once and write each to its place in the output. */
import { Worker } from 'node:worker_threads';
import type { Conversion, ConvertOptions, Counts } from './conversion.js';
import { Failure } from './failure.js';
import type { Finding } from './finding.js';
import type { Progress } from './progress.js';
import { Relay } from './relay.js';
import { measureEach, Segments } from './segments.js';

/** What a thread is given. */
export interface Order {
  readonly options: Omit<ConvertOptions, 'from' | 'to'> & {
    readonly from: string;
    readonly to: string;
    readonly jobs: number;
  };
  readonly files: readonly string[];
  /** Of the files, in bytes: measured once, since all threads must cut alike. */
  readonly sizes: readonly number[];
  /** The descriptor of the output. */
  readonly fd: number;
  readonly relay: SharedArrayBuffer;
}

/** What a thread says of each segment. */
export type Report =
  | { readonly index: number; readonly counts: Counts }
  | {
      readonly index: number;
      readonly problem: 'fault' | { readonly exitCode: number; readonly message: string };
    };

type Problem = Extract<Report, { problem: unknown }>;

/**
 * Converts files in several threads.
 *
 * @param conversion - What comes to know what the threads have done.
 * @param fd - The descriptor of the output, a file.
 * @returns The first fault, where that ends the run.
 */
export async function convertTogether(
  files: readonly string[],
  options: ConvertOptions & { readonly jobs: number },
  conversion: Conversion,
  fd: number,
  progress: Progress,
): Promise<Finding | undefined> {
  const sizes = measureEach(files);
  const segments = new Segments(files, sizes, options.range, options.jobs);
  const relay = new Relay();
  const order: Order = {
    options: { ...options, from: options.from.label, to: options.to.label },
    files,
    sizes,
    fd,
    relay: relay.memory,
  };
  let problem: Problem | undefined;
  let merged = 0;
  const waiting = new Map<number, Counts>();
  const take = (report: Report): void => {
    if ('problem' in report) {
      // A write that fails may be heard of after a fault that lies behind it.
      if (!problem || report.index < problem.index) problem = report;
      return;
    }
    waiting.set(report.index, report.counts);
    void progress.advance(report.counts.bytesRead);
    for (;;) {
      const counts = waiting.get(merged);
      if (!counts) return;
      waiting.delete(merged);
      conversion.merge(counts, segments.at(merged).endsFile);
      merged++;
    }
  };
  const count = Math.min(options.jobs, segments.count);
  const crew = Array.from({ length: count }, () => startWorker(order, take));
  try {
    await Promise.all(crew.map(({ done }) => done));
  } catch (error) {
    relay.stop();
    await Promise.all(crew.map(({ worker }) => worker.terminate()));
    throw error;
  }
  if (!problem) return undefined;
  if (problem.problem !== 'fault') {
    throw new Failure(problem.problem.exitCode, problem.problem.message);
  }
  // The one segment is converted again, so that what is said is what one thread would have said. What
  // it writes is discarded with all the rest.
  const { file, range } = segments.at(problem.index);
  const finding = await conversion.add(file, range);
  if (finding) return finding;
  throw new Failure(3, `${file}: changed while it was read; run again when nobody writes to it`);
}

/** Starts a thread; its end is waited for with `done`, which fails if it breaks down. */
function startWorker(
  order: Order,
  take: (report: Report) => void,
): { worker: Worker; done: Promise<void> } {
  const worker = new Worker(new URL('./worker.js', import.meta.url), {
    workerData: order,
    // Each thread has a heap of its own, and hardly uses it.
    resourceLimits: { maxYoungGenerationSizeMb: 2 },
  });
  const done = new Promise<void>((resolve, reject) => {
    const fail = (why: string): void =>
      reject(new Failure(3, `a thread of --jobs broke down: ${why}; run again without --jobs`));
    worker.on('message', take);
    worker.on('error', (error) => fail(error.message));
    worker.on('exit', (code) => (code === 0 ? resolve() : fail(`exit code ${code}`)));
  });
  return { worker, done };
}
