/** Runs parts of a proof in a thread. */
import { parentPort } from 'node:worker_threads';
import { runPart } from './parts.mjs';

parentPort.on('message', async (part) => {
  const start = performance.now();
  const result = await runPart(part);
  parentPort.postMessage({ ...result, took: performance.now() - start });
});
