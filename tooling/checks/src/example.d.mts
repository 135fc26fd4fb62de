/** One fenced piece of TypeScript and where it stands. */
export interface Example {
  readonly place: string;
  readonly code: string;
}

/** The examples of a source: code fenced as `ts` in its comments, or in a Markdown text. */
export declare function findExamples(file: string, text: string): Example[];

/**
 * Makes an example check itself: each statement with a comment `// => value`, at its end or on the next line, becomes a
 * call of `__check(statement, value, text, index)`, in blocks as well.
 *
 * @returns TypeScript that runs the checks, and how many there are.
 */
export declare function addChecks(example: Example): { script: string; checks: number };

/**
 * Turns an example into a module that checks itself, as {@link addChecks} does.
 *
 * @param format - `commonjs` makes a CommonJS module of it (default: `esm`).
 * @returns JavaScript that runs the checks, and how many there are.
 */
export declare function compileExample(
  example: Example,
  format?: 'esm' | 'commonjs',
): { script: string; checks: number };
