/** Guesses at what an input is, by a few places of it. */
import { beforeEach, describe, expect, it } from 'vitest';
import { findGreatest, guessKind, SHORT } from '../src/sample.js';
import { ways } from '../src/ways.js';

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Counts the places that are looked at. */
function watch(bytes: Uint8Array) {
  const seen = new Set<number>();
  const watched = new Proxy(bytes, {
    get: (target, key) => {
      seen.add(Number(key));
      return target[Number(key)];
    },
  });
  return { watched, seen };
}

describe('the greatest first byte', () => {
  it.each(['a', '\u07ff', '\u0800', '\ud7ff', '\ue000', '\u{10000}'])(
    'of %j alone',
    (character) => {
      for (const times of [1, 2, 3, SHORT, 5 * SHORT]) {
        const bytes = bytesOf(character.repeat(times));
        expect(findGreatest(bytes, bytes.length)).toBe(bytes[0]);
      }
    },
  );

  it('is more than a byte at a surrogate', () => {
    const surrogates = Uint8Array.of(0xed, 0xa0, 0x80, 0xed, 0xbf, 0xbf);
    expect(findGreatest(surrogates, 3)).toBe(0x100);
    expect(findGreatest(surrogates, 6)).toBe(0x100);
    expect(findGreatest(Uint8Array.of(0xed, 0x9f, 0xbf), 3)).toBe(0xed);
  });

  it('is looked for at its last byte, and not after it', () => {
    const bytes = Uint8Array.of(0x61, 0x61, 0xc3, 0xa9, 0xff);
    expect(findGreatest(bytes, 4)).toBe(0xc3);
    expect(findGreatest(bytes.subarray(0, 0), 0)).toBe(0);
    expect(findGreatest(Uint8Array.of(0x80), 1)).toBe(0x80);
  });

  it('goes back over at most three trails', () => {
    expect(findGreatest(Uint8Array.of(0xff, 0x80, 0x80, 0x80, 0x80), 5)).toBe(0xff);
    expect(findGreatest(Uint8Array.of(0xf0, 0x80, 0x80, 0x80), 4)).toBe(0xf0);
  });

  it.each([
    [4, 2],
    [16, 4],
    [SHORT, 4],
    [SHORT + 1, 16],
    [4096, 18],
    [1 << 16, 48],
  ])('of %i bytes of ASCII takes a look at %i places', (length, places) => {
    const { watched, seen } = watch(new Uint8Array(length).fill(0x61));
    expect(findGreatest(watched, length)).toBe(0x61);
    expect(seen.size).toBe(places);
    expect(seen).toContain(length - 1);
  });
});

describe('the kind of a text', () => {
  beforeEach(() => {
    Object.assign(ways, {
      isDecided: true,
      platform: true,
      encodesLatin1: true,
      encodesOthers: true,
    });
  });

  it.each([
    ['', 'ascii'],
    ['\x7f', 'ascii'],
    ['\x80', 'native'],
    ['\xff', 'native'],
    ['\u0100', 'native'],
    ['\ud83d\ude00', 'native'],
  ])('of %j is %s', (text, kind) => {
    for (const times of [1, 2, SHORT, 5 * SHORT])
      expect(guessKind(text.repeat(times), true)).toBe(kind);
  });

  it('is looked for before the last code unit', () => {
    for (const times of [10, SHORT - 1, 5 * SHORT]) {
      expect(guessKind(`${'\xff'.repeat(times)}a`, true)).toBe('native');
      expect(guessKind(`${'\ud800'.repeat(times)}a`, false)).toBe('other');
    }
  });

  it('is left to WebAssembly for surrogates that the platform would write otherwise', () => {
    for (const text of ['\ud83d\ude00', '\ud800', '\udfff', 'a\ud800']) {
      expect(guessKind(text, false)).toBe('other');
    }
    expect([guessKind('\ud7ff', false), guessKind('\ue000', false)]).toEqual(['native', 'native']);
  });

  it('is native only where that is faster', () => {
    ways.encodesLatin1 = false;
    const long = (character: string): string => character.repeat(SHORT + 1);
    expect(['a', '\xff', '\u0100'].map((c) => guessKind(long(c), true))).toEqual([
      'ascii',
      'other',
      'native',
    ]);
    ways.encodesLatin1 = true;
    ways.encodesOthers = false;
    expect(['a', '\xff', '\u0100'].map((c) => guessKind(long(c), true))).toEqual([
      'ascii',
      'native',
      'other',
    ]);
    // Short texts would have to be native whatever they consist of.
    expect(guessKind('a'.repeat(SHORT), true)).toBe('other');
    ways.platform = false;
    expect(guessKind(long('a'), true)).toBe('other');
  });
});
