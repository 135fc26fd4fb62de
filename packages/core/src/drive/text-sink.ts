import { createRangeError } from '../fault/error.js';

/** Where decoded text gathers. */
export interface TextSink {
  /** Appends a UTF-16 code unit. */
  push(codeUnit: number): void;
  /** Appends a text that stands for a fault, before which nothing may be left in shared memory. */
  append(text: string): void;
  /** Moves what is gathered to where nothing else can reach it. */
  flush(): void;
  finish(): string;
}

/** Code units become a string so many at once: as arguments they live on the stack. */
const PIECE = 4096;

/** Gathers code units in an array. */
export class ArraySink implements TextSink {
  #codeUnits: number[] = [];
  #text = '';

  push(codeUnit: number): void {
    if (this.#codeUnits.push(codeUnit) === PIECE) this.flush();
  }

  append(text: string): void {
    this.flush();
    this.#text += text;
  }

  flush(): void {
    try {
      this.#text += String.fromCharCode.apply(null, this.#codeUnits);
    } catch {
      throw createRangeError();
    }
    this.#codeUnits = [];
  }

  finish(): string {
    this.flush();
    return this.#text;
  }
}
