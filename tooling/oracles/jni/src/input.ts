/** Inputs for functions of JNI. */
import { deriveAutomaton } from '@utf8/core/internal';
import { grammar } from '@utf8/mutf8/data-input';
import { generateTexts } from '../../interop/src/corpus.js';
import { packFrames } from './frame.js';
import { toText } from './unit.js';

/** First bytes, from 01 on, in groups: what begins with one of a group fits into memory, and into the time of a test. */
export const groups: readonly { readonly first: number; readonly last: number }[] = Array.from(
  { length: 16 },
  (_, i) => ({ first: Math.max(16 * i, 1), last: 16 * i + 15 }),
);

/** All arguments of so many bytes, none of them 00, that begin with a byte of a group, in frames. */
export function listArguments(length: number, first: number, last: number): Buffer {
  const found: Uint8Array[] = [];
  const extend = (bytes: number[]): void => {
    if (bytes.length === length) {
      found.push(Uint8Array.from(bytes));
      return;
    }
    const [from, to] = bytes.length === 0 ? [first, last] : [1, 0xff];
    for (let byte = from; byte <= to; byte++) extend([...bytes, byte]);
  };
  extend([]);
  return packFrames(found);
}

/** Leads of Latin-1 characters, which HotSpot distinguishes from others. */
const LATIN_1_LEADS = [0xc3, 0xc4];

/** The first byte of each class that the grammar of `DataInput` has, and some more; without 00. */
export const representatives: readonly number[] = (() => {
  const { classes } = deriveAutomaton(grammar);
  const firsts = [...new Set(classes)].map((each) => classes.indexOf(each, 1));
  return [...new Set([...firsts, ...LATIN_1_LEADS, 0xff])].sort((a, b) => a - b);
})();

/** All arguments of so many bytes, each of them one of a list, in frames. */
export function combine(bytes: readonly number[], length: number): Buffer {
  const count = bytes.length ** length;
  return packFrames(
    Array.from({ length: count }, (_, i) => {
      const argument = new Uint8Array(length);
      for (let at = length - 1, rest = i; at >= 0; at--) {
        argument[at] = bytes[rest % bytes.length] as number;
        rest = Math.floor(rest / bytes.length);
      }
      return argument;
    }),
  );
}

/** Short texts, with lone surrogates in some of them. */
export const randomTexts = (seed: number, count: number): string[] =>
  Array.from(generateTexts(seed, count), (units) => toText(Buffer.from(units).swap16()));
