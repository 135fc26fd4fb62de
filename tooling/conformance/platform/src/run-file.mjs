/**
 * Runs a file of the Web Platform Tests in a worker, and posts the results of its subtests. The worker is given `root`, the
 * folder of the tests; `file`; and `script`, which replaces classes of the platform before the tests are loaded.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { runInThisContext } from 'node:vm';
import { parentPort, workerData } from 'node:worker_threads';

const { root, file, script } = workerData;
// The server of the tests has other names for some files.
const aliases = { '/resources/WebIDLParser.js': 'resources/webidl2/lib/webidl2.js' };
const find = (name) => path.join(root, aliases[name] ?? name);
const load = (name) => runInThisContext(readFileSync(find(name), 'utf8'), { filename: name });

globalThis.self = globalThis;
globalThis.Window = Object.getPrototypeOf(globalThis).constructor;
globalThis.location = { search: '' };
globalThis.GLOBAL = { isWindow: () => true, isWorker: () => false, isShadowRealm: () => false };
globalThis.fetch = async (url) => new Response(readFileSync(find(url)));

runInThisContext(script);
load('resources/testharness.js');
globalThis.add_completion_callback((tests, { status, message }) => {
  const results = tests.map(({ name, status, message }) => ({
    name,
    message,
    hasPassed: status === 0,
  }));
  parentPort.postMessage({ error: status === 0 ? undefined : String(message), results });
});
const code = readFileSync(find(file), 'utf8');
for (const [, name] of code.matchAll(/^\/\/ META: script=(.+)$/gm)) {
  load(name.startsWith('/') ? name : path.join(path.dirname(file), name));
}
load(file);
