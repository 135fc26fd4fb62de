/**
 * The kernels as the codecs use them: input goes into the module's memory in windows, the module takes
 * what is surely well-formed, and the plain loops take what is too short to be worth the way, and the
 * last bytes before a doubt.
 */
import { instantiate, type Module } from './module.js';
import { hasNul, isAscii, isUtf8, latin1Slice, NATIVE, ucs2Slice } from './platform.js';
import { writeUnits } from './text.js';

/** How far a kernel came; as in `@utf8/core`, whose interface `Kernel` is the shape of all this. */
export interface Progress {
  read: number;
  written: number;
}

/** The inner loops that a codec has without WebAssembly. */
export interface Loops {
  decode(
    source: Uint8Array,
    from: number,
    to: number,
    target: Uint16Array,
    at: number,
    progress: Progress,
  ): void;
  encode(text: string, from: number, target: Uint8Array, at: number, progress: Progress): void;
  validate(source: Uint8Array, from: number, to: number): number;
}

/** Bytes to bytes, by the rules of the loops. */
export interface Transcribe {
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

/** What tells one kernel from another. */
export interface Format {
  /** The module, as base64. */
  readonly wasm: string;
  /** Whether what it writes is UTF-8, so that others can write to it. */
  readonly writesUtf8: boolean;
  /** Whether all that it reads is UTF-8, so that others can read from it. */
  readonly readsUtf8: boolean;
  /** Whether 00 is U+0000. */
  readonly plainNul: boolean;
}

/** Memory as bytes and as code units. */
export interface Scratch {
  readonly bytes: Uint8Array;
  readonly units: Uint16Array;
}

/** Bytes, or code units, at once. One giant call would run in the engine's baseline compiler to its end. */
const WINDOW = 1 << 15;

/** From how many bytes or code units on the way into the module's memory pays. */
const LEAST = 16;

/** From how many bytes on that is so where the result is a string, and up to how many it goes in one call. */
const LEAST_SHORT = 14;
const MOST_SHORT = 1 << 10;

/** How far the loops go behind what the module took, in bytes: the 24 that may lie before a doubt, and some more. */
const STRETCH = 64;

/** After such a stretch the next window is small, for where there is one doubt there may be many. */
const LEAST_WINDOW = 1 << 9;

/** Up to how many bytes are copied one by one. */
const FEW = 64;

/** What `decodeShort` returns for ASCII; see `assembly/short.ts`. */
const PLAIN = -1;

/** No character is longer, in bytes. */
const LONGEST = 6;

/**
 * The methods are those of `Kernel` in `@utf8/core`, and documented there. The module is compiled when
 * it is first needed: a program that decodes only short strings never waits for it.
 */
export class SimdKernel {
  readonly #format: Format;
  readonly #loops: Loops;
  #module: Module | undefined;
  #isMissing = false;
  #scratch: Scratch | undefined;

  constructor(format: Format, loops: Loops) {
    this.#format = format;
    this.#loops = loops;
  }

  #load(): Module | undefined {
    if (!this.#module && !this.#isMissing) {
      this.#module = instantiate(this.#format.wasm);
      this.#isMissing = !this.#module;
    }
    return this.#module;
  }

  get scratch(): Scratch | undefined {
    if (this.#scratch) return this.#scratch;
    const module = this.#load();
    if (module) this.#scratch = { bytes: module.output, units: module.outputUnits };
    return this.#scratch;
  }

  /** Whether memory is the kernel's own. */
  protected owns(bytes: Uint8Array): boolean {
    return bytes === this.#module?.output;
  }

  decode(
    source: Uint8Array,
    from: number,
    to: number,
    target: Uint16Array,
    at: number,
    progress: Progress,
  ): void {
    const module = this.#module;
    let window = WINDOW;
    if (module && target === module.outputUnits) {
      while (to - from >= LEAST) {
        const end = Math.min(from + window, to);
        load(module, source, from, end);
        const read = module.validate(module.inputAt, end - from);
        at += module.decode(module.inputAt, read, module.outputAt + 2 * at);
        from += read;
        if (end - from < LONGEST) {
          if (end === to) break;
          window = Math.min(4 * window, WINDOW);
          continue;
        }
        const stop = Math.min(from + STRETCH, to);
        this.#loops.decode(source, from, stop, target, at, progress);
        if (stop === to || stop - progress.read >= LONGEST) return;
        from = progress.read;
        at = progress.written;
        window = LEAST_WINDOW;
      }
    }
    this.#loops.decode(source, from, to, target, at, progress);
  }

  encode(text: string, from: number, target: Uint8Array, at: number, progress: Progress): void {
    const module = text.length - from >= LEAST ? this.#load() : undefined;
    if (!module) {
      this.#loops.encode(text, from, target, at, progress);
      return;
    }
    for (;;) {
      const units = countUnits(text, from, target.length - at);
      if (units < LEAST) {
        this.#loops.encode(text, from, target, at, progress);
        return;
      }
      writeUnits(text, from, units, module.input, module.inputUnits);
      const read = module.pairedLength?.(module.inputAt, units) ?? units;
      if (target === module.output) {
        at += module.encode(module.inputAt, read, module.outputAt + at);
      } else {
        const written = module.encode(module.inputAt, read, module.outputAt);
        copy(module.output, 0, written, target, at);
        at += written;
      }
      from += read;
      if (read === units) continue;
      // A lone surrogate: for the loops, which may know what to do with it.
      const room = target.subarray(0, at + STRETCH);
      this.#loops.encode(text, from, room, at, progress);
      if (progress.read === from) return;
      from = progress.read;
      at = progress.written;
    }
  }

  validate(source: Uint8Array, from: number, to: number): number {
    if (to - from < LEAST) return this.#loops.validate(source, from, to);
    const module = this.#module ?? this.#load();
    if (!module) return this.#loops.validate(source, from, to);
    if (to - from === source.length) {
      if (to < NATIVE) {
        module.input.set(source);
        if (module.validate(module.inputAt, to) === to) return to;
      } else if (module.isCommon && isSurelyValid(module, this.#format.plainNul, source)) {
        return to;
      }
    }
    return this.#findDoubt(module, source, from, to);
  }

  #findDoubt(module: Module, source: Uint8Array, from: number, to: number): number {
    let window = WINDOW;
    while (to - from >= LEAST) {
      const end = Math.min(from + window, to);
      load(module, source, from, end);
      from += module.validate(module.inputAt, end - from);
      if (end - from < LONGEST) {
        if (end === to) break;
        window = Math.min(4 * window, WINDOW);
        continue;
      }
      const stop = Math.min(from + STRETCH, to);
      from = this.#loops.validate(source, from, stop);
      if (stop === to || stop - from >= LONGEST) return from;
      window = LEAST_WINDOW;
    }
    return this.#loops.validate(source, from, to);
  }

  decodeAtOnce(source: Uint8Array): string | undefined {
    return this.decodeShort(source, 0, source.length);
  }

  decodeShort(source: Uint8Array, from: number, to: number): string | undefined {
    const length = to - from;
    if (length < LEAST_SHORT || length > MOST_SHORT || !latin1Slice || !ucs2Slice) return undefined;
    const module = this.#module ?? this.#load();
    if (!module) return undefined;
    load(module, source, from, to);
    const units = module.decodeShort(module.inputAt, length, module.outputAt);
    if (units === PLAIN) return latin1Slice.call(module.input, 0, length);
    return units < 0 ? undefined : ucs2Slice.call(module.output, 0, 2 * units);
  }

  transcribeTo(target: unknown): Transcribe | undefined {
    if (!(target instanceof SimdKernel) || !target.#format.writesUtf8) return undefined;
    const module = this.#load();
    if (!module) return undefined;
    const { validate, validatePaired = validate, toUtf8 } = module;
    return createTranscribe(module, validatePaired, toUtf8, 1);
  }

  transcribeFrom(source: unknown): Transcribe | undefined {
    if (!(source instanceof SimdKernel) || !source.#format.readsUtf8) return undefined;
    const module = this.#load();
    if (!module?.validateUtf8 || !module.convertUtf8) return undefined;
    return createTranscribe(module, module.validateUtf8, module.convertUtf8, 2);
  }
}

/** Brings bytes into a module's memory. */
function load(module: Module, source: Uint8Array, from: number, to: number): void {
  if (from === 0 && to === source.length) module.input.set(source);
  else copy(source, from, to, module.input, 0);
}

/** Copies `source[from..to)`. A view takes 50 ns to make, so that few bytes are sooner copied one by one. */
function copy(source: Uint8Array, from: number, to: number, target: Uint8Array, at: number): void {
  if (to - from > FEW) target.set(source.subarray(from, to), at);
  else for (let i = from; i < to; i++) target[at++] = source[i] as number;
}

/**
 * Whether the platform's own checks, and one more look, tell that bytes are well-formed in an encoding
 * without four-byte forms. Pairs they do not know. For 64 KiB of Cyrillic this takes half the time of
 * the module's validation (Node 20, x86-64).
 */
function isSurelyValid(module: Module, plainNul: boolean, source: Uint8Array): boolean {
  const { length } = source;
  if (!isAscii || !isUtf8 || length < NATIVE) return false;
  if ((source[0] as number) < 0x80 && isAscii(source)) return plainNul || !hasNul(source);
  if (!isUtf8(source)) return false;
  for (let i = 0; i < length; i += WINDOW) {
    const end = Math.min(i + WINDOW, length);
    load(module, source, i, end);
    if (!module.isCommon?.(module.inputAt, end - i)) return false;
  }
  return true;
}

/** How many code units to take at once: so many that they surely have room, and no half of a pair. */
function countUnits(text: string, from: number, room: number): number {
  const units = Math.min(text.length - from, WINDOW, Math.floor(room / 3));
  const isCut =
    units > 0 && from + units < text.length && isHigh(text.charCodeAt(from + units - 1));
  return isCut ? units - 1 : units;
}

const isHigh = (unit: number): boolean => (unit & 0xfc00) === 0xd800;

function createTranscribe(
  module: Module,
  validate: (at: number, bytes: number) => number,
  convert: (at: number, bytes: number, to: number) => number,
  growth: number,
): Transcribe {
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
    const isHere = source.buffer === input.buffer && source.byteOffset < outputAt;
    for (let end = from; end < to; ) {
      end = Math.min(from + WINDOW, to);
      if (!isHere) load(module, source, from, end);
      const place = isHere ? source.byteOffset + from : inputAt;
      const read = validate(place, end - from);
      if (target === output) {
        at += convert(place, read, outputAt + at);
      } else {
        const written = convert(place, read, outputAt);
        copy(output, 0, written, target, at);
        at += written;
      }
      from += read;
      if (end - from >= LONGEST) break;
    }
    progress.read = from;
    progress.written = at;
  };
  return Object.assign(run, { growth, memory: { input, output } });
}
