/**
 * A kernel as codecs use it: a window is brought into the module's memory, and the module takes what is
 * surely well-formed. Before it comes the platform's own codec, where it is faster: for what an encoding
 * shares with UTF-8, which one look by the module tells.
 */
import { copy, getBuffer, getLength, getOffset, isStable } from './array.js';
import { instantiate, type Module, type OwnBytes, type Scratch } from './module.js';
import { findPlatform, platform } from './platform.js';
import { findGreatest, guessKind, SHORT } from './sample.js';
import { copyWords, findView, isAsciiByBytes, isAsciiByWords } from './view.js';
import { decide, ways } from './ways.js';

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
  /** First code point of the identity ASCII row: 0 or 1. */
  readonly firstAscii: number;
  /** Whether it is UTF-8, neither more nor less: the platform's own codec may do all. */
  readonly isUtf8: boolean;
  /** Whether all that is well-formed UTF-8 means the same. */
  readonly readsUtf8: boolean;
  /** Whether scalar values are written as UTF-8 writes them. */
  readonly writesUtf8: boolean;
}

/** Bytes or code units in one window; as in `@utf8/core`. */
const WINDOW = 1 << 15;

/** From how many bytes on the platform validates faster, though its answer may be no use. */
const NATIVE = 1024;

/** How much ASCII becomes a string at once: one of 512 KiB takes three times as long as eight of 64 KiB (Node 20). */
const PIECE = 0x1_0000;

/** Longer ASCII may be longer than a string can be, which others say in better words. */
const MOST_ASCII = 0x1000_0000;

/** What `decodeShort` of the module returns for ASCII; see `assembly/short.ts`. */
const ASCII = -1;

/** Instead of a number of bytes. */
const DOUBT = -1;

/** How many inputs the platform is not asked for after one that it did not read: an exception takes 3 µs. */
const SKIPS = 15;

/**
 * The methods are those of `Kernel` in `@utf8/core/internal`, and documented there. The module is compiled
 * when it is first needed: a program that decodes only short strings never waits for it.
 */
export class SimdKernel {
  readonly #wasm: string;
  readonly #facts: Facts;
  /** False if it is missing. */
  #module: Module | false | undefined;
  #skips = 0;

  constructor(wasm: string, facts: Facts) {
    this.#wasm = wasm;
    this.#facts = facts;
  }

  /** Compiles the module on first use. Returns undefined without WebAssembly. */
  #load(): Module | undefined {
    if (!ways.webassembly) return undefined;
    if (this.#module === undefined) {
      // Elsewhere, code units would be read the other way round.
      const module = findPlatform().isLittleEndian && instantiate(this.#wasm);
      // The platform may be a wrapper of this codec, which loaded its module meanwhile: the first one stays.
      this.#module ??= module || false;
    }
    return this.#module || undefined;
  }

  get scratch(): Scratch | undefined {
    return this.#load();
  }

  decode(source: Uint8Array, from: number, to: number, at: number, progress: Progress): void {
    const module = this.#module as Module;
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
    const module = this.#module as Module;
    const codeUnits = countWhole(text, from, to);
    const isAll = codeUnits === text.length;
    const part = isAll ? text : text.slice(from, from + codeUnits);
    const start = target === module.bytes ? at : 0;
    let read = codeUnits;
    let written = this.#encodeNatively(module, part, start);
    if (written === DOUBT) {
      read = write(module, part);
      written = module.encode(module.inputAt, read, module.outputAt + start);
    }
    if (target !== module.bytes) copy(module.bytes, 0, written, target, at);
    progress.read = from + read;
    progress.written = at + written;
  }

  validate(source: Uint8Array, from: number, to: number): number {
    const module = this.#module as Module;
    load(module, source, from, to);
    return from + module.validate(module.inputAt, to - from);
  }

  takeText({ bytes }: Scratch, length: number): string | undefined {
    // Node's own copy is 15 to 26 times faster than fromCharCode (16 Ki units of ASCII and CJK, Node 20),
    // and keeps lone surrogates and U+FEFF, which TextDecoder('utf-16le') does not.
    return ways.webassembly ? findPlatform().ucs2Slice?.call(bytes, 0, 2 * length) : undefined;
  }

  decodeWhole(source: Uint8Array, length: number): string | undefined {
    const text = this.#decodeNatively(source, length);
    if (text !== undefined) return text;
    const module = this.#load();
    const { decode, latin1Slice, ucs2Slice } = platform;
    if (!module || length > (ucs2Slice ? WINDOW : module.input.length)) return undefined;
    module.input.set(source);
    if (ucs2Slice) {
      const codeUnits = module.decodeShort(module.inputAt, length, module.outputAt);
      if (codeUnits === ASCII) return latin1Slice?.call(module.input, 0, length);
      return codeUnits < 0 ? undefined : ucs2Slice.call(module.bytes, 0, 2 * codeUnits);
    }
    // In browsers, UTF-8 becomes a string in half the time that code units do (1 KiB, Chromium).
    const { validate, validateForUtf8 = validate, toUtf8 } = module;
    if (!ways.platform || !decode || !toUtf8) return undefined;
    if (validateForUtf8(module.inputAt, length) !== length) return undefined;
    return decode(module.bytes.subarray(0, toUtf8(module.inputAt, length, module.outputAt)));
  }

  /** Lets the platform decode what means the same in UTF-8; undefined if it is not faster, or in doubt. */
  #decodeNatively(source: Uint8Array, length: number): string | undefined {
    const { isUtf8: isItself, readsUtf8 } = this.#facts;
    if ((length <= SHORT && !isItself) || !ways.platform || !isStable(source)) return undefined;
    if (!ways.isDecided) decide();
    const greatest = findGreatest(source, length);
    if (greatest < 0x80 && length > SHORT && !(isItself && ways.decodes)) {
      if (this.isWholeAscii(source, length)) return takeAscii(source, length);
    }
    if (!ways.decodes && (length > SHORT || greatest > 0x7f)) return undefined;
    if (greatest > 0xff) return undefined;
    if (this.#skips > 0) {
      this.#skips--;
      return undefined;
    }
    if (!readsUtf8 && !this.#isShared(source, length)) return undefined;
    const { decode, isUtf8, utf8Slice } = platform;
    try {
      const slices = greatest > 0x7f && greatest < 0xe0 && ways.slices && isUtf8?.(source);
      return slices ? utf8Slice?.call(source, 0, length) : decode?.(source);
    } catch {
      // Malformed, or longer than a string can be, which others say in better words.
    }
    this.#skips = SKIPS;
    return undefined;
  }

  decodeShort(source: Uint8Array, from: number, to: number): string | undefined {
    const module = this.#load();
    const view = findView(source, from, to);
    const { firstAscii } = this.#facts;
    const isAscii = view
      ? isAsciiByWords(view, from, to, firstAscii)
      : isAsciiByBytes(source, from, to, firstAscii);
    const { latin1Slice, ucs2Slice } = platform;
    if (isAscii && latin1Slice && ways.webassembly) return latin1Slice.call(source, from, to);
    if (!module || !ucs2Slice) return undefined;
    if (view) copyWords(view, from, to, module.inputWords, module.input);
    else copy(source, from, to, module.input, 0);
    const codeUnits = module.decodeShort(module.inputAt, to - from, module.outputAt);
    return codeUnits < 0 ? undefined : ucs2Slice.call(module.bytes, 0, 2 * codeUnits);
  }

  encodeWhole(text: string): OwnBytes | undefined {
    const module = this.#load();
    const { length } = text;
    if (!module || 3 * length > module.bytes.length) return this.#encodeLong(text);
    let written = this.#encodeNatively(module, text, 0);
    if (written === DOUBT) {
      if (length > WINDOW || write(module, text) < length) return undefined;
      written = module.encode(module.inputAt, length, module.outputAt);
    }
    return module.bytes.slice(0, written) as OwnBytes;
  }

  /** Lets the platform encode to the module's memory; returns the number of bytes, or that there is a doubt. */
  #encodeNatively(module: Module, text: string, at: number): number {
    const { firstAscii, writesUtf8 } = this.#facts;
    const { encodeInto } = platform;
    if (!encodeInto || guessKind(text, writesUtf8) === 'other') return DOUBT;
    const target = at > 0 ? module.bytes.subarray(at) : module.bytes;
    const { read, written } = encodeInto(text, target);
    if (read < text.length) return DOUBT;
    // As many bytes as code units are ASCII: a lone surrogate would have become three.
    if (written === read && firstAscii === 0) return written;
    const place = module.outputAt + at;
    const isRight = writesUtf8
      ? module.hasNoReplacement?.(place, written)
      : isWellFormed(text) && module.isShared?.(place, written);
    return isRight ? written : DOUBT;
  }

  /** Lets the platform encode what has no room in the module's memory. */
  #encodeLong(text: string): OwnBytes | undefined {
    const { length } = text;
    const { writesUtf8 } = this.#facts;
    const kind = guessKind(text, writesUtf8);
    if (kind === 'ascii') {
      // 1.3 times as fast as TextEncoder.encode (64 KiB, Node 20).
      const target = new Uint8Array(length);
      if (this.encodeWholeInto(text, target, length, { read: 0, written: 0 })) return target;
    }
    return kind === 'native' && writesUtf8 && isWellFormed(text)
      ? findPlatform().encode?.(text)
      : undefined;
  }

  encodeWholeInto(text: string, target: Uint8Array, room: number, progress: Progress): boolean {
    const module = this.#load();
    const { length } = text;
    const { firstAscii, writesUtf8 } = this.#facts;
    const { encodeInto } = findPlatform();
    const isShort = length <= SHORT && writesUtf8 && ways.platform;
    const kind = isShort ? 'native' : guessKind(text, writesUtf8);
    if (encodeInto && (kind === 'ascii' || (kind === 'native' && writesUtf8))) {
      // Node 25.4 and later leave room unused, so only what is whole counts.
      const { read, written } = encodeInto(text, target);
      const isRight =
        written === length
          ? firstAscii === 0 || !text.includes('\0')
          : writesUtf8 && isWellFormed(text);
      if (read === length && isRight) {
        progress.read = read;
        progress.written = written;
        return true;
      }
    } else if (kind === 'native' && module && 3 * length <= module.bytes.length) {
      const written = this.#encodeNatively(module, text, 0);
      if (written !== DOUBT && written <= room) {
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

  isWholeValid(source: Uint8Array, length: number): boolean {
    const { isUtf8: isItself, readsUtf8 } = this.#facts;
    if (ways.platform && (isItself || length >= NATIVE)) {
      if (!ways.isDecided) decide();
      const { isUtf8 } = platform;
      if (isItself && ways.validates && isUtf8) return isUtf8(source);
      if (this.isWholeAscii(source, length)) return true;
      if (ways.validates && isUtf8?.(source)) {
        if (readsUtf8 || this.#isShared(source, length)) return true;
      }
    }
    const module = this.#load();
    if (!module || length > WINDOW) return false;
    module.input.set(source);
    return module.validate(module.inputAt, length) === length;
  }

  isWholeAscii(source: Uint8Array, length: number): boolean {
    const { isAscii, indexOf } = findPlatform();
    const { firstAscii } = this.#facts;
    return (
      ways.platform &&
      length > SHORT &&
      ((source[0] as number) | (source[length >> 1] as number)) < 0x80 &&
      isAscii?.(source) === true &&
      (firstAscii === 0 || indexOf?.call(source, 0, 0, length) === -1)
    );
  }

  /** Tells whether well-formed UTF-8 surely means the same here. */
  #isShared(bytes: Uint8Array, length: number): boolean {
    const module = this.#load();
    if (!module?.isShared) return false;
    for (let i = 0; i < length; i += WINDOW) {
      const end = Math.min(i + WINDOW, length);
      load(module, bytes, i, end);
      if (!module.isShared(module.inputAt, end - i)) return false;
    }
    return true;
  }

  transcodeTo(target: unknown, inOwnMemory: boolean): TranscodeWindow | undefined {
    if (!(target instanceof SimdKernel)) return undefined;
    const find = (kernel: SimdKernel): Module | undefined =>
      inOwnMemory && kernel.#load() ? instantiate(kernel.#wasm) : kernel.#load();
    if (target.#facts.writesUtf8) {
      const module = find(this);
      if (!module?.toUtf8) return undefined;
      const { validate, validateForUtf8 = validate, toUtf8 } = module;
      return createTranscode(module, validateForUtf8, toUtf8, 1);
    }
    const module = this.#facts.readsUtf8 ? find(target) : undefined;
    if (!module?.validateUtf8 || !module.fromUtf8) return undefined;
    return createTranscode(module, module.validateUtf8, module.fromUtf8, 2);
  }
}

/** Brings code units into a module's memory; returns how many of them can be encoded. */
function write(module: Module, text: string): number {
  const { length } = text;
  if (!ways.isDecided) decide();
  if (ways.copies) {
    platform.ucs2Write?.call(module.input, text, 0, 2 * length);
  } else {
    const { inputCodeUnits } = module;
    for (let i = 0; i < length; i++) inputCodeUnits[i] = text.charCodeAt(i);
  }
  return module.encodableLength?.(module.inputAt, length) ?? length;
}

/** Tells whether a text has no lone surrogate; false if the platform cannot tell. */
const isWellFormed = (text: string): boolean => platform.isWellFormed?.call(text) ?? false;

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

/** Returns ASCII as a string, in pieces. */
function takeAscii(source: Uint8Array, length: number): string | undefined {
  const { latin1Slice } = platform;
  if (!latin1Slice || length > MOST_ASCII) return undefined;
  let text = '';
  for (let i = 0; i < length; i += PIECE) {
    text += latin1Slice.call(source, i, Math.min(i + PIECE, length));
  }
  return text;
}

function createTranscode(
  module: Module,
  validate: (at: number, bytes: number) => number,
  convert: (at: number, bytes: number, to: number) => number,
  growth: number,
): TranscodeWindow {
  const { input, bytes: output, inputAt, outputAt } = module;
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
