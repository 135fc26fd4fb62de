/** Draws the same sample for the same seed. */

/**
 * Draws members of a list.
 *
 * @template T
 * @param {readonly T[]} list
 * @param {number} count How many; all if there are no more.
 * @param {number} seed
 * @returns {T[]} In the order of the list.
 */
export function drawSample(list, count, seed) {
  const random = createRandom(seed);
  const places = list.map((_, i) => i);
  const chosen = Math.min(count, list.length);
  for (let i = 0; i < chosen; i++) {
    const j = i + Math.floor(random() * (places.length - i));
    [places[i], places[j]] = [places[j], places[i]];
  }
  return places
    .slice(0, chosen)
    .sort((a, b) => a - b)
    .map((place) => list[place]);
}

/** mulberry32: numbers from 0 to 1. */
function createRandom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
