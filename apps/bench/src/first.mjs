/** The cost of a codec's first call in a fresh process. `node first.mjs cesu8 '{"nul":1,"split":"always"}'` */
import { makeTexts } from './arena/corpora.mjs';
import { encode, findDifference } from './arena/reference.mjs';

const [name = '', spelling = ''] = process.argv.slice(2);
const [text = ''] = makeTexts('dump', 64 * 1024, 1);
const bytes = encode(text, JSON.parse(spelling));
const faulty = bytes.slice();
faulty[faulty.length - 1] = 0xff;

const EMPTY = 'data:text/javascript,';

/** @returns {Promise<{ decode: (bytes: Uint8Array) => string, encode: (text: string) => Uint8Array }>} */
async function load() {
  if (name !== 'native') return import(`@utf8/${name}`);
  await import(EMPTY); // what importing costs when there is nothing in it
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  const encoder = new TextEncoder();
  return { decode: (bytes) => decoder.decode(bytes), encode: (text) => encoder.encode(text) };
}

/** @type {Record<string, number>} */
const times = {};
let last = performance.now();
const lap = (/** @type {string} */ what) => {
  const now = performance.now();
  times[what] = now - last;
  last = performance.now();
};

const codec = await load();
lap('import');
const decoded = codec.decode(bytes);
lap('decode');
const encoded = codec.encode(text);
lap('encode');
let fault = false;
try {
  codec.decode(faulty);
} catch {
  fault = true;
}
lap('fault');
const wrong = decoded !== text || findDifference(encoded, bytes) !== undefined || !fault;
console.log(JSON.stringify({ ...times, wrong }));
