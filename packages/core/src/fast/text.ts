/**
 * Collects code units for a string. All calls share one scratch in turn: no user's code may run between
 * writing and reading.
 */
import { createRangeError } from '../fault/error.js';
import { ARGUMENTS, LOOP_WINDOW, SHORT_TEXT, WINDOW } from './limits.js';
import type { Scratch } from './module.js';

/** The part of a kernel that texts need. */
interface TextKernel {
  /** Scratch for short inputs. */
  readonly shortScratch: Scratch;
  readonly scratch: Scratch | undefined;
  readText(scratch: Scratch, length: number): string | undefined;
}

let shared: Scratch | undefined;

/** Returns the kernel if it can run and the input is not short: a kernel is compiled for no short input. */
export const findKernel = <Kernel extends TextKernel>(
  kernel: Kernel | undefined,
  size: number,
): Kernel | undefined => (size > SHORT_TEXT && kernel?.scratch ? kernel : undefined);

/** Finds the scratch for an input of about this size. */
export function findScratch(kernel: TextKernel | undefined, size: number): Scratch {
  const own = findKernel(kernel, size)?.scratch;
  if (own) return own;
  if (kernel && size <= SHORT_TEXT) return kernel.shortScratch;
  // An array, because `String.fromCharCode` joins it 1.3 times as fast as a typed one.
  shared ??= {
    bytes: new Uint8Array(WINDOW),
    codeUnits: new Array(2 * LOOP_WINDOW).fill(0),
    window: LOOP_WINDOW,
  };
  return shared;
}

/** Returns the first `length` code units of a scratch as a string. */
export function readText(kernel: TextKernel | undefined, scratch: Scratch, length: number): string {
  const whole = kernel?.readText(scratch, length);
  if (whole !== undefined) return whole;
  let text = '';
  for (let i = 0; i < length; i += ARGUMENTS) {
    const piece = scratch.codeUnits.slice(i, Math.min(i + ARGUMENTS, length));
    text += String.fromCharCode.apply(null, piece as number[]);
  }
  return text;
}

/** Collects code units in a scratch, and moves them to a string when it is full. */
export class TextSink<Kernel extends TextKernel = TextKernel> {
  readonly scratch: Scratch;
  /** False if code units are only counted. */
  readonly hasText: boolean = true;
  /** Number of code units in the scratch. */
  length = 0;
  /** The kernel that the scratch belongs to, if any. */
  readonly kernel: Kernel | undefined;
  #text = '';

  /** @param size - Approximate number of bytes to decode. */
  constructor(kernel: Kernel | undefined, size: number) {
    this.kernel = findKernel(kernel, size);
    this.scratch = findScratch(kernel, size);
  }

  /**
   * Makes room for the text of this many bytes. A piece of text has at most 32 Ki code units: a string twice
   * as long takes 7 times as long to create, as it no longer fits a page of the heap (Node 20).
   */
  reserve(bytes: number): void {
    if (this.length + bytes > this.scratch.window) this.flush();
  }

  /** Appends a text of few characters. */
  append(text: string): void {
    for (let i = 0; i < text.length; i++) {
      this.reserve(1);
      this.scratch.codeUnits[this.length++] = text.charCodeAt(i);
    }
  }

  /** Appends a text of many characters. */
  join(text: string): void {
    this.flush();
    this.#add(text);
  }

  /** Moves the code units from the shared scratch to the text. */
  flush(): void {
    const { length } = this;
    this.length = 0;
    this.#add(readText(this.kernel, this.scratch, length));
  }

  #add(text: string): void {
    try {
      this.#text += text;
    } catch {
      throw createRangeError();
    }
  }

  finish(): string {
    this.flush();
    return this.#text;
  }
}

/** Counts code units. */
export class LengthSink<Kernel extends TextKernel> extends TextSink<Kernel> {
  override readonly hasText = false;
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
