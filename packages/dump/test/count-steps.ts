/**
 * Counts what code does, so that tests of time depend on no clock: blocks that V8 executes, and bytes and elements
 * that its own functions handle.
 */
import { Session } from 'node:inspector';

/** Code that counts: all that is loaded after the counter is created. */
const SOURCES = /\/packages\/[a-z0-9]+\/src\//;

/** Bytes or elements that built-in code handles in the time of one block. */
const FAST = 64;

const session = new Session();
let handled = 0;
/** True while a function that counts is running; its callees are a part of it. */
let isCounting = false;

interface Range {
  readonly count: number;
}

interface Coverage {
  readonly result: {
    readonly url: string;
    readonly functions: readonly { readonly ranges: readonly Range[] }[];
  }[];
}

/** Starts to count. To be called before the code is loaded. */
export function startCounting(): void {
  session.connect();
  session.post('Profiler.enable');
  session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  const bytes = Object.getPrototypeOf(Uint8Array.prototype);
  for (const owner of [Buffer.prototype, bytes, Array.prototype]) {
    countCalls(owner, ['indexOf', 'includes'], measureSearch(true));
    countCalls(owner, ['lastIndexOf'], measureSearch(false));
    countCalls(owner, ['slice', 'concat', 'splice', 'reverse', 'fill', 'copyWithin'], sizeOf);
    countCalls(owner, ['set', 'compare', 'equals', 'copy'], (_, [other]) => sizeOf(other));
    countCalls(owner, ['toString', 'latin1Slice', 'utf8Slice', 'join'], sizeOf);
  }
  countCalls(Array.prototype, ['shift', 'unshift'], (_, __, self) => sizeOf(self));
  countCalls(Buffer, ['concat', 'from'], sizeOf);
  countCalls(JSON, ['stringify'], sizeOf);
  countCalls(JSON, ['parse'], (_, [text]) => sizeOf(text));
  countCalls(
    Object,
    ['entries', 'fromEntries', 'keys', 'values'],
    (result) => Object.keys(result as object).length,
  );
}

/** Measures the distance between where a search began and where it ended. */
const measureSearch =
  (isForward: boolean): Measure =>
  (result, [wanted, start], self) => {
    const { length } = self as Uint8Array;
    const from =
      typeof start === 'number' ? Math.min(Math.abs(start), length) : isForward ? 0 : length;
    let index = result;
    if (typeof result === 'boolean')
      index = result ? (self as Uint8Array).indexOf(wanted as number, from) : -1;
    if (index === -1) return isForward ? length - from : from;
    return Math.abs((index as number) - from);
  };

type Measure = (result: unknown, args: readonly unknown[], self: unknown) => number;

/** Replaces functions by ones that count what they handle. */
function countCalls(owner: object, names: readonly string[], measure: Measure): void {
  for (const name of names) {
    const method = Object.getOwnPropertyDescriptor(owner, name)?.value;
    if (typeof method !== 'function') continue;
    const value = function (this: unknown, ...args: unknown[]): unknown {
      if (isCounting) return Reflect.apply(method, this, args);
      isCounting = true;
      try {
        const result = Reflect.apply(method, this, args);
        handled += measure(result, args, this);
        return result;
      } finally {
        isCounting = false;
      }
    };
    Object.defineProperty(owner, name, { value, configurable: true, writable: true });
  }
}

function sizeOf(value: unknown): number {
  if (typeof value === 'string' || Array.isArray(value)) return value.length;
  return ArrayBuffer.isView(value) ? value.byteLength : 0;
}

/** Runs code, and returns its steps. */
export async function countSteps(run: () => Promise<unknown>): Promise<number> {
  takeBlocks();
  handled = 0;
  await run();
  const blocks = takeBlocks();
  if (process.env.STEPS) console.log(blocks, handled);
  return blocks + handled / FAST;
}

function takeBlocks(): number {
  let blocks = 0;
  session.post('Profiler.takePreciseCoverage', (error, { result }: Coverage) => {
    if (error) throw error;
    for (const { url, functions } of result) {
      if (!SOURCES.test(url)) continue;
      for (const { ranges } of functions) for (const { count } of ranges) blocks += count;
    }
  });
  return blocks;
}
