import { ClassFileError, type ClassFileReason, type FaultPlace } from '../error.js';

/** Reads a two-byte number, big-endian. */
export const readU2 = (bytes: Uint8Array, offset: number): number =>
  ((bytes[offset] as number) << 8) | (bytes[offset + 1] as number);

/** Reads big-endian numbers one after another, and never beyond the end of the part being read. */
export class Reader {
  readonly bytes: Uint8Array;
  /** Offset of the next number, in bytes from the start of the file. */
  offset = 0;
  /** Offset of the end of the current attribute; outside of attributes, of the file. */
  end: number;
  /** Place of the reader in the class, for errors. */
  place: FaultPlace = {};

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
    this.end = bytes.length;
  }

  /** Number of bytes left in the attribute, or in the file. */
  get left(): number {
    return this.end - this.offset;
  }

  u1(): number {
    return this.bytes[this.#take(1)] as number;
  }

  u2(): number {
    return readU2(this.bytes, this.#take(2));
  }

  u4(): number {
    const at = this.#take(4);
    return readU2(this.bytes, at) * 0x1_0000 + readU2(this.bytes, at + 2);
  }

  skip(wanted: number): void {
    this.#take(wanted);
  }

  /** Tells whether the next two-byte number is 0, and skips it if so. */
  skipZero(): boolean {
    if (this.u2() === 0) return true;
    this.offset -= 2;
    return false;
  }

  /**
   * Creates an error at the current offset.
   *
   * @param what - A description of the error, as the end of a sentence.
   * @param back - The distance of the error before the current offset, in bytes.
   */
  error(reason: ClassFileReason, what: string, back = 0): ClassFileError {
    return new ClassFileError(reason, this.offset - back, what, this.place);
  }

  /** Refuses the file with an error at the current offset. */
  refuse(reason: ClassFileReason, what: string, back = 0): never {
    throw this.error(reason, what, back);
  }

  /** Skips bytes, and returns their offset. */
  #take(wanted: number): number {
    const { offset } = this;
    if (wanted > this.end - offset) {
      this.refuse('truncated', `${countBytes(wanted)} needed, but ${this.left} left`);
    }
    this.offset = offset + wanted;
    return offset;
  }
}

export const countBytes = (bytes: number): string => (bytes === 1 ? '1 byte' : `${bytes} bytes`);
