/**
 * Chooses functions of the platform for a codec, by input and by features of the runtime: their speed differs
 * between runtimes by a factor of ten and more.
 */
import { SHORT_FOR_PLATFORM, SHORT_RESULT } from './limits.js';
import { findPlatform, isPlatformKnown } from './platform.js';

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
  /** A kernel is faster if the result has at most `SHORT_RESULT` bytes, and the platform for all other ASCII. */
  encodesShort: false,
};

let chosen: Backend = 'fastest';

/**
 * Chooses the implementations that all codecs of the process use, for tests and comparisons. Results do not
 * depend on the choice. ES modules and CommonJS each have their own.
 *
 * @param backend - `fastest`, the default: by features of the runtime. `platform`: the platform's own codec if
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
    encodesShort: false,
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
  const { encodesLatin1, encodesOthers, encodesShort } = choice;
  const isShort = length <= SHORT_FOR_PLATFORM;
  const mayBeTiny = encodesShort && length <= SHORT_RESULT;
  const encodesAll = encodesLatin1 && encodesOthers;
  if (!encodesAll && (encodesShort ? mayBeTiny : isShort)) return 'kernel';
  if (encodesAll && allowsPairs && !mayBeTiny) return 'platform';
  const step = Math.floor(length / (isShort ? 4 : 32 + (length >> 10))) + 1;
  let seen = 0;
  // Irregular places, because rare characters may come at regular ones.
  for (let i = length - 1; i >= 0; i -= step + (i & 3)) {
    const codeUnit = text.charCodeAt(i);
    if (!allowsPairs && (codeUnit & 0xf800) === 0xd800) return 'kernel';
    seen |= codeUnit;
  }
  const growth = seen < 0x80 ? 1 : seen < 0x800 ? 2 : 3;
  if (mayBeTiny && growth * length <= SHORT_RESULT) return 'kernel';
  if (encodesAll && allowsPairs) return 'platform';
  if (growth === 1) return 'platform, ascii';
  if (isShort && !encodesAll) return 'kernel';
  return (seen < 0x100 ? encodesLatin1 : encodesOthers) ? 'platform' : 'kernel';
}

interface Globals {
  readonly Temporal?: { readonly Instant?: unknown };
}

/**
 * Decides at the first use, by features that came with faster functions; apps/bench/BACKENDS.md has the figures.
 * Measured at start-up instead, a busy machine chose the slower one in a fifth of its processes.
 */
export function decide(): void {
  const { decode, hasFastBuffer, latin1Slice } = findPlatform();
  // A function that was tried may be a codec of ours, which asks before all are known.
  if (!isPlatformKnown) return;
  // In browsers, code units become a string by another decoder, so one pass is better than two.
  const isBrowser = !latin1Slice;
  // Node 26: unlike a polyfill, this is in the engine.
  const { Temporal } = globalThis as Globals;
  const hasFastEncoder = String(Temporal?.Instant).includes('[native code]');
  // Without a fast `Buffer`, in Deno, kernels read text one code unit after the other.
  const encodesLatin1 = isBrowser || !hasFastBuffer || hasFastEncoder;
  Object.assign(choice, {
    isDecided: true,
    // Node 24, and Bun.
    decodes: !!decode && (isBrowser || (hasFastBuffer && 'Float16Array' in globalThis)),
    encodesLatin1,
    encodesOthers: encodesLatin1 || 'Bun' in globalThis,
    encodesShort: hasFastBuffer && !isBrowser && !('Bun' in globalThis),
  });
}
