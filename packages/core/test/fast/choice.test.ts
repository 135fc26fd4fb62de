/** Decisions for the platform: by the times that a clock shows, and by some places of an input. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { choice, chooseEncoder, findGreatest } from '../../src/fast/choice.js';
import { SHORT_FOR_PLATFORM as SHORT } from '../../src/fast/limits.js';

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
});

/** Milliseconds of each sample, in the order in which they are measured. */
interface Times {
  readonly fill: number;
  readonly others: number;
  readonly ones: number;
  readonly decoded: number;
}

const slow: Times = {
  fill: 1,
  others: 7,
  ones: 2.8,
  decoded: 2.6,
};

afterEach(() => vi.unstubAllGlobals());

/** Decides where each sample takes a time: the first rounds take longer, as code that is not compiled yet. */
async function decideBy(times: Times) {
  vi.resetModules();
  const samples = Object.values(times) as number[];
  let calls = 0;
  const now = (): number => {
    const [sample, isEnd] = [calls >> 1, calls++ % 2 === 1];
    const round = Math.floor(sample / samples.length);
    return isEnd ? (samples[sample % samples.length] as number) * (round < 3 ? 9 : 1) : 0;
  };
  const { decide, choice } = await import('../../src/fast/choice.js');
  vi.stubGlobal('performance', { now });
  decide();
  return choice;
}

const none = {
  encodesOthers: false,
  encodesLatin1: false,
  decodes: false,
};

describe('useBackend', () => {
  const native = {
    decodes: true,
    encodesLatin1: true,
    encodesOthers: true,
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
  it('are not taken where they are as slow as the bounds', async () => {
    expect(await decideBy(slow)).toMatchObject(none);
  });

  it.each([
    ['others', 6.9, { encodesOthers: true }],
    ['ones', 2.7, { encodesLatin1: true }],
    ['decoded', 2.5, { decodes: true }],
  ])('are taken where they are faster: %s in %s', async (name, time, taken) => {
    expect(await decideBy({ ...slow, [name]: time })).toMatchObject({ ...none, ...taken });
  });

  it('are not taken by a clock that stands still', async () => {
    const times = Object.keys(slow).map((name) => [name, 0]);
    expect(await decideBy(Object.fromEntries(times))).toMatchObject({ ...none, isDecided: true });
  });
});
