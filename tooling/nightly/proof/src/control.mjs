// Shows that errors are noticed: node tooling/nightly/proof/src/control.mjs [--changes N] [--seed N]
//
// Each change is one other byte in the tables or constants of a kernel. The proof and the tests of kernels must
// both notice it. If neither does, it is one that changes nothing, such as an entry that no byte looks up, and is
// listed. Ends with 1 if one of the two notices what the other does not.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { change, listConstants } from './changes.mjs';
import { listSample, runPart } from './parts.mjs';
import { readWasm, variants } from './subjects.mjs';

const { values } = parseArgs({
  options: { changes: { type: 'string', default: '100' }, seed: { type: 'string' } },
});
const wanted = Number(values.changes);
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31));
if (!(Number.isInteger(wanted) && wanted > 0 && Number.isInteger(seed))) {
  console.error('usage: node tooling/nightly/proof/src/control.mjs [--changes N] [--seed N]');
  process.exit(2);
}
console.log(`seed ${seed}`);

const root = fileURLToPath(new URL('../../../..', import.meta.url));
const folder = mkdtempSync(path.join(tmpdir(), 'utf8-control-'));
let state = seed;
const draw = (below) => {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return Math.floor((state / 2 ** 32) * below);
};

const counts = { both: 0, neither: 0, proof: 0, tests: 0 };
for (let i = 0; counts.both < wanted && i < 3 * wanted; i++) {
  const variant = variants[draw(variants.length)];
  const wasm = readWasm(variant);
  const found = listConstants(wasm);
  const kind = draw(2) === 0 ? 'tables' : 'constants';
  const index = found[kind][draw(found[kind].length)];
  const byte = (wasm[index] + 1 + draw(255)) & 0xff;
  const changed = change(wasm, index, byte);
  if (!WebAssembly.validate(changed)) continue;
  const proof = await isNoticedByProof(variant, changed);
  const tests = isNoticedByTests(variant, wasm, changed);
  const who = proof && tests ? 'both' : proof ? 'proof' : tests ? 'tests' : 'neither';
  counts[who]++;
  console.log(`${variant}: byte ${index} of ${kind} from ${wasm[index]} to ${byte}: ${who}`);
}
rmSync(folder, { recursive: true });
console.log(
  `${counts.both} noticed by both, ${counts.neither} by neither, ` +
    `${counts.proof} by the proof alone, ${counts.tests} by the tests alone`,
);
process.exitCode = counts.proof + counts.tests > 0 ? 1 : 0;

async function isNoticedByProof(variant, wasm) {
  for (const part of await listSample(variant)) {
    try {
      if ((await runPart(part, wasm)).difference) return true;
    } catch (error) {
      // Some changes make it exceed its memory, or use instructions that the machine does not know.
      if (error instanceof WebAssembly.RuntimeError || error instanceof TypeError) return true;
      throw error;
    }
  }
  return false;
}

/** Runs the tests of a codec with another module instead of the published one. */
function isNoticedByTests(variant, wasm, changed) {
  const file = path.join(folder, 'change.json');
  const hex = (bytes) => Buffer.from(bytes).toString('hex');
  writeFileSync(file, JSON.stringify({ from: hex(wasm), to: hex(changed) }));
  const preload = new URL('./replace.mjs', import.meta.url);
  const report = path.join(folder, 'report.json');
  rmSync(report, { force: true });
  spawnSync(
    process.execPath,
    [
      'node_modules/vitest/vitest.mjs',
      ...['run', '--bail', '1', '--testTimeout', '3600000'],
      ...['--reporter', 'json', `--outputFile.json=${report}`],
      ...['kernels', variant.split('/').at(-1)].map(
        (name) => `packages/${variant.split('/')[0]}/test/${name}`,
      ),
      'tooling/compiler/test/kernels',
      // The codec by its name, and not another one that begins so.
      ...['-t', `^${variant}(,| |$)`],
    ],
    {
      cwd: root,
      env: {
        ...process.env,
        NODE_OPTIONS: `--import ${preload}`,
        UTF8_CHANGE: file,
        UTF8_TIER: 'night',
        UTF8_SCALE: '1',
      },
      stdio: 'ignore',
    },
  );
  const { numPassedTests, numFailedTests } = JSON.parse(readFileSync(report, 'utf8'));
  if (numPassedTests + numFailedTests === 0) throw new Error(`no test of ${variant} ran`);
  return numFailedTests > 0;
}
