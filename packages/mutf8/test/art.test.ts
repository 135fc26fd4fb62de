/** Modified UTF-8 of Android beside a port of ART: on some of each space, and at night on all. */
import * as mutf8 from '@utf8/mutf8';
import * as android from '@utf8/mutf8/android';
import { describe, expect, it } from 'vitest';
import { formatBytes, formatUnits } from '../../../tooling/oracles/interop/src/answer.js';
import {
  checkUtfBytes,
  convertToUtf8,
  convertToUtf16,
  countChars,
  newStringUtf,
  verifyStringData,
} from '../../../tooling/oracles/interop/src/art.js';
import { generateBytes } from '../../../tooling/oracles/interop/src/corpus.js';
import { unchecked } from '../../../tooling/oracles/interop/src/disagreements.js';
import { choose, scale, seed } from '../../../tooling/tiers/tier.js';

const inputs = scale(40_000);

const count = (length: number): number[] => Array.from({ length }, (_, i) => i);
const highs = count(0x400).map((i) => 0xd800 + i);
const lows = highs.map((high) => high + 0x400);

const unitsOf = (text: string): number[] =>
  Array.from(text.split(''), (unit) => unit.charCodeAt(0));

/** Encodes a text as ART does, for JNI or for DEX files. */
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
  it('code units', () => {
    for (const unit of choose(count(0x10000), scale(0x8000))) check(String.fromCharCode(unit));
  });

  it('pairs', () => {
    for (const high of choose(highs, scale(200))) {
      for (let start = 0xdc00; start <= 0xdfff; start += 0x40) {
        check(String.fromCharCode(...count(0x40).flatMap((i) => [high, start + i])));
      }
    }
  });

  it('surrogates beside each kind of code unit, before and after it', () => {
    const neighbours = [
      [],
      ...[0, 0x41, 0x80, 0x800, 0xd7ff, 0xe000, 0xffff].map((unit) => [unit]),
      ...[0xd800, 0xdbff, 0xdc00, 0xdfff].map((unit) => [unit]),
      [0xd83d, 0xde00],
      [0xde00, 0xd83d],
    ];
    for (const unit of choose([...highs, ...lows], scale(500))) {
      for (const before of neighbours) {
        for (const after of neighbours) check(String.fromCharCode(...before, unit, ...after));
      }
    }
  });

  it(`well-formed bytes, of ${inputs} random ones`, () => {
    let wellFormed = 0;
    for (const bytes of generateBytes(seed, inputs)) {
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
    expect(wellFormed).toBeGreaterThan(inputs / 10);
  });

  it('accepts, of what CheckJNI accepts, just what ART would write: 1 to 4 bytes', () => {
    const edges = [0x00, 0x41, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xaf, 0xb0, 0xbf, 0xc0, 0xff];
    const all = count(0x100);
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
      }
      for (const second of choose(all, scale(50))) {
        for (const third of first < 0x80 ? edges : all) checkBytes(first, second, third);
        if (first < 0xe0) continue;
        for (const third of edges) {
          for (const fourth of edges) checkBytes(first, second, third, fourth);
        }
      }
    }
  });

  it('strings of DEX files, which are @utf8/mutf8: 3 bytes that begin with a lead', () => {
    const bytes = new Uint8Array(3);
    for (const first of choose(
      count(0x4000).map((i) => 0xc000 + i),
      scale(4000),
    )) {
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
    for (const bytes of generateBytes(seed, inputs)) {
      const units = newStringUtf(bytes);
      if (units.length > bytes.length) expect.fail(formatBytes(bytes));
    }
  });
});
