import { wasm } from './generated/utf8.js';
import { type Loops, type Progress, SimdKernel } from './kernel.js';
import { decodesFast, encodesFast, isUtf8 } from './platform.js';

export type { Loops, Progress, Scratch, SimdKernel, Transcribe } from './kernel.js';

const decoder = /* @__PURE__ */ new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const encoder = /* @__PURE__ */ new TextEncoder();

/** From how many bytes or code units on the platform is asked at all: the call alone costs 50 ns. */
const LEAST_NATIVE = 13;

/** Up to how many bytes it does; the codec takes longer ASCII by a check and a copy. */
const SHORT = 512;

/** Not known to TypeScript's ES2022, nor to every platform; false where it cannot be told. */
const isWellFormed = (text: string): boolean =>
  (text as { isWellFormed?(): boolean }).isWellFormed?.() ?? false;

/** Whether another thread may write to it meanwhile: the platform may read twice. */
const isShared = (source: Uint8Array): boolean => !(source.buffer instanceof ArrayBuffer);

/**
 * The kernels of UTF-8, with the platform's own codec before them where it is faster. It reads the same
 * encoding, and the conformance suite holds it to that; what it refuses goes to the kernels, which say
 * where.
 */
export class Utf8Kernel extends SimdKernel {
  /**
   * @param loops - What serves short input, the bytes before a doubt, and everything where there is no
   *   WebAssembly.
   */
  constructor(loops: Loops) {
    super({ wasm, writesUtf8: true, readsUtf8: true, plainNul: true }, loops);
  }

  override decodeAtOnce(source: Uint8Array): string | undefined {
    const { length } = source;
    const isNative =
      length >= LEAST_NATIVE &&
      (length > SHORT ? decodesFast : isProbablyAscii(source)) &&
      !isShared(source);
    if (!isNative) return super.decodeAtOnce(source);
    try {
      return decoder.decode(source);
    } catch {
      return undefined;
    }
  }

  encodeAtOnce(text: string): Uint8Array | undefined {
    // Elsewhere a lone surrogate would become U+FFFD.
    return encodesFast && isWellFormed(text) ? encoder.encode(text) : undefined;
  }

  override validate(source: Uint8Array, from: number, to: number): number {
    const isWhole = from === 0 && to === source.length;
    return isWhole && isUtf8?.(source) ? to : super.validate(source, from, to);
  }

  override encode(
    text: string,
    from: number,
    target: Uint8Array,
    at: number,
    progress: Progress,
  ): void {
    // The caller's memory; for the kernel's own the codec has asked the platform already.
    const isForCaller = text.length >= LEAST_NATIVE && from === 0 && at === 0 && !this.owns(target);
    const isSafe = isForCaller && (encodesFast || text.length <= SHORT) && isWellFormed(text);
    if (isForCaller && (isSafe || isProbablyAsciiText(text))) {
      const { read, written } = encoder.encodeInto(text, target);
      // As many bytes as units: ASCII, without a lone surrogate that would have become U+FFFD.
      if (isSafe || read === written) {
        progress.read = read;
        progress.written = written;
        return;
      }
    }
    super.encode(text, from, target, at, progress);
  }
}

/** A look at five bytes: at fewer, every other text that only looks like ASCII would be decoded slowly. */
function isProbablyAscii(source: Uint8Array): boolean {
  const { length } = source;
  const quarter = length >> 2;
  const some =
    (source[0] as number) |
    (source[quarter] as number) |
    (source[2 * quarter] as number) |
    (source[3 * quarter] as number) |
    (source[length - 1] as number);
  return some < 0x80;
}

/** A look at 16 places, or at 32 of long texts: what only looks like ASCII would be encoded twice. */
function isProbablyAsciiText(text: string): boolean {
  const { length } = text;
  const step = (length >> (length < 4096 ? 4 : 5)) + 1;
  let some = text.charCodeAt(length - 1);
  for (let i = 0; i < length; i += step) some |= text.charCodeAt(i);
  return some < 0x80;
}
