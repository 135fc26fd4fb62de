// Proves kernels right: node tooling/nightly/proof/src/main.mjs [--lanes N] [variant…]
//
// For each codec, all words of four bytes and all pairs of code units through its WebAssembly, and a proof for
// inputs of any length; see README.md. Prints what was covered and how long it took, and ends with 1 if anything
// differs from the rows.

import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { listParts } from './parts.mjs';
import { variants } from './subjects.mjs';

const { values, positionals } = parseArgs({
  options: { lanes: { type: 'string', default: '16' } },
  allowPositionals: true,
});
const lanes = Number(values.lanes);
const unknown = positionals.find((name) => !variants.includes(name));
if (unknown !== undefined || !(Number.isInteger(lanes) && lanes >= 1 && lanes <= 16)) {
  console.error(
    `usage: node tooling/nightly/proof/src/main.mjs [--lanes 1…16] [${variants.join('|')}…]`,
  );
  process.exit(2);
}

const start = performance.now();
const parts = [];
for (const variant of positionals.length > 0 ? positionals : variants) {
  parts.push(...(await listParts(variant, { lanes })));
}
const pending = parts.values();
let differences = 0;
await Promise.all(Array.from({ length: availableParallelism() }, work));
const seconds = ((performance.now() - start) / 1000).toFixed();
console.log(`${parts.length} parts in ${seconds} s, ${differences} of them with differences`);
process.exitCode = differences > 0 ? 1 : 0;

/** Runs one part after the other in a thread. */
async function work() {
  const worker = new Worker(new URL('./worker.mjs', import.meta.url));
  for (const part of pending) {
    worker.postMessage(part);
    const [{ covered, took, difference }] = await once(worker, 'message');
    const what = `${part.name}: ${covered}`;
    console.log(`${what} in ${(took / 1000).toFixed(1)} s${difference ? `: ${difference}` : ''}`);
    if (difference) differences++;
  }
  await worker.terminate();
}
