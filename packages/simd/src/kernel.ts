/**
 * A kernel as codecs use it: a window is brought into the module's memory, and the module takes what is
 * surely well-formed. Before it, for whole inputs, comes what the platform does faster.
 */
import { copy, getBuffer, getLength, getOffset, isStable } from './array.js';
import { instantiate, type Module } from './module.js';
import { findPlatform, type Platform, platform } from './platform.js';
import { copyWords, findView, isAsciiByBytes, isAsciiByWords } from './view.js';

/** How far a kernel came; as in `@utf8/core/internal`, whose interface `Kernel` has the shape of all this. */
export interface Progress {
  read: number;
  written: number;
}

/** Converts one window of bytes to bytes of another encoding. */
export interface TranscodeWindow {
  (
    source: Uint8Array,
    from: number,
    to: number,
    target: Uint8Array,
    at: number,
    progress: Progress,
  ): void;
  readonly growth: number;
  readonly memory: { readonly input: Uint8Array; readonly output: Uint8Array };
}

/** What a kernel knows of its grammar; see `core/src/compile/kernel-plan.ts`. */
export interface Facts {
  /** First code point of the identity ASCII row. */
  readonly firstAscii: number;
  /** Whether it is UTF-8, neither more nor less: the platform's own codec may do all. */
  readonly isUtf8: boolean;
  /** Up to which byte UTF-8 is well-formed and means the same, except for 00. */
  readonly sharesUtf8To: number;
  /** Whether scalar values are written as UTF-8 writes them. */
  readonly writesUtf8: boolean;
}

/** Memory as bytes and as code units. */
export interface Scratch {
  readonly bytes: Uint8Array;
  readonly codeUnits: Uint16Array;
}

/** Bytes that own their memory. */
type OwnBytes = ReturnType<Uint8ArrayConstructor['of']>;

/** Bytes or code units in one window; as in `@utf8/core`. */
const WINDOW = 1 << 15;

/** Up to how many bytes a string is decoded in one call of the module. */
const MOST_SHORT = 1 << 10;

/** Above how many bytes or code units the platform is asked whether they are ASCII. */
const SHORT = 512;

/** From how many bytes on it pays to ask for `isUtf8` first, if the answer may be no use. */
const NATIVE = 1024;

/** From how many bytes or code units on a call of the platform's codec, which costs 50 ns, may pay. */
const LEAST_NATIVE = 13;

/** How much ASCII becomes a string at once: one of 512 KiB takes three times as long as eight of 64 KiB (Node 20). */
const PIECE = 0x1_0000;

/** Longer ASCII may be longer than a string can be, which others say in better words. */
const MOST_ASCII = 0x1000_0000;

/** What `decodeShort` of the module returns for ASCII; see `assembly/short.ts`. */
const ASCII = -1;

/**
 * The methods are those of `Kernel` in `@utf8/core/internal`, and documented there. The module is compiled
 * when it is first needed: a program that decodes only short strings never waits for it.
 */
export class SimdKernel {
  readonly #wasm: string;
  readonly #facts: Facts;
  #module: Module | undefined;
  #isMissing = false;
  #scratch: Scratch | undefined;

  constructor(wasm: string, facts: Facts) {
    this.#wasm = wasm;
    this.#facts = facts;
  }

  #load(): Module | undefined {
    if (!this.#module && !this.#isMissing) {
      // Elsewhere, code units would be read the other way round.
      if (findPlatform().isLittleEndian) this.#module = instantiate(this.#wasm);
      this.#isMissing = !this.#module;
    }
    return this.#module;
  }

  get scratch(): Scratch | undefined {
    if (this.#scratch) return this.#scratch;
    const module = this.#load();
    if (module) this.#scratch = { bytes: module.output, codeUnits: module.outputCodeUnits };
    return this.#scratch;
  }

  decode(source: Uint8Array, from: number, to: number, at: number, progress: Progress): void {
    const module = this.#load() as Module;
    load(module, source, from, to);
    const read = module.validate(module.inputAt, to - from);
    progress.read = from + read;
    progress.written = at + module.decode(module.inputAt, read, module.outputAt + 2 * at);
  }

  encode(
    text: string,
    from: number,
    to: number,
    target: Uint8Array,
    at: number,
    progress: Progress,
  ): void {
    const module = this.#load() as Module;
    const codeUnits = countWhole(text, from, to);
    this.#write(module, text, from, codeUnits);
    const read = module.encodableLength?.(module.inputAt, codeUnits) ?? codeUnits;
    if (target === module.output) {
      progress.written = at + module.encode(module.inputAt, read, module.outputAt + at);
    } else {
      const written = module.encode(module.inputAt, read, module.outputAt);
      copy(module.output, 0, written, target, at);
      progress.written = at + written;
    }
    progress.read = from + read;
  }

  validate(source: Uint8Array, from: number, to: number): number {
    const module = this.#load() as Module;
    load(module, source, from, to);
    return from + module.validate(module.inputAt, to - from);
  }

  takeText({ bytes }: Scratch, length: number): string | undefined {
    // Node's own copy is 15 to 26 times faster than fromCharCode (16 Ki units of ASCII and CJK, Node 20),
    // and keeps lone surrogates and U+FEFF, which TextDecoder('utf-16le') does not.
    return findPlatform().ucs2Slice?.call(bytes, 0, 2 * length);
  }

  decodeWhole(source: Uint8Array, length: number): string | undefined {
    const module = this.#module ?? this.#load();
    if (length > SHORT && isStable(source) && this.isWholeAscii(source, length)) {
      const text = takeAscii(platform, source, length);
      if (text !== undefined) return text;
    }
    if (this.#facts.isUtf8 && platform.decoder) {
      const isNative = length > SHORT ? platform.decodesFast : isProbablyAscii(source, length);
      if (isNative && isStable(source)) {
        try {
          return platform.decoder.decode(source);
        } catch {
          return undefined;
        }
      }
    }
    if (!module || !platform.latin1Slice || !platform.ucs2Slice || length > WINDOW) {
      return undefined;
    }
    module.input.set(source);
    if (length <= MOST_SHORT) {
      const codeUnits = module.decodeShort(module.inputAt, length, module.outputAt);
      if (codeUnits === ASCII) return platform.latin1Slice.call(module.input, 0, length);
      return codeUnits < 0 ? undefined : platform.ucs2Slice.call(module.output, 0, 2 * codeUnits);
    }
    if (module.validate(module.inputAt, length) !== length) return undefined;
    const codeUnits = module.decode(module.inputAt, length, module.outputAt);
    return platform.ucs2Slice.call(module.output, 0, 2 * codeUnits);
  }

  decodeShort(source: Uint8Array, from: number, to: number): string | undefined {
    const module = this.#module ?? this.#load();
    const view = findView(source, from, to);
    const { firstAscii } = this.#facts;
    const isAscii = view
      ? isAsciiByWords(view, from, to, firstAscii)
      : isAsciiByBytes(source, from, to, firstAscii);
    if (isAscii && platform.latin1Slice) return platform.latin1Slice.call(source, from, to);
    if (!module || !platform.ucs2Slice) return undefined;
    if (view) copyWords(view, from, to, module.inputWords, module.input);
    else copy(source, from, to, module.input, 0);
    const codeUnits = module.decodeShort(module.inputAt, to - from, module.outputAt);
    return codeUnits < 0 ? undefined : platform.ucs2Slice.call(module.output, 0, 2 * codeUnits);
  }

  encodeWhole(text: string): OwnBytes | undefined {
    const module = this.#module ?? this.#load();
    const { length } = text;
    const { writesUtf8, firstAscii } = this.#facts;
    if (writesUtf8 && platform.encodesFast && isWellFormed(text)) {
      return platform.encoder?.encode(text) as OwnBytes | undefined;
    }
    if (length > SHORT && firstAscii <= 1 && isProbablyAsciiText(text, 32)) {
      const ascii = this.#encodeAscii(platform, text);
      if (ascii) return ascii;
    }
    if (!module || length > WINDOW) return undefined;
    this.#write(module, text, 0, length);
    const read = module.encodableLength?.(module.inputAt, length) ?? length;
    if (read < length) return undefined;
    const written = module.encode(module.inputAt, length, module.outputAt);
    return module.output.slice(0, written) as OwnBytes;
  }

  encodeWholeInto(text: string, target: Uint8Array, room: number, progress: Progress): boolean {
    const { encoder, encodesFast } = findPlatform();
    const { length } = text;
    if (this.#facts.writesUtf8 && encoder && length >= LEAST_NATIVE) {
      const isSafe = (encodesFast || length <= SHORT) && isWellFormed(text);
      if (isSafe || isProbablyAsciiText(text, length < 4096 ? 16 : 32)) {
        const { read, written } = encoder.encodeInto(text, target);
        // Node 25.4 and later leave room unused, so only what is whole counts. As many bytes as code units
        // is ASCII, without a surrogate that would have become U+FFFD.
        if (read === length && (isSafe || written === length)) {
          progress.read = read;
          progress.written = written;
          return true;
        }
      }
    }
    if (length <= LEAST_NATIVE || length > WINDOW || 3 * length > room || !this.#load())
      return false;
    this.encode(text, 0, length, target, 0, progress);
    return progress.read === length;
  }

  isWholeValid(source: Uint8Array, length: number): boolean {
    const module = this.#module ?? this.#load();
    if (this.#facts.isUtf8 && platform.isUtf8) return platform.isUtf8(source);
    if (!module) return false;
    if (length < NATIVE) {
      module.input.set(source);
      return module.validate(module.inputAt, length) === length;
    }
    const { isAscii, isUtf8, indexOf } = platform;
    const { firstAscii, sharesUtf8To } = this.#facts;
    if (isAscii && isUtf8) {
      const hasNul = (): boolean =>
        firstAscii > 0 && (indexOf?.call(source, 0, 0, length) ?? 0) >= 0;
      if ((source[0] as number) < 0x80 && isAscii(source)) {
        if (!hasNul()) return true;
      } else if (isUtf8(source) && isShared(module, source, length, sharesUtf8To) && !hasNul()) {
        return true;
      }
    }
    if (length > WINDOW) return false;
    module.input.set(source);
    return module.validate(module.inputAt, length) === length;
  }

  isWholeAscii(source: Uint8Array, length: number): boolean {
    const { isAscii, indexOf } = findPlatform();
    const { firstAscii } = this.#facts;
    return (
      length > SHORT &&
      ((source[0] as number) | (source[length >> 1] as number)) < 0x80 &&
      firstAscii <= 1 &&
      isAscii?.(source) === true &&
      (firstAscii === 0 || (indexOf?.call(source, 0, 0, length) ?? 0) < 0)
    );
  }

  transcodeTo(target: unknown): TranscodeWindow | undefined {
    if (!(target instanceof SimdKernel)) return undefined;
    if (target.#facts.writesUtf8) {
      const module = this.#load();
      if (!module?.toUtf8) return undefined;
      const { validate, validateForUtf8 = validate, toUtf8 } = module;
      return createTranscode(module, validateForUtf8, toUtf8, 1);
    }
    const { firstAscii, sharesUtf8To } = this.#facts;
    const readsUtf8 = firstAscii === 0 && sharesUtf8To === 0xff;
    const module = readsUtf8 ? target.#load() : undefined;
    if (!module?.validateUtf8 || !module.fromUtf8) return undefined;
    return createTranscode(module, module.validateUtf8, module.fromUtf8, 2);
  }

  /** Brings code units into the module's memory. */
  #write(module: Module, text: string, from: number, count: number): void {
    if (platform.ucs2Write) {
      const piece = from === 0 && count === text.length ? text : text.slice(from, from + count);
      platform.ucs2Write.call(module.input, piece, 0, 2 * count);
    } else {
      const { inputCodeUnits } = module;
      for (let i = 0; i < count; i++) inputCodeUnits[i] = text.charCodeAt(from + i);
    }
  }

  /**
   * Encodes ASCII: it is, if there are as many bytes as code units. 1.3 times the speed of
   * TextEncoder.encode (64 KiB, Node 20).
   */
  #encodeAscii({ encoder }: Platform, text: string): OwnBytes | undefined {
    const { length } = text;
    const scratch = this.scratch?.bytes;
    const fits = scratch !== undefined && length <= scratch.length;
    if (!encoder || (!fits && length > MOST_ASCII)) return undefined;
    const target = fits ? scratch : new Uint8Array(length);
    const { read, written } = encoder.encodeInto(text, target);
    if (read !== length || written !== length) return undefined;
    if (this.#facts.firstAscii > 0 && text.includes('\0')) return undefined;
    return (fits ? target.slice(0, length) : target) as OwnBytes;
  }
}

/** Brings bytes into a module's memory. */
function load(module: Module, source: Uint8Array, from: number, to: number): void {
  if (from === 0 && to === getLength.call(source)) module.input.set(source);
  else copy(source, from, to, module.input, 0);
}

/** Counts the code units of `text[from..to)` without a high surrogate at the end that may go on. */
function countWhole(text: string, from: number, to: number): number {
  const isCut = to < text.length && isHigh(text.charCodeAt(to - 1));
  return to - from - (isCut ? 1 : 0);
}

const isHigh = (codeUnit: number): boolean => (codeUnit & 0xfc00) === 0xd800;

/** Not known to TypeScript's ES2022, nor to every platform; false if it cannot be told. */
const isWellFormed = (text: string): boolean =>
  (text as { isWellFormed?(): boolean }).isWellFormed?.() ?? false;

/** Looks at five bytes: at fewer, every other text that only looks like ASCII would be decoded slowly. */
function isProbablyAscii(source: Uint8Array, length: number): boolean {
  const quarter = length >> 2;
  const some =
    (source[0] as number) |
    (source[quarter] as number) |
    (source[2 * quarter] as number) |
    (source[3 * quarter] as number) |
    (source[length - 1] as number);
  return some < 0x80;
}

/** Looks at some places: a text that only looks like ASCII would be encoded twice. */
function isProbablyAsciiText(text: string, places: number): boolean {
  const { length } = text;
  const step = Math.floor(length / places) + 1;
  let some = text.charCodeAt(length - 1);
  for (let i = 0; i < length; i += step) some |= text.charCodeAt(i);
  return some < 0x80;
}

/** Returns ASCII as a string, in pieces. */
function takeAscii(
  { latin1Slice }: Platform,
  source: Uint8Array,
  length: number,
): string | undefined {
  if (!latin1Slice || length > MOST_ASCII) return undefined;
  let text = '';
  for (let i = 0; i < length; i += PIECE) {
    text += latin1Slice.call(source, i, Math.min(i + PIECE, length));
  }
  return text;
}

/**
 * Tells whether UTF-8 has no byte above a greatest one. For 64 KiB of Cyrillic this, and the platform's
 * own check, take half the time of the module's validation (Node 20, x86-64).
 */
function isShared(module: Module, source: Uint8Array, length: number, greatest: number): boolean {
  if (greatest === 0xff) return true;
  for (let i = 0; i < length; i += WINDOW) {
    const end = Math.min(i + WINDOW, length);
    load(module, source, i, end);
    if (!module.isShared?.(module.inputAt, end - i)) return false;
  }
  return true;
}

function createTranscode(
  module: Module,
  validate: (at: number, bytes: number) => number,
  convert: (at: number, bytes: number, to: number) => number,
  growth: number,
): TranscodeWindow {
  const { input, output, inputAt, outputAt } = module;
  const run = (
    source: Uint8Array,
    from: number,
    to: number,
    target: Uint8Array,
    at: number,
    progress: Progress,
  ): void => {
    // In the part for output it would be overwritten while it is read.
    const offset = getOffset.call(source);
    const isHere = getBuffer.call(source) === input.buffer && offset < outputAt;
    if (!isHere) load(module, source, from, to);
    const place = isHere ? offset + from : inputAt;
    const read = validate(place, to - from);
    if (target === output) {
      progress.written = at + convert(place, read, outputAt + at);
    } else {
      const written = convert(place, read, outputAt);
      copy(output, 0, written, target, at);
      progress.written = at + written;
    }
    progress.read = from + read;
  };
  return Object.assign(run, { growth, memory: { input, output } });
}
