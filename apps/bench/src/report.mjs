/** The report: everything that was measured, as JSON. */

/**
 * @typedef {object} Report
 * @property {1} version - Of this format.
 * @property {string} mode
 * @property {readonly string[]} words - What `--only` picked.
 * @property {ReturnType<typeof import('./machine.mjs').describeMachine>} machine
 * @property {Record<string, string>} peers - Versions.
 * @property {number} seconds - How long it took to measure.
 * @property {Record<string, number>} stages - Of those, by operation.
 * @property {import('./heats.mjs').Entry[]} contestants
 * @property {import('./heats.mjs').Cell[]} cells - Times in nanoseconds of a call.
 * @property {import('./heats.mjs').Memory[]} memory - In bytes.
 * @property {import('./files/measure.mjs').FileResult[]} files
 * @property {import('./start.mjs').Start[]} starts
 * @property {import('./native/measure.mjs').NativeReport} [native] - Of `--native`.
 * @property {string[]} skipped
 * @property {import('./targets.mjs').Verdict[]} targets
 */

/** @typedef {{ what: string, why: string, isOurs: boolean }} Wrong */

/**
 * Every contestant that gave a wrong output, once for each operation.
 *
 * @param {Report} report
 * @returns {Wrong[]}
 */
export function findWrong({ cells, contestants, files, starts, native }) {
  const groups = new Map(
    contestants.map(({ operation, name, group }) => [`${operation} ${name}`, group]),
  );
  /** @type {Map<string, Wrong>} */
  const wrong = new Map();
  for (const { operation, contestant, corpus, size, wrong: why } of cells) {
    const what = `${operation} ${contestant}`;
    if (!why || wrong.has(what)) continue;
    wrong.set(what, {
      what,
      why: `${corpus}, ${size} bytes: ${why}`,
      isOurs: groups.get(what) === 'ours',
    });
  }
  for (const { contestant, group, wrong: why } of files) {
    if (why)
      wrong.set(`files ${contestant}`, {
        what: `files ${contestant}`,
        why,
        isOurs: group === 'ours',
      });
  }
  for (const { contestant, wrong: isWrong } of starts) {
    if (isWrong)
      wrong.set(`start ${contestant}`, {
        what: `start ${contestant}`,
        why: 'a first call gave a wrong result',
        isOurs: contestant !== 'native',
      });
  }
  for (const { contest, contestant, group, corpus, size, wrong: why } of native?.cells ?? []) {
    const what = `native ${contest} ${contestant}`;
    if (why && !wrong.has(what)) {
      wrong.set(what, { what, why: `${corpus}, ${size} bytes: ${why}`, isOurs: group === 'ours' });
    }
  }
  return [...wrong.values()];
}

/** Whether two work on the same variant, or one of them is the platform, which has UTF-8 only and is what all are held against. @param {import('./heats.mjs').Entry} one @param {import('./heats.mjs').Entry} other */
export const areRivals = (one, other) =>
  other.group === 'platform' || one.variant === other.variant;
