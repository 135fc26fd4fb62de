/** The report: everything that was measured, as JSON. */

/** @typedef {import('./heats.mjs').Cell} Cell */
/** @typedef {import('./heats.mjs').Entry} Entry */

/**
 * @typedef {object} Report
 * @property {3} version - Of this format.
 * @property {string} mode
 * @property {readonly string[]} words - What `--only` picked.
 * @property {ReturnType<typeof import('./machine.mjs').describeMachine>} machine
 * @property {{ name: string, about: string }[]} runtimes - In the order of the command line.
 * @property {{ commit: string, title: string }} [against] - The commit that ours raced against.
 * @property {import('./backends.mjs').Decision[]} [backends] - Which backend was the fastest.
 * @property {Record<string, string>} peers - Versions.
 * @property {number} seconds - How long it took to measure.
 * @property {Record<string, number>} stages - Of those, by runtime and operation.
 * @property {(Entry & { runtime: string })[]} contestants
 * @property {Cell[]} cells - Times in nanoseconds of a call.
 * @property {import('./heats.mjs').Memory[]} memory - In bytes.
 * @property {import('./commands/measure.mjs').CommandResult[]} commands
 * @property {import('./start.mjs').Start[]} starts
 * @property {import('./native/measure.mjs').NativeReport} [native] - Of `--native`.
 * @property {string[]} skipped
 * @property {import('./heats.mjs').Results['reference']} reference
 * @property {import('./noise.mjs').Noise[]} noise - By runtime.
 * @property {import('./targets.mjs').Verdict[]} targets
 */

/** @typedef {{ what: string, why: string, isOurs: boolean }} Wrong */

/** The names of the two builds of `--against`. */
export const THEN = 'then';
export const NOW = 'now';

/**
 * Every contestant that gave a wrong output, once for each operation and runtime.
 *
 * @param {Report} report
 * @returns {Wrong[]}
 */
export function findWrong({ cells, contestants, commands, starts, runtimes, native }) {
  const groups = new Map(
    contestants.map(({ operation, name, group }) => [`${operation} ${name}`, group]),
  );
  const place = (/** @type {string} */ runtime) => (runtimes.length > 1 ? `${runtime}: ` : '');
  /** @type {Map<string, Wrong>} */
  const wrong = new Map();
  for (const { runtime, operation, contestant, edition, corpus, size, wrong: why } of cells) {
    const name = `${operation} ${contestant}`;
    const what = `${place(runtime)}${name}${edition ? ` (${edition})` : ''}`;
    if (!why || wrong.has(what)) continue;
    wrong.set(what, {
      what,
      why: `${corpus}, ${size} bytes: ${why}`,
      // Errors of an older commit do not count for this one.
      isOurs: groups.get(name) === 'ours' && edition !== THEN,
    });
  }
  for (const { runtime, command, format, damage, contestant, group, wrong: why } of commands) {
    const what = `${place(runtime)}${command} ${format}, ${contestant}`;
    if (why && !wrong.has(what))
      wrong.set(what, { what, why: `${damage} damaged: ${why}`, isOurs: group === 'ours' });
  }
  for (const { runtime, contestant, wrong: isWrong } of starts) {
    const what = `${place(runtime)}start ${contestant}`;
    if (isWrong)
      wrong.set(what, {
        what,
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

/**
 * Tells whether two entries work on the same variant, or one of them is the platform, which has only UTF-8
 * and is the reference for all.
 *
 * @param {Entry} one
 * @param {Entry} other
 */
export const areRivals = (one, other) =>
  other.group === 'platform' || one.variant === other.variant;

/**
 * Functions of the platform that do the same as each operation; the first that a runtime has counts.
 *
 * @type {Readonly<Record<string, readonly string[]>>}
 */
export const NATIVE = {
  decode: ['TextDecoder fatal'],
  encode: ['TextEncoder'],
  encodeInto: ['TextEncoder'],
  validate: ['isUtf8', 'TextDecoder fatal'],
  transcode: ['native decode + encode'],
  stream: ['TextDecoder fatal'],
  replace: ['TextDecoder'],
  readUTF: ['TextDecoder'],
};

/** @typedef {{ runtime: string, operation: string, corpus: string, size: number, contestant: string, edition?: string }} Address */

/** @param {Address} address */
const keyOf = ({ runtime, operation, corpus, size, contestant, edition = '' }) =>
  `${runtime}|${operation}|${corpus}|${size}|${contestant}|${edition}`;

/**
 * Finds the cells that have times.
 *
 * @param {readonly Cell[]} cells
 * @returns {(address: Address) => Cell | undefined}
 */
export function indexCells(cells) {
  const map = new Map(cells.filter(({ wrong }) => !wrong).map((cell) => [keyOf(cell), cell]));
  return (address) => map.get(keyOf(address));
}

/**
 * Returns the speed of one of our contestants relative to the platform of the same runtime.
 *
 * @param {ReturnType<typeof indexCells>} find
 * @param {Address} address
 * @returns {{ ratio: number, isNoisy: boolean } | undefined}
 */
export function compareToNative(find, address) {
  const one = find(address);
  for (const contestant of NATIVE[address.operation] ?? []) {
    const native = find({ ...address, contestant });
    if (one && native) {
      return { ratio: native.median / one.median, isNoisy: Boolean(one.isNoisy || native.isNoisy) };
    }
  }
  return undefined;
}

/** Entries of ours that have a row of their own. @param {Entry} entry */
export const isMain = ({ group, name }) => group === 'ours' && !/\/|, clean/.test(name);
