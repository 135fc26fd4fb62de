/** Characters that another program replaced. */

/** A run of `?` or U+FFFD. */
interface Run {
  readonly length: number;
}

/** The most marks that a character becomes: `?` for each of the six bytes of a pair. */
const MOST_MARKS = 6;

/** UTF-16 code units of the longest text that is compared, and the most ways to match at once. */
const LONGEST = 1 << 16;
const MOST_WAYS = 256;

/**
 * Tells whether a text is another one in which characters other than ASCII became `?` or U+FFFD, one mark
 * for each character, or for each of its bytes. The end may be missing.
 */
export function isReplaced(original: string, text: string): boolean {
  if (original.length > LONGEST || text.length > LONGEST || !/[?\ufffd]/.test(text)) return false;
  const tokens = splitRuns(text);
  const places = tokens.length + 1;
  // A way is a place among the tokens, and how many characters its run stands for: a number of both.
  let ways = new Set([0]);
  for (const character of original) {
    const next = new Set<number>();
    const isReplaceable = character > '\x7f' || character === '?';
    for (const way of ways) {
      const at = way % places;
      const used = Math.floor(way / places);
      for (const place of used > 0 && isEnough(tokens[at], used) ? [at, at + 1] : [at]) {
        const token = tokens[place];
        const count = place === at ? used : 0;
        if (token === undefined) continue;
        if (typeof token === 'string') {
          if (token === character) next.add(place + 1);
        } else if (isReplaceable && count < token.length) {
          next.add(place + (count + 1) * places);
        }
      }
      if (isAtEnd(at, used, tokens)) return true;
    }
    if (next.size === 0 || next.size > MOST_WAYS) return false;
    ways = next;
  }
  return [...ways].some((way) => isAtEnd(way % places, Math.floor(way / places), tokens));
}

const isEnough = (token: Run | string | undefined, used: number): boolean =>
  typeof token === 'object' && token.length <= MOST_MARKS * used;

/** Tells whether a way has come to the end of the text. */
const isAtEnd = (at: number, used: number, tokens: readonly (Run | string)[]): boolean =>
  at === tokens.length || (at === tokens.length - 1 && used > 0 && isEnough(tokens[at], used));

/** Splits a text into characters and runs of marks. */
const splitRuns = (text: string): (Run | string)[] =>
  (text.match(/[?\ufffd]+|[^?\ufffd]/gu) ?? []).map((part) =>
    /^[?\ufffd]/.test(part) ? { length: part.length } : part,
  );
