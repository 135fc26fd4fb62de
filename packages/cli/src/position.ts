/** Lines and columns, as people and editors count them. */
import type { Codec } from '@utf8/core';
import { blocks } from './blocks.js';
import type { Source } from './source.js';

const LF = 0x0a;

/** A place in a text that moves forward only, so that counting stays linear and takes no memory. */
export class Position {
  /** From 1. */
  line = 1;
  /** From 1, in characters; a fault is one. */
  column = 1;
  readonly #codec: Codec;

  constructor(codec: Codec) {
    this.#codec = codec;
  }

  /** Moves over whole characters. */
  advance(bytes: Uint8Array): void {
    let start = 0;
    for (let i = 0; i < bytes.length; i++) {
      if (bytes[i] !== LF) continue;
      this.line++;
      this.column = 1;
      start = i + 1;
    }
    if (start < bytes.length) this.column += this.#codec.countCodePoints(bytes.subarray(start));
  }
}

/**
 * Counts lines and columns up to an offset by reading what is before it. So an input that turns out
 * to be well-formed, as most do, is never counted.
 */
export async function locate(source: Source, codec: Codec, offset: number): Promise<Position> {
  const position = new Position(codec);
  for await (const { bytes } of blocks(source, codec, { to: offset })) position.advance(bytes);
  return position;
}
