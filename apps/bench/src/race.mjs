/** Contestants against each other in one process, in turns, so that a machine's moods hit all alike. */

/** Results go in here, so that no engine finds out that nobody needs them. */
let sink = 0;

/** Milliseconds that a contestant takes for `runs` runs over the inputs. */
function time(contestant, inputs, runs) {
  const start = performance.now();
  for (let run = 0; run < runs; run++) {
    for (const input of inputs) {
      const result = contestant(input);
      sink ^= typeof result === 'object' || typeof result === 'string' ? result.length : +result;
    }
  }
  return performance.now() - start;
}

/**
 * Races functions on the same work.
 *
 * @param contestants - By name; each takes one input.
 * @param inputs - What each contestant gets in a run, one after the other.
 * @param rounds - How often each is timed; the median counts.
 * @returns The median milliseconds of one input, by name.
 */
export function race(contestants, inputs, { rounds = 9, slice = 8, warmUp = 60 } = {}) {
  const names = Object.keys(contestants);
  const runs = {};
  for (const name of names) {
    let spent = 0;
    let count = 1;
    // Warm up, and find how many runs fill a slice of time.
    for (let last = 0; spent < warmUp || last < slice / 2; ) {
      last = time(contestants[name], inputs, count);
      spent += last;
      if (last < slice / 2) count *= 2;
    }
    runs[name] = count;
  }
  const times = Object.fromEntries(names.map((name) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    for (const name of names) times[name].push(time(contestants[name], inputs, runs[name]));
  }
  if (Number.isNaN(sink)) throw new Error('a contestant returned no number');
  return Object.fromEntries(
    names.map((name) => {
      const sorted = times[name].sort((a, b) => a - b);
      return [name, sorted[rounds >> 1] / runs[name] / inputs.length];
    }),
  );
}
