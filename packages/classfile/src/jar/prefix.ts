/**
 * Decoding of the first bytes of a deflate stream, at the cost of those bytes. zlib would allocate and fill a
 * window for each entry that is only identified. RFC 1951 3.2.
 */

/** Base and number of extra bits of lengths and distances. RFC 1951 3.2.5. */
const LENGTHS = [
  3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131,
  163, 195, 227, 258,
];
const LENGTH_BITS = [
  0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0,
];
const DISTANCES = [
  1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049,
  3073, 4097, 6145, 8193, 12289, 16385, 24577,
];
/** Order of the code lengths of the code length alphabet. RFC 1951 3.2.7. */
const ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];

const END_OF_BLOCK = 256;

/** Thrown if the stream is malformed. */
export class DeflateError extends Error {}

/** Thrown if the input ends before the requested bytes. */
class EndError extends Error {}

/** A canonical Huffman code: the number of codes of each length, and the symbols in the order of their codes. */
interface Code {
  readonly counts: Uint16Array;
  readonly symbols: Uint16Array;
}

/** @throws {@link DeflateError} if a length has more codes than fit. */
function createCode(lengths: Uint8Array): Code {
  const counts = new Uint16Array(16);
  for (const length of lengths) counts[length] = (counts[length] as number) + 1;
  counts[0] = 0;
  const offsets = new Uint16Array(17);
  let room = 1;
  for (let length = 1; length < 16; length++) {
    const count = counts[length] as number;
    room = 2 * room - count;
    if (room < 0) throw new DeflateError('a code has too many symbols');
    offsets[length + 1] = (offsets[length] as number) + count;
  }
  const symbols = new Uint16Array(lengths.length);
  for (const [symbol, length] of lengths.entries()) {
    if (length === 0) continue;
    const at = offsets[length] as number;
    symbols[at] = symbol;
    offsets[length] = at + 1;
  }
  return { counts, symbols };
}

let fixed: readonly [Code, Code] | undefined;

/** Returns the codes of blocks that contain none. RFC 1951 3.2.6. */
function getFixed(): readonly [Code, Code] {
  if (fixed) return fixed;
  const lengths = new Uint8Array(288).fill(8).fill(9, 144, 256).fill(7, 256, 280);
  fixed = [createCode(lengths), createCode(new Uint8Array(30).fill(5))];
  return fixed;
}

class BitReader {
  readonly #bytes: Uint8Array;
  /** Position in bits. */
  #position = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** Reads a number of some bits, the lowest first. */
  read(count: number): number {
    let value = 0;
    for (let i = 0; i < count; i++) value |= this.#readBit() << i;
    return value;
  }

  readSymbol({ counts, symbols }: Code): number {
    let code = 0;
    let first = 0;
    let index = 0;
    for (let length = 1; length < 16; length++) {
      code |= this.#readBit();
      const count = counts[length] as number;
      if (code - first < count) return symbols[index + code - first] as number;
      index += count;
      first = (first + count) << 1;
      code <<= 1;
    }
    throw new DeflateError('a code has no symbol');
  }

  skipToByte(): void {
    this.#position = (this.#position + 7) & ~7;
  }

  #readBit(): number {
    const byte = this.#bytes[this.#position >> 3];
    if (byte === undefined) throw new EndError();
    return (byte >> (this.#position++ & 7)) & 1;
  }
}

/** The output so far, up to the requested length. */
interface Output {
  readonly bytes: Uint8Array;
  length: number;
}

const isFull = ({ bytes, length }: Output): boolean => length >= bytes.length;

function readStored(reader: BitReader, output: Output): void {
  reader.skipToByte();
  const length = reader.read(16);
  if (length !== (reader.read(16) ^ 0xffff)) throw new DeflateError('a stored block is malformed');
  for (let i = 0; i < length && !isFull(output); i++)
    output.bytes[output.length++] = reader.read(8);
}

function readCodes(reader: BitReader): readonly [Code, Code] {
  const literals = 257 + reader.read(5);
  const distances = 1 + reader.read(5);
  const count = 4 + reader.read(4);
  if (literals > 286 || distances > 30) throw new DeflateError('a block has too many codes');
  const own = new Uint8Array(19);
  for (const symbol of ORDER.slice(0, count)) own[symbol] = reader.read(3);
  const code = createCode(own);
  const lengths = new Uint8Array(literals + distances);
  for (let at = 0; at < lengths.length; ) {
    const symbol = reader.readSymbol(code);
    if (symbol < 16) {
      lengths[at++] = symbol;
      continue;
    }
    if (symbol === 16 && at === 0) throw new DeflateError('a length repeats nothing');
    const length = symbol === 16 ? (lengths[at - 1] as number) : 0;
    const times = repeat(symbol, reader);
    if (at + times > lengths.length) throw new DeflateError('a block has too many lengths');
    lengths.fill(length, at, at + times);
    at += times;
  }
  if (lengths[END_OF_BLOCK] === 0) throw new DeflateError('a block cannot end');
  return [createCode(lengths.subarray(0, literals)), createCode(lengths.subarray(literals))];
}

function repeat(symbol: number, reader: BitReader): number {
  if (symbol === 16) return 3 + reader.read(2);
  return symbol === 17 ? 3 + reader.read(3) : 11 + reader.read(7);
}

function readCompressed(
  reader: BitReader,
  [literals, distances]: readonly [Code, Code],
  output: Output,
): void {
  while (!isFull(output)) {
    const symbol = reader.readSymbol(literals);
    if (symbol === END_OF_BLOCK) return;
    if (symbol < END_OF_BLOCK) output.bytes[output.length++] = symbol;
    else copy(reader, symbol - 257, distances, output);
  }
}

function copy(reader: BitReader, index: number, distances: Code, output: Output): void {
  const base = LENGTHS[index];
  if (base === undefined) throw new DeflateError('a length has no code');
  const length = base + reader.read(LENGTH_BITS[index] as number);
  const symbol = reader.readSymbol(distances);
  const start = DISTANCES[symbol];
  if (start === undefined) throw new DeflateError('a distance has no code');
  const distance = start + reader.read(Math.max(0, (symbol >> 1) - 1));
  if (distance > output.length) throw new DeflateError('a distance is before the start');
  for (let i = 0; i < length && !isFull(output); i++) {
    output.bytes[output.length] = output.bytes[output.length - distance] as number;
    output.length++;
  }
}

/**
 * Inflates the first bytes of a deflate stream.
 *
 * @param bytes - The beginning of the stream, or all of it.
 * @param length - The most bytes to produce.
 * @returns Fewer bytes if the stream or `bytes` ends first.
 * @throws {@link DeflateError} if the stream is malformed before that.
 */
export function inflatePrefix(bytes: Uint8Array, length: number): Uint8Array {
  const reader = new BitReader(bytes);
  const output: Output = { bytes: new Uint8Array(length), length: 0 };
  try {
    for (let isLast = false; !isLast && !isFull(output); ) {
      isLast = reader.read(1) === 1;
      const type = reader.read(2);
      if (type === 3) throw new DeflateError('a block has no type');
      if (type === 0) readStored(reader, output);
      else readCompressed(reader, type === 1 ? getFixed() : readCodes(reader), output);
    }
  } catch (error) {
    if (!(error instanceof EndError)) throw error;
  }
  return output.bytes.subarray(0, output.length);
}
