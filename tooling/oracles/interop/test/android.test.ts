/**
 * Modified UTF-8 of Android beside a port of ART, on whole spaces; see `interop.test.ts` for random inputs,
 * seed and number.
 */
import * as mutf8 from '@utf8/mutf8';
import * as android from '@utf8/mutf8/android';
import { describe, expect, it } from 'vitest';
import { scale, seed } from '../../../tiers/tier.js';
import { formatBytes, formatUnits } from '../src/answer.js';
import {
  checkUtfBytes,
  convertToUtf8,
  convertToUtf16,
  countChars,
  newStringUtf,
  verifyStringData,
} from '../src/art.js';
import { generateBytes } from '../src/corpus.js';
import { unchecked } from '../src/disagreements.js';

const count = scale(40_000);

const unitsOf = (text: string): number[] =>
  Array.from(text.split(''), (unit) => unit.charCodeAt(0));

/** What ART writes, as JNI does or as in DEX files. */
const write = (text: string, pairsInFour: boolean): string =>
  formatBytes(Uint8Array.from(convertToUtf8(unitsOf(text), pairsInFour)));

/** Checks a text both ways, by the two forms of ART. */
function check(text: string): void {
  const bytes = android.encode(text);
  const inDex = mutf8.encode(text);
  const isAlike =
    formatBytes(bytes) === write(text, true) &&
    formatBytes(inDex) === write(text, false) &&
    checkUtfBytes(bytes) &&
    verifyStringData(inDex, text.length) &&
    countChars(bytes) === text.length &&
    countChars(inDex) === text.length &&
    // JNI reads the six-byte form of a pair too.
    [bytes, inDex].every(
      (each) =>
        android.isValid(each) &&
        android.decode(each) === text &&
        android.decodedLength(each) === text.length &&
        String.fromCharCode(...newStringUtf(each)) === text &&
        String.fromCharCode(...convertToUtf16(each)) === text,
    );
  if (!isAlike) expect.fail(formatUnits(text));
}

describe('@utf8/mutf8/android writes and reads what ART does', () => {
  it('all 65,536 code units', () => {
    for (let unit = 0; unit <= 0xffff; unit++) check(String.fromCharCode(unit));
  });

  it('all 1,048,576 pairs', () => {
    for (let high = 0xd800; high <= 0xdbff; high++) {
      for (let start = 0xdc00; start <= 0xdfff; start += 0x40) {
        const lows = Array.from({ length: 0x40 }, (_, i) => start + i);
        check(String.fromCharCode(...lows.flatMap((low) => [high, low])));
      }
    }
  });

  it('each surrogate beside each kind of code unit, before and after it', () => {
    const neighbours = [
      [],
      ...[0, 0x41, 0x80, 0x800, 0xd7ff, 0xe000, 0xffff].map((unit) => [unit]),
      ...[0xd800, 0xdbff, 0xdc00, 0xdfff].map((unit) => [unit]),
      [0xd83d, 0xde00],
      [0xde00, 0xd83d],
    ];
    for (let unit = 0xd800; unit <= 0xdfff; unit++) {
      for (const before of neighbours) {
        for (const after of neighbours) check(String.fromCharCode(...before, unit, ...after));
      }
    }
  });

  it(`well-formed bytes, of ${count} random ones`, () => {
    let wellFormed = 0;
    for (const bytes of generateBytes(seed, count)) {
      if (!android.isValid(bytes)) continue;
      wellFormed++;
      const text = String.fromCharCode(...newStringUtf(bytes));
      const isAlike =
        checkUtfBytes(bytes) &&
        android.decode(bytes) === text &&
        String.fromCharCode(...convertToUtf16(bytes)) === text &&
        countChars(bytes) === text.length &&
        formatBytes(android.encode(text)) === write(text, true);
      if (!isAlike) expect.fail(formatBytes(bytes));
    }
    expect(wellFormed).toBeGreaterThan(count / 10);
  });

  it('accepts, of what CheckJNI accepts, just what ART would write: 1 to 4 bytes', () => {
    const edges = [0x00, 0x41, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xaf, 0xb0, 0xbf, 0xc0, 0xff];
    const all = Array.from({ length: 0x100 }, (_, byte) => byte);
    const checkBytes = (...bytes: number[]): void => {
      const input = Uint8Array.from(bytes);
      const isWritten =
        checkUtfBytes(input) &&
        !bytes.includes(0) &&
        String(convertToUtf8(newStringUtf(input), true)) === String(bytes);
      if (android.isValid(input) !== isWritten) expect.fail(formatBytes(input));
    };
    for (const first of all) {
      checkBytes(first);
      for (const second of all) {
        checkBytes(first, second);
        for (const third of first < 0x80 ? edges : all) checkBytes(first, second, third);
        if (first < 0xe0) continue;
        for (const third of edges) {
          for (const fourth of edges) checkBytes(first, second, third, fourth);
        }
      }
    }
  });

  it('strings of DEX files, which are @utf8/mutf8: all of 3 bytes that begin with a lead', () => {
    const bytes = new Uint8Array(3);
    for (let first = 0xc000; first <= 0xffff; first++) {
      bytes[0] = first >> 8;
      bytes[1] = first & 0xff;
      for (let last = 0; last <= 0xff; last++) {
        bytes[2] = last;
        if (mutf8.isValid(bytes) !== verifyStringData(bytes, countChars(bytes))) {
          expect.fail(formatBytes(bytes));
        }
      }
    }
  });
});

describe('NewStringUTF without CheckJNI accepts more:', () => {
  it.each(unchecked)('$they: $example', ({ example, theirs, ours, checked }) => {
    const bytes = Uint8Array.from(Buffer.from(example.replaceAll(' ', ''), 'hex'));
    const text = android.decode(bytes, { errors: 'replace' });
    expect({
      theirs: formatUnits(String.fromCharCode(...newStringUtf(bytes))),
      ours: formatUnits(text),
      checked: checkUtfBytes(bytes),
    }).toEqual({ theirs, ours, checked });
  });

  it('and reads no byte beyond the end, whatever the bytes are', () => {
    for (const bytes of generateBytes(seed, count)) {
      const units = newStringUtf(bytes);
      if (units.length > bytes.length) expect.fail(formatBytes(bytes));
    }
  });
});
