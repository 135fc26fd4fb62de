/** Compares `mutf8.encode` with the bytes that each JDK writes for strings. */

import { byteLength, encode } from '@utf8/mutf8';
import { describe, expect, it } from 'vitest';
import { choose, scale, seed } from '../../../tiers/tier.js';
import { Random } from '../../interop/src/random.js';
import { randomTexts } from '../src/input.js';
import { type Machine, useMachines } from '../src/machine.js';
import { showBytes, showText, toUnits } from '../src/unit.js';

const count = scale(10_000);

const machines = useMachines();

/** A length of four bytes, and `encode` with a 00. */
function expectChars(text: string): Buffer {
  const bytes = encode(text);
  const answer = Buffer.alloc(4 + bytes.length + 1);
  answer.writeInt32LE(byteLength(text));
  answer.set(bytes, 4);
  return answer;
}

/** Compares GetStringUTFLength and GetStringUTFChars with ours. */
function compare(machine: Machine, texts: readonly string[]): void {
  const answers = machine.ask('GetStringUTFChars', texts.map(toUnits));
  expect(answers.length).toBe(texts.length);
  for (const [i, text] of texts.entries()) {
    const [ours, theirs] = [expectChars(text), answers[i] as Buffer];
    if (!ours.equals(theirs)) {
      expect.fail(`${showText(text)}: ${showBytes(ours)}, but they say ${showBytes(theirs)}`);
    }
  }
}

/** The request of peers/strings.c. */
function packRegion(text: string, start: number, length: number): Buffer {
  const head = Buffer.alloc(8);
  head.writeInt32LE(start);
  head.writeInt32LE(length, 4);
  return Buffer.concat([head, toUnits(text)]);
}

const surrogates = Array.from({ length: 0x800 }, (_, i) => 0xd800 + i);

const neighbours = ['', '\0', 'a', 'é', '\ud7ff', '\ue000', '\uffff', '\ud800', '\udfff', '😀'];

describe.each(machines.map((machine) => [machine.name, machine] as const))('%s', (_, machine) => {
  it('all 65,536 code units, alone and between others', () => {
    const units = Array.from({ length: 0x10000 }, (_, unit) => String.fromCharCode(unit));
    compare(machine, units);
    compare(
      machine,
      units.map((unit) => `a${unit}é${unit}`),
    );
  });

  it('all pairs of some high surrogates; at night, all pairs', () => {
    const highs = Array.from({ length: 0x40 }, (_, i) => 0xd800 + 0x10 * i);
    for (const high of choose(highs, 4)) {
      compare(
        machine,
        Array.from({ length: 0x10 * 0x400 }, (_, i) =>
          String.fromCharCode(high + (i >> 10), 0xdc00 + (i & 0x3ff)),
        ),
      );
    }
  });

  it('surrogates beside each kind of code unit, before and after it', () => {
    const texts: string[] = [];
    for (const unit of choose(surrogates, 100)) {
      for (const before of neighbours) {
        for (const after of neighbours) texts.push(before + String.fromCharCode(unit) + after);
      }
    }
    compare(machine, texts);
  });

  it(`${count} random texts, and long ones`, () => {
    const random = new Random(seed);
    const long = Array.from({ length: 20 }, () =>
      Array.from({ length: random.below(20_000) }, () =>
        String.fromCharCode(random.below(random.pick([0x80, 0x100, 0x800, 0x10000]))),
      ).join(''),
    );
    compare(machine, ['', ...randomTexts(seed, count), ...long, 'a\0é€😀'.repeat(50_000)]);
  });

  it('GetStringUTFRegion writes the same of a part, and one 00', () => {
    const random = new Random(seed);
    const parts = Array.from({ length: 5000 }, () => {
      const text = Array.from({ length: random.below(8) }, () => random.pick(neighbours)).join('');
      const start = random.between(0, text.length);
      return { text, start, length: random.between(0, text.length - start) };
    });
    const requests = parts.map(({ text, start, length }) => packRegion(text, start, length));
    const answers = machine.ask('GetStringUTFRegion', requests);
    for (const [i, { text, start, length }] of parts.entries()) {
      const expected = Buffer.alloc(3 * length + 4, 0x7e);
      // A pair may be cut in two: its surrogates are written one by one.
      const bytes = encode(text.slice(start, start + length));
      expected.set([...bytes, 0]);
      expect(showBytes(answers[i] as Buffer), showText(text)).toBe(showBytes(expected));
    }
  });

  it('GetStringUTFRegion throws where the part is not in the string', () => {
    const wrong = [
      [-1, 0],
      [0, -1],
      [0, 4],
      [4, 0],
      [3, 1],
      [2 ** 31 - 1, 1],
    ] as const;
    const requests = wrong.map(([start, length]) => packRegion('abc', start, length));
    const answers = machine.ask('GetStringUTFRegion', requests);
    expect(answers.map(({ length }) => length)).toEqual(wrong.map(() => 0));
  });
});
