/** Says what an argument should have been. */
export function refuse(expected: string, value: unknown): never {
  throw new TypeError(`Expected ${expected}, but got ${typeof value}.`);
}

/** Checks that a text argument is a string. */
export function checkText(text: string): void {
  if (typeof text !== 'string') refuse('a string', text);
}

/** Checks that options are an object, if there are any. */
export function checkOptions(options: object | undefined): void {
  if (options !== undefined && (typeof options !== 'object' || options === null)) {
    refuse('an options object', options);
  }
}
