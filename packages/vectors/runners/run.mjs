// Compares Node's TextDecoder with the vectors: node run.mjs
// Exits with 1 if a text or a number of U+FFFD differs.
import { readFileSync } from 'node:fs';

// In a project of your own: import { vectors } from '@utf8/vectors'
const file = new URL('../generated/vectors.json', import.meta.url);
const { vectors } = JSON.parse(readFileSync(file, 'utf8'));

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const lossy = new TextDecoder('utf-8', { ignoreBOM: true });
const toCodePoints = (text) => Array.from(text, (character) => character.codePointAt(0));

/** Returns the code points of well-formed bytes; undefined if the bytes are malformed. */
function decode(bytes) {
  try {
    return toCodePoints(strict.decode(bytes));
  } catch {
    return undefined;
  }
}

let failures = 0;
function check(id, what, actual, expected) {
  if (String(actual) === String(expected)) return;
  failures++;
  console.log(`${id}: ${what}: ${actual}, not ${expected}`);
}

for (const { id, bytes: hex, variants } of vectors) {
  const bytes = Buffer.from(hex, 'hex');
  const { accepts, text } = variants['utf-8'];
  check(id, 'strict', decode(bytes), accepts ? text : undefined);
  // `text` contains U+FFFD for each maximal subpart of malformed bytes.
  check(id, 'replaced', toCodePoints(lossy.decode(bytes)), text);
}
console.log(
  `TextDecoder, Node ${process.versions.node}: ${vectors.length} vectors, ${failures} failures`,
);
process.exitCode = failures > 0 ? 1 : 0;
