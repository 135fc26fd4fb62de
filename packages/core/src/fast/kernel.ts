/**
 * Copies windows into the memory of a WebAssembly module, which converts the part that is certainly
 * well-formed. The platform's own codec goes first if it is faster, for text that the encoding shares with
 * UTF-8, which one pass of the module checks.
 *
 * A kernel may stop at any character, even a well-formed one, up to `RETRY_DISTANCE` bytes before a fault.
 * Loops then read on.
 */
import { isStable, lengthOf, type OwnBytes, viewPart } from '../argument/bytes.js';
import { choice, chooseEncoder, decide, type Encoder, findGreatest } from './choice.js';
import {
  INPUTS_AFTER_REFUSAL,
  LEAST_FOR_IS_UTF8,
  PLATFORM_WINDOW,
  SHORT_COPY,
  SHORT_FOR_PLATFORM,
  SHORT_TEXT,
  WINDOW,
} from './limits.js';
import type { Loops, Progress } from './loops.js';
import { instantiate, type Module, type Scratch } from './module.js';
import { findPlatform, platform } from './platform.js';
import { joinFew } from './short-text.js';
import type { TextSink } from './text.js';
import { type Advance, createWindows, type Run } from './windows.js';

/** Facts about a grammar that kernels rely on; the compiler derives them. */
export interface Facts {
  /** First code point of the identity ASCII row: 0 or 1. */
  readonly firstAscii: number;
  /** True for UTF-8 itself: the platform's own codec may do all. */
  readonly isUtf8: boolean;
  /** True if all well-formed UTF-8 means the same here. */
  readonly readsUtf8: boolean;
  /** True if scalar values are written as UTF-8 writes them. */
  readonly writesUtf8: boolean;
  /** True if the module converts all of UTF-8. */
  readonly convertsUtf8: boolean;
}

/** Longest ASCII handled here; the general path reports text that does not fit in a string. */
const LONGEST_ASCII = 0x1000_0000;

/** Returned by the module's `decodeShort` for ASCII, for which it writes nothing. */
export const ASCII = -1;

/** Returned instead of a byte count: not encoded. */
const REFUSED = -1;

const windowProgress: Progress = { read: 0, written: 0 };

const shortScratch: Scratch = {
  bytes: /* @__PURE__ */ new Uint8Array(0x100),
  codeUnits: /* @__PURE__ */ new Uint16Array(0x40),
  window: SHORT_TEXT,
};

/** The kernel of an encoding. Its module is compiled at the first use. */
export class Kernel {
  readonly wasm: string;
  readonly facts: Facts;
  /** False if it cannot be compiled. */
  #module: Module | false | undefined;
  /** Number of inputs to decode without the platform's decoder. */
  #skips = 0;

  /** @param wasm - The module, in hexadecimal digits. */
  constructor(wasm: string, facts: Facts) {
    this.wasm = wasm;
    this.facts = facts;
  }

  /** Compiles the module on first use. Returns undefined without WebAssembly. */
  load(): Module | undefined {
    if (!choice.webassembly) return undefined;
    if (this.#module === undefined) {
      // Big-endian code units would be read in the wrong order.
      const module = findPlatform().isLittleEndian && instantiate(this.wasm);
      // The platform may be a wrapper of this codec, which loaded its module meanwhile: the first one stays.
      this.#module ??= module || false;
    }
    return this.#module || undefined;
  }

  get shortScratch(): Scratch {
    return shortScratch;
  }

  /**
   * The memory that {@link Kernel.decode} writes to, and any other method may overwrite. Undefined if there
   * is not a module; then only the methods for whole inputs work.
   */
  get scratch(): Scratch | undefined {
    return this.load();
  }

  /** Drives this kernel and loops over an input; see {@link createWindows}. */
  drive(loops: Loops, longest: number, run: Run<Kernel | Loops>): Advance {
    return createWindows<Kernel, Loops>(this, loops, longest, run);
  }

  /**
   * Decodes an input to a string, if all of it is well-formed and that is faster than windows.
   *
   * @param progress - Receives the part that was decoded into the scratch, if the result is undefined.
   */
  decodeWhole(source: Uint8Array, length: number, progress: Progress): string | undefined {
    const { isUtf8 } = this.facts;
    const isShort = isUtf8 && length <= SHORT_FOR_PLATFORM;
    if (isShort && choice.decodes && !this.#skips && isStable(source)) {
      try {
        // Sampling its bytes, as those of longer inputs, would take nearly as long.
        return platform.decode!(source);
      } catch {
        this.#skips = INPUTS_AFTER_REFUSAL;
      }
    }
    let text = isUtf8 ? undefined : this.#decodeAscii(source, length);
    if (text === undefined && length <= PLATFORM_WINDOW) {
      const decoded = this.decodeByPlatform(source, 0, length, progress);
      if (progress.read === length) text = decoded;
    }
    if (isUtf8) text ??= this.#decodeAscii(source, length);
    if (text !== undefined) return text;
    const module = this.load();
    // Only now: compiling, or a function of the platform, may have called a codec that uses the same object.
    progress.read = 0;
    progress.written = 0;
    const { decode, latin1Slice, ucs2Slice } = platform;
    if (!module || length > (ucs2Slice ? WINDOW : module.input.length)) return undefined;
    module.input.set(source);
    if (ucs2Slice) {
      const codeUnits = module.decodeShort(module.inputAt, length, module.outputAt);
      if (codeUnits === ASCII) return latin1Slice?.call(module.input, 0, length);
      if (codeUnits >= 0) return ucs2Slice.call(module.bytes, 0, 2 * codeUnits);
      progress.read = readOf(codeUnits);
      progress.written = module.decode(module.inputAt, progress.read, module.outputAt);
      return undefined;
    }
    // In browsers, UTF-8 becomes a string in half the time that code units do (1 KiB, Chromium).
    const { validate, validateForUtf8 = validate, toUtf8 } = module;
    if (!choice.platform || !decode || !toUtf8) return undefined;
    if (validateForUtf8(module.inputAt, length) !== length) return undefined;
    return decode(module.bytes.subarray(0, toUtf8(module.inputAt, length, module.outputAt)));
  }

  /** Decodes ASCII in pieces; undefined if the input is not certainly ASCII. */
  #decodeAscii(source: Uint8Array, length: number): string | undefined {
    if (length <= SHORT_FOR_PLATFORM || length > LONGEST_ASCII) return undefined;
    const { latin1Slice } = findPlatform();
    if (!latin1Slice || !isStable(source) || !this.isAscii(source, length)) return undefined;
    let text = '';
    for (let i = 0; i < length; i += PLATFORM_WINDOW) {
      text += latin1Slice.call(source, i, Math.min(i + PLATFORM_WINDOW, length));
    }
    return text;
  }

  /**
   * Decodes the characters that begin and end in `source[from..to)` by the platform, if its decoder is faster
   * and its answer is right here.
   *
   * @param progress - Receives the index at which the text ends.
   * @returns Undefined otherwise, and for malformed bytes.
   */
  decodeByPlatform(
    source: Uint8Array,
    from: number,
    to: number,
    progress: Progress,
  ): string | undefined {
    const { isUtf8: isItself, readsUtf8 } = this.facts;
    if (to - from <= SHORT_FOR_PLATFORM && !isItself) return undefined;
    if (!choice.platform || !isStable(source)) return undefined;
    if (!choice.isDecided) decide();
    const { decode, hasFastBuffer, isUtf8, utf8Slice } = platform;
    if (!choice.decodes || !decode) return undefined;
    if (this.#skips > 0) {
      this.#skips--;
      return undefined;
    }
    to = findEnd(source, from, to);
    const greatest = findGreatest(source, from, to);
    if (greatest > 0xff) return undefined;
    if (greatest < 0x80 && !isItself) return undefined;
    if (!readsUtf8 && !this.#isShared(source, from, to)) return undefined;
    const isWhole = from === 0 && to === lengthOf(source);
    const window = isWhole ? source : viewPart(source, from, to);
    let text: string | undefined;
    try {
      // 2.5 times as fast for Latin-1, 1.2 times for Cyrillic (64 KiB, Node 24 and 26).
      const isLow = greatest > 0x7f && greatest < 0xe0;
      if (isLow && hasFastBuffer && utf8Slice && isUtf8?.(window)) {
        text = utf8Slice.call(window, 0, to - from);
      } else {
        text = decode(window);
      }
    } catch {
      // Malformed. The exception does not contain the offset.
      this.#skips = INPUTS_AFTER_REFUSAL;
    }
    progress.read = to;
    return text;
  }

  /** Decodes a window into a sink with the scratch of this kernel; returns the index at which it stopped. */
  decodeInto(sink: TextSink, source: Uint8Array, from: number, to: number): number {
    if (sink.hasText) {
      const last = to - from < WINDOW ? to : Math.min(from + PLATFORM_WINDOW, lengthOf(source));
      const text = this.decodeByPlatform(source, from, last, windowProgress);
      if (text !== undefined) {
        sink.join(text);
        return windowProgress.read;
      }
    }
    sink.reserve(to - from);
    this.decode(source, from, to, sink.length, windowProgress);
    sink.length = windowProgress.written;
    return windowProgress.read;
  }

  /** Decodes a window into the scratch, from its code unit `at` on. */
  decode(source: Uint8Array, from: number, to: number, at: number, progress: Progress): void {
    const module = this.#module as Module;
    load(module, source, from, to);
    const read = module.validate(module.inputAt, to - from);
    progress.read = from + read;
    progress.written = at + module.decode(module.inputAt, read, module.outputAt + 2 * at);
  }

  /**
   * Returns the first `length` code units of a scratch as a string, if the platform can. Node's copy is 15 to
   * 26 times as fast as `String.fromCharCode` (16 Ki code units of ASCII and CJK, Node 20), and keeps lone
   * surrogates and U+FEFF, unlike TextDecoder('utf-16le').
   */
  readText(scratch: Scratch, length: number): string | undefined {
    const { bytes, codeUnits } = scratch;
    if (length <= SHORT_TEXT) return joinFew(codeUnits, length);
    if (scratch !== this.#module || !choice.webassembly) return undefined;
    return findPlatform().ucs2Slice?.call(bytes, 0, 2 * length);
  }

  /**
   * Encodes a text, if the encoding contains all of it.
   *
   * @param growth - Most bytes for a code unit.
   * @param progress - Receives the part that was encoded into the scratch, if the result is undefined.
   */
  encodeWhole(text: string, growth: number, progress: Progress): OwnBytes | undefined {
    const { length } = text;
    const encoder = chooseEncoder(text, this.facts.writesUtf8);
    const encoded = this.#encodeAtOnce(text, encoder);
    if (encoded) return encoded;
    const module = this.load();
    if (!module || 3 * length > module.bytes.length) {
      return this.#encodeWindows(text, growth, progress);
    }
    let written = this.#encodeByPlatform(module, text, 0, encoder);
    if (written === REFUSED) {
      if (length > WINDOW) return this.#encodeWindows(text, growth, progress);
      const read = write(module, text);
      written = module.encode(module.inputAt, read, module.outputAt);
      if (read < length) {
        progress.read = read;
        progress.written = written;
        return undefined;
      }
    }
    return module.bytes.slice(0, written) as OwnBytes;
  }

  /**
   * Encodes window after window. A result that may outgrow the scratch is counted first, which costs less than
   * copying it (1 MiB, Node 20).
   */
  #encodeWindows(text: string, growth: number, progress: Progress): OwnBytes | undefined {
    const scratch = this.scratch?.bytes;
    progress.read = 0;
    progress.written = 0;
    if (!scratch) return undefined;
    const fits = text.length * growth <= scratch.length;
    const isWhole = this.#encodeEach(text, scratch, fits, progress);
    const { written } = progress;
    if (fits) return isWhole ? (scratch.slice(0, written) as OwnBytes) : undefined;
    const bytes = isWhole ? new Uint8Array(written) : undefined;
    if (bytes) this.#encodeEach(text, bytes, true, progress);
    progress.read = 0;
    progress.written = 0;
    return bytes;
  }

  /**
   * Encodes all windows of a text into a target, or counts their bytes.
   *
   * @param keeps - True to write windows one after the other, false to write each over the last.
   * @returns False if a window was not encoded whole.
   */
  #encodeEach(text: string, target: Uint8Array, keeps: boolean, progress: Progress): boolean {
    let total = 0;
    for (let from = 0; from < text.length; from = progress.read) {
      const to = Math.min(from + WINDOW, text.length);
      const at = keeps ? total : 0;
      this.encode(text, from, to, target, at, progress);
      total += progress.written - at;
      progress.written = total;
      // The end of a window may cut a pair, and nothing else.
      if (progress.read < to - (to < text.length ? 1 : 0)) return false;
    }
    return true;
  }

  /** Encodes a text by the platform into the module's memory. */
  #encodeByPlatform(
    module: Module,
    text: string,
    at: number,
    encoder: Encoder = chooseEncoder(text, this.facts.writesUtf8),
  ): number {
    const { encodeInto } = platform;
    if (!encodeInto || encoder === 'kernel') return REFUSED;
    const target = at > 0 ? module.bytes.subarray(at) : module.bytes;
    const { read, written } = encodeInto(text, target);
    if (read < text.length) return REFUSED;
    if (this.#isEncoded(text, target, written)) return written;
    const { fromUtf8, input, inputAt, isShared, outputAt } = module;
    const start = outputAt + at;
    if (!isWellFormed(text)) return REFUSED;
    if (isShared?.(start, written)) return written;
    // A few pairs or U+0000, which no sample hit.
    if (!fromUtf8 || !this.facts.convertsUtf8 || written > input.length) return REFUSED;
    input.set(target.subarray(0, written));
    return fromUtf8(inputAt, written, start);
  }

  /** Encodes a text by the platform alone, without a copy; undefined if that is slower, or wrong. */
  #encodeAtOnce(text: string, encoder: Encoder): OwnBytes | undefined {
    const { length } = text;
    const { encode, isWellFormed } = findPlatform();
    const isAscii = encoder === 'platform, ascii';
    if (!encode || !isWellFormed || encoder === 'kernel') return undefined;
    if (!isAscii && !this.facts.writesUtf8) return undefined;
    if (isAscii && !choice.encodesLatin1 && length > SHORT_FOR_PLATFORM) {
      // 1.3 times as fast as TextEncoder.encode (64 KiB, Node 20).
      const target = new Uint8Array(length);
      const isWhole = this.encodeWholeInto(text, target, length, { read: 0, written: 0 });
      return isWhole ? target : undefined;
    }
    const bytes = encode(text);
    return this.#isEncoded(text, bytes, bytes.length) ? bytes : undefined;
  }

  /** Tells whether UTF-8 that the platform wrote is the text in this encoding. */
  #isEncoded(text: string, bytes: Uint8Array, length: number): boolean {
    const { firstAscii, writesUtf8 } = this.facts;
    // ASCII: a lone surrogate would have become three bytes.
    if (length === text.length) return firstAscii === 0 || !text.includes('\0');
    if (!writesUtf8) return false;
    const { indexOf } = platform;
    // Where pairs are frequent, `isWellFormed` takes as long as encoding, and this search a tenth (Node 26).
    const isSearched = indexOf && hasSurrogates(text);
    return (
      (isSearched && indexOf.call(bytes, REPLACEMENT_LEAD, 0, length) < 0) || isWellFormed(text)
    );
  }

  /** Encodes a text into a target of any size, if that is possible at once; returns false otherwise. */
  encodeWholeInto(text: string, target: Uint8Array, room: number, progress: Progress): boolean {
    const module = this.load();
    const { length } = text;
    const { writesUtf8 } = this.facts;
    const { encodeInto } = findPlatform();
    const isShort = length <= SHORT_FOR_PLATFORM && writesUtf8 && choice.platform;
    const encoder = isShort ? 'platform' : chooseEncoder(text, writesUtf8);
    if (encodeInto && (encoder === 'platform, ascii' || (encoder === 'platform' && writesUtf8))) {
      // Node 25.4 and later leave room unused, so only a whole text counts.
      const { read, written } = encodeInto(text, target);
      if (read === length && this.#isEncoded(text, target, written)) {
        progress.read = read;
        progress.written = written;
        return true;
      }
    } else if (encoder === 'platform' && module && 3 * length <= module.bytes.length) {
      const written = this.#encodeByPlatform(module, text, 0);
      if (written !== REFUSED && written <= room) {
        copy(module.bytes, 0, written, target, 0);
        progress.read = length;
        progress.written = written;
        return true;
      }
    }
    if (!module || length > WINDOW || 3 * length > room) return false;
    if (write(module, text) < length) return false;
    progress.read = length;
    progress.written = module.encode(module.inputAt, length, module.outputAt);
    copy(module.bytes, 0, progress.written, target, 0);
    return true;
  }

  /** Encodes a window into a target, which has room for it. */
  encode(
    text: string,
    from: number,
    to: number,
    target: Uint8Array,
    at: number,
    progress: Progress,
  ): void {
    const module = this.#module as Module;
    const codeUnits = countWhole(text, from, to);
    const isAll = codeUnits === text.length;
    const part = isAll ? text : text.slice(from, from + codeUnits);
    const start = target === module.bytes ? at : 0;
    let read = codeUnits;
    let written = this.#encodeByPlatform(module, part, start);
    if (written === REFUSED) {
      read = write(module, part);
      written = module.encode(module.inputAt, read, module.outputAt + start);
    }
    if (target !== module.bytes) copy(module.bytes, 0, written, target, at);
    progress.read = from + read;
    progress.written = at + written;
  }

  /** Validates a window; returns the index at which it stopped. */
  validate(source: Uint8Array, from: number, to: number): number {
    const module = this.#module as Module;
    load(module, source, from, to);
    return from + module.validate(module.inputAt, to - from);
  }

  /**
   * Validates a whole input, if that is faster than windows.
   *
   * @returns The length of the prefix that is certainly well-formed, in bytes; -1 if the input is malformed.
   */
  validateWhole(source: Uint8Array, length: number): number {
    const { isUtf8: isItself, readsUtf8 } = this.facts;
    const { hasFastBuffer, isUtf8 } = findPlatform();
    if (choice.platform && hasFastBuffer && isUtf8 && (isItself || length >= LEAST_FOR_IS_UTF8)) {
      if (isItself) return isUtf8(source) ? length : -1;
      if (this.isAscii(source, length)) return length;
      // At the first surrogate, `isUtf8` does not stop.
      const isProbable = length < 4 * LEAST_FOR_IS_UTF8 || findGreatest(source, 0, length) <= 0xff;
      if (isProbable && isUtf8(source) && (readsUtf8 || this.#isShared(source, 0, length))) {
        return length;
      }
    }
    const module = this.load();
    if (!module || length > WINDOW) return 0;
    module.input.set(source);
    return module.validate(module.inputAt, length);
  }

  /** Tells whether a whole input is certainly ASCII, each byte the code point of its number. */
  isAscii(source: Uint8Array, length: number): boolean {
    if (length <= SHORT_FOR_PLATFORM) return false;
    const { isAscii, indexOf } = findPlatform();
    const { firstAscii } = this.facts;
    return (
      choice.platform &&
      ((source[0] as number) | (source[length >> 1] as number)) < 0x80 &&
      isAscii?.(source) === true &&
      (firstAscii === 0 || indexOf?.call(source, 0, 0, length) === -1)
    );
  }

  /** Tells whether well-formed UTF-8 certainly means the same here. */
  #isShared(source: Uint8Array, from: number, to: number): boolean {
    const module = this.load();
    if (!module?.isShared) return false;
    for (let i = from; i < to; i += WINDOW) {
      const end = Math.min(i + WINDOW, to);
      load(module, source, i, end);
      if (!module.isShared(module.inputAt, end - i)) return false;
    }
    return true;
  }
}

/** Finds the end of the last whole sequence of UTF-8 in `source[from..to)`. */
function findEnd(source: Uint8Array, from: number, to: number): number {
  let lead = to - 1;
  while (lead > from && lead > to - 4 && ((source[lead] as number) & 0xc0) === 0x80) lead--;
  const byte = source[lead] as number;
  const length = byte < 0xc0 ? 1 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
  return lead + length > to ? lead : to;
}

/** Returns the number of well-formed bytes in a negative result of the module's `decodeShort`. */
const readOf = (result: number): number => ASCII - 1 - result;

/** Copies `source[from..to)` into a target. */
export function copy(
  source: Uint8Array,
  from: number,
  to: number,
  target: Uint8Array,
  at: number,
): void {
  if (to - from > SHORT_COPY) {
    Uint8Array.prototype.set.call(target, viewPart(source, from, to), at);
  } else {
    for (let i = from; i < to; i++) target[at++] = source[i] as number;
  }
}

/** Copies a window of bytes into a module's memory. */
export function load(module: Module, source: Uint8Array, from: number, to: number): void {
  if (from === 0 && to === lengthOf(source)) module.input.set(source);
  else copy(source, from, to, module.input, 0);
}

/** Copies code units into a module's memory, and returns the number of them that can be encoded. */
function write(module: Module, text: string): number {
  const { length } = text;
  const { hasFastBuffer, ucs2Write } = platform;
  if (hasFastBuffer && ucs2Write) {
    ucs2Write.call(module.input, text, 0, 2 * length);
  } else {
    const { inputCodeUnits } = module;
    for (let i = 0; i < length; i++) inputCodeUnits[i] = text.charCodeAt(i);
  }
  return module.encodableLength?.(module.inputAt, length) ?? length;
}

/** First byte of U+FFFD in UTF-8, which replaces lone surrogates. */
const REPLACEMENT_LEAD = 0xef;

/** Tells whether one of a few code units is a surrogate. */
function hasSurrogates(text: string): boolean {
  const step = (text.length >> 4) + 1;
  for (let i = 0; i < text.length; i += step) {
    if ((text.charCodeAt(i) & 0xf800) === 0xd800) return true;
  }
  return false;
}

/** Tells whether a text has no lone surrogate; false if the platform cannot tell. */
const isWellFormed = (text: string): boolean => platform.isWellFormed?.call(text) ?? false;

/** Counts the code units of `text[from..to)` without a high surrogate at the end that may be paired. */
function countWhole(text: string, from: number, to: number): number {
  const isCut = to < text.length && (text.charCodeAt(to - 1) & 0xfc00) === 0xd800;
  return to - from - (isCut ? 1 : 0);
}
