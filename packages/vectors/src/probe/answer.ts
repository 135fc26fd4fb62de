/** How a reader read an input. */

/** Text; or, with a `failure`, no answer at all; or, with neither, a refusal. */
export interface Answer {
  /** Code points; surrogates of pairs are joined. */
  readonly text?: readonly number[] | undefined;
  /** A verb phrase, such as `hangs`. */
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
