/**
 * Chooses functions of the platform for a codec, by input. Their speed differs between runtimes by a factor
 * of ten and more, so three decisions are measured at the first use. Decisions that a feature of the runtime
 * implies are not measured.
 */
import { SHORT_FOR_PLATFORM } from './limits.js';
import { findPlatform, isPlatformKnown, type Platform } from './platform.js';

/**
 * The implementations that codecs use: the fastest ones by default, or only some, for tests and comparisons.
 */
export type Backend = 'fastest' | 'platform' | 'webassembly' | 'javascript';

/** Decisions. V8 knows the fields of a constant. */
export const choice = {
  isDecided: false,
  /** Kernels may be compiled. */
  webassembly: true,
  /** The platform's own codec may serve. */
  platform: true,
  /** The platform decodes UTF-8 faster than a kernel. */
  decodes: false,
  /** The platform encodes texts up to U+00FF faster, which engines store in one byte per character. */
  encodesLatin1: false,
  /** The platform encodes all other texts faster. */
  encodesOthers: false,
};

let chosen: Backend = 'fastest';

/**
 * Chooses the implementations that all codecs of the process use, for tests and comparisons. Results do not
 * depend on the choice. ES modules and CommonJS each have their own.
 *
 * @param backend - `fastest`, the default: measured at the first use. `platform`: the platform's own codec if
 *   its answer can be trusted, otherwise WebAssembly. `webassembly`: never the platform's own codec.
 *   `javascript`: loops alone.
 * @returns The choice before.
 * @throws TypeError if the backend is unknown.
 * @example
 * ```ts
 * import { useBackend } from '@utf8/core/internal';
 *
 * useBackend('webassembly'); // => 'fastest'
 * useBackend('fastest'); // => 'webassembly'
 * ```
 */
export function useBackend(backend: Backend): Backend {
  if (!['fastest', 'platform', 'webassembly', 'javascript'].includes(backend)) {
    throw new TypeError(`Expected a backend, but got ${String(backend)}.`);
  }
  const before = chosen;
  chosen = backend;
  const { decode, encodeInto } = findPlatform();
  const uses = (found: unknown): boolean => backend === 'platform' && found !== undefined;
  Object.assign(choice, {
    isDecided: backend !== 'fastest',
    webassembly: backend !== 'javascript',
    platform: backend === 'fastest' || backend === 'platform',
    decodes: uses(decode),
    encodesLatin1: uses(encodeInto),
    encodesOthers: uses(encodeInto),
  });
  return before;
}

/** Greater than any byte. */
const SURROGATE = 0x100;

/** The encoder that is probably fastest for a text. */
export type Encoder =
  /** By the platform; each code unit is probably one byte. */
  'platform, ascii' | 'platform' | 'kernel';

/**
 * Samples `source[from..to)` for the bytes that decide which decoder is fastest.
 *
 * @returns The greatest first byte of a sequence; more than a byte at a surrogate.
 */
export function findGreatest(source: Uint8Array, from: number, to: number): number {
  const length = to - from;
  const step = Math.floor(length / (length <= SHORT_FOR_PLATFORM ? 4 : 16)) + 1;
  let greatest = 0;
  for (let i = to - 1; i >= from; i -= step) {
    let at = i;
    // From the middle of a sequence to its start.
    while (at > from && at > i - 3 && ((source[at] as number) & 0xc0) === 0x80) at--;
    const byte = source[at] as number;
    if (byte === 0xed && (source[at + 1] as number) >= 0xa0) return SURROGATE;
    if (byte > greatest) greatest = byte;
  }
  return greatest;
}

/**
 * Samples a text, and chooses the encoder that is probably fastest.
 *
 * @param allowsPairs - True if the platform writes surrogate pairs as the encoding does.
 */
export function chooseEncoder(text: string, allowsPairs: boolean): Encoder {
  if (!choice.platform) return 'kernel';
  if (!choice.isDecided) decide();
  const { length } = text;
  const { encodesLatin1, encodesOthers } = choice;
  const isShort = length <= SHORT_FOR_PLATFORM;
  const encodesAll = encodesLatin1 && encodesOthers;
  if (isShort && !encodesAll) return 'kernel';
  if (allowsPairs && encodesAll) return 'platform';
  const step = Math.floor(length / (isShort ? 4 : 32 + (length >> 10))) + 1;
  let seen = 0;
  // Irregular places, because rare characters may come at regular ones.
  for (let i = length - 1; i >= 0; i -= step + (i & 3)) {
    const codeUnit = text.charCodeAt(i);
    if (!allowsPairs && (codeUnit & 0xf800) === 0xd800) return 'kernel';
    seen |= codeUnit;
  }
  if (seen < 0x80) return 'platform, ascii';
  return (seen < 0x100 ? encodesLatin1 : encodesOthers) ? 'platform' : 'kernel';
}

/** Code units of each sample. */
const SAMPLE = 512;

/** Samples that are encoded in one call: a call itself is slow at first. */
const TIMES = 8;

/** Rounds of measurements, all in turn; the least time of each counts. */
const ROUNDS = 6;

let isDeciding = false;

/**
 * Decides at the first use, by the time that the platform needs for samples. A kernel cannot be measured,
 * because engines run it in a baseline compiler at first. The time to fill 32 KiB represents it: the bounds
 * lie between runtimes that were found faster and slower; see apps/bench/BACKENDS.md.
 */
export function decide(): void {
  const found = findPlatform();
  // The measured functions may call a codec of ours; kernels serve until then.
  if (!isPlatformKnown || isDeciding) return;
  isDeciding = true;
  const decided = compare(found);
  isDeciding = false;
  Object.assign(choice, decided).isDecided = true;
}

function compare(found: Platform): Partial<typeof choice> | undefined {
  const { decode, encodeInto, latin1Slice, now } = found;
  if (!encodeInto) return undefined;
  // In browsers, code units become a string by another decoder, so one pass is better than two.
  if (!latin1Slice) return { decodes: true, encodesLatin1: true, encodesOthers: true };
  const memory = new Uint8Array(64 * SAMPLE);
  // Irregular, because branch predictors learn patterns.
  for (let i = 0, seed = 1; i < SAMPLE; i++) {
    seed = (seed * 75) % 65537;
    memory[i] = seed % 5 ? 0x61 : 0xe9;
  }
  const latin1 = latin1Slice.call(memory, 0, SAMPLE).repeat(TIMES);
  const cjk = '碼'.repeat(SAMPLE);
  const utf8 = memory.slice(0, encodeInto(cjk, memory).written);
  const cjks = cjk.repeat(TIMES);
  const [fill, others, ones, decoded] = measure(
    [
      () => memory.fill(1),
      () => encodeInto(cjks, memory),
      () => encodeInto(latin1, memory),
      () => decode?.(utf8),
    ],
    now,
  ) as [number, number, number, number];
  // A frozen clock measures 0 everywhere, so nothing counts as faster.
  // Times of Node 20, 22, 24, 26, Bun 1.4 and Deno 2.9, in those of the fill.
  return {
    encodesOthers: others < 7 * fill, // 11 11 17 4.5 3.5 16; in a warm process 14 14 28 4.4 4.2 29
    encodesLatin1: ones < 2.8 * fill, // 4.5 4.2 5.2 1.8 19 6.9; in a warm process 5 4.5 6.4 0.9 24 10
    decodes: decoded < 2.6 * fill, // 13 10 1.7 1.8 1.3 3
  };
}

/** Measures each call, in milliseconds: 0 without a clock. */
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
