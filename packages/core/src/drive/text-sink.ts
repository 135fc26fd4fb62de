import { createRangeError } from '../fault/error.js';
import type { Engine } from '../read/engine.js';
import { type Scratch, WINDOW } from '../read/kernel.js';
import { joinPieces, shareScratch } from './scratch.js';
import type { DecodeWay } from './way.js';

/** Gathers decoded text: code units in a scratch, until there are many, and then a string. */
export class TextSink {
  readonly scratch: Scratch;
  /** How many code units are in the scratch. */
  length = 0;
  readonly #engine: Engine;
  readonly #way: DecodeWay | undefined;
  #text = '';

  /** @param size - About how many bytes there are. */
  constructor(engine: Engine, size: number, way?: DecodeWay) {
    this.scratch = way?.findScratch(engine, size) ?? shareScratch();
    this.#engine = engine;
    this.#way = way;
  }

  /**
   * Makes room for what so many bytes decode to. A piece of text has up to 32 Ki code units: a string
   * twice as long takes 7 times the time to make, as it no longer fits a page of the heap (Node 20).
   */
  reserve(bytes: number): void {
    if (this.length + bytes > WINDOW) this.flush();
  }

  /** Appends a text that stands for a fault. */
  append(text: string): void {
    for (let i = 0; i < text.length; i++) {
      this.reserve(1);
      this.scratch.codeUnits[this.length++] = text.charCodeAt(i);
    }
  }

  /** Empties the scratch. */
  flush(): void {
    const { scratch, length } = this;
    this.length = 0;
    try {
      this.#text +=
        this.#way?.takeText(this.#engine, scratch, length) ?? joinPieces(scratch, length);
    } catch (cause) {
      throw createRangeError(cause);
    }
  }

  finish(): string {
    this.flush();
    return this.#text;
  }
}

/** Counts code units. */
export class LengthSink extends TextSink {
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
