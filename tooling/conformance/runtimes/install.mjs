// Fetches the runtimes of versions.json into the clone: node tooling/conformance/runtimes/install.mjs [name…]
//
// They are not dependencies, because they take a gigabyte.

import { fetchRuntime, versions } from './fetch.mjs';

if (process.platform !== 'linux' || process.arch !== 'x64') {
  console.error('Other runtimes are fetched for Linux on x64 alone.');
  process.exit(0);
}

let failed = false;
for (const name of process.argv.length > 2 ? process.argv.slice(2) : Object.keys(versions)) {
  if (!Object.hasOwn(versions, name)) {
    console.error(`unknown runtime "${name}"; expected ${Object.keys(versions).join(', ')}`);
    process.exit(2);
  }
  // The Node that runs the tests is used as it is.
  if (name === `node-${process.versions.node.split('.')[0]}`) continue;
  if (fetchRuntime(name)) continue;
  console.error(`could not fetch ${name}`);
  failed = true;
}
process.exitCode = failed ? 1 : 0;
