import { type Bytes, refuse, toUint8Array } from './bytes.js';
import { readSequence } from './character.js';
import type { Codec, DecodeOptions } from './codec.js';
import { describeFault, isUndecided } from './diagnosis.js';
import { type Engine, engineFor, registerEngine } from './engine.js';
import { createRangeError } from './error.js';
import type { Progress, Scratch } from './kernel.js';
import { isPlain } from './plain.js';
import { latin1Slice } from './platform.js';
import { checkPolicy, type ErrorPolicy, mendBytes } from './policy.js';
import { joinPieces, LEAST_WINDOW, scratchOf, shareScratch, takeText, WINDOW } from './scratch.js';
import { SHORT_TEXT } from './short-text.js';

const progress: Progress = { read: 0, written: 0 };

/** Longer ASCII may be longer than a string can be, which the general way says in better words. */
const MOST_PLAIN = 0x1000_0000;

/** How much ASCII becomes a string at once, in bytes. */
const PIECE = 0x1_0000;

/** Gathers decoded text: code units in the scratch, until there are many, and then a string. */
export class StringSink {
  readonly scratch: Scratch;
  /** How many units are in the scratch. */
  length = 0;
  readonly #engine: Engine;
  #text = '';

  constructor(engine: Engine) {
    this.scratch = scratchOf(engine.kernel);
    this.#engine = engine;
  }

  /**
   * Makes room for what so many bytes decode to. A piece of text has up to 32 Ki units: twice as long
   * a string takes 7 times the time to make, as it no longer fits a page of the heap (Node 20).
   */
  reserve(bytes: number): void {
    if (this.length + bytes > WINDOW) this.flush();
  }

  /** Appends a text that stands for a fault. */
  append(text: string): void {
    for (let i = 0; i < text.length; i++) {
      this.reserve(1);
      this.scratch.units[this.length++] = text.charCodeAt(i);
    }
  }

  /** Empties the scratch. */
  flush(): void {
    const { scratch, length } = this;
    this.length = 0;
    try {
      this.#text += (this.#engine.takeText ?? joinPieces)(scratch, length);
    } catch (cause) {
      throw createRangeError('The result is longer than a string', 'Decoder', cause);
    }
  }

  finish(): string {
    this.flush();
    return this.#text;
  }
}

/** Counts units. */
class LengthSink extends StringSink {
  #before = 0;

  get total(): number {
    return this.#before + this.length;
  }

  override append(text: string): void {
    this.#before += text.length;
  }

  override flush(): void {
    this.#before += this.length;
    this.length = 0;
  }
}

/**
 * Decodes `bytes` from the index `from` on, in windows: the kernel as far as it comes, then the state
 * machine for what stopped it.
 *
 * @param base - Where in its stream the input begins, in bytes; fault offsets count from there.
 * @param isLast - False where more input follows, so that a sequence cut by the end is no fault yet.
 * @returns The index up to which the input was decoded.
 */
export function decodeInto(
  sink: StringSink,
  engine: Engine,
  bytes: Uint8Array,
  from: number,
  policy: ErrorPolicy,
  base: number,
  isLast: boolean,
): number {
  const { kernel, tables } = engine;
  const { units } = sink.scratch;
  let i = from;
  let window = WINDOW;
  while (i < bytes.length) {
    const start = i;
    const to = Math.min(i + window, bytes.length);
    sink.reserve(to - i);
    kernel.decode(bytes, i, to, units, sink.length, progress);
    i = progress.read;
    sink.length = progress.written;
    if (to < bytes.length && to - i < tables.longest) {
      window = Math.min(4 * window, WINDOW);
      continue;
    }
    if (i === bytes.length) break;
    const fault = describeFault(engine, bytes, i, base);
    if (!isLast && isUndecided(engine, bytes, i, fault, policy)) break;
    const faulty = bytes.subarray(i, i + fault.length);
    // A user's function may itself use the scratch.
    if (typeof policy === 'function') sink.flush();
    sink.append(mendBytes(engine.name, policy, fault, faulty));
    // Probably the next fault is as far away, and a larger window would be loaded for nothing. Faults
    // come in small groups, too, which should not make it small at once.
    window = Math.min(Math.max(2 * (i - start), window >> 2, LEAST_WINDOW), WINDOW);
    i += fault.length;
  }
  return i;
}

/**
 * Decodes in one go what is clean and not long; undefined where it is not. Nothing is read twice, so
 * that the memory may be shared.
 */
function decodeClean(engine: Engine, bytes: Uint8Array): string | undefined {
  const { kernel } = engine;
  const { length } = bytes;
  const text = isPlain(bytes, engine.tables) ? takePlain(bytes) : kernel.decodeAtOnce?.(bytes);
  if (text !== undefined) return text;
  if (length > WINDOW) return undefined;
  // A kernel's own memory may have to be made first, which short texts should not wait for.
  const scratch = length <= SHORT_TEXT ? shareScratch() : scratchOf(kernel);
  kernel.decode(bytes, 0, length, scratch.units, 0, progress);
  return progress.read === length ? takeText(scratch, progress.written) : undefined;
}

/** ASCII as a string, in pieces: one of 512 KiB takes three times as long to make as eight of 64 KiB (Node 20). */
function takePlain(bytes: Uint8Array): string | undefined {
  const { length } = bytes;
  if (!latin1Slice || length > MOST_PLAIN) return undefined;
  let text = '';
  for (let i = 0; i < length; i += PIECE) {
    text += latin1Slice.call(bytes, i, Math.min(i + PIECE, length));
  }
  return text;
}

/** The length of the byte order mark that the input begins with, or 0. */
export function findBom({ sequences }: Engine, bytes: Uint8Array): number {
  const { codePoint, length } = readSequence(sequences, bytes, 0);
  return codePoint === 0xfeff ? length : 0;
}

/** How many bytes to pass over at the start. */
export function bomLength(engine: Engine, bytes: Uint8Array, bom: DecodeOptions['bom']): number {
  if (bom === undefined || bom === 'keep') return 0;
  if (bom !== 'strip') refuse('keep or strip for the option bom', bom);
  return findBom(engine, bytes);
}

function decodeAll<Sink extends StringSink>(
  sink: Sink,
  engine: Engine,
  input: Bytes,
  options?: DecodeOptions,
): Sink {
  const policy = checkPolicy(options?.errors, 'strict');
  const bytes = toUint8Array(input);
  const start = bomLength(engine, bytes, options?.bom);
  decodeInto(sink, engineFor(engine, policy), bytes, start, policy, 0, true);
  return sink;
}

export function createDecode(engine: Engine): Codec['decode'] {
  const decode: Codec['decode'] = (bytes, options) =>
    decodeAll(new StringSink(engine), engine, bytes, options).finish();
  registerEngine(decode, engine);
  return decode;
}

/** As {@link createDecode}, with a shorter way for what is clean; larger, and the same otherwise. */
export function createFastDecode(engine: Engine): Codec['decode'] {
  const decodeSlowly = createDecode(engine);
  const decode: Codec['decode'] = (bytes, options) => {
    if (options === undefined && bytes instanceof Uint8Array) {
      const text = decodeClean(engine, bytes);
      if (text !== undefined) return text;
    }
    return decodeSlowly(bytes, options);
  };
  registerEngine(decode, engine);
  return decode;
}

export function createDecodedLength(engine: Engine): Codec['decodedLength'] {
  return (bytes, options) => decodeAll(new LengthSink(engine), engine, bytes, options).total;
}
