import { createRangeError } from '../fault/error.js';
import type { Engine } from '../read/engine.js';
import { findScratch, type Scratch, WINDOW } from '../read/kernel.js';
import { shareScratch, takeText } from './scratch.js';
import type { TextSink } from './text-sink.js';

/** Gathers code units in a scratch, until there are many, and then in a string. */
export class ScratchSink implements TextSink {
  readonly scratch: Scratch;
  /** How many code units are in the scratch. */
  length = 0;
  readonly #engine: Engine;
  #text = '';

  /** @param size - About how many bytes there are. */
  constructor(engine: Engine, size: number) {
    this.scratch = findScratch(engine.accelerator?.kernel, size) ?? shareScratch();
    this.#engine = engine;
  }

  /**
   * Makes room for what so many bytes decode to. A piece of text has up to 32 Ki code units: a string
   * twice as long takes 7 times the time to make, as it no longer fits a page of the heap (Node 20).
   */
  reserve(bytes: number): void {
    if (this.length + bytes > WINDOW) this.flush();
  }

  push(codeUnit: number): void {
    this.reserve(1);
    this.scratch.codeUnits[this.length++] = codeUnit;
  }

  append(text: string): void {
    for (let i = 0; i < text.length; i++) this.push(text.charCodeAt(i));
  }

  flush(): void {
    const { scratch, length } = this;
    this.length = 0;
    try {
      this.#text += takeText(this.#engine, scratch, length);
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
export class LengthSink extends ScratchSink {
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
