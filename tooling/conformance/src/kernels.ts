/**
 * Loops and kernels against the rows of the same grammar, around the edges of the blocks of 16 and 64 bytes
 * that they work in: every length, every place, one wrong byte at a time.
 */
import { type Codec, createCodec, type Fault, formatBytes, transcode } from '@utf8/core';
import { describe, expect, it } from 'vitest';
import { choose, isNight } from '../../tiers/tier.js';
import { variants } from './generated/codecs.js';

const codecs = Object.fromEntries(Object.entries(variants).map(([name, { full }]) => [name, full]));
const utf8 = codecs.strict as Codec;

const rowCodecs = new Map<Codec, Codec>();

/** The codec of the same grammar that has nothing but its rows. */
function rowsOf(codec: Codec): Codec {
  const known = rowCodecs.get(codec) ?? createCodec(codec.name, codec.grammar);
  rowCodecs.set(codec, known);
  return known;
}

/** Texts of one kind each, so that every fast path is taken, and of all kinds in turn. */
const texts = {
  ascii: 'abcdefghijklmnopqrstuvwxyz',
  latin: 'größer schön für',
  cyrillic: 'быть он с что',
  hangul: '한국어 퀀텀 하하',
  cjk: '漢字仮名交文',
  emoji: '😀🎉\u{10ffff}\u{10000}',
  all: 'aé漢😀z\u07ff\u0800\ud7ff\ue000\uffff',
};

const LONGEST = 150;
const LF = 0x0a;

/** A text without the characters that an encoding does not contain. */
const fit = (codec: Codec, text: string): string =>
  codec.grammar.domain === 'bmp' ? text.replace(/[^\0-\uffff]/gu, '€') : text;

/** Returns text of a kind with `units` code units, or one less if that would cut a pair. */
function repeat(kind: string, units: number): string {
  const text = kind.repeat(Math.ceil(units / kind.length)).slice(0, units);
  return /[\ud800-\udbff]$/.test(text) ? text.slice(0, -1) : text;
}

/** Like `expect(actual).toEqual(expected)`, which alone would take most of the time. */
function equal(actual: unknown, expected: unknown, what: () => string): void {
  const same =
    actual instanceof Uint8Array && expected instanceof Uint8Array
      ? actual.length === expected.length && actual.every((byte, i) => byte === expected[i])
      : actual === expected || JSON.stringify(actual) === JSON.stringify(expected);
  if (!same) expect(actual, what()).toEqual(expected);
}

function compareReading(codec: Codec, bytes: Uint8Array): void {
  const rows = rowsOf(codec);
  const replaced = { errors: 'replace' } as const;
  const what = () => formatBytes(bytes);
  equal(codec.isValid(bytes), rows.isValid(bytes), what);
  equal(codec.findFault(bytes), rows.findFault(bytes), what);
  equal(codec.decode(bytes, replaced), rows.decode(bytes, replaced), what);
  equal(codec.decodedLength(bytes, replaced), rows.decodedLength(bytes, replaced), what);
}

/** Returns the result of a conversion: bytes, or its first error. */
function attempt(run: () => Uint8Array): Uint8Array | Partial<Fault> {
  try {
    return run();
  } catch (error) {
    const { offset, length, reason } = error as Fault;
    return { offset, length, reason };
  }
}

/** By day, gives each turn only every `n`th case, and `n` turns all of them. */
const rotateByDay = <T>(cases: readonly T[], turn: number, n: number): readonly T[] =>
  isNight ? cases : cases.filter((_, i) => (i + turn) % n === 0);

/** Registers the tests of a codec's loops and kernel. */
export function testKernels(title: string, codec: Codec): void {
  describe(`${title}, loops and kernel`, () => testKernel(codec));
}

function testKernel(codec: Codec): void {
  const rows = rowsOf(codec);

  it.each(Object.entries(texts))('encodes and decodes %s of every length', (_kind, sample) => {
    const target = new Uint8Array(6 * LONGEST);
    for (let units = 0; units <= LONGEST; units++) {
      const text = repeat(fit(codec, sample), units);
      const bytes = rows.encode(text);
      const what = () => JSON.stringify(text);
      equal(codec.encode(text), bytes, what);
      equal(codec.byteLength(text), bytes.length, what);
      equal(codec.decode(bytes), text, what);
      equal(codec.isValid(bytes), true, what);
      const { read, written } = codec.encodeInto(text, target);
      equal(read, text.length, what);
      equal(target.subarray(0, written), bytes, what);
    }
  });

  it('fills targets of every size alike', () => {
    const text = repeat(fit(codec, texts.all), LONGEST);
    const { length } = rows.encode(text);
    for (let size = 0; size <= length; size++) {
      const target = new Uint8Array(size);
      const expected = new Uint8Array(size);
      const what = () => `${size} bytes`;
      equal(codec.encodeInto(text, target), rows.encodeInto(text, expected), what);
      equal(target, expected, what);
    }
  });

  it.each(Object.entries(texts))('finds one wrong byte at every place of %s', (_kind, sample) => {
    const bytes = rows.encode(repeat(fit(codec, sample), 140)).subarray(0, 200);
    const wrong = [0, 0x41, 0x80, 0xa0, 0xb0, 0xc0, 0xc2, 0xe0, 0xed, 0xf0, 0xf4, 0xff];
    for (let at = 0; at < bytes.length; at++) {
      for (const byte of rotateByDay(wrong, at, 6)) {
        const corrupt = bytes.slice();
        corrupt[at] = byte;
        compareReading(codec, corrupt);
      }
    }
  });

  it('reads every prefix alike', () => {
    const bytes = rows.encode(repeat(fit(codec, texts.all), LONGEST));
    for (let length = 0; length <= bytes.length; length++) {
      compareReading(codec, bytes.subarray(0, length));
    }
  });

  it('finds one lone surrogate at every place', () => {
    for (const sample of Object.values(texts)) {
      const text = repeat(fit(codec, sample), 80);
      for (let at = 0; at <= text.length; at++) {
        for (const surrogate of ['\ud83d', '\ude00']) {
          const broken = text.slice(0, at) + surrogate + text.slice(at);
          const escaped = { errors: 'backslashreplace' } as const;
          const what = () => JSON.stringify(broken);
          equal(codec.encode(broken, escaped), rows.encode(broken, escaped), what);
          equal(
            attempt(() => codec.encode(broken)),
            attempt(() => rows.encode(broken)),
            what,
          );
        }
      }
    }
  });

  it.each(choose(Object.entries(codecs), 2))('converts to %s as the rows do', (_target, target) => {
    const toRows = rowsOf(target);
    for (const sample of Object.values(texts)) {
      const bytes = rows.encode(repeat(fit(codec, sample), 140));
      for (let at = 0; at < bytes.length; at += 2) {
        const corrupt = bytes.slice();
        if (at > 0) corrupt[at] = [0, 0x80, 0xed, 0xf0][(at >> 1) % 4] as number;
        const what = () => formatBytes(corrupt);
        equal(
          attempt(() => transcode(corrupt, codec, target)),
          attempt(() => transcode(corrupt, rows, toRows)),
          what,
        );
        const replaced = { errors: 'replace' } as const;
        equal(
          transcode(corrupt, codec, target, replaced),
          transcode(corrupt, rows, toRows, replaced),
          what,
        );
      }
    }
  });

  it.each([
    ['to UTF-8', codec, utf8],
    ['from UTF-8', utf8, codec],
  ] as const)('converts two and three bytes of each kind %s as the rows do', (_, from, to) => {
    const replaced = { errors: 'replace' } as const;
    // Each separately: with another error in the same block, a kernel doubts input that it would accept.
    const compare = (...bytes: readonly number[]): void => {
      const input = new Uint8Array(90).fill(0x41);
      input.set([...bytes, LF], 40);
      equal(
        transcode(input, from, to, replaced),
        transcode(input, rowsOf(from), rowsOf(to), replaced),
        () => formatBytes(bytes),
      );
    };
    // Tables look at halves of bytes.
    const thirds = Array.from({ length: 16 }, (_, i) => 16 * i);
    for (let first = 0; first < 256; first++) {
      for (let second = 0; second < 256; second += 16) {
        compare(first, second);
        compare(first, second + 15);
        if (first < 0xe0) continue;
        for (const third of rotateByDay(thirds, first + second / 16, 4)) {
          compare(first, second, third);
        }
      }
    }
  });

  it('works through many windows', () => {
    // Longer than any memory of a kernel, with a fault now and then.
    const text = repeat(fit(codec, texts.all), 400_000);
    const bytes = rows.encode(text);
    const what = () => 'a long text';
    equal(codec.encode(text), bytes, what);
    equal(codec.decode(bytes) === text, true, what);
    for (let at = 77_777; at < bytes.length; at += 77_777) bytes[at] = 0xff;
    equal(codec.isValid(bytes), false, what);
    const replaced = { errors: 'replace' } as const;
    equal(codec.decode(bytes, replaced) === rows.decode(bytes, replaced), true, what);
    equal(
      transcode(bytes, codec, utf8, replaced),
      transcode(bytes, rows, rowsOf(utf8), replaced),
      what,
    );
  });
}
