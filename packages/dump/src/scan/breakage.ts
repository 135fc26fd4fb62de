/** What the repair of a text breaks: lengths that precede strings. */

/** Finds lengths in bytes before strings, as PHP's `serialize` writes them, and checks them. */
export function findPrefixes(value: Uint8Array): { text: string; fits: boolean }[] {
  const latin = Buffer.from(value).toString('latin1');
  // Inside another string, the quotes have backslashes.
  const matches = latin.matchAll(/s:(\d+):(\\?)"/g);
  return Array.from(matches, ({ 0: all, 1: length = '', 2: slash = '', index }) => {
    const start = index + all.length;
    const end = slash ? skipEscaped(latin, start, Number(length)) : start + Number(length);
    return { text: `s:${length}:`, fits: latin.startsWith(`${slash}"`, end) };
  });
}

/** The index after so many bytes, where an escape sequence counts as one. */
function skipEscaped(latin: string, start: number, length: number): number {
  let i = start;
  for (let done = 0; done < length && i < latin.length; done++) i += latin[i] === '\\' ? 2 : 1;
  return i;
}

/** Finds the lengths that a repair makes wrong: their indices among those of the value, and texts. */
export function findBroken(before: Uint8Array, after: Uint8Array): [index: number, text: string][] {
  const then = findPrefixes(after);
  // A repair neither adds nor removes a length, so indices match.
  return findPrefixes(before).flatMap(({ text, fits }, i) =>
    fits && then[i]?.text === text && !then[i].fits ? [[i, text]] : [],
  );
}

/** Finds the index of a length in the text as the file spells it. */
export function locatePrefix(text: Uint8Array, index: number): number {
  const latin = Buffer.from(text).toString('latin1');
  return Array.from(latin.matchAll(/s:\d+:\\*"/g), (match) => match.index)[index] ?? 0;
}
