/**
 * Where encoded bytes gather: memory that grows. It may begin in a kernel's scratch, which costs nothing
 * and is never handed out.
 */
export class ByteSink {
  bytes: Uint8Array;
  length = 0;
  #isOwn: boolean;

  /** @param memory - A guess of how many bytes there will be, or memory to begin in. */
  constructor(memory: number | Uint8Array) {
    this.#isOwn = typeof memory === 'number';
    this.bytes = typeof memory === 'number' ? allocate(memory) : memory;
  }

  /** Makes room for at least `count` more bytes. */
  reserve(count: number): void {
    if (this.bytes.length - this.length >= count) return;
    const grown = allocate(Math.max(this.length + count, this.bytes.length * 1.5));
    grown.set(this.bytes.subarray(0, this.length));
    this.bytes = grown;
    this.#isOwn = true;
  }

  /** Appends `source[from..to)`. */
  append(source: Uint8Array, from: number, to: number): void {
    this.reserve(to - from);
    // Short runs byte by byte: making a view costs more than copying 32 bytes.
    if (to - from < 32)
      for (let i = from; i < to; i++) this.bytes[this.length++] = source[i] as number;
    else {
      this.bytes.set(source.subarray(from, to), this.length);
      this.length += to - from;
    }
  }

  /** The bytes, in memory of their own. */
  finish(): Uint8Array {
    const fits = this.#isOwn && this.length === this.bytes.length;
    return fits ? this.bytes : this.bytes.slice(0, this.length);
  }
}

/** Counts bytes without keeping them: the same loops run, again and again over the same memory. */
export class CountingSink extends ByteSink {
  #before = 0;

  get total(): number {
    return this.#before + this.length;
  }

  /** Room for any one character, which is all that the encoding loop depends on. */
  override reserve(): void {
    this.#before += this.length;
    this.length = 0;
  }
}

function allocate(length: number): Uint8Array {
  try {
    return new Uint8Array(length);
  } catch (cause) {
    throw new RangeError(
      `A result of ${Math.ceil(length)} bytes is more than this platform can hold; encode in pieces with Encoder or EncoderStream.`,
      { cause },
    );
  }
}
