/**
 * Loaded with `--require`: kills the process when it has synchronized files as often as STOP says. A journal
 * is synchronized before its transaction is committed.
 */
const fs = require('node:fs');
const { syncBuiltinESMExports } = require('node:module');

let left = Number(process.env.STOP);
for (const name of ['fsyncSync', 'fdatasyncSync']) {
  const synchronize = fs[name];
  fs[name] = (...args) => {
    synchronize(...args);
    if (--left === 0) process.kill(process.pid, 'SIGKILL');
  };
}
syncBuiltinESMExports();
