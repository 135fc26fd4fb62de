/** The answers of a reader. */

/** The answer of a reader to an input: a text, a failure, or, without either, a refusal. */
export interface Answer {
  /** The text as code points; surrogate pairs are joined. */
  readonly text?: readonly number[] | undefined;
  /** The failure as a verb phrase, such as `hangs`. */
  readonly failure?: string | undefined;
}

export const isSameText = (
  one: readonly number[] | undefined,
  other: readonly number[] | undefined,
): boolean =>
  one === other ||
  (one !== undefined &&
    other !== undefined &&
    one.length === other.length &&
    one.every((value, i) => value === other[i]));

export const isSameAnswer = (one: Answer, other: Answer): boolean =>
  one.failure === other.failure && isSameText(one.text, other.text);
