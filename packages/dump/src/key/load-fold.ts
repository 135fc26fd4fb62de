/**
 * Loads the function that compares texts as a collation does. Its tables take as much memory as all formats, and few
 * runs need them.
 *
 * @returns A function that returns bytes which are equal for all values that are equal under a collation.
 * @internal
 */
export const loadFold = async (): Promise<typeof import('./key-values.js').foldBytes> =>
  (await import('./key-values.js')).foldBytes;
