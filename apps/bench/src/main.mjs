/**
 * Measures the codecs against the platform's own: `npm run bench`, or with arguments
 * `npm run bench -- --quick --only cesu8 decode`. Every result is compared before it is timed.
 */
import { isUtf8 } from 'node:buffer';
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import * as cesu8 from '@utf8/cesu8';
import * as cesu8Lite from '@utf8/cesu8/lite';
import * as mixed from '@utf8/cesu8/mixed';
import { transcode } from '@utf8/core';
import * as mutf8 from '@utf8/mutf8';
import * as rfc2279 from '@utf8/rfc2279';
import * as strict from '@utf8/strict';
import * as strictLite from '@utf8/strict/lite';
import { KINDS, makeText } from './corpus.mjs';
import { race } from './race.mjs';

const codecs = {
  strict,
  'strict/lite': strictLite,
  cesu8,
  'cesu8/lite': cesu8Lite,
  mutf8,
  rfc2279,
};
const native = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const encoder = new TextEncoder();

/** What each operation races: our codecs on their bytes, and the platform on UTF-8 of the same text. */
const operations = {
  decode: {
    input: (text, codec) => codec.encode(text),
    ours: (codec) => (bytes) => codec.decode(bytes),
    peers: { TextDecoder: (bytes) => native.decode(bytes) },
    expected: (text) => text,
  },
  encode: {
    input: (text) => text,
    ours: (codec) => (text) => codec.encode(text),
    peers: { TextEncoder: (text) => encoder.encode(text) },
    expected: (text, codec) => codec.encodeCodePoints(Array.from(text, (c) => c.codePointAt(0))),
  },
  isValid: {
    input: (text, codec) => codec.encode(text),
    ours: (codec) => (bytes) => codec.isValid(bytes),
    peers: { isUtf8: (bytes) => isUtf8(bytes) },
    expected: () => true,
  },
  transcode: {
    input: (text, codec) => codec.encode(text),
    ours: (codec) => (bytes) => transcode(bytes, codec, strict),
    peers: { 'native decode + encode': (bytes) => encoder.encode(native.decode(bytes)) },
    expected: (text) => encoder.encode(text),
  },
};

const { values, positionals } = parseArgs({
  options: { quick: { type: 'boolean' }, only: { type: 'boolean' } },
  allowPositionals: true,
});
const chosen = (names) => {
  const picked = names.filter((name) => positionals.includes(name));
  return picked.length > 0 ? picked : names;
};
const known = [...Object.keys(operations), ...Object.keys(codecs), 'mixed'];
const unknown = positionals.filter((word) => !known.includes(word));
if (unknown.length > 0) {
  console.error(`bench: unknown ${unknown.join(', ')}; there are ${known.join(', ')}.`);
  process.exit(2);
}

const sizes = values.quick ? [64, 65536] : [16, 64, 1024, 65536, 1048576];
const timing = values.quick ? { rounds: 3, slice: 2, warmUp: 10 } : {};
console.log(
  `Node ${process.version}, ${cpus()[0]?.model}. MB/s of the input's UTF-8; x: ratio to the platform.`,
);

for (const operation of chosen(Object.keys(operations))) {
  const { input, ours, peers, expected } = operations[operation];
  const list = operation === 'transcode' ? { ...codecs, mixed } : codecs;
  for (const size of sizes) {
    const rows = {};
    for (const kind of KINDS) {
      const texts = Array.from({ length: 8 }, (_, seed) => makeText(kind, size, seed + 1));
      const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0) / texts.length;
      const contestants = {};
      for (const name of chosen(Object.keys(list))) {
        const codec = list[name];
        const inputs = texts.map((text) => input(text, codec));
        check(
          `${operation} ${name} ${kind}`,
          inputs.map(ours(codec)),
          texts.map((t) => expected(t, codec)),
        );
        const run = ours(codec);
        contestants[name] = (i) => run(inputs[i]);
      }
      for (const [name, run] of Object.entries(peers)) {
        const inputs = texts.map((text) => input(text, strict));
        check(
          `${operation} ${name} ${kind}`,
          inputs.map(run),
          texts.map((t) => expected(t, strict)),
        );
        contestants[name] = (i) => run(inputs[i]);
      }
      const times = race(
        contestants,
        texts.map((_, i) => i),
        timing,
      );
      const [peer] = Object.keys(peers);
      const speed = (name) => bytes / 1000 / times[name];
      rows[kind] = Object.fromEntries([
        [peer, Math.round(speed(peer))],
        ...Object.keys(contestants)
          .filter((name) => name !== peer)
          .map((name) => [
            name,
            `${Math.round(speed(name))} (x${(times[peer] / times[name]).toFixed(2)})`,
          ]),
      ]);
    }
    console.log(`\n${operation}, ${size} bytes`);
    console.table(rows);
  }
}

function check(what, actual, wanted) {
  actual.forEach((result, i) => {
    const same =
      typeof result === 'object' ? Buffer.compare(result, wanted[i]) === 0 : result === wanted[i];
    if (!same) throw new Error(`${what}: the result is wrong, so it is not timed`);
  });
}
