/** Ours and Node's own in the part of a native peer: node ours.mjs ours|Node OPERATION FROM [TO] */
import { isUtf8 } from 'node:buffer';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { answerCheck, readRecords } from './records.mjs';

const [who, operation = '', from = '', to = ''] = process.argv.slice(2);

/** @type {Record<string, () => Promise<any>>} */
const imports = {
  'utf-8': () => import('@utf8/strict'),
  'cesu-8': () => import('@utf8/cesu8'),
  'mutf-8': () => import('@utf8/mutf8'),
};

/** @param {string} label */
function importCodec(label) {
  const load = imports[label];
  if (!load) throw new Error(`there is no codec ${label}`);
  return load();
}

/** @type {Record<string, () => Promise<(input: any) => any>>} */
const ours = {
  async decode() {
    const { decode } = await importCodec(from);
    return (input) => decode(input);
  },
  async encode() {
    const { encode } = await importCodec(from);
    return (input) => encode(input);
  },
  async validate() {
    const { isValid } = await importCodec(from);
    return (input) => isValid(input);
  },
  async transcode() {
    const { transcode } = await import('@utf8/core');
    const [source, target] = [await importCodec(from), await importCodec(to)];
    return (input) => transcode(input, source, target);
  },
  async readUTF() {
    const { readUTF } = await import('@utf8/mutf8/framing');
    return (input) => readUTF(input, 0).text;
  },
  async writeUTF() {
    const { encodeUTF } = await import('@utf8/mutf8/framing');
    return (input) => encodeUTF(input);
  },
};

/** @type {typeof ours} */
const node = {
  async decode() {
    const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
    return (input) => decoder.decode(input);
  },
  async encode() {
    const encoder = new TextEncoder();
    return (input) => encoder.encode(input);
  },
  async validate() {
    return (input) => isUtf8(input);
  },
};

const make = (who === 'Node' ? node : ours)[operation];
if (!make) throw new Error(`there is no operation ${operation} of ${who}`);
const once = await make();
const takesText = operation === 'encode' || operation === 'writeUTF';
/** @type {any[]} */
let inputs = [];
let next = 0;
/** Contains the last result, so that no compiler drops the call. @type {{ last: unknown }} */
const kept = { last: undefined };

/** @param {number} calls */
function time(calls) {
  const start = process.hrtime.bigint();
  for (let i = 0; i < calls; i++) {
    if (next === inputs.length) next = 0;
    kept.last = once(inputs[next++]);
  }
  return process.hrtime.bigint() - start;
}

const lines = createInterface({ input: process.stdin });
console.log(`ready ${process.versions.node}`);
for await (const line of lines) {
  const [, command, argument = ''] = /^(\S+) ?(.*)$/.exec(line) ?? [];
  if (command === 'load') {
    const records = readRecords(readFileSync(argument));
    // Flat strings as they come from a file: of one byte a character where that is enough.
    inputs = takesText ? records.map((bytes) => Buffer.from(bytes).toString('utf8')) : records;
    next = 0;
    console.log(`loaded ${inputs.length}`);
  } else if (command === 'check') console.log(answerCheck(inputs, once));
  else if (command === 'time') console.log(`took ${time(Number(argument))}`);
  else throw new Error(`unknown command ${line}`);
}
