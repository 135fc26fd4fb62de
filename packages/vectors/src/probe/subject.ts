/** The reader under test, with its answers converted to one type. */
import { type Answer, isSameText } from './answer.js';
import { joinPairs } from './model.js';

/** A result of a reader: text, code points, an answer, or undefined for a refusal. */
export type Output = string | ArrayLike<number> | Answer | undefined;

/**
 * Reads bytes. Returning `undefined` or throwing an error is a refusal, except that a {@link ProbeError}
 * ends the probe.
 */
export type Read = (bytes: Uint8Array) => Output | Promise<Output>;

/**
 * Thrown if the reader cannot be probed. The message describes its behaviour.
 *
 * @example
 * ```ts
 * import { probe, ProbeError } from '@utf8/vectors/probe';
 *
 * try {
 *   await probe(() => 'always the same');
 * } catch (error) {
 *   error instanceof ProbeError; // => true
 * }
 * ```
 */
export class ProbeError extends Error {
  /** The code of the error, which is the same in every copy of this package. */
  readonly code = 'ERR_UTF8_PROBE';

  static {
    ProbeError.prototype.name = 'ProbeError';
  }
}

function toAnswer(output: Output): Answer {
  if (output === undefined || output === null) return {};
  if (typeof output === 'string') {
    return { text: Array.from(output, (character) => character.codePointAt(0) as number) };
  }
  const { text, failure } = output as Answer;
  if (failure !== undefined) return { failure };
  const numbers = 'length' in output ? Array.from(output) : text;
  return numbers ? { text: joinPairs(numbers) } : {};
}

const LF = [0x0a];
const CRLF = [0x0d, 0x0a];

/** Endings that a reader may print after every text. */
export const endings: readonly (readonly number[])[] = [[], LF, CRLF];

export class Subject {
  readonly #read: Read;
  /** The ending that the reader prints after every text. */
  ending: readonly number[] = [];
  /** Number of inputs that were read. */
  count = 0;
  onRead: (() => void) | undefined;

  constructor(read: Read) {
    this.#read = read;
  }

  read(bytes: Uint8Array): Promise<Answer> {
    // A copy, in case the reader writes to its input.
    return this.finish(() => this.#read(bytes.slice()));
  }

  /** Converts the result or the error of a reader to an answer. */
  async finish(run: () => Output | Promise<Output>): Promise<Answer> {
    this.count++;
    try {
      return this.#withoutEnding(toAnswer(await run()));
    } catch (error) {
      if ((error as { code?: unknown })?.code === 'ERR_UTF8_PROBE') throw error;
      return {};
    } finally {
      this.onRead?.();
    }
  }

  #withoutEnding(answer: Answer): Answer {
    const { text } = answer;
    const { ending } = this;
    if (!text || ending.length === 0) return answer;
    const rest = text.length - ending.length;
    return isSameText(text.slice(rest), ending) ? { text: text.slice(0, rest) } : answer;
  }
}

/** Runs a task for every item, some at the same time, and returns the results in order. */
export async function forEach<Item, Result>(
  items: readonly Item[],
  concurrency: number,
  task: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < items.length) {
      const i = next++;
      results[i] = await task(items[i] as Item);
    }
  };
  await Promise.all(Array.from({ length: Math.min(concurrency, items.length) }, work));
  return results;
}
