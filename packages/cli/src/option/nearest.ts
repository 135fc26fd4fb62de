/** Guesses the word that a misspelled one was meant to be: ` (did you mean check?)`, or nothing. */
export function guess(word: string, words: Iterable<string>, prefix = ''): string {
  const most = Math.min(3, word.length / 2);
  const near = Array.from(words, (each): [string, number] => [each, measureDistance(word, each)])
    .filter(([, distance]) => distance <= most)
    .sort(([, a], [, b]) => a - b);
  return near[0] ? ` (did you mean ${prefix}${near[0][0]}?)` : '';
}

/** The Levenshtein distance: how many characters to insert, delete or replace. */
function measureDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (const [i, character] of [...a].entries()) {
    const next = [i + 1];
    for (const [j, other] of [...b].entries()) {
      const [left, above, corner] = [next[j], row[j + 1], row[j]] as [number, number, number];
      next.push(Math.min(left + 1, above + 1, corner + (character === other ? 0 : 1)));
    }
    row = next;
  }
  return row[b.length] as number;
}
