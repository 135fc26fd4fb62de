/**
 * Runs a suite of tests for mocha in a worker, and posts their results. The worker is given `code`, the suite;
 * `script`, which replaces classes of the platform before the suite is loaded; and `hasBuffer`: false hides `Buffer` while it
 * is loaded, so that the library uses TextDecoder and TextEncoder alone.
 */
import * as module from 'node:module';
import { runInThisContext } from 'node:vm';
import { parentPort, workerData } from 'node:worker_threads';
import { chai } from '@vitest/expect';

const { code, script, hasBuffer } = workerData;
const { Buffer } = globalThis;

/** Sample data, which the published suites lack: texts of all lengths and scripts. */
const sample = Array.from({ length: 30 }, (_, i) => ({
  id: i,
  name: `Jürgen 😀 ${'日本語'.repeat(i)}`,
  tags: ['plain', 'naïve', '\u{10ffff}'.repeat(i), 'x'.repeat(i * i)],
  nested: { price: 1.5 * i, isNew: i % 2 === 0, none: null, ['ключ'.repeat(i)]: i },
}));

/** State of a linear congruential generator, which gives each run the same random inputs. */
let state = 1;
Math.random = () => {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return state / 2 ** 32;
};

/** Calls of the classes, which show that the library uses them. */
let calls = 0;
function count(prototype, name) {
  const method = prototype[name];
  prototype[name] = function (...values) {
    calls++;
    return Reflect.apply(method, this, values);
  };
}

const tests = [];
const timeout = () => undefined;
Object.assign(globalThis, {
  chai,
  module,
  fs: { readFileSync: () => JSON.stringify(sample) },
  document: { currentScript: null, baseURI: 'file:///' },
  suite: (name, define) => {
    // Their loops measure time.
    if (!name.includes('performance')) define.call({ timeout });
  },
  test: (name, body) => tests.push({ name, body }),
});
globalThis.test.skip = timeout;

runInThisContext(script);
count(TextDecoder.prototype, 'decode');
count(TextEncoder.prototype, 'encode');
count(TextEncoder.prototype, 'encodeInto');
if (!hasBuffer) globalThis.Buffer = undefined;
runInThisContext(code);
globalThis.Buffer = Buffer;

const results = [];
for (const { name, body } of tests) {
  let message = null;
  try {
    // A test with a parameter calls it when it is done.
    await (body.length > 0
      ? new Promise((resolve, reject) => {
          body.call({ timeout }, (error) => (error ? reject(error) : resolve()));
        })
      : body.call({ timeout }));
  } catch (error) {
    message = String(error.message).slice(0, 200);
  }
  results.push({ name, message, hasPassed: message === null });
}
parentPort.postMessage({ results, calls });
