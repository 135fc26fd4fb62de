import { ClassFileError, type ClassFileReason, type FaultPlace } from '../error.js';

/** A number of two bytes, big-endian. */
export const readU2 = (bytes: Uint8Array, offset: number): number =>
  ((bytes[offset] as number) << 8) | (bytes[offset + 1] as number);

/** Reads big-endian numbers one after another, and never beyond the end of what is being read. */
export class Reader {
  readonly bytes: Uint8Array;
  /** Where the next number is, in bytes from the start of the file. */
  offset = 0;
  /** Where the attribute ends that is being read; outside of them, the file. */
  end: number;
  /** Tells where in the class the reader is, for errors. */
  place: FaultPlace = {};

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
    this.end = bytes.length;
  }

  /** How many bytes of the attribute, or of the file, are left. */
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

  /** Whether the next number of two bytes is 0, which it passes over then. */
  skipZero(): boolean {
    if (this.u2() === 0) return true;
    this.offset -= 2;
    return false;
  }

  /**
   * An error at the current offset.
   *
   * @param what - What is wrong, as the end of a sentence.
   * @param back - How many bytes before the current offset the fault is.
   */
  error(reason: ClassFileReason, what: string, back = 0): ClassFileError {
    return new ClassFileError(reason, this.offset - back, what, this.place);
  }

  /** Refuses what is being read. */
  refuse(reason: ClassFileReason, what: string, back = 0): never {
    throw this.error(reason, what, back);
  }

  /** Where the next bytes are, which are passed over. */
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
