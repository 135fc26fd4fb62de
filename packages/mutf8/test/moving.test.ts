/** The tables of the page about moving: the calls in a row give the same results. */
import { isUtf8 } from 'node:buffer';
import { readFileSync } from 'node:fs';
import { StringDecoder } from 'node:string_decoder';
import { isDeepStrictEqual } from 'node:util';
import * as cesu8 from '@utf8/cesu8';
import { register } from '@utf8/cesu8/iconv-lite';
import * as mutf8 from '@utf8/mutf8';
import * as strict from '@utf8/strict';
import iconv from 'iconv-lite';
import { MUtf8Decoder, MUtf8Encoder } from 'mutf-8';
import { describe, expect, it } from 'vitest';
import {
  generateBytes,
  generateTexts,
  shortBytes,
} from '../../../tooling/oracles/interop/src/corpus.js';
import { readUnits } from '../../../tooling/oracles/interop/src/hex.js';
import { choose, scale, seed } from '../../../tooling/tiers/tier.js';

const page = readFileSync(
  new URL('../../../apps/site/pages/guide/moving.md', import.meta.url),
  'utf8',
);

/** The rows of the table in a section whose cells are one expression each, of bytes or of a text. */
function findRows(section: string): [string, string][] {
  const [, text = ''] = page.split(`\n## From ${section}\n`);
  return Array.from(
    text.split('\n## ')[0]?.matchAll(/^\| `([^`]+)` \| `([^`]+)` \|$/gm) ?? [],
    ([, old = '', ours = '']): [string, string] => [old, ours],
  ).filter(([old]) => /\b(?:bytes|buffer|text)\b/.test(old));
}

const shared = { Buffer, StringDecoder, iconv, isUtf8, MUtf8Decoder, MUtf8Encoder };
const names = ['bytes', 'buffer', 'text', 'target', 'offset', 'start', 'end'];

/** Makes a function of an expression; a fault that throws is a result, too. */
function compile(expression: string, codec: object) {
  const scope: Record<string, unknown> = { ...shared, ...codec };
  const evaluate = new Function(...Object.keys(scope), ...names, `return ${expression};`);
  return (...given: unknown[]): unknown => {
    try {
      const result = evaluate(...Object.values(scope), ...given);
      return ArrayBuffer.isView(result)
        ? Buffer.from(result as Uint8Array).toString('hex')
        : result;
    } catch (error) {
      if (error instanceof TypeError) return 'throws';
      throw error;
    }
  };
}

const BOM = [0xef, 0xbb, 0xbf];
const random = [...generateBytes(seed, scale(5000))];
const inputs = [
  ...choose([...shortBytes()], scale(30_000)),
  ...random,
  ...random.slice(0, 100).map((bytes) => Uint8Array.of(...BOM, ...bytes)),
];
const texts = [
  '',
  'a\ud83d',
  '\udc00😀\0',
  ...Array.from(generateTexts(seed, scale(5000)), readUnits),
];

register(iconv);

describe.each([
  ['TextDecoder and TextEncoder', 5, strict, () => true],
  ['Buffer and StringDecoder', 6, strict, () => true],
  ['iconv-lite', 4, cesu8, () => true],
  // mutf-8 counts the faults of malformed bytes otherwise, and accepts overlong forms.
  ['mutf-8', 4, mutf8, mutf8.isValid],
] as const)('from %s', (section, count, codec, accepts) => {
  const rows = findRows(section);

  it('has rows', () => expect(rows.map(([old]) => old)).toHaveLength(count));

  it.each(rows)('%s is %s', (old, ours) => {
    const one = compile(old, codec);
    const other = compile(ours, codec);
    const isText = /\btext\b/.test(old);
    for (const value of isText ? texts : inputs) {
      const bytes = isText ? new Uint8Array() : (value as Uint8Array);
      if (!isText && !accepts(bytes)) continue;
      const [target, second] = [new Uint8Array(8), new Uint8Array(8)];
      const buffer = isText ? Buffer.from(target.buffer) : Buffer.from(bytes);
      const otherBuffer = isText ? Buffer.from(second.buffer) : Buffer.from(bytes);
      const expected = one(bytes, buffer, value, target, 2, 1, 3);
      const actual = other(bytes, otherBuffer, value, second, 2, 1, 3);
      // The comparison of vitest takes most of the time.
      if (isDeepStrictEqual([actual, second], [expected, target])) continue;
      const what = isText ? JSON.stringify(value) : Buffer.from(bytes).toString('hex');
      expect([actual, second], what).toEqual([expected, target]);
    }
  });
});
