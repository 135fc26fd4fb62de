/** The page's side of the worker: the newest input counts, and answers to older requests are dropped. */
import type { Analysis } from './analysis.js';
import type { Conversion, Outcome } from './conversion.js';
import type { Input } from './input.js';
import type { Answer, Request } from './worker.js';

/** Requests of the page. Both return undefined once a newer input, or a request of the same kind, has come. */
export interface WorkerClient {
  analyse(input: Input, onProgress: (done: number) => void): Promise<Analysis | undefined>;
  convert(input: Input, conversion: Conversion): Promise<Outcome | undefined>;
  close(): void;
}

interface Pending {
  readonly isAnalysis: boolean;
  /** True if a file is read, which takes time. */
  readonly isLong: boolean;
  readonly resolve: (answer: Answer | undefined) => void;
  readonly reject: (error: Error) => void;
  readonly onProgress?: (done: number) => void;
}

export function createWorker(): WorkerClient {
  let worker: Worker | undefined;
  let next = 0;
  const pending = new Map<number, Pending>();

  const start = (): Worker => {
    const created = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' });
    created.addEventListener('message', ({ data }: MessageEvent<Answer>) => {
      const request = pending.get(data.id);
      if (!request) return;
      if ('done' in data) {
        request.onProgress?.(data.done);
        return;
      }
      pending.delete(data.id);
      if ('error' in data) request.reject(new Error(data.error));
      else request.resolve(data);
    });
    created.addEventListener('error', () => {
      for (const { reject } of pending.values()) reject(new Error('the worker cannot be started'));
      pending.clear();
      worker = undefined;
    });
    return created;
  };

  const send = (
    request: Request,
    rest: Pick<Pending, 'onProgress'>,
  ): Promise<Answer | undefined> => {
    const isAnalysis = !('conversion' in request);
    const isLong = request.input instanceof Blob;
    for (const [id, other] of pending) {
      // A new input makes requests about the old one useless.
      if (!isAnalysis && other.isAnalysis) continue;
      other.resolve(undefined);
      pending.delete(id);
      if (!other.isLong) continue;
      worker?.terminate();
      worker = undefined;
    }
    worker ??= start();
    worker.postMessage(request);
    return new Promise((resolve, reject) => {
      pending.set(request.id, { isAnalysis, isLong, resolve, reject, ...rest });
    });
  };

  return {
    async analyse(input, onProgress) {
      const answer = await send({ id: next++, input }, { onProgress });
      return answer && 'analysis' in answer ? answer.analysis : undefined;
    },
    async convert(input, conversion) {
      const answer = await send({ id: next++, input, conversion }, {});
      return answer && 'outcome' in answer ? answer.outcome : undefined;
    },
    close: () => worker?.terminate(),
  };
}
