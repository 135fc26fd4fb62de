/** Operations that are raced, in the order of the report. */
import { decode } from './decode.mjs';
import { encode } from './encode.mjs';
import { encodeInto } from './encode-into.mjs';
import { readUTF } from './read-utf.mjs';
import { replace } from './replace.mjs';
import { stream } from './stream.mjs';
import { transcode } from './transcode.mjs';
import { validate } from './validate.mjs';

/** @type {readonly import('../contestant.mjs').Operation[]} */
export const operations = [
  decode,
  encode,
  encodeInto,
  validate,
  transcode,
  stream,
  replace,
  readUTF,
];

/** @param {string} name */
export function operationFor(name) {
  const operation = operations.find((one) => one.name === name);
  if (!operation) throw new Error(`there is no operation ${name}`);
  return operation;
}
