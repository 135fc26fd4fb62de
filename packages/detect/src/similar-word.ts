/**
 * Finds the word that is nearest to a misspelled one: with the fewest characters to insert, delete or
 * replace, at most three.
 *
 * @param word - The misspelled word.
 * @param words - The words to choose from.
 * @returns The first of the nearest words; undefined if no word is that near.
 * @internal
 */
export function findSimilarWord(word: string, words: Iterable<string>): string | undefined {
  let least = Math.min(3, word.length / 2);
  let found: string | undefined;
  for (const each of words) {
    // Keeps long words cheap.
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
