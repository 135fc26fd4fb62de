/** Decisions for the platform: by features of the runtime, and by some places of an input. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { choice, chooseEncoder, findGreatest } from '../../src/fast/choice.js';
import { SHORT_FOR_PLATFORM as SHORT, SHORT_RESULT } from '../../src/fast/limits.js';

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
        expect(findGreatest(bytes, 0, bytes.length)).toBe(bytes[0]);
      }
    },
  );

  it('is more than a byte at a surrogate', () => {
    const surrogates = Uint8Array.of(0xed, 0xa0, 0x80, 0xed, 0xbf, 0xbf);
    expect(findGreatest(surrogates, 0, 3)).toBe(0x100);
    expect(findGreatest(surrogates, 0, 6)).toBe(0x100);
    expect(findGreatest(Uint8Array.of(0xed, 0x9f, 0xbf), 0, 3)).toBe(0xed);
  });

  it('is looked for at its last byte, and not after it', () => {
    const bytes = Uint8Array.of(0x61, 0x61, 0xc3, 0xa9, 0xff);
    expect(findGreatest(bytes, 0, 4)).toBe(0xc3);
    expect(findGreatest(bytes.subarray(0, 0), 0, 0)).toBe(0);
    expect(findGreatest(Uint8Array.of(0x80), 0, 1)).toBe(0x80);
  });

  it('goes back over at most three trails', () => {
    expect(findGreatest(Uint8Array.of(0xff, 0x80, 0x80, 0x80, 0x80), 0, 5)).toBe(0xff);
    expect(findGreatest(Uint8Array.of(0xf0, 0x80, 0x80, 0x80), 0, 4)).toBe(0xf0);
  });

  it.each([
    [4, 2],
    [16, 4],
    [SHORT, 4],
    [SHORT + 1, 16],
    [4096, 16],
    [1 << 16, 16],
  ])('of %i bytes of ASCII is looked for at %i places', (length, places) => {
    const { watched, seen } = watch(new Uint8Array(length).fill(0x61));
    expect(findGreatest(watched, 0, length)).toBe(0x61);
    expect(seen.size).toBe(places);
    expect(seen).toContain(length - 1);
  });
});

describe('the encoder of a text', () => {
  beforeEach(() => {
    Object.assign(choice, {
      isDecided: true,
      platform: true,
      encodesLatin1: true,
      encodesOthers: true,
      encodesShort: false,
    });
  });

  it.each([
    ['', 'platform, ascii'],
    ['\x7f', 'platform, ascii'],
    ['\x80', 'platform'],
    ['\xff', 'platform'],
    ['\u0100', 'platform'],
  ])('of %j is %s', (text, kind) => {
    for (const times of [1, 2, SHORT, 5 * SHORT])
      expect(chooseEncoder(text.repeat(times), false)).toBe(kind);
  });

  it('is the platform for any text that it encodes faster and in the same way', () => {
    for (const text of ['', 'a', '\xff', '\ud83d\ude00', '\ud800'])
      expect(chooseEncoder(text, true)).toBe('platform');
  });

  it('depends on code units before the last', () => {
    for (const times of [10, SHORT - 1, 5 * SHORT]) {
      expect(chooseEncoder(`${'\xff'.repeat(times)}a`, false)).toBe('platform');
      expect(chooseEncoder(`${'\ud800'.repeat(times)}a`, false)).toBe('kernel');
    }
  });

  it('is the kernel for surrogates that the platform would write otherwise', () => {
    for (const text of ['\ud83d\ude00', '\ud800', '\udfff', 'a\ud800']) {
      expect(chooseEncoder(text, false)).toBe('kernel');
    }
    expect([chooseEncoder('\ud7ff', false), chooseEncoder('\ue000', false)]).toEqual([
      'platform',
      'platform',
    ]);
  });

  it('is the platform only where that is faster', () => {
    choice.encodesLatin1 = false;
    const long = (character: string): string => character.repeat(SHORT + 1);
    expect(['a', '\xff', '\u0100'].map((c) => chooseEncoder(long(c), true))).toEqual([
      'platform, ascii',
      'kernel',
      'platform',
    ]);
    choice.encodesLatin1 = true;
    choice.encodesOthers = false;
    expect(['a', '\xff', '\u0100'].map((c) => chooseEncoder(long(c), true))).toEqual([
      'platform, ascii',
      'platform',
      'kernel',
    ]);
    // A short text is encoded by the platform only if every text is.
    expect(chooseEncoder('a'.repeat(SHORT), true)).toBe('kernel');
    choice.platform = false;
    expect(chooseEncoder(long('a'), true)).toBe('kernel');
  });

  it.each([
    ['a', 1],
    ['\xff', 2],
    ['\u07ff', 2],
    ['\u0800', 3],
    ['\uffff', 3],
  ])('is the kernel for %j as long as it becomes few bytes', (character, size) => {
    choice.encodesShort = true;
    const most = Math.floor(SHORT_RESULT / size);
    for (const allowsPairs of [false, true]) {
      expect(chooseEncoder(character.repeat(most), allowsPairs)).toBe('kernel');
      expect(chooseEncoder(character.repeat(most + 1), allowsPairs)).toMatch(/^platform/);
    }
    choice.encodesOthers = false;
    expect(chooseEncoder(character.repeat(SHORT_RESULT), true)).toBe('kernel');
    const isAscii = size === 1;
    expect(chooseEncoder(character.repeat(SHORT_RESULT + 1), true)).toBe(
      isAscii ? 'platform, ascii' : 'kernel',
    );
  });
});

afterEach(() => vi.unstubAllGlobals());

const none = {
  encodesOthers: false,
  encodesLatin1: false,
  encodesShort: false,
  decodes: false,
};

describe('useBackend', () => {
  const native = {
    decodes: true,
    encodesLatin1: true,
    encodesOthers: true,
    encodesShort: false,
  };

  it.each([
    ['fastest', { ...none, isDecided: false, webassembly: true, platform: true }],
    ['platform', { ...native, isDecided: true, webassembly: true, platform: true }],
    ['webassembly', { ...none, isDecided: true, webassembly: true, platform: false }],
    ['javascript', { ...none, isDecided: true, webassembly: false, platform: false }],
  ] as const)('chooses %s, and returns the one before', async (backend, taken) => {
    vi.resetModules();
    const { useBackend, choice } = await import('../../src/fast/choice.js');
    expect(useBackend('platform')).toBe('fastest');
    expect(useBackend(backend)).toBe('platform');
    expect(choice).toEqual(taken);
  });
});

describe('functions of the platform', () => {
  const float16 = { Float16Array: Float32Array };
  const temporal = { Temporal: { Instant: Date } };
  const all = { decodes: true, encodesLatin1: true, encodesOthers: true, encodesShort: false };
  const node = { ...none, encodesShort: true };

  it.each([
    ['Node 22', {}, node],
    ['Node 22 with a polyfill', { Temporal: { Instant: class {} } }, node],
    ['Node 24', float16, { ...node, decodes: true }],
    ['Node 26', { ...float16, ...temporal }, { ...all, encodesShort: true }],
    ['Bun', { ...float16, Bun: {} }, { ...all, encodesLatin1: false }],
    ['Deno', { ...float16, ...temporal, Deno: {} }, { ...all, decodes: false }],
    ['a browser', { Buffer: undefined }, all],
  ])('are taken as in %s', async (_, features, taken) => {
    vi.resetModules();
    vi.stubGlobal('Temporal', undefined);
    // A stub that is undefined would still be a property.
    const own = Object.getOwnPropertyDescriptor(globalThis, 'Float16Array');
    Reflect.deleteProperty(globalThis, 'Float16Array');
    for (const [name, value] of Object.entries(features)) vi.stubGlobal(name, value);
    try {
      const { decide, choice } = await import('../../src/fast/choice.js');
      decide();
      expect(choice).toMatchObject({ ...taken, isDecided: true });
    } finally {
      vi.unstubAllGlobals();
      if (own) Object.defineProperty(globalThis, 'Float16Array', own);
    }
  });
});
