/**
 * Loaded with `--require`: sends the process a signal (`SIGNAL`, or SIGKILL) when it has synchronized files as often as
 * `SYNCS` says, or when it has opened a file whose name contains `OPENED`. A checkpoint is synchronized before its
 * transaction is committed. A process that is to stop says so on standard output.
 */
const fs = require('node:fs');
const { syncBuiltinESMExports } = require('node:module');

const { SIGNAL = 'SIGKILL', SYNCS, OPENED } = process.env;

function send() {
  if (SIGNAL === 'SIGSTOP') fs.writeSync(1, 'stopped\n');
  process.kill(process.pid, SIGNAL);
}

let left = Number(SYNCS);
for (const name of ['fsyncSync', 'fdatasyncSync']) {
  const synchronize = fs[name];
  fs[name] = (...args) => {
    synchronize(...args);
    if (--left === 0) send();
  };
}

const { openSync } = fs;
fs.openSync = (file, ...rest) => {
  const fd = openSync(file, ...rest);
  if (OPENED && String(file).includes(OPENED)) send();
  return fd;
};
syncBuiltinESMExports();
