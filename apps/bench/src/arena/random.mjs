/**
 * Random numbers from 0 up to 1, the same on every run: the linear congruential generator of
 * Numerical Recipes.
 *
 * @param {number} seed
 * @returns {() => number}
 */
export function randomNumbers(seed) {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}
