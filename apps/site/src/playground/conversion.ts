/** The repair of an input, as `utf8 convert` does it. */
import { type Codec, type ErrorPolicy, Transcoder } from '@utf8/core';
import { codecFor, type Label } from '@utf8/detect';
import { type ErrorsPolicy, findLegacyEncoding, legacyErrors } from '@utf8/repair';
import { quotePath } from '../../../../packages/cli/src/words/shell.js';
import { type Input, open, read } from './input.js';

/** A conversion, as the options of `utf8 convert` specify it. */
export interface Conversion {
  readonly from: Label;
  readonly to: Label;
  readonly errors: ErrorsPolicy;
}

/** Result of a conversion. */
export interface Outcome {
  /** The result; undefined where the conversion was refused. */
  readonly result: Blob | undefined;
  /** Reason why it was refused. */
  readonly refusal: string | undefined;
  /** True if converting the result back, with no policy, gives the input. */
  readonly isReversible: boolean;
}

/** The policies by the names that codecs have for them. */
const policies = {
  fail: 'strict',
  replace: 'replace',
  remove: 'ignore',
  escape: 'backslashreplace',
} as const satisfies Readonly<Record<string, ErrorPolicy>>;

/** Finds the policy of a codec by the name of an option. */
export function policyOf(errors: ErrorsPolicy): ErrorPolicy {
  const encoding = findLegacyEncoding(errors);
  return encoding ? legacyErrors(encoding) : policies[errors as keyof typeof policies];
}

/** Converts an input from the first byte to the last, in memory that does not grow with it. */
export async function convert(input: Input, { from, to, errors }: Conversion): Promise<Outcome> {
  const [source, target] = [codecFor(from), codecFor(to)];
  const { stream, refusal } = await open(input);
  if (refusal) return refuse(`The input ${refusal}.`);
  if (errors === 'remove' && joinsSurrogates(source, target)) {
    return refuse(`remove can join two surrogates, which ${target.name} refuses.`);
  }
  const transcoder = new Transcoder(source, target, { errors: policyOf(errors) });
  const check = new Comparison(target, source);
  const parts: Blob[] = [];
  const add = (original: Uint8Array, bytes: Uint8Array<ArrayBuffer>): void => {
    // A blob may leave memory for the disk.
    parts.push(new Blob([bytes]));
    check.add(original, bytes);
  };
  try {
    for await (const chunk of read(stream)) add(chunk, transcoder.push(chunk));
    add(new Uint8Array(0), transcoder.flush());
  } catch (error) {
    const { code, message } = error as Error & { code?: string };
    if (code !== 'ERR_UTF8_DECODE') throw error;
    return refuse(message);
  }
  return { result: new Blob(parts), refusal: undefined, isReversible: check.finish() };
}

const refuse = (refusal: string): Outcome => ({ result: undefined, refusal, isReversible: false });

const SURROGATE = Uint8Array.of(0xed, 0xa0, 0xbd);

/** Tells whether text between two surrogates must not be removed, as for `utf8 convert`. */
const joinsSurrogates = (from: Codec, to: Codec): boolean =>
  from.isValid(SURROGATE) && to.isValid(SURROGATE) && to.grammar.refused.length > 0;

/**
 * Writes the command that converts in the same way.
 *
 * @param file - The name of the input.
 * @param output - The name of the result.
 */
export const formatConversion = (
  { from, to, errors }: Conversion,
  file: string,
  output: string,
): string =>
  [
    `utf8 convert -f ${from}`,
    ...(to === 'utf-8' ? [] : [`-t ${to}`]),
    ...(errors === 'fail' ? [] : [`--errors ${errors}`]),
    `${quotePath(file)} -o ${quotePath(output)}`,
  ].join(' ');

/** Compares an input with what its result becomes when it is converted back. */
class Comparison {
  readonly #back: Transcoder;
  /** The part of the input that has not been compared. */
  #pending: Uint8Array[] = [];
  #isEqual = true;

  constructor(from: Codec, to: Codec) {
    this.#back = new Transcoder(from, to);
  }

  add(original: Uint8Array, bytes: Uint8Array): void {
    if (!this.#isEqual) return;
    if (original.length > 0) this.#pending.push(original);
    this.#compare(() => this.#back.push(bytes));
  }

  finish(): boolean {
    if (this.#isEqual) this.#compare(() => this.#back.flush());
    return this.#isEqual && this.#pending.length === 0;
  }

  #compare(convert: () => Uint8Array): void {
    try {
      for (let bytes = convert(); bytes.length > 0; ) {
        const [first, ...others] = this.#pending;
        const length = Math.min(first?.length ?? 0, bytes.length);
        const isSame = first?.subarray(0, length).every((byte, i) => byte === bytes[i]) ?? false;
        if (!first || !isSame) {
          this.#isEqual = false;
          return;
        }
        this.#pending = length < first.length ? [first.subarray(length), ...others] : others;
        bytes = bytes.subarray(length);
      }
    } catch {
      this.#isEqual = false;
    }
  }
}
