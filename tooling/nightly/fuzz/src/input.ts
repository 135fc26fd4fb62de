/**
 * An input as choices and a payload. Choices are read from its end, so that a mutation of the payload
 * changes no choice, and an input that is cut short makes the first choices.
 */
export class Input {
  readonly bytes: Uint8Array;
  #end: number;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
    this.#end = bytes.length;
  }

  /** A whole number below a limit of up to 65536. */
  below(limit: number): number {
    if (limit <= 1) return 0;
    let value = this.#byte();
    if (limit > 0x100) value = value * 0x100 + this.#byte();
    return value % limit;
  }

  isChosen(): boolean {
    return this.below(2) === 1;
  }

  pick<T>(choices: readonly T[]): T {
    return choices[this.below(choices.length)] as T;
  }

  /** Returns the bytes that no choice has used. */
  rest(): Uint8Array {
    return this.bytes.slice(0, this.#end);
  }

  /**
   * The rest with words in it: each byte above 7F stands for one of up to 128. A mutation of a byte is then
   * one of a word.
   */
  spell(words: readonly (Uint8Array | string)[]): Uint8Array {
    const parts = Array.from(this.rest(), (byte) =>
      byte > 0x7f ? Buffer.from(words[byte % words.length] as string) : Buffer.of(byte),
    );
    return Uint8Array.from(Buffer.concat(parts));
  }

  /** The code units that the rest spells, two bytes each. */
  text(): string {
    const bytes = this.rest();
    let text = '';
    for (let i = 0; i + 1 < bytes.length; i += 2) {
      text += String.fromCharCode((bytes[i] as number) | ((bytes[i + 1] as number) << 8));
    }
    return text;
  }

  #byte(): number {
    return this.#end > 0 ? (this.bytes[--this.#end] as number) : 0;
  }
}

/** Makes an input of a payload and of choices, in the order in which they are read. */
export const compose = (payload: Uint8Array | string, ...choices: readonly number[]): Uint8Array =>
  Buffer.concat([Buffer.from(payload as string), Buffer.from(choices.toReversed())]);
