/** Lines and columns, as people and editors count them. */
import type { Codec } from '@utf8/core';
import { createRawFormat } from '../format/raw.js';
import type { Source } from '../open/source.js';
import { countCharacters } from '../sequence.js';
import { segments } from './segments.js';

const LF = 0x0a;

/** A line and a column, both from 1; columns count characters, malformed ones too. */
export interface LineColumn {
  readonly line: number;
  readonly column: number;
}

/** Moves a position over whole characters. */
export function advance({ line, column }: LineColumn, bytes: Uint8Array, codec: Codec): LineColumn {
  let lines = 0;
  let start = 0;
  for (let feed = bytes.indexOf(LF); feed !== -1; feed = bytes.indexOf(LF, start)) {
    lines++;
    start = feed + 1;
  }
  const characters = countCharacters(bytes.subarray(start), codec);
  return { line: line + lines, column: (lines > 0 ? 1 : column) + characters };
}

/** Adds a position that is relative to another one. */
export const addPosition = (base: LineColumn, { line, column }: LineColumn): LineColumn => ({
  line: base.line + line - 1,
  column: line > 1 ? column : base.column + column - 1,
});

/** The position of the first byte. */
export const FIRST: LineColumn = { line: 1, column: 1 };

/** Finds positions in a source that can be read again, each after the one before it. */
export class Locator {
  readonly #source: Source;
  readonly #codec: Codec;
  #offset = 0;
  #position = FIRST;

  constructor(source: Source, codec: Codec) {
    this.#source = source;
    this.#codec = codec;
  }

  /** Counts up to an offset, which is a character boundary. */
  async at(offset: number): Promise<LineColumn> {
    const range = { from: this.#offset, to: offset };
    for await (const { bytes } of segments(this.#source, createRawFormat(this.#codec), range)) {
      this.#position = advance(this.#position, bytes, this.#codec);
    }
    this.#offset = offset;
    return this.#position;
  }
}
