/** Checks arguments that are not bytes, and reports arguments of a wrong type. */

/**
 * Reports a wrong argument.
 *
 * @param expected - The expected argument.
 * @throws TypeError always.
 */
export function refuse(expected: string, value: unknown): never {
  throw new TypeError(`Expected ${expected}, but got ${describe(value)}.`);
}

/** Describes an argument. */
function describe(value: unknown): string {
  if (value == null) return String(value);
  const type = typeof value;
  return type === 'object'
    ? `an object of type ${Object.prototype.toString.call(value).slice(8, -1)}`
    : `the ${type} ${String(value)}`.slice(0, 60);
}

/** Checks that a text argument is a string. */
export function checkText(text: string): void {
  if (typeof text !== 'string') refuse('a string', text);
}

/** Options of coders' functions. */
export const STREAM_OPTIONS: readonly string[] = ['stream'];

/**
 * Checks that options, if there are any, are an object without unknown names: a misspelled option would be
 * ignored silently.
 *
 * @param known - The names of the options.
 * @throws TypeError otherwise.
 */
export function checkOptions(options: object | undefined, known: readonly string[]): void {
  if (options === undefined) return;
  if (typeof options !== 'object' || options === null) refuse('options', options);
  for (const name of Object.keys(options)) {
    if (!known.includes(name)) {
      throw new TypeError(`Unknown option "${name}"; expected ${known.join(', ')}.`);
    }
  }
}
