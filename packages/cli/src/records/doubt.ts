/** Where bytes hold something that a conversion may change, found by a test that only says whether. */

/** A stretch of bytes. */
export interface Stretch {
  readonly start: number;
  readonly end: number;
}

/** How much is tested at once, in bytes, before it is halved. */
const WINDOW = 1 << 12;

const LF = 0x0a;

/**
 * Finds the first line that does not pass a test; with it come others where lines are short.
 *
 * @param from - Where to begin: where a line begins.
 * @param isClean - The test. A line feed is a boundary in all encodings.
 * @returns Undefined where all pass.
 */
export function findDoubt(
  bytes: Uint8Array,
  from: number,
  isClean: (bytes: Uint8Array) => boolean,
): Stretch | undefined {
  for (let start = from; start < bytes.length; ) {
    const end = findLineEnd(bytes, start + WINDOW);
    if (!isClean(bytes.subarray(start, end))) return narrow(bytes, start, end, isClean);
    start = end;
  }
  return undefined;
}

/** Halves a stretch as long as that leaves whole lines, and goes on with the first half in doubt. */
function narrow(
  bytes: Uint8Array,
  start: number,
  end: number,
  isClean: (bytes: Uint8Array) => boolean,
): Stretch {
  for (;;) {
    const middle = findLineEnd(bytes, (start + end) >>> 1);
    if (middle >= end) return { start, end };
    if (isClean(bytes.subarray(start, middle))) start = middle;
    else end = middle;
  }
}

/** The index behind the first line feed at or behind an index. */
function findLineEnd(bytes: Uint8Array, index: number): number {
  const feed = index < bytes.length ? bytes.indexOf(LF, index) : -1;
  return feed === -1 ? bytes.length : feed + 1;
}
