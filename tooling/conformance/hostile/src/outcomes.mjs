// Runs all calls in surroundings that some programs have, and prints a digest of their results and errors:
// outcomes.mjs FILE HOW, where FILE is the script of calls.

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { runInThisContext } from 'node:vm';

const [, , file, how] = process.argv;
const script = readFileSync(file, 'utf8');
const inputs = readFileSync(new URL('inputs.mjs', import.meta.url), 'utf8');
const module = {};
const start = () => runInThisContext(script)(module);

/** A compartment has the globals that a program gives it; those of the language cannot be replaced. */
async function startInCompartment() {
  const { TextDecoder, TextEncoder, WebAssembly } = globalThis;
  new Compartment({
    globals: { TextDecoder, TextEncoder, WebAssembly },
    __options__: true,
  }).evaluate(script)(module);
}

const lock = async () => {
  await import('ses');
  lockdown();
};

const ways = {
  plain: start,
  'lockdown before': async () => {
    await lock();
    start();
  },
  'lockdown after': async () => {
    start();
    await lock();
  },
  'no memory for WebAssembly': () => {
    WebAssembly.Instance = function refuse() {
      throw new RangeError('WebAssembly.Memory(): could not allocate memory');
    };
    start();
  },
  compartment: async () => {
    await lock();
    await startInCompartment();
  },
};

await ways[how]();
const hash = createHash('sha256');
let count = 0;
module.calls(runInThisContext(inputs), (name, run) => {
  hash.update(`${name}: ${outcomeOf(run)}\n`);
  count++;
});
console.log(`${count} ${hash.digest('hex')}`);

function outcomeOf(run) {
  try {
    const value = run();
    if (ArrayBuffer.isView(value)) {
      return Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('base64');
    }
    return typeof value === 'object' ? JSON.stringify(value) : String(value);
  } catch (error) {
    return `${error.name}: ${error.message}`;
  }
}
