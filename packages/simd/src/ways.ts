/**
 * Which way is taken: the platform's own codec, WebAssembly, or neither. Which is the fastest differs from
 * runtime to runtime, by a factor of ten and more, so that it is measured, once.
 */
import { findPlatform } from './platform.js';

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
const SAMPLE = 1024;

/** How often each is taken; the least time counts. */
const TIMES = 4;

/**
 * Decides, at the first use, by the time that the platform takes for samples of 1 KiB. WebAssembly cannot
 * be measured itself, as engines run it in a baseline compiler at first. What stands for it is a copy
 * of the sample's code units to a string, which it also needs, times what it was found to take
 * in the long run: see WAYS.md for all the figures.
 */
export function decide(): void {
  ways.isDecided = true;
  const { decode, encodeInto, isUtf8, utf8Slice, ucs2Slice, ucs2Write } = findPlatform();
  if (!ucs2Slice) {
    // In browsers; code units become a string by another decoder, so that one pass is better than two.
    ways.decodes = decode !== undefined;
    ways.encodesLatin1 = ways.encodesOthers = encodeInto !== undefined;
    return;
  }
  const latin1 = 'aaaé'.repeat(SAMPLE / 4);
  const cjk = '碼'.repeat(SAMPLE);
  const memory = new Uint8Array(3 * SAMPLE);
  const copy = time(() => ucs2Slice.call(memory, 0, 2 * SAMPLE));
  // A clock that stands still, as in some workers, tells nothing.
  if (!(copy > 0)) return;
  // Node 20, 24, 26, Deno and Bun take the time of so many copies:
  const times = (run: () => unknown): number => time(run) / copy;
  if (ucs2Write) ways.copies = times(() => ucs2Write.call(memory, cjk, 0, 2 * SAMPLE)) < 4; // 0.4 0.4 0.3 23 0.1
  if (!encodeInto) return;
  ways.encodesOthers = times(() => encodeInto(cjk, memory)) < 2.5; // 5 7 1.4 9 0.7
  const threeBytes = memory.slice();
  const { written } = encodeInto(latin1, memory);
  const twoBytes = memory.slice(0, written);
  ways.encodesLatin1 = times(() => encodeInto(latin1, memory)) < 1.5; // 2.1 1.7 0.3 2.6 3.2
  if (isUtf8) ways.validates = times(() => isUtf8(threeBytes)) < 1; // 0.4 0.4 0.5 5.7 0.3
  if (!decode) return;
  ways.decodes = times(() => decode(threeBytes)) < 6; // 35 3.8 3.5 8.8 1.8
  if (isUtf8 && utf8Slice) {
    const slice = (): unknown => isUtf8(twoBytes) && utf8Slice.call(twoBytes, 0, written);
    ways.slices = ways.decodes && times(slice) < times(() => decode(twoBytes)); // 0.5 to 0.7 of it in Node
  }
}

const now = (): number => globalThis.performance?.now() ?? 0;

/** Measures how long a call takes, in milliseconds. */
function time(run: () => unknown): number {
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i < TIMES; i++) {
    const start = now();
    run();
    least = Math.min(least, now() - start);
  }
  return least;
}
