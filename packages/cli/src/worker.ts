/** A thread of `utf8 convert --jobs`: takes segments, converts them and writes them to their place. */
import { parentPort, workerData } from 'node:worker_threads';
import { encodeBom, startsWith } from './bom.js';
import { findEncoding } from './codecs.js';
import { Conversion, type ConvertOptions } from './conversion.js';
import type { Order, Report } from './crew.js';
import { Failure } from './failure.js';
import { writeAll } from './output.js';
import { Relay } from './relay.js';
import { Segments } from './segments.js';

const { options, files, sizes, fd, relay: memory } = workerData as Order;
const to = findEncoding(options.to);
const bom = encodeBom(to.codec);
const relay = new Relay(memory);
const segments = new Segments(files, sizes, options.range, options.jobs);

/** The result of a segment, in memory that is used again for the next one. */
class Result {
  #memory = new Uint8Array(1 << 20);
  #length = 0;

  get bytes(): Uint8Array {
    return this.#memory.subarray(0, this.#length);
  }

  clear(): void {
    this.#length = 0;
  }

  async write(bytes: Uint8Array): Promise<void> {
    const length = this.#length + bytes.length;
    if (length > this.#memory.length) {
      const grown = new Uint8Array(1.5 * length);
      grown.set(this.bytes);
      this.#memory = grown;
    }
    this.#memory.set(bytes, this.#length);
    this.#length = length;
  }

  async finish(): Promise<void> {}
}

const result = new Result();
const settings: ConvertOptions = {
  ...options,
  from: findEncoding(options.from),
  to,
  // The first to write anything sees to the mark, and nobody knows yet who that is.
  bom: options.bom === 'add' ? 'keep' : options.bom,
};
const conversion = new Conversion(settings, result, { async advance() {} });

/** Converts and writes a segment; undefined where another thread has ended the run. */
async function run(index: number): Promise<Report | undefined> {
  const { file, range } = segments.at(index);
  result.clear();
  let failure: unknown;
  const isWhole = await conversion.addPart(file, range).catch((error) => {
    failure = error;
    return false;
  });
  // What went wrong in this segment matters only if nothing has in those before it.
  const start = relay.wait(index);
  if (start === undefined) return undefined;
  if (failure) throw failure;
  if (!isWhole) return { index, problem: 'fault' };
  const { bytes } = result;
  const wantsBom = options.bom === 'add' && (options.range?.from ?? 0) === 0;
  const addsBom = wantsBom && start === 0 && bytes.length > 0 && !startsWith(bytes, bom);
  const place = addsBom ? bom.length : start;
  relay.pass(index, place + bytes.length);
  if (addsBom) writeAll(options.output, fd, bom, 0);
  writeAll(options.output, fd, bytes, place);
  const counts = conversion.takeCounts();
  const bytesWritten = place - start + bytes.length;
  return { index, counts: { ...counts, bytesWritten, bomsAdded: addsBom ? 1 : 0 } };
}

for (let index = relay.take(); index < segments.count; index = relay.take()) {
  const report = await run(index).catch((error): Report => {
    if (!(error instanceof Failure)) throw error;
    const { exitCode, message } = error;
    return { index, problem: { exitCode, message } };
  });
  if (!report) break;
  if ('problem' in report) relay.stop();
  parentPort?.postMessage(report);
  if ('problem' in report) break;
}
