/**
 * Loaded with `--require`: kills the process at the call number KILL_AT that changes files, of which it does half if
 * that is a write. Writes how many calls there were to the file CALLS when the process ends.
 */
const fs = require('node:fs');
const { syncBuiltinESMExports } = require('node:module');
const { isMainThread } = require('node:worker_threads');

const { KILL_AT, CALLS } = process.env;
const names = ['openSync', 'writeSync', 'fsyncSync', 'ftruncateSync', 'renameSync', 'linkSync'];
let calls = 0;
const { writeSync, writeFileSync } = fs;
for (const name of isMainThread ? [...names, 'rmSync', 'open', 'write', 'fsync'] : []) {
  const act = fs[name];
  const counted = (...args) => {
    if (++calls === Number(KILL_AT)) {
      const [fd, bytes, offset = 0, length = bytes?.length] = args;
      if (/^write/.test(name) && length > 1) writeSync(fd, bytes, offset, length >> 1, args[4]);
      process.kill(process.pid, 'SIGKILL');
    }
    return act(...args);
  };
  // `promisify` asks the function what it returns.
  fs[name] = Object.defineProperties(counted, Object.getOwnPropertyDescriptors(act));
}
syncBuiltinESMExports();
if (CALLS && isMainThread) process.on('exit', () => writeFileSync(CALLS, `${calls}`));
