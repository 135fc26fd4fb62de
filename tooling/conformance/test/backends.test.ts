/**
 * The platform's codec, WebAssembly and JavaScript give the same: on inputs long enough for each, with what
 * encodings read or write otherwise than UTF-8 at every place where a backend might miss it.
 */
import type { Codec } from '@utf8/core';
import { type Backend, useBackend } from '@utf8/core/internal';
import { afterEach, describe, expect, it } from 'vitest';
import { choose, isNight } from '../../tiers/tier.js';
import { variants } from '../src/generated/codecs.js';

const chosen = useBackend('fastest');
afterEach(() => useBackend(chosen));
useBackend(chosen);

const texts = ['abc', 'öß', 'быт', '한국어', '漢字仮', 'a😀'];

/** Characters that encodings of the family write otherwise than UTF-8, do not contain, or that a decoder may drop. */
const aliens = ['\0', '😀', '\ud800', '\udfff', '\ufeff', '\ufffd', 'é'];

/** Sequences that are well-formed in one of them, or in none. */
const sequences = [
  '00',
  'c080',
  'eda080',
  'edb080',
  'eda081edb080',
  'f09f9880',
  'efbfbd',
  'c3',
  '80',
  'e08080',
];

/** Code units or bytes of one window. */
const WINDOW = 0x8000;

const parse = (hex: string): number[] =>
  (hex.match(/../g) ?? []).map((byte) => Number.parseInt(byte, 16));

/** Returns a text of this length, or of one code unit less if that would cut a pair. */
function fill(kind: string, length: number): string {
  const text = kind.repeat(length / kind.length + 1).slice(0, length);
  return /[\ud800-\udbff]$/.test(text) ? text.slice(0, -1) : text;
}

const quote = (text: string): string => JSON.stringify(text);

/** Puts something into a text without cutting a pair. */
function insert(text: string, at: number, alien: string): string {
  const before = text.slice(0, at).replace(/[\ud800-\udbff]$/, '');
  return before + alien + text.slice(at).replace(/^[\udc00-\udfff]/, '');
}

/** The outcome of a call as one value that can be compared with little effort. */
function outcome(run: () => unknown): string {
  try {
    const result = run();
    if (!(result instanceof Uint8Array)) return String(result);
    return new TextDecoder('latin1').decode(result);
  } catch (error) {
    return String(error);
  }
}

/** Compares the results of all backends. */
function compare(run: () => unknown, what: () => string): void {
  const results = (['javascript', 'webassembly', 'platform', 'fastest'] as Backend[]).map(
    (backend) => {
      useBackend(backend);
      return outcome(run);
    },
  );
  const differs = results.findIndex((result) => result !== results[0]);
  if (differs > 0)
    expect(results[differs]?.slice(0, 100), `${what()}, backend ${differs}`).toBe(
      results[0]?.slice(0, 100),
    );
}

function compareText(codec: Codec, text: string, what: () => string): void {
  compare(
    () => codec.encode(text),
    () => `encode ${what()}`,
  );
  const target = new Uint8Array(3 * text.length + 16);
  for (const room of [target.length, text.length]) {
    compare(
      () => {
        const { read, written } = codec.encodeInto(text, target.fill(0).subarray(0, room));
        return `${read} ${outcome(() => target.slice(0, written))}`;
      },
      () => `encode into ${room} bytes ${what()}`,
    );
  }
}

function compareBytes(codec: Codec, bytes: Uint8Array, what: () => string): void {
  compare(
    () => codec.isValid(bytes),
    () => `isValid ${what()}`,
  );
  compare(
    () => codec.decode(bytes),
    () => `decode ${what()}`,
  );
  compare(
    () => codec.decode(bytes, { errors: 'replace' }),
    () => `replace ${what()}`,
  );
}

// Other encodings have the same backends.
const byDay = ['strict', 'cesu8', 'mutf8'];
for (const [name, { full }] of Object.entries(variants)) {
  if (!isNight && !byDay.includes(name)) continue;
  describe(`${name}, by every backend`, () => testBackends(full));
}

function testBackends(codec: Codec): void {
  const replaced = { errors: 'replace' } as const;

  it('encodes texts of every kind the same, with something else at either end and amid', () => {
    for (const kind of choose(texts, 3)) {
      for (const length of [40, 513, 1100]) {
        const text = fill(kind, length);
        compareText(codec, text, () => `${length} of ${kind}`);
        for (const alien of aliens) {
          for (const at of [0, length >> 1, length]) {
            const mixed = insert(text, at, alien);
            compareText(codec, mixed, () => `${length} of ${kind} with ${quote(alien)} at ${at}`);
          }
        }
      }
    }
  });

  it('reads them the same', () => {
    for (const kind of choose(texts, 3)) {
      for (const length of [40, 513, 1100]) {
        const bytes = codec.encode(fill(kind, length), replaced);
        compareBytes(codec, bytes, () => `${length} of ${kind}`);
        for (const sequence of sequences) {
          for (const at of [0, length >> 1, length - 1, bytes.length]) {
            const mixed = Uint8Array.from([
              ...bytes.subarray(0, at),
              ...parse(sequence),
              ...bytes.subarray(at),
            ]);
            compareBytes(codec, mixed, () => `${length} of ${kind} with ${sequence} at ${at}`);
          }
        }
      }
    }
  });

  it('misses nothing where one window ends and the next begins', () => {
    const length = 2 * WINDOW + 100;
    for (const kind of choose(['abc', '漢字仮'], 1)) {
      const text = fill(kind, length);
      const bytes = codec.encode(text, replaced);
      for (const offset of [-6, -3, -2, -1, 0]) {
        for (const alien of ['😀', '\ud800', '\ufffd']) {
          const mixed = insert(text, WINDOW + offset, alien);
          compareText(codec, mixed, () => `${kind} with ${quote(alien)} at ${WINDOW + offset}`);
        }
        for (const sequence of ['eda080', 'eda081edb080', 'f09f9880', 'efbfbd']) {
          const mixed = bytes.slice();
          mixed.set(parse(sequence), WINDOW + offset);
          compareBytes(codec, mixed, () => `${kind} with ${sequence} at ${WINDOW + offset}`);
        }
      }
    }
  });

  it('encodes the same what is longer than any memory of a kernel', () => {
    for (const kind of ['abc', 'öß', '漢字仮']) {
      const text = fill(kind, 180_000);
      for (const alien of ['\0', '😀', '\ud800']) {
        const mixed = insert(text, 100_000, alien);
        compare(
          () => codec.encode(mixed),
          () => `180000 of ${kind} with ${quote(alien)}`,
        );
      }
    }
    // Three bytes each, so that the replacement of the surrogate begins up to six before a window's end.
    const text = fill('漢', 180_000);
    for (let at = Math.floor(WINDOW / 3) - 2; at * 3 < WINDOW; at++) {
      const mixed = insert(text, at, '\ud800');
      compare(
        () => codec.encode(mixed),
        () => `180000 with a surrogate at ${at}`,
      );
    }
  });
}

describe('useBackend', () => {
  it('returns what was chosen before', () => {
    useBackend('webassembly');
    expect(useBackend('platform')).toBe('webassembly');
    expect(useBackend('fastest')).toBe('platform');
  });

  it('refuses an unknown backend, and changes nothing', () => {
    useBackend('javascript');
    expect(() => useBackend('native' as Backend)).toThrow(TypeError);
    expect(useBackend('fastest')).toBe('javascript');
  });
});
