/** Traces of text that is gone, and a second reading of short text. */

const QUESTION_MARK = 0x3f;

/** Question marks in a row that no sentence has. */
const LEAST = 4;

/** Looks for damage, chunk by chunk. */
export class LossSearch {
  /** Number of runs of question marks. */
  questions = 0;
  /** Number of U+FFFD. */
  replacements = 0;
  #run = 0;
  /** The last bytes, in which U+FFFD may begin. */
  #last: readonly number[] = [];

  push(chunk: Uint8Array<ArrayBuffer>): void {
    this.#count(chunk);
    this.#countReplacements(chunk);
  }

  #countReplacements(chunk: Uint8Array): void {
    const seam = [...this.#last, ...chunk.subarray(0, 2)];
    for (let i = 0; i < this.#last.length; i++) if (isReplacement(seam, i)) this.replacements++;
    for (let i = chunk.indexOf(0xef); i !== -1; i = chunk.indexOf(0xef, i + 1)) {
      if (isReplacement(chunk, i)) this.replacements++;
    }
    this.#last = chunk.length < 2 ? seam.slice(-2) : [...chunk.subarray(-2)];
  }

  #count(chunk: Uint8Array): void {
    let i = 0;
    while (i < chunk.length) {
      if (chunk[i] !== QUESTION_MARK) {
        this.#run = 0;
        i = chunk.indexOf(QUESTION_MARK, i);
        if (i === -1) return;
      }
      if (++this.#run === LEAST) this.questions++;
      i++;
    }
  }
}

const isReplacement = (bytes: ArrayLike<number>, i: number): boolean =>
  bytes[i] === 0xef && bytes[i + 1] === 0xbf && bytes[i + 2] === 0xbd;

/**
 * Reads a text once more, as if UTF-8 had been encoded twice.
 *
 * @returns Undefined if it cannot be read so.
 */
export function readTwice(bytes: Uint8Array): string | undefined {
  try {
    const decoder = new TextDecoder('utf-8', { fatal: true });
    const once = decoder.decode(bytes);
    if (!/[\x80-\xff]/.test(once) || /[^\0-\xff]/.test(once)) return undefined;
    return decoder.decode(Uint8Array.from(once, (character) => character.charCodeAt(0)));
  } catch {
    return undefined;
  }
}
