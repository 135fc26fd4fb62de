/**
 * Reads all that there is in a file, in a process of its own, and prints how it ended and how much memory
 * that took beyond the file itself:
 *
 *     node measure.mjs dex|resources FILE
 */
import { readFileSync } from 'node:fs';
import { readDex } from '@utf8/classfile/dex';
import { readResources } from '@utf8/classfile/resources';

const [what, name] = process.argv.slice(2);
const file = readFileSync(name);
const before = process.memoryUsage.rss();

function read(lenient) {
  const errors = lenient ? 'replace' : 'strict';
  const options = { errors, ...(lenient ? { lenient } : {}) };
  const found = what === 'dex' ? readDex(file, options) : readResources(file, options);
  let length = 0;
  for (const { string } of found.strings) length += string.length;
  for (const use of found.uses()) {
    length += (use.className ?? '').length + (use.member?.descriptor ?? '').length;
    length += (use.annotation?.path ?? '').length + (use.bootstrap?.callers.length ?? 0);
    length += (use.resource?.name ?? '').length;
  }
  return length;
}

const ends = [undefined, () => {}].map((lenient) => {
  try {
    read(lenient);
    return 'read';
  } catch (error) {
    return error.reason ?? String(error);
  }
});
const bytes = process.resourceUsage().maxRSS * 1024 - before;
console.log(JSON.stringify({ ends, ratio: bytes / file.length }));
