/** Which cases `npm test` tries by day, where the night tries all of them. */

/** Whether all cases are to be tried: `UTF8_CASES=all`. */
export const triesAll: boolean = typeof process !== 'undefined' && process.env.UTF8_CASES === 'all';

/**
 * Picks some cases at random, in their order. With `UTF8_CASES=all`, returns all of them. Each test must name its case
 * in its title or in its message, since no seed repeats the choice.
 *
 * @param cases - All cases.
 * @param count - How many of them to try by day.
 */
export function someByDay<T>(cases: readonly T[], count: number): readonly T[] {
  if (triesAll || count >= cases.length) return cases;
  const chosen = new Set<number>();
  while (chosen.size < count) chosen.add(Math.floor(Math.random() * cases.length));
  return cases.filter((_, i) => chosen.has(i));
}
