/** A thread of `utf8 convert --format … --jobs`: rewrites the segments that it is given. */
import { parentPort, workerData } from 'node:worker_threads';
import { Failure } from '../failure.js';
import { FormatFailure } from '../formats/index.js';
import type { Answer } from './crew.js';
import { createRewriter, type Order } from './order.js';
import type { Segment } from './segments.js';

const rewriter = createRewriter(workerData as Order);

/** Bytes in memory of their own, which can go to another thread. */
const own = (bytes: Uint8Array): Uint8Array<ArrayBuffer> => new Uint8Array(bytes);

parentPort?.on('message', (segment: Segment) => {
  let answer: Answer;
  const moved: ArrayBuffer[] = [];
  try {
    const rewritten = rewriter.rewrite(segment);
    const isSame = rewritten.output === segment.bytes;
    const output = isSame ? segment.bytes : own(rewritten.output);
    const rejects = own(rewritten.rejects);
    answer = { rewritten: { ...rewritten, output, rejects } };
    moved.push(output.buffer as ArrayBuffer, rejects.buffer);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const { exitCode, message } = error;
    if (error instanceof FormatFailure) {
      const { reason, line, column } = error;
      answer = { failure: { reason, line, column } };
    } else {
      answer = { failure: { exitCode, message } };
    }
  }
  parentPort?.postMessage(answer, moved);
});
