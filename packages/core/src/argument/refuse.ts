/** Says what an argument should have been. */
export function refuse(expected: string, value: unknown): never {
  const type = Object.prototype.toString.call(value).slice(8, -1);
  throw new TypeError(`Expected ${expected}, but got ${type}.`);
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
