/**
 * Which way is taken: the platform's own codec, WebAssembly, or neither. Which is the fastest differs from
 * runtime to runtime, by a factor of ten and more, so that it is measured, once.
 */
import { findPlatform, isPlatformKnown, type Platform } from './platform.js';

/** A way that codecs can take. */
export type Way = 'fastest' | 'platform' | 'webassembly' | 'javascript';

/** What the platform does, and whether there is WebAssembly: V8 knows the fields of a constant. */
export const ways = {
  isDecided: false,
  webassembly: true,
  platform: true,
  /** Whether it decodes. */
  decodes: false,
  /** Whether, of two-byte forms, `isUtf8` and `utf8Slice` together are faster than its decoder. */
  slices: false,
  /** Whether it validates. */
  validates: false,
  /** Whether it encodes texts of nothing above U+00FF, which engines keep in one byte per character. */
  encodesLatin1: false,
  /** Whether it encodes all others. */
  encodesOthers: false,
  /** Whether it brings code units to memory. */
  copies: false,
};

/** Documented in `@utf8/core`, which publishes it. */
export function useWays(way: Way): Way {
  if (!['fastest', 'platform', 'webassembly', 'javascript'].includes(way)) {
    throw new TypeError(`Expected a way, but got ${String(way)}.`);
  }
  const before = chosen;
  chosen = way;
  const { decode, encodeInto, isUtf8, ucs2Write } = findPlatform();
  const uses = (found: unknown): boolean => way === 'platform' && found !== undefined;
  Object.assign(ways, {
    isDecided: way !== 'fastest',
    webassembly: way !== 'javascript',
    platform: way === 'fastest' || way === 'platform',
    decodes: uses(decode),
    slices: false,
    validates: uses(isUtf8),
    encodesLatin1: uses(encodeInto),
    encodesOthers: uses(encodeInto),
    copies: ucs2Write !== undefined,
  });
  return before;
}

let chosen: Way = 'fastest';

/** Code units of each sample. */
const SAMPLE = 512;

/** How many of them are encoded at once, so that the call itself, slow at first, counts for little. */
const TIMES = 8;

/** How often each is taken, all in turn; the least time counts. */
const ROUNDS = 6;

/**
 * Decides, at the first use, by the time that the platform takes for samples. WebAssembly cannot be
 * measured itself, as engines run it in a baseline compiler at first. What stands for it is the time to
 * fill 32 KiB, on which bounds are set between runtimes that were found faster and slower: see WAYS.md.
 */
export function decide(): void {
  const found = findPlatform();
  // A codec was called while it is looked for, or by what is measured: WebAssembly serves until then.
  if (!isPlatformKnown || isDeciding) return;
  isDeciding = true;
  const decided = compare(found);
  isDeciding = false;
  Object.assign(ways, decided).isDecided = true;
}

let isDeciding = false;

/** Measures the platform's functions. */
function compare(found: Platform): Partial<typeof ways> | undefined {
  const { decode, encodeInto, isUtf8, latin1Slice, now, utf8Slice, ucs2Write } = found;
  if (!encodeInto) return undefined;
  // In browsers: code units become a string by another decoder, so that one pass is better than two.
  if (!latin1Slice) return { decodes: true, encodesLatin1: true, encodesOthers: true };
  const memory = new Uint8Array(64 * SAMPLE);
  // Irregular, as texts are: processors foresee what is not.
  for (let i = 0, seed = 1; i < SAMPLE; i++) {
    seed = (seed * 75) % 65537;
    memory[i] = seed % 5 ? 0x61 : 0xe9;
  }
  const latin1 = latin1Slice.call(memory, 0, SAMPLE);
  const cjk = '碼'.repeat(SAMPLE);
  const two = memory.slice(0, encodeInto(latin1, memory).written);
  const three = memory.slice(0, encodeInto(cjk, memory).written);
  const [manyLatin1, manyCjk] = [latin1.repeat(TIMES), cjk.repeat(TIMES)];
  const [fill, write, others, ones, valid, threes, sliced, twos] = measure(
    [
      () => memory.fill(1),
      () => ucs2Write?.call(memory, cjk, 0, 2 * SAMPLE),
      () => encodeInto(manyCjk, memory),
      () => encodeInto(manyLatin1, memory),
      () => isUtf8?.(three),
      () => decode?.(three),
      () => isUtf8?.(two) && utf8Slice?.call(two, 0, two.length),
      () => decode?.(two),
    ],
    now,
  ) as [number, number, number, number, number, number, number, number];
  // By a clock that stands still, as in some workers, nothing is faster.
  // Times of Node 20, 22, 24, 26, Bun 1.4, Deno 2.9, in those of the fill. What is not there is not used,
  // except for the copy.
  const decodes = threes < 2.6 * fill; // 13 10 1.7 1.8 1.3 3
  return {
    copies: !!ucs2Write && write < 4 * fill, // 0.6 0.6 0.7 0.7 0.5 28
    encodesOthers: others < 7 * fill, // 11 11 17 4.5 3.5 16; in a warm process 14 14 28 4.4 4.2 29
    encodesLatin1: ones < 2.8 * fill, // 4.5 4.2 5.2 1.8 19 6.9; in a warm process 5 4.5 6.4 0.9 24 10
    validates: valid < 1.4 * fill, // 0.6 0.7 0.7 0.7 0.5 2.3
    decodes,
    slices: decodes && sliced < twos,
  };
}

/** Measures how long each call takes, in milliseconds: 0 without a clock. */
function measure(runs: (() => unknown)[], now = (): number => 0): number[] {
  const least = runs.map(() => Infinity);
  for (let round = 0; round < ROUNDS; round++) {
    runs.forEach((run, i) => {
      const start = now();
      run();
      least[i] = Math.min(least[i] as number, now() - start);
    });
  }
  return least;
}
