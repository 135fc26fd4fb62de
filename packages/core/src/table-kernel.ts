import { createSequence, FAULT, readSequence } from './character.js';
import type { Engine } from './engine.js';
import type { Kernel, Progress } from './kernel.js';

const sequence = createSequence();

/**
 * The kernel that every grammar has: its rows, read sequence by sequence. It serves where no faster
 * kernel is, in the `/lite` modules, and as the reference that faster ones are compared with. What it
 * costs in speed, it gives back in being right for any grammar, from the first byte on: nothing has to
 * be derived.
 */
export class TableKernel implements Kernel {
  readonly #engine: Engine;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  decode(
    source: Uint8Array,
    from: number,
    to: number,
    target: Uint16Array,
    at: number,
    progress: Progress,
  ): void {
    const { sequences, firstPlain } = this.#engine;
    while (from < to) {
      const byte = source[from] as number;
      if (byte < 0x80 && byte >= firstPlain) {
        target[at++] = byte;
        from++;
        continue;
      }
      readSequence(sequences, source, from, to, sequence);
      const { codePoint, length } = sequence;
      if (codePoint === FAULT || codePoint > 0x10ffff) break;
      if (codePoint > 0xffff) {
        target[at++] = 0xd7c0 + (codePoint >> 10);
        target[at++] = 0xdc00 + (codePoint & 0b11_1111_1111);
      } else {
        target[at++] = codePoint;
      }
      from += length;
    }
    progress.read = from;
    progress.written = at;
  }

  encode(text: string, from: number, target: Uint8Array, at: number, progress: Progress): void {
    const { speller } = this.#engine;
    while (from < text.length) {
      const codePoint = text.codePointAt(from) as number;
      const spelling = speller.find(codePoint);
      if (!spelling || spelling.length > target.length - at) break;
      speller.write(spelling, codePoint, target, at);
      at += spelling.length;
      from += codePoint > 0xffff ? 2 : 1;
    }
    progress.read = from;
    progress.written = at;
  }

  validate(source: Uint8Array, from: number, to: number): number {
    const { sequences } = this.#engine;
    while (from < to) {
      readSequence(sequences, source, from, to, sequence);
      if (sequence.codePoint === FAULT) break;
      from += sequence.length;
    }
    return from;
  }
}
