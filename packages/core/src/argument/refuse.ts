/** Says what an argument should have been. */
export function refuse(expected: string, value: unknown): never {
  throw new TypeError(`Expected ${expected}, but got ${describe(value)}.`);
}

/** Names what a caller passed. */
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

/** Checks that options are an object, if there are any. */
export function checkOptions(options: object | undefined): void {
  if (options !== undefined && (typeof options !== 'object' || options === null)) {
    refuse('options', options);
  }
}
