/** Values as bytes, one after the other. */

/** Writes values into memory that grows. */
export class ByteWriter {
  #memory = Buffer.allocUnsafe(1 << 12);
  #length = 0;

  addByte(value: number): void {
    this.#reserve(1);
    this.#memory[this.#length++] = value;
  }

  /** Adds a whole number below 2^32, whose bytes sort as numbers do. */
  addNumber(value: number): void {
    this.#reserve(4);
    this.#length = this.#memory.writeUInt32BE(value, this.#length);
  }

  /** Adds a whole number below 2^53. */
  addCount(value: number): void {
    this.#reserve(8);
    this.#length = this.#memory.writeDoubleBE(value, this.#length);
  }

  /** Adds bytes after their length. */
  addBytes(bytes: Uint8Array): void {
    this.addNumber(bytes.length);
    this.add(bytes);
  }

  /** Adds bytes alone. */
  add(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.#memory.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  /** Length of the added data, in bytes. */
  get length(): number {
    return this.#length;
  }

  /** A view of the added data, valid until the next change. */
  get bytes(): Buffer {
    return this.#memory.subarray(0, this.#length);
  }

  /** Starts again. */
  clear(): this {
    this.#length = 0;
    return this;
  }

  /** Returns a copy of the added data, and starts again. */
  take(): Buffer {
    const bytes = Buffer.from(this.bytes);
    this.#length = 0;
    return bytes;
  }

  #reserve(length: number): void {
    const needed = this.#length + length;
    if (needed <= this.#memory.length) return;
    const grown = Buffer.allocUnsafe(Math.max(needed, 2 * this.#memory.length));
    grown.set(this.#memory.subarray(0, this.#length));
    this.#memory = grown;
  }
}

/** Reads the output of a {@link ByteWriter}. */
export class ByteReader {
  readonly bytes: Buffer;
  /** Index of the next value. */
  index: number;

  constructor(bytes: Buffer, index = 0) {
    this.bytes = bytes;
    this.index = index;
  }

  readByte(): number {
    return this.bytes[this.index++] as number;
  }

  readNumber(): number {
    this.index += 4;
    return this.bytes.readUInt32BE(this.index - 4);
  }

  readCount(): number {
    this.index += 8;
    return this.bytes.readDoubleBE(this.index - 8);
  }

  /** Returns a view. */
  readBytes(): Buffer {
    const length = this.readNumber();
    this.index += length;
    return this.bytes.subarray(this.index - length, this.index);
  }
}
