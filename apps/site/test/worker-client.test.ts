/** Tests of the page's handling of its worker's answers, in any order. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Conversion } from '../src/playground/conversion.js';
import type { Answer, Request } from '../src/playground/worker.js';
import { createWorker } from '../src/playground/worker-client.js';

/** A worker that answers when a test says so. */
class FakeWorker extends EventTarget {
  static readonly all: FakeWorker[] = [];
  readonly requests: Request[] = [];
  isTerminated = false;

  constructor() {
    super();
    FakeWorker.all.push(this);
  }

  postMessage(request: Request): void {
    this.requests.push(request);
  }

  terminate(): void {
    this.isTerminated = true;
  }

  answer(data: object): void {
    this.dispatchEvent(new MessageEvent('message', { data: data as Answer }));
  }
}

beforeEach(() => {
  FakeWorker.all.length = 0;
  vi.stubGlobal('Worker', FakeWorker);
});
afterEach(() => {
  vi.unstubAllGlobals();
});

const conversion: Conversion = { from: 'cesu-8', to: 'utf-8', errors: 'fail' };
const [one, other] = [Uint8Array.of(0x61), Uint8Array.of(0x62)];
const ignore = (): void => {};

it('drops the result of an input that has been replaced', async () => {
  const client = createWorker();
  const result = client.convert(one, conversion);
  client.analyse(other, ignore);
  const [worker] = FakeWorker.all as [FakeWorker];
  worker.answer({ id: worker.requests[0]?.id, outcome: { refusal: 'of the old input' } });
  expect(await result).toBeUndefined();
});

it('stops reading a file that has been replaced', async () => {
  const client = createWorker();
  const result = client.analyse(new File([one], 'large'), ignore);
  client.analyse(other, ignore);
  expect(await result).toBeUndefined();
  expect(FakeWorker.all.map(({ isTerminated }) => isTerminated)).toEqual([true, false]);
});

it('goes on with the same worker for bytes', () => {
  const client = createWorker();
  client.analyse(one, ignore);
  client.analyse(other, ignore);
  expect(FakeWorker.all.length).toBe(1);
});

it('starts another worker after one that failed', async () => {
  const client = createWorker();
  const result = client.analyse(one, ignore);
  FakeWorker.all[0]?.dispatchEvent(new Event('error'));
  await expect(result).rejects.toThrow('cannot be started');
  client.analyse(one, ignore);
  expect(FakeWorker.all.length).toBe(2);
});
