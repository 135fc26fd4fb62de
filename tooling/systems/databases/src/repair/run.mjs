// Runs one function of @utf8/database as a process of its own, which can be killed:
// node run.mjs scan|repair|undo|emit OPTIONS [POINT]. Prints its result, or its error, as JSON.
//
// POINT is `{"at":NAME,"time":N}`: at the Nth time that the run comes there, or at each (`"each"`), it writes a line to
// stdout and waits until a line comes in from stdin. Names are those of `reach` below.

import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const [, , work, json, pointJson] = process.argv;
const options = JSON.parse(json);
const point = pointJson ? JSON.parse(pointJson) : undefined;
let times = 0;

/** Stops here, if it is the point: the test now acts, for example kills the process. */
function reach(name) {
  const { at, time = 1 } = point ?? {};
  if (at !== name || (++times !== time && time !== 'each')) return;
  fs.writeSync(1, 'here\n');
  fs.readSync(0, Buffer.alloc(1));
}

const { fdatasyncSync, writeSync } = fs;
fs.fdatasyncSync = (fd) => {
  reach('before the undo log is on the disk');
  fdatasyncSync(fd);
  reach('before the commit');
};
fs.writeSync = (fd, bytes, offset, length, position) => {
  if (fd <= 2 || point?.at !== 'within a line of the undo log' || length < 2) {
    return writeSync(fd, bytes, offset, length, position);
  }
  const half = writeSync(fd, bytes, offset, length >> 1, position);
  reach('within a line of the undo log');
  return half;
};
syncBuiltinESMExports();

const { emitRepair, repairDatabase, revertDatabase, scanDatabase } = await import(
  '../../../../../packages/database/dist/index.js'
);
const run = {
  scan: scanDatabase,
  repair: repairDatabase,
  undo: revertDatabase,
  emit: emitRepair,
}[work];
let answer;
try {
  answer = {
    report: await run({
      ...options,
      ...(work === 'repair' && { onLook: () => reach('after the look') }),
      onProgress: (done, total) => {
        reach('after a page');
        if (done === total) reach('at the end');
      },
    }),
  };
} catch (error) {
  answer = { error: { name: error.name, code: error.code, message: error.message } };
}
const { maxRSS } = process.resourceUsage();
writeSync(1, `${JSON.stringify({ ...answer, memory: maxRSS * 1024 })}\n`);
process.exitCode = answer.error ? 1 : 0;
