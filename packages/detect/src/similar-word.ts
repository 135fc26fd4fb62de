/**
 * Finds the word that a misspelled one was most likely meant to be: the one with the fewest characters to
 * insert, delete or replace, at most three; undefined if there is none.
 */
export function findSimilarWord(word: string, words: Iterable<string>): string | undefined {
  let least = Math.min(3, word.length / 2);
  let found: string | undefined;
  for (const each of words) {
    // Keeps the work small, however long the word is.
    if (Math.abs(each.length - word.length) > least) continue;
    const distance = measureDistance(word, each);
    if (distance > least || (found !== undefined && distance === least)) continue;
    least = distance;
    found = each;
  }
  return found;
}

/** Measures the Levenshtein distance. */
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
