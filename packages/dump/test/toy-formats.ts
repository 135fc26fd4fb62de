/** Two formats that are as simple as a format can be, for tests of what works with any. */
import type { Format, Piece, Reader, ReaderState, UnitScanner } from '../src/format/format.js';

const LF = 0x0a;
const QUOTE = 0x22;

const START: ReaderState = { line: 1, record: 1, context: null };

/** Reads records that end at a line feed outside of quotes. */
class QuotedReader implements Reader {
  state: ReaderState;
  readonly #isQuote: (byte: number) => boolean;

  constructor(state: ReaderState, hasQuotes: boolean) {
    this.state = state;
    this.#isQuote = (byte) => hasQuotes && byte === QUOTE;
  }

  skip(bytes: Uint8Array, isLast: boolean): number {
    let end = 0;
    for (const piece of this.#pieces(bytes, isLast)) end = piece.end;
    return end;
  }

  read(bytes: Uint8Array): Iterable<Piece> {
    return this.#pieces(bytes, true);
  }

  *#pieces(bytes: Uint8Array, isLast: boolean): Generator<Piece> {
    let start = 0;
    let lines = 0;
    let isQuoted = false;
    for (let i = 0; i <= bytes.length; i++) {
      const isEnd = i === bytes.length;
      const byte = bytes[i] ?? LF;
      if (isEnd && (!isLast || start === i)) return;
      if (this.#isQuote(byte)) isQuoted = !isQuoted;
      if (byte === LF && !isEnd) lines++;
      if (!isEnd && (byte !== LF || isQuoted)) continue;
      const { line, record } = this.state;
      this.state = { line: line + lines, record: record + 1, context: null };
      const end = isEnd ? i : i + 1;
      const field = { start, end: i, kind: 'text', column: undefined, number: 1 } as const;
      const table = undefined;
      yield {
        kind: 'record',
        start,
        own: start,
        end,
        number: record,
        line,
        table,
        fields: [field],
      };
      start = end;
      lines = 0;
    }
  }
}

/** Finds the end of one unit in bytes that come all at once. */
function createScanner(start: ReaderState, hasQuotes: boolean): UnitScanner {
  const scanner = {
    state: start,
    push(bytes: Uint8Array, isLast: boolean): number {
      for (let end = 1; end <= bytes.length; end++) {
        const reader = new QuotedReader(start, hasQuotes);
        const length = reader.skip(bytes.subarray(0, end), isLast && end === bytes.length);
        scanner.state = reader.state;
        if (length > 0) return length;
      }
      return -1;
    },
  };
  return scanner;
}

function createFormat(hasQuotes: boolean): Format {
  return {
    name: hasQuotes ? 'quoted' : 'plain',
    isLineBased: !hasQuotes,
    createReader: (state = START) => new QuotedReader(state, hasQuotes),
    createScanner: (state) => createScanner(state, hasQuotes),
    quote: (text) => text,
    isOpaqueAscii: true,
    readValue: (bytes, field, text = bytes.subarray(field.start, field.end)) => text,
    nuls: [],
  };
}

export const quoted: Format = createFormat(true);
export const plain: Format = createFormat(false);
