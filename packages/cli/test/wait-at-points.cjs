/**
 * Loaded with `--require`: a process that would stop itself at a point of `UTF8_TEST_STOP` says so with its id on
 * file descriptor 3, and waits for a byte on 4.
 */
const { readSync, writeSync } = require('node:fs');

const { kill } = process;
process.kill = (pid, signal) => {
  if (pid !== process.pid || signal !== 'SIGSTOP') return kill.call(process, pid, signal);
  writeSync(3, `${pid}\n`);
  readSync(4, Buffer.alloc(1));
  return true;
};
