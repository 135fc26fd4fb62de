/**
 * Loaded with `--require`: stops the process when it has synchronized files as often as STOP_AT says. An undo log is
 * synchronized before its transaction is committed. STOP_BY is the signal that the process gets; without one, it
 * writes a line to stdout, and waits for stdin.
 */
const fs = require('node:fs');
const { syncBuiltinESMExports } = require('node:module');

const { STOP_AT, STOP_BY } = process.env;
let left = Number(STOP_AT);
for (const name of ['fsyncSync', 'fdatasyncSync']) {
  const synchronize = fs[name];
  fs[name] = (...args) => {
    synchronize(...args);
    if (--left !== 0) return;
    if (STOP_BY) process.kill(process.pid, STOP_BY);
    else {
      fs.writeSync(1, 'here\n');
      fs.readSync(0, Buffer.alloc(1));
    }
  };
}
syncBuiltinESMExports();
