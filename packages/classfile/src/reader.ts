import { ClassFileError, type ClassFileReason } from './error.js';

/** A number of two bytes, big-endian. */
export const readU2 = (bytes: Uint8Array, offset: number): number =>
  ((bytes[offset] as number) << 8) | (bytes[offset + 1] as number);

/** Reads big-endian numbers one after another, and never beyond the end of what is being read. */
export class Reader {
  readonly bytes: Uint8Array;
  /** Where the next number is, in bytes from the start of the file. */
  offset = 0;
  /** Where the attribute ends that is being read; outside of them, the file. */
  #end: number;
  /** The name of that attribute. */
  #attribute = '';

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
    this.#end = bytes.length;
  }

  /** How many bytes of the attribute, or of the file, are left. */
  get left(): number {
    return this.#end - this.offset;
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
   * Reads an attribute: exactly as many bytes as it says.
   *
   * @param length - In bytes, from the current offset on.
   */
  within(name: string, length: number, read: () => void): void {
    if (length > this.left) {
      // The length is right before what it is about.
      const shown = JSON.stringify(name.slice(0, 40));
      const what = `the attribute ${shown} has a length of ${length}, with ${count(this.left)} left`;
      this.refuse('truncated', what, 4);
    }
    const end = this.#end;
    const attribute = this.#attribute;
    this.#end = this.offset + length;
    this.#attribute = name;
    read();
    if (this.left > 0) this.refuse('excess-bytes', `${count(this.left)} left over`);
    this.#end = end;
    this.#attribute = attribute;
  }

  /**
   * Refuses the file.
   *
   * @param what - What is wrong, as the second half of a sentence.
   * @param back - How many bytes before the current offset the fault is.
   */
  refuse(reason: ClassFileReason, what: string, back = 0): never {
    const where = this.#attribute === '' ? '' : `, in the attribute ${this.#attribute}`;
    throw new ClassFileError(reason, this.offset - back, what + where);
  }

  /** Where the next bytes are, which are passed over. */
  #take(wanted: number): number {
    const { offset } = this;
    if (wanted > this.#end - offset) {
      this.refuse('truncated', `${count(wanted)} wanted, with ${this.left} left`);
    }
    this.offset = offset + wanted;
    return offset;
  }
}

const count = (bytes: number): string => (bytes === 1 ? '1 byte' : `${bytes} bytes`);
